/**
 * Looks for what may go otherwise in somebody's scenario until a claim of it breaks, and answers with the fewest choices that do it. To read
 * it in order: `survey.ts`, `swarm.ts`, `search.ts`, `shrink/shrink.ts`, `words.ts`.
 */
export type { Cause } from './cause.ts';
export { byCause, findingOf, search, type Finding, type Searched, type SearchOptions } from './find.ts';
export { beginSearch, make, ROUND, usualDeeds, type Catch, type Ground, type Outcome, type Search } from './search.ts';
export { survey, type Survey, type Unfit } from './survey.ts';
export type { Draw } from './swarm.ts';
