/** The sets that a change of a pod enqueues. Models: v1.24 pkg/controller/replicaset addPod, updatePod, deletePod. */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Delta, Enqueue, ObserveContext } from '../../runtime/index.ts';
import { concernedKeys, isReady, referenced } from '../../shared/index.ts';
import { minReadyMs } from './input.ts';

/** Added to the time until a pod is available, because times in objects are whole seconds. */
const SLACK_MS = 1000;

const concerned = concernedKeys('ReplicaSet');

/** A pod that becomes ready enqueues its set once more, when it becomes available. */
export function setsOfPod(delta: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] {
  const { type, object: pod, old } = delta;
  const keys = concerned(delta, context);
  if (type === 'DELETED' || old === undefined || !isReady(pod) || isReady(old)) return keys;
  const set = referenced('ReplicaSet', pod.metadata.namespace, controllerOf(pod), context);
  const wait = set === undefined ? 0 : minReadyMs(set);
  return set === undefined || wait === 0 ? keys : [...keys, { key: keyOf(set), afterMs: wait + SLACK_MS }];
}
