/** Reads the dump of a real cluster (`kubectl get -o yaml`, `cluster-info dump`, kwok's snapshots) as the state that a cluster begins with. */
export { readSnapshot, type Snapshot, type SnapshotOptions } from './snapshot.ts';
export type { SnapshotFile } from './documents.ts';
export { foreignKinds, type ForeignKind, withForeign } from './foreign.ts';
