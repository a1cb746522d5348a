/** The layers below the library: traces, kinds, rules, registries. Names here may change with any version. */

// Scenario files.
export { vocabulary } from './lab/vocabulary.ts';
export { parseManifests, parseScenario, parseScenarios, scenarioJsonSchema } from './lab/scenario/index.ts';
export type {
  Action,
  Expectation,
  FaultCall,
  Manifest,
  ParseOptions,
  Position,
  Problem,
  Scenario,
  Step,
  TargetRef,
  Timing,
  Vocabulary,
} from './lab/scenario/index.ts';
export type { PodBehavior } from './controlplane/agents/index.ts';

// Runs.
export { replayTo } from './lab/simulation/index.ts';
export { forkAt, readForkStep } from './lab/fork/index.ts';
export type { Fork, ForkAction, ForkMoment, ForkOptions } from './lab/fork/index.ts';
export type { InvariantResult, Replay, ReplayOptions, Run, RunFailure, SimulateOptions, Verdict } from './lab/simulation/index.ts';

// Traces and their causes.
export {
  causesOf,
  chainOf,
  changesBetween,
  cursorAt,
  diffValues,
  entryAt,
  formatChange,
  formatLine,
  formatSince,
  headline,
  headlineOf,
  readTrace,
  cacheViewOf,
  stepAt,
  storyOf,
  traceLines,
  viewAt,
  viewsOf,
  whyOf,
  writesOf,
} from './lab/trace/index.ts';
export type {
  NarrationStep,
  CauseLink,
  Cursor,
  Entry,
  ObjectChange,
  ObjectName,
  ObjectRevisions,
  PathChange,
  CacheView,
  Trace,
  TraceHead,
  Unseen,
  View,
  World,
} from './lab/trace/index.ts';

// The registries of faults, invariants and controllers.
export { faults } from './lab/faults/index.ts';
export type { Fault } from './lab/faults/index.ts';
export { invariants } from './lab/invariants/index.ts';
export type { Checker, Facts, Invariant, Violation } from './lab/invariants/index.ts';

// Clusters.
export { introspectionOf } from './controlplane/runtime/index.ts';
export type { Counters, Introspection } from './controlplane/runtime/index.ts';
export type { ApiRequest, ApiResponse } from './apiserver/request/index.ts';
export { kindsFor } from './apiserver/kinds/index.ts';
export { namesFor } from './apiserver/machinery/index.ts';
export type {
  APIService,
  CronJob,
  CSIStorageCapacity,
  Endpoints,
  EndpointSlice,
  Event,
  Ingress,
  IngressClass,
  Job,
  KindRegistry,
  Lease,
  Namespace,
  NetworkPolicy,
  Node,
  Pod,
  RuntimeClass,
  StatefulSet,
} from './apiserver/kinds/index.ts';
export type { ApiObject, Domain, Kind, Names, ObjectInput, Status } from './apiserver/machinery/index.ts';

// Rules, over any objects.
export {
  admitRuntimeClass,
  backendFor,
  expandEndpoints,
  joinSlices,
  mayPass,
  preferredGroups,
  preferredVersion,
  reachedBy,
  storageCapacity,
  tolerates,
  usedEndpoints,
} from './apiserver/decisions/index.ts';
export type {
  BackendDecision,
  CapacityDecision,
  IngressRequest,
  IngressView,
  PolicyView,
  PreferredGroup,
  RuntimeClassDecision,
  ServiceEndpoint,
  Traffic,
  TrafficDecision,
  TrafficEnd,
} from './apiserver/decisions/index.ts';

export { controllers } from './controlplane/controllers/index.ts';
export { problemsOf } from './lab/definitions/index.ts';
export type { DefinitionProblem } from './lab/definitions/index.ts';

// Reports.
export { objectYaml, runsJson, summarize } from './surfaces/report/index.ts';
export type { RunSummary } from './surfaces/report/index.ts';
