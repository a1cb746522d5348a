/** What the server makes of a ReplicaSet before it is stored. Models: v1.24 pkg/registry/apps/replicaset/strategy.go. */
import type { Draft } from '../../vocabulary/index.ts';
import type { ReplicaSet } from './shape.ts';

export function prepareReplicaSet(draft: Draft<ReplicaSet>): void {
  draft.status = { replicas: 0 };
}
