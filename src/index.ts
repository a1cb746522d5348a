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
export type { Action, Expectation, FaultCall, Manifest, ParseOptions, PodBehavior, Position, Problem, Scenario, Step, TargetRef, Timing, Vocabulary } from './lab/scenario/index.ts';

// Runs: what came of it.
export { simulate } from './lab/simulation/index.ts';
export type { Beat, InvariantResult, Run, RunFailure, SimulateOptions, Verdict } from './lab/simulation/index.ts';

// Traces: what happened, forwards and backwards, and why.
export { causesOf, chainOf, changesBetween, cursorAt, diffValues, entryAt, formatChange, formatLine, formatSince, readTrace, stepAt, storyOf, traceLines, whyOf, writesOf } from './lab/trace/index.ts';
export type { CauseLink, Cursor, Entry, ObjectChange, ObjectName, PathChange, Trace, TraceHead, World } from './lab/trace/index.ts';

// Faults and invariants: what may go wrong, and what must hold all the same.
export { faults } from './lab/faults/index.ts';
export type { Fault } from './lab/faults/index.ts';
export { invariants } from './lab/invariants/index.ts';
export type { Checker, Facts, Invariant, Violation } from './lab/invariants/index.ts';

// A cluster of one's own.
export { createCluster } from './cluster/cluster.ts';
export type { Cluster, ClusterOptions, Counters } from './cluster/cluster.ts';
export type { ApiRequest, ApiResponse } from './cluster/server/index.ts';
export { kindsFor, namesFor } from './cluster/api/index.ts';
export type { APIService, ApiObject, CSIStorageCapacity, CronJob, Domain, Endpoints, EndpointSlice, Event, Ingress, IngressClass, Job, Kind, KindRegistry, Lease, Names, Namespace, NetworkPolicy, Node, ObjectInput, Pod, RuntimeClass, StatefulSet, Status } from './cluster/api/index.ts';

// Rules that decide, over objects of one's own.
export { admitRuntimeClass, backendFor, compareVersions, expandEndpoints, joinSlices, mayPass, preferredGroups, preferredVersion, storageCapacity, tolerates, usedEndpoints } from './cluster/decisions/index.ts';
export type { BackendDecision, CapacityDecision, IngressRequest, IngressView, PolicyView, PreferredGroup, RuntimeClassDecision, ServiceEndpoint, Traffic, TrafficDecision, TrafficEnd } from './cluster/decisions/index.ts';

// A controller of one's own: pass it to `createCluster` or `simulate`.
export { create, defineController, idle, record, remove, wakeAt, write, writeStatus } from './cluster/runtime/index.ts';
export type { Controller, Outcome, ReconcileInput, Write } from './cluster/runtime/index.ts';
export { controllers } from './cluster/controllers/index.ts';

// Reports: runs in words.
export { assertHeld, describeFailures, objectYaml, runsJson, summarize } from './surfaces/report/index.ts';
export type { RunSummary } from './surfaces/report/index.ts';
