/**
 * Scenario files: the format as data, reading with all problems at once, writing, and the languages inside (targets, partial objects, CEL,
 * durations). The result is plain data; `simulation` runs it.
 */
export type { RecordedWrite } from './recorded-writes.ts';
export type * from './types.ts';
export type * from './values.ts';
export type {
  AnswerQuestion,
  BackendQuestion,
  DecisionExpectation,
  EndpointsQuestion,
  TrafficEndRef,
  TrafficQuestion,
} from './writing-format.ts';
export { MOST_TIME_MS, processesOf } from './check-scenario.ts';
export * from './parse.ts';
export type { SnapshotFile } from '../snapshot/index.ts';
export { formatProblem, type Position, type Problem } from '../../schema/yaml/index.ts';
export { choice, duration, type FaultSpec, type Field, type Fields, flag, integer, list, required, type Vocabulary } from './fields.ts';
export { type Given, type GivenFields, givenFields, readFault } from './given-fields.ts';
export { scenarioHead } from './plain.ts';
export { vocabularyBeside } from './read-from.ts';
export { lintWarningsOn, type LintWarning } from './lint-warnings.ts';
export { compileExpression, type CompiledExpression } from './expressions.ts';
export type { Facts } from './cel.ts';
export * from './targets.ts';
export { explainMismatch, match, matches } from './match.ts';
export { scenarioJsonSchema } from './field-types.ts';
export { referencePaths, referenceSections, type ReferenceField, type ReferenceSection } from './reference.ts';
export {
  asOfField,
  type Edit,
  type Edited,
  EDITED,
  EDITS,
  FAULTS,
  MILD_EDITS,
  type InjectedFault,
  type PointChoice,
  SKEW_FOR_MS,
  SORTS,
  type Transition,
} from './choice-format.ts';
export { assistAt, type Assistance } from './assist.ts';
export { itemsOf, type Item, withoutNarration } from './uncompile-steps.ts';
export { formatScenario, type FormatOptions, type ScenarioLike } from './uncompile.ts';
