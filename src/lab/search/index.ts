/**
 * Fault search: finds faults that break a scenario, and reduces them to the fewest. To read it in order: `baseline.ts`, `swarm.ts`,
 * `search.ts`, `judgement.ts`, `find.ts`, `shrink/shrink.ts`, `blame.ts`, `story.ts`.
 */
export type { Outcome } from './reproduction.ts';
export { type Cause, type Judge } from './cause.ts';
export { byCause, findingOf, findingsOf, search, type Finding, type Searched, type SearchOptions } from './find.ts';
export { trialsOf, type BeginTrials } from './shrink/trials.ts';
export { choicesFor } from './exhaustive/choices.ts';
export { deviating, type Deviated, faultsAt } from './exhaustive/deviations.ts';
export * from './exhaustive/explore.ts';
export { withLatency } from './exhaustive/walk.ts';
export { OpaqueState } from './exhaustive/state.ts';
export { addUp, type Catch, catchName, type Sample, type Statistics, type Tally } from './statistics.ts';
export { isBroken } from './judgement.ts';
export type { Decider } from './story.ts';
export { momentCoverage, type MomentCoverage } from './moments-tried.ts';
export { knownBy, reachOf, type Reach } from './reach.ts';
export { beginSearch, make, ROUND, defaultFaults, type Ground, type Search, type SearchPlan, type Shard } from './search.ts';
export { baseline, type Baseline, type Unfit } from './baseline.ts';
export { aimsOf } from './aims.ts';
export type { Draw } from './swarm.ts';
