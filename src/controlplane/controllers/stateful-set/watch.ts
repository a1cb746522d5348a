/**
 * The sets that a change of a pod or a claim enqueues. Models: v1.24 pkg/controller/statefulset addPod, updatePod, deletePod. Differs: a
 * deleted claim enqueues its set, because a pod may wait for it.
 */
import type { StatefulSet } from '../../../apiserver/kinds/index.ts';
import { keyOf, type ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Delta, ObserveContext } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { concernedOwners } from '../../shared/index.ts';
import { ordinalNameOf } from './ordinals.ts';

export const setsOfPod = (delta: Delta<'Pod'>, context: ObserveContext): readonly string[] =>
  concernedOwners('StatefulSet', delta, context, namesake).map(keyOf);

/** The set in the pod's name may adopt it. */
function namesake({ metadata: { namespace, name, labels } }: ApiObject, { cache }: ObserveContext): readonly StatefulSet[] {
  const parent = ordinalNameOf(name)?.parent;
  const set = parent === undefined ? undefined : cache.get('StatefulSet', namespace, parent);
  return set !== undefined && labelMatcher(set.spec.selector)(labels) ? [set] : [];
}

/** In the name of a claim the border between template and set is ambiguous, so every one is tried. */
export function setsOfClaim(
  {
    type,
    object: {
      metadata: { namespace, name },
    },
  }: Delta<'PersistentVolumeClaim'>,
  { cache }: ObserveContext,
): readonly string[] {
  const parent = type === 'DELETED' ? ordinalNameOf(name)?.parent : undefined;
  if (parent === undefined) return [];
  const found: string[] = [];
  for (let at = parent.indexOf('-'); at >= 0; at = parent.indexOf('-', at + 1)) {
    const set = cache.get('StatefulSet', namespace, parent.slice(at + 1));
    if (set?.spec.volumeClaimTemplates?.some(({ metadata }) => metadata.name === parent.slice(0, at)) === true) found.push(keyOf(set));
  }
  return found;
}
