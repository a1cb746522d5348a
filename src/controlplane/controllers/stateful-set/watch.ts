/**
 * The sets that a change of a pod or a claim enqueues. Models: v1.24 pkg/controller/statefulset addPod, updatePod, deletePod. Differs: a
 * deleted claim enqueues its set, because a pod may wait for it.
 */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Delta, ObserveContext } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { referenced } from '../../shared/index.ts';
import { ordinalNameOf } from './ordinals.ts';

export function setsOfPod({ type, object: pod, old }: Delta<'Pod'>, context: ObserveContext): readonly string[] {
  const { namespace, name, labels } = pod.metadata;
  const owner = controllerOf(pod);
  const set = referenced('StatefulSet', namespace, owner, context);
  if (type === 'DELETED') return set === undefined ? [] : [keyOf(set)];

  const formerOwner = old === undefined ? undefined : controllerOf(old);
  const former = formerOwner?.uid === owner?.uid ? undefined : referenced('StatefulSet', namespace, formerOwner, context);
  const concerned = former === undefined ? [] : [keyOf(former)];
  if (owner !== undefined) return set === undefined ? concerned : [...concerned, keyOf(set)];

  // Without a controller reference: the set in the pod's name may adopt it.
  if (old !== undefined && formerOwner === undefined && old.metadata.labels === labels) return concerned;
  const parent = ordinalNameOf(name)?.parent;
  const namesake = parent === undefined ? undefined : context.cache.get('StatefulSet', namespace, parent);
  return namesake === undefined || !labelMatcher(namesake.spec.selector)(labels) ? concerned : [...concerned, keyOf(namesake)];
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
