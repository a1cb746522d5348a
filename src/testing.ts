/**
 * orchsim in tests, with any test runner: run a scenario and assert that it held, with everything that is known when it did not. Matchers
 * for vitest are in `orchsim/vitest`, arbitraries and the search through random scenarios, which need fast-check, in `orchsim/fast-check`;
 * `search` here looks for what may go otherwise in one scenario.
 */
export { simulate } from './lab/simulation/index.ts';
export { search } from './lab/search/index.ts';
export type { Cause, Finding, Searched, SearchOptions, Unfit } from './lab/search/index.ts';
export type { Run, RunFailure, SimulateOptions } from './lab/simulation/index.ts';
export { assertHeld, describeFailures } from './surfaces/report/index.ts';
export { toHold, toReach } from './surfaces/matchers.ts';
export type { Matched } from './surfaces/matchers.ts';
export { readScenarios } from './lab/vocabulary.ts';
