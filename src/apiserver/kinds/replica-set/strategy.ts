/** Changes of ReplicaSets before they are stored. Models: v1.24 pkg/registry/apps/replicaset/strategy.go. */
import { type Draft, dropGatedPodFields, keepStatus, type KindContext } from '../../machinery/index.ts';
import type { ReplicaSet } from './shape.ts';

export function prepareReplicaSet(draft: Draft<ReplicaSet>, context: KindContext): void {
  draft.status = { replicas: 0 };
  dropGatedPodFields(draft.spec.template, undefined, context);
}

export function prepareReplicaSetUpdate(draft: Draft<ReplicaSet>, old: ReplicaSet, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
}
