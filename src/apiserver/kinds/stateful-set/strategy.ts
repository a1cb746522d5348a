/** Changes of StatefulSets before they are stored. Models: v1.24 pkg/registry/apps/statefulset/strategy.go. */
import { type Draft, dropGatedPodFields, keepStatus, type KindContext, rulesOf } from '../../machinery/index.ts';
import type { StatefulSet, StatefulSetSpec } from './shape.ts';

/** Drops fields whose gates are off, unless the stored object has them. */
function dropGated({ spec }: Draft<StatefulSet>, context: KindContext, old: StatefulSetSpec | undefined): void {
  const { gates } = context;
  if (gates['StatefulSetAutoDeletePVC'] !== true && old?.persistentVolumeClaimRetentionPolicy === undefined)
    delete spec.persistentVolumeClaimRetentionPolicy;
  if (gates['MaxUnavailableStatefulSet'] !== true && old?.updateStrategy.rollingUpdate?.maxUnavailable === undefined)
    delete spec.updateStrategy.rollingUpdate?.maxUnavailable;
  if (gates['StatefulSetMinReadySeconds'] === false && rulesOf(context) === 'specification' && old?.minReadySeconds === undefined)
    delete spec.minReadySeconds;
  dropGatedPodFields(spec.template, old?.template, context);
}

/** With the gate on, every set has a retention policy for its claims. */
export function defaultStatefulSet({ spec }: Draft<StatefulSet>, { gates }: KindContext): void {
  if (gates['StatefulSetAutoDeletePVC'] === true)
    spec.persistentVolumeClaimRetentionPolicy ??= { whenDeleted: 'Retain', whenScaled: 'Retain' };
  const rolling = spec.updateStrategy.rollingUpdate;
  if (gates['MaxUnavailableStatefulSet'] === true && rolling !== undefined) rolling.maxUnavailable ??= 1;
}

export function prepareStatefulSet(draft: Draft<StatefulSet>, context: KindContext): void {
  draft.status = { replicas: 0, availableReplicas: 0 };
  dropGated(draft, context, undefined);
}

export function prepareStatefulSetUpdate(draft: Draft<StatefulSet>, old: StatefulSet, context: KindContext): void {
  keepStatus(draft, old);
  dropGated(draft, context, old.spec);
}
