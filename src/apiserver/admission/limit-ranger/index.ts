/**
 * The LimitRanges of a namespace: pods get defaults, and requests outside the range are refused. Updates of pods pass, because the
 * resources of a container are immutable. Models: v1.24 plugin/pkg/admission/limitranger. Simplified: ranges and resources are checked in
 * order, where upstream's order is random.
 */
import { isOf, type LimitRange, type Pod } from '../../kinds/index.ts';
import type { Draft, PodSpec } from '../../machinery/index.ts';
import { aggregateText } from '../../../schema/values/index.ts';
import { forbidden } from '../../request/index.ts';
import type { Scope } from '../request-scope.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { addDefaults } from './defaults.ts';
import { claimProblems, podProblems } from './problems.ts';

const NO_RANGES: readonly LimitRange[] = [];

const rangesOf = (scope: Scope, namespace: string | undefined): readonly LimitRange[] =>
  namespace === undefined || scope.store.size('LimitRange') === 0 ? NO_RANGES : scope.store.by('LimitRange', 'namespace', namespace);

export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  verbs: ['create', 'update'],
  reads: ['LimitRange'],
  changes: 'spec',
  kinds: ['Pod', 'PersistentVolumeClaim'],
  fills: ['resources'],
  mutate(scope, { resource, namespace, verb }, draft) {
    if (resource.kind.kind !== 'Pod' || verb !== 'create') return;
    const { metadata, spec } = draft as Draft<Pod>;
    for (const range of rangesOf(scope, namespace)) {
      const reported = addDefaults(spec, range.spec.limits ?? []);
      if (reported.length > 0)
        (metadata.annotations ??= {})[scope.names.key('', 'limit-ranger')] = `LimitRanger plugin set: ${reported.join('; ')}`;
    }
  },
  validate(scope, { resource, namespace, name, verb }, object, old) {
    const pod = resource.kind.kind === 'Pod';
    if ((pod && verb !== 'create') || old?.metadata.deletionTimestamp !== undefined) return;
    for (const range of rangesOf(scope, namespace)) {
      const found = isOf('PersistentVolumeClaim', object)
        ? claimProblems(object.spec, range.spec.limits ?? [])
        : podProblems(object['spec'] as PodSpec, range.spec.limits ?? []);
      if (found.length > 0) throw forbidden(resource, name, aggregateText(found));
    }
  },
};
