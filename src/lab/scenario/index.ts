/**
 * Scenario files: the format as data, reading with every problem at once, writing, and the small languages inside (targets, partial
 * objects, CEL, durations). What comes out is plain data; running it is the simulation's business.
 */
export type * from './types.ts';
export type * from './target-types.ts';
export type * from './decision-types.ts';
export { parseManifests, parseScenario, parseScenarios, type ParseOptions } from './parse.ts';
export { formatProblem, type Position, type Problem } from '../../grammar/yaml/index.ts';
export type { FaultSpec, Field, Fields, Value, Vocabulary } from './fields.ts';
export { SCENARIO_API_VERSION, SCENARIO_KIND } from './format.ts';
export { remarksOn, type Remark } from './remarks.ts';
export { SCENARIO_DEFAULTS } from './compile.ts';
export { type CompiledExpression, compileExpression, type Evaluated } from './expressions.ts';
export type { ExpressionError, Facts } from './cel.ts';
export { ALL_NAMESPACES, DEFAULT_NAMESPACE, formatTarget, parseTarget, targetNamespace } from './targets.ts';
export { matchesPattern, selectInvariants } from './patterns.ts';
export { formatInstant, parseInstant } from './instants.ts';
export { match, matches, type Difference } from './match.ts';
export { explainMismatch, formatDifferences, type Mismatch } from './explain.ts';
export { formatRows, scenarioJsonSchema, type JsonSchema } from './json-schema.ts';
export { type FormatOptions, formatScenario } from './write.ts';
export type { ScenarioLike } from './uncompile.ts';
export type { BackendQuestion, DecisionExpectation, EndpointsQuestion, TrafficEndRef, TrafficQuestion } from './decision-types.ts';
export type { TargetRef } from './target-types.ts';
export type {
  AccessQuestion,
  Action,
  ClusterSpec,
  CountBounds,
  Expectation,
  ExpectedError,
  FaultCall,
  LatencyRange,
  Manifest,
  Scenario,
  SourcedManifest,
  Step,
  Timing,
  WritingAction,
} from './types.ts';
