/** What the server makes of a StatefulSet before it is stored. Models: v1.24 pkg/registry/apps/statefulset/strategy.go. */
import { type Draft, type FeatureGates, type KindContext, readDraft } from '../../vocabulary/index.ts';
import type { StatefulSet, StatefulSetSpec } from './shape.ts';

const setOf = (draft: Draft): StatefulSet => readDraft<StatefulSet>(draft);

/** Fields whose gates are off are dropped, unless the stored object has them. */
function dropGated(draft: Draft, gates: FeatureGates, old: StatefulSetSpec | undefined): void {
  const spec = setOf(draft).spec;
  let kept: Record<string, unknown> = { ...spec };
  let changed = false;
  if (
    gates['StatefulSetAutoDeletePVC'] !== true &&
    spec.persistentVolumeClaimRetentionPolicy !== undefined &&
    old?.persistentVolumeClaimRetentionPolicy === undefined
  ) {
    const { persistentVolumeClaimRetentionPolicy: _, ...rest } = kept;
    kept = rest;
    changed = true;
  }
  const rolling = spec.updateStrategy.rollingUpdate;
  if (
    gates['MaxUnavailableStatefulSet'] !== true &&
    rolling?.maxUnavailable !== undefined &&
    old?.updateStrategy.rollingUpdate?.maxUnavailable === undefined
  ) {
    const { maxUnavailable: _, ...rest } = rolling;
    kept = { ...kept, updateStrategy: { ...spec.updateStrategy, rollingUpdate: rest } };
    changed = true;
  }
  if (changed) draft['spec'] = kept;
}

/** With the gate on every set says what becomes of its claims. */
function defaultGated(draft: Draft, gates: FeatureGates): void {
  const spec = setOf(draft).spec;
  if (gates['StatefulSetAutoDeletePVC'] === true && spec.persistentVolumeClaimRetentionPolicy === undefined)
    draft['spec'] = { ...spec, persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' } };
  const rolling = spec.updateStrategy.rollingUpdate;
  if (gates['MaxUnavailableStatefulSet'] === true && rolling !== undefined && rolling.maxUnavailable === undefined) {
    draft['spec'] = { ...setOf(draft).spec, updateStrategy: { ...spec.updateStrategy, rollingUpdate: { ...rolling, maxUnavailable: 1 } } };
  }
}

export const defaultStatefulSet = (draft: Draft, { gates }: KindContext): void => defaultGated(draft, gates);

export function prepareStatefulSet(draft: Draft, { gates }: KindContext): void {
  draft['status'] = { replicas: 0, availableReplicas: 0 };
  dropGated(draft, gates, undefined);
}

export function prepareStatefulSetUpdate(draft: Draft, old: StatefulSet, { gates }: KindContext): void {
  draft['status'] = old['status'];
  dropGated(draft, gates, old.spec);
}
