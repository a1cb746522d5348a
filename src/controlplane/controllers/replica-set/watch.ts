/** Which sets a change of a pod concerns. Models: v1.24 pkg/controller/replicaset addPod, updatePod, deletePod. */
import { controllerOf, keyOf, type OwnerReference } from '../../../apiserver/vocabulary/index.ts';
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { labelMatcher } from '../../../grammar/values/index.ts';
import type { Delta, Enqueue, ObserveContext } from '../../runtime/index.ts';
import { isReady } from '../../shared/index.ts';
import { minReadyMs } from './input.ts';

/** The set a reference stands for: the one of that name, if it still is that one. */
function referencedSet(
  namespace: string | undefined,
  owner: OwnerReference | undefined,
  { cache }: ObserveContext,
): ReplicaSet | undefined {
  if (owner?.kind !== 'ReplicaSet') return undefined;
  const set = cache.get('ReplicaSet', namespace, owner.name);
  return set?.metadata.uid === owner.uid ? set : undefined;
}

/** A second more than the time until a pod is available: times are told in whole seconds. */
const SLACK_MS = 1000;

export function setsOfPod({ type, object: pod, old }: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] {
  const { namespace, labels } = pod.metadata;
  const owner = controllerOf(pod);
  const set = referencedSet(namespace, owner, context);
  if (type === 'DELETED') return set === undefined ? [] : [keyOf(set)];

  const formerOwner = old === undefined ? undefined : controllerOf(old);
  const former = formerOwner?.uid === owner?.uid ? undefined : referencedSet(namespace, formerOwner, context);
  const concerned = former === undefined ? [] : [keyOf(former)];
  if (owner !== undefined) {
    if (set === undefined) return concerned;
    const wait = minReadyMs(set);
    const turnsReady = wait > 0 && old !== undefined && isReady(pod) && !isReady(old);
    return [...concerned, keyOf(set), ...(turnsReady ? [{ key: keyOf(set), afterMs: wait + SLACK_MS }] : [])];
  }

  // Nobody manages it: every set that selects it may want it.
  if (old !== undefined && formerOwner === undefined && old.metadata.labels === labels) return concerned;
  const wanting = context.cache
    .by('ReplicaSet', 'namespace', namespace ?? '')
    .filter(({ spec }) => labelMatcher(spec.selector)(labels))
    .map(keyOf);
  return [...concerned, ...wanting];
}
