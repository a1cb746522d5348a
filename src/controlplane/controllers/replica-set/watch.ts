/** The sets that a change of a pod enqueues. Models: v1.24 pkg/controller/replicaset addPod, updatePod, deletePod. */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Delta, Enqueue, ObserveContext } from '../../runtime/index.ts';
import { isReady, referenced } from '../../shared/index.ts';
import { minReadyMs } from './input.ts';

/** Added to the time until a pod is available, because times in objects are whole seconds. */
const SLACK_MS = 1000;

export function setsOfPod({ type, object: pod, old }: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] {
  const { namespace, labels } = pod.metadata;
  const owner = controllerOf(pod);
  const set = referenced('ReplicaSet', namespace, owner, context);
  if (type === 'DELETED') return set === undefined ? [] : [keyOf(set)];

  const formerOwner = old === undefined ? undefined : controllerOf(old);
  const former = formerOwner?.uid === owner?.uid ? undefined : referenced('ReplicaSet', namespace, formerOwner, context);
  const concerned = former === undefined ? [] : [keyOf(former)];
  if (owner !== undefined) {
    if (set === undefined) return concerned;
    const wait = minReadyMs(set);
    const turnsReady = wait > 0 && old !== undefined && isReady(pod) && !isReady(old);
    return [...concerned, keyOf(set), ...(turnsReady ? [{ key: keyOf(set), afterMs: wait + SLACK_MS }] : [])];
  }

  // Without a controller reference: every set that selects the pod may adopt it.
  if (old !== undefined && formerOwner === undefined && old.metadata.labels === labels) return concerned;
  const wanting = context.cache
    .by('ReplicaSet', 'namespace', namespace ?? '')
    .filter(({ spec }) => labelMatcher(spec.selector)(labels))
    .map(keyOf);
  return [...concerned, ...wanting];
}
