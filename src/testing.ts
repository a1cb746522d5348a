/**
 * orchsim in tests, with any test runner: runs a scenario and asserts that it held; the error has everything that is known. Matchers for
 * vitest are in `orchsim/vitest`; arbitraries, and properties over random scenarios, in `orchsim/fast-check`.
 */
export { assertHeld, describeFailures, readScenarios, search, simulate } from './surfaces/api/index.ts';
export type { Cause, Finding, Searched, SearchOptions, Unfit } from './lab/search/index.ts';
export type { Run, RunFailure, SimulateOptions } from './lab/simulation/index.ts';
export { toHold, toReach } from './surfaces/matchers.ts';
export type { Matched } from './surfaces/matchers.ts';
