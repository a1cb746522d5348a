/** What the server makes of a StatefulSet before it is stored. Models: v1.24 pkg/registry/apps/statefulset/strategy.go. */
import { type Draft, type FeatureGates, keepStatus, type KindContext } from '../../vocabulary/index.ts';
import type { StatefulSet, StatefulSetSpec } from './shape.ts';

/** Fields whose gates are off are dropped, unless the stored object has them. */
function dropGated({ spec }: Draft<StatefulSet>, gates: FeatureGates, old: StatefulSetSpec | undefined): void {
  if (gates['StatefulSetAutoDeletePVC'] !== true && old?.persistentVolumeClaimRetentionPolicy === undefined)
    delete spec.persistentVolumeClaimRetentionPolicy;
  if (gates['MaxUnavailableStatefulSet'] !== true && old?.updateStrategy.rollingUpdate?.maxUnavailable === undefined)
    delete spec.updateStrategy.rollingUpdate?.maxUnavailable;
}

/** With the gate on every set says what becomes of its claims. */
export function defaultStatefulSet({ spec }: Draft<StatefulSet>, { gates }: KindContext): void {
  if (gates['StatefulSetAutoDeletePVC'] === true)
    spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
  const rolling = spec.updateStrategy.rollingUpdate;
  if (gates['MaxUnavailableStatefulSet'] === true && rolling !== undefined) rolling.maxUnavailable ??= 1;
}

export function prepareStatefulSet(draft: Draft<StatefulSet>, { gates }: KindContext): void {
  draft.status = { replicas: 0, availableReplicas: 0 };
  dropGated(draft, gates, undefined);
}

export function prepareStatefulSetUpdate(draft: Draft<StatefulSet>, old: StatefulSet, { gates }: KindContext): void {
  keepStatus(draft, old);
  dropGated(draft, gates, old.spec);
}
