/**
 * The sets that a change of a pod, a node or a revision enqueues. Models: v1.24 pkg/controller/daemon addPod, updatePod, deletePod,
 * addNode, updateNode, addHistory, updateHistory, deleteHistory.
 */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import { type Delta, type Enqueue, observing, type ObserveContext } from '../../runtime/index.ts';
import { concernedKeys, isReady, referenced } from '../../shared/index.ts';
import { fitTest } from './fit.ts';
import { minReadyMs, type Views } from './input.ts';
import { putNode, putPod } from './view.ts';

/** Added to the time until a pod is available, because times in objects are whole seconds. */
const SLACK_MS = 1000;

export function setsOfPod(delta: Delta<'Pod'>, context: ObserveContext<Views>): readonly Enqueue[] {
  const { type, object: pod, old } = delta;
  const set = referenced('DaemonSet', pod.metadata.namespace, controllerOf(pod), context);
  if (set === undefined || type === 'DELETED') return setsOfOwned(delta, context);
  const wait = minReadyMs(set);
  const turnsReady = wait > 0 && old !== undefined && isReady(pod) && !isReady(old);
  return [...setsOfOwned(delta, context), ...(turnsReady ? [{ key: keyOf(set), afterMs: wait + SLACK_MS }] : [])];
}

/** The sets that control the object, or did before; without a controller reference, the sets that may adopt it. */
export const setsOfOwned = concernedKeys('DaemonSet');

/**
 * A new node concerns the sets that it fits; a changed node those for which its fit changed. A removed node concerns none, as in upstream.
 */
export function setsOfNode({ type, object: node, old }: Delta<'Node'>, { cache, names }: ObserveContext<Views>): readonly string[] {
  if (type === 'DELETED') return [];
  const before = type === 'MODIFIED' ? old : undefined;
  return cache
    .list('DaemonSet')
    .filter(({ spec: { template } }) => {
      const fit = fitTest(template, names);
      return before === undefined ? fit(node) === 'runs' : fit(node) !== fit(before);
    })
    .map(keyOf);
}

/** Updates the views of all sets. */
export const observeNodesAndPods = observing<Views>({
  Node({ type, object: node }, { state }) {
    for (const view of state.values()) putNode(view, node.metadata.name, type === 'DELETED' ? undefined : node);
  },
  Pod({ type, object: pod, old }, { state }) {
    const before = old === undefined ? undefined : controllerOf(old)?.uid;
    const after = type === 'DELETED' ? undefined : controllerOf(pod)?.uid;
    const [from, to] = [state.get(before ?? ''), state.get(after ?? '')];
    if (from !== undefined && from === to) putPod(from, old, pod);
    else {
      if (from !== undefined) putPod(from, old, undefined);
      if (to !== undefined) putPod(to, undefined, pod);
    }
  },
  DaemonSet({ type, object: set, old }, { state }) {
    if (type === 'DELETED') state.delete(set.metadata.uid);
    else if (old !== undefined && old.metadata.uid !== set.metadata.uid) state.delete(old.metadata.uid);
  },
});
