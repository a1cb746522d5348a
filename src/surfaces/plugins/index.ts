/**
 * Controllers, invariants, faults and kinds of somebody's own, read from their files: bundled, run with this instance as `orchsim`,
 * checked.
 */
export { type Brought, type Own, ownFrom, ownLoader, type OwnOptions, type Sources } from './load.ts';
