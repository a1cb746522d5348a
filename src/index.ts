/**
 * orchsim as a library. Everything is synchronous and deterministic: the same scenario and seed give the same run, in Node and in a
 * browser. A wrong argument throws an OrchsimError that names it. `orchsim/internals` exports the layers below, without a promise of
 * stability.
 *
 * ```ts
 * const read = readScenarios(text);
 * if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
 * for (const scenario of read.scenarios) assertHeld(simulate(scenario, { seed: 7, trace: true }));
 * ```
 */

// Scenarios and runs.
export {
  assertHeld,
  createCluster,
  describeFailures,
  formatProblem,
  formatScenario,
  readScenarios,
  search,
  simulate,
} from './surfaces/api/index.ts';
export { OrchsimError } from './engine/error.ts';
export type { ErrorCode } from './engine/error.ts';
export type { FormatOptions, Manifest, Position, Problem, Scenario, Step } from './lab/scenario/index.ts';
export type { Run, RunFailure, SimulateOptions, Verdict } from './lab/simulation/index.ts';
export type { Finding, Searched, SearchOptions, Unfit } from './lab/search/index.ts';
export type { Entry, Trace } from './lab/trace/index.ts';
export type { Cluster, ClusterOptions } from './controlplane/cluster.ts';
export type { ReadOptions } from './lab/vocabulary.ts';

// Definitions of users, for a run, or for the command line by orchsim.config.ts or --with.
export { customKinds, defineConfig, defineController, defineKind, schema } from './surfaces/api/index.ts';
export type { Definitions, UserController, UserFault as Fault } from './lab/definitions/index.ts';
export type { Checker, Facts, Invariant, Violation } from './lab/invariants/index.ts';
export type { CustomKindDefinition } from './apiserver/custom/index.ts';
export type { CustomObjects } from './apiserver/kinds/index.ts';
export type { ApiObject, FieldError, Kind, ObjectInput, ObjectOf } from './apiserver/machinery/index.ts';
export type { Infer, Schema } from './schema/shape/index.ts';

// The builders for the outcome of a controller.
export { create, idle, record, remove, update, wakeAt, watch, write, writeStatus } from './surfaces/api/index.ts';
export { watchOnly } from './controlplane/runtime/index.ts';
export type { Controller, Outcome, ReconcileInput, Write } from './controlplane/runtime/index.ts';
