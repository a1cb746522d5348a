/**
 * What a namespace's LimitRanges say: pods get the defaults, and what asks for too little or too much is refused. Updates of pods pass,
 * since what a container asks for does not change. Models: v1.24 plugin/pkg/admission/limitranger. Simplified: ranges and resources in
 * order, where upstream's is chance.
 */
import { isOf, type LimitRange, type Pod } from '../../kinds/index.ts';
import type { Draft, PodSpec } from '../../vocabulary/index.ts';
import { aggregateText } from '../../../grammar/values/index.ts';
import { forbidden } from '../../request/index.ts';
import type { Door } from '../door.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { addDefaults } from './defaults.ts';
import { claimProblems, podProblems } from './problems.ts';

const NO_RANGES: readonly LimitRange[] = [];

const rangesOf = (door: Door, namespace: string | undefined): readonly LimitRange[] =>
  namespace === undefined || door.store.size('LimitRange') === 0 ? NO_RANGES : door.store.by('LimitRange', 'namespace', namespace);

export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  verbs: ['create', 'update'],
  reads: ['LimitRange'],
  changes: 'spec',
  kinds: ['Pod', 'PersistentVolumeClaim'],
  fills: ['resources'],
  mutate(door, { resource, namespace, verb }, draft) {
    if (resource.kind.kind !== 'Pod' || verb !== 'create') return;
    const { metadata, spec } = draft as Draft<Pod>;
    for (const range of rangesOf(door, namespace)) {
      const told = addDefaults(spec, range.spec.limits ?? []);
      if (told.length > 0) (metadata.annotations ??= {})[door.names.key('', 'limit-ranger')] = `LimitRanger plugin set: ${told.join('; ')}`;
    }
  },
  validate(door, { resource, namespace, name, verb }, object, old) {
    const pod = resource.kind.kind === 'Pod';
    if ((pod && verb !== 'create') || old?.metadata.deletionTimestamp !== undefined) return;
    for (const range of rangesOf(door, namespace)) {
      const found = isOf('PersistentVolumeClaim', object)
        ? claimProblems(object.spec, range.spec.limits ?? [])
        : podProblems(object['spec'] as PodSpec, range.spec.limits ?? []);
      if (found.length > 0) throw forbidden(resource, name, aggregateText(found));
    }
  },
};
