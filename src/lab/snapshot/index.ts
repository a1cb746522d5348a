/** Reads the dump of a real cluster (`kubectl get -o yaml`, `cluster-info dump`, kwok's snapshots) as the state that a cluster begins with. */
export { readSnapshot, type Snapshot } from './snapshot.ts';
export { documentsIn, type SnapshotFile } from './documents.ts';
export { newestIn } from './newest.ts';
export { definedKinds, foreignKinds, withDumped } from './foreign.ts';
export { behaviorsIn, type Suggestions } from './behaviors.ts';
export type { Suggestion } from './starts.ts';
export { withoutValues } from './secrets.ts';
