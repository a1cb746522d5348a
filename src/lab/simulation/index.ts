/** Runs scenarios: `simulate(scenario, { seed })` returns a `Run`, plain data about what held and what did not. */
export { rehearse, simulate, stage, type SimulateOptions, type Staged } from './simulate.ts';
export type { InvariantResult, Run, RunFailure, Verdict } from './run.ts';
export { performFault } from './actions.ts';
export type { FirstWrite } from './first-writes.ts';
export { livenessIn, type Liveness } from './liveness.ts';
export { NEVER_EXERCISED, type Judge } from './monitor.ts';
export { introspectionOf } from './facts.ts';
export { replayTo, type Replay, type ReplayOptions } from './replay.ts';
export { describeExpectation } from './about.ts';
