/**
 * orchsim as a library: read scenarios, run them, ask what happened and why, or drive a cluster yourself. Everything is synchronous and
 * deterministic: the same scenario and seed give the same run, in Node and in a browser.
 *
 * ```ts
 * const read = readScenarios(text);
 * if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
 * for (const scenario of read.scenarios) assertHeld(simulate(scenario, { seed: 7, trace: true }));
 * ```
 */

// Scenarios: what shall happen.
export { readScenarios, vocabulary } from './lab/vocabulary.ts';
export { formatProblem, formatScenario, parseManifests, parseScenario, parseScenarios, scenarioJsonSchema } from './lab/scenario/index.ts';
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

// Runs: what came of it.
export { replayTo, simulate } from './lab/simulation/index.ts';
export { forkAt, readForkStep } from './lab/fork/index.ts';
export type { Fork, ForkAction, ForkMoment, ForkOptions } from './lab/fork/index.ts';
export type { InvariantResult, Replay, ReplayOptions, Run, RunFailure, SimulateOptions, Verdict } from './lab/simulation/index.ts';

// Traces: what happened, forwards and backwards, and why.
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
  PathChange,
  CacheView,
  Trace,
  TraceHead,
  Turn,
  Unseen,
  View,
  World,
} from './lab/trace/index.ts';

// Faults and invariants: what may go wrong, and what must hold all the same.
export { faults } from './lab/faults/index.ts';
export type { Fault } from './lab/faults/index.ts';
export { invariants } from './lab/invariants/index.ts';
export type { Checker, Facts, Invariant, Violation } from './lab/invariants/index.ts';

// A cluster of one's own.
export { createCluster } from './controlplane/cluster.ts';
export type { Cluster, ClusterOptions } from './controlplane/cluster.ts';
export { introspectionOf } from './controlplane/runtime/index.ts';
export type { Counters, Introspection } from './controlplane/runtime/index.ts';
export type { ApiRequest, ApiResponse } from './apiserver/request/index.ts';
export { kindsFor } from './apiserver/kinds/index.ts';
export { namesFor } from './apiserver/vocabulary/index.ts';
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
export type { ApiObject, Domain, Kind, Names, ObjectInput, Status } from './apiserver/vocabulary/index.ts';

// Rules that decide, over objects of one's own.
export {
  admitRuntimeClass,
  backendFor,
  compareVersions,
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

// A controller of one's own: pass it to `createCluster` or `simulate`.
export { defineController } from './lab/bench/index.ts';
export { create, idle, watchOnly, record, remove, update, wakeAt, watch, write, writeStatus } from './controlplane/runtime/index.ts';
export type { Controller, Outcome, ReconcileInput, Write } from './controlplane/runtime/index.ts';
export { controllers } from './controlplane/controllers/index.ts';

// What one brings along, to a run or (in orchsim.config.ts, or --with) to the command line.
export { customKinds, defineConfig, problemsOf } from './lab/definitions/index.ts';
export { defineOwnKind } from './apiserver/custom/index.ts';
export type { OwnKindDefinition } from './apiserver/custom/index.ts';
export type { OwnObjects } from './apiserver/kinds/index.ts';
export { duplicate, forbidden, invalid, nameColumn, ageColumn, notSupported, required, typeMeta } from './apiserver/vocabulary/index.ts';
export type { FieldError, ObjectOf } from './apiserver/vocabulary/index.ts';
export {
  any,
  atomicList,
  bool,
  def,
  filled,
  int32,
  int64,
  intOrString,
  list,
  map,
  mapList,
  obj,
  ptr,
  quantity,
  req,
  setList,
  str,
  time,
} from './grammar/schema/index.ts';
export type { Infer, Schema } from './grammar/schema/index.ts';
export type { DefinitionProblem, Definitions, OwnController } from './lab/definitions/index.ts';

// Reports: runs in words.
export { assertHeld, describeFailures, objectYaml, runsJson, summarize } from './surfaces/report/index.ts';
export type { RunSummary } from './surfaces/report/index.ts';
