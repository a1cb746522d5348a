/**
 * Plans one pod for each node that fits: which pods are missing, failed, surplus or misplaced. Models: v1.24 pkg/controller/daemon manage,
 * podsShouldBeOnNode.
 */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { isReady } from '../../shared/index.ts';
import { type BackoffDraft, type Backoffs, draftOf } from './backoff.ts';
import { minReadyMs } from './recover.ts';
import { byAge, hasFailed, isLive, isNew, type NodePods } from './node-state.ts';
import type { View } from './view.ts';

/** The plan of a sync. */
export interface Plan {
  /** Nodes that get a pod. */
  readonly nodes: readonly string[];
  readonly toDelete: readonly Pod[];
  /** Events about failed pods. */
  readonly reported: readonly Write[];
  readonly backoffs: Backoffs;
  /** When to reconcile again for failed pods in back-off, milliseconds from now. */
  readonly againMs: number | undefined;
  /** The number of nodes that were visited. */
  readonly visited: number;
}

interface Draft {
  readonly nodes: string[];
  readonly toDelete: Pod[];
  readonly reported: Write[];
  readonly backoffs: BackoffDraft;
  againMs: number | undefined;
}

/** The process's clock, for the availability of pods, and elapsed time, for the back-off of failed ones. */
interface Clocks {
  readonly now: number;
  readonly elapsed: number;
}

export function planPods(set: DaemonSet, view: View, backoffs: Backoffs, { now, elapsed }: Clocks): Plan {
  const draft: Draft = { nodes: [], toDelete: [], reported: [], backoffs: draftOf(backoffs, elapsed), againMs: undefined };
  for (const name of view.calls) {
    const node = view.entries.get(name);
    if (node !== undefined) planNode(set, view, name, node, draft);
  }
  const visited = planFailed(set, view, backoffs, draft, elapsed);
  // An old pod is deleted once the new pod beside it is available.
  for (const name of view.stages.both.oldest(minReadyMs(set), now, Infinity)) {
    const node = view.entries.get(name);
    if (node?.fit !== undefined && !view.calls.has(name) && !view.failing.has(name))
      draft.toDelete.push(...node.pods.filter((pod) => isLive(pod) && !isNew(pod, view.wanted)));
  }
  const { backoffs: changed, againMs = Infinity, ...plan } = draft;
  const soonest = Math.min(againMs, changed.leastMs() ?? Infinity);
  return {
    ...plan,
    backoffs: changed.finished(view.failing.mark),
    againMs: soonest === Infinity ? undefined : soonest,
    visited: view.calls.size + visited,
  };
}

/**
 * Plans nodes where a failed pod is to be replaced: those that changed since the last sync, and those whose back-off ends. Returns their
 * number.
 */
function planFailed(set: DaemonSet, { failing, entries }: View, { replaced, mark }: Backoffs, draft: Draft, now: number): number {
  // A mark of another view gives no information, so all nodes count as due.
  const due = mark?.view === failing.mark.view ? now : Infinity;
  const visited = new Set([...failing.since(mark), ...replaced, ...draft.backoffs.waitingUntil(due)]);
  for (const name of visited) if (!failing.has(name)) draft.backoffs.setWaiting(name, false);
  const still = [...visited].filter((name) => failing.has(name)).sort((a, b) => failing.place(a) - failing.place(b));
  for (const name of still) {
    const wait = replaceFailed(set, name, entries.get(name)?.pods.filter((pod) => isLive(pod) && hasFailed(pod)) ?? [], draft);
    if (wait !== undefined) draft.backoffs.setWaiting(name, true);
  }
  return visited.size;
}

function planNode(set: DaemonSet, view: View, name: string, node: NodePods, draft: Draft): void {
  const live = node.pods.filter(isLive);
  if (node.fit === undefined) {
    // Pods without a node would otherwise never be deleted.
    draft.toDelete.push(...live.filter(({ spec }) => (spec.nodeName ?? '') === ''));
    return;
  }
  if (node.fit === 'leaves') {
    draft.toDelete.push(...live);
    return;
  }
  if (node.fit === 'runs' && node.pods.length === 0) {
    draft.nodes.push(name);
    return;
  }
  const left = live.filter((pod) => !hasFailed(pod)).sort(byAge);
  const wait = replaceFailed(set, name, live.filter(hasFailed), draft);
  if (wait !== undefined) draft.againMs = Math.min(draft.againMs ?? Infinity, wait);
  if (view.wanted.surges) prune(view, name, node, left, draft);
  else draft.toDelete.push(...left.slice(1));
}

/** Replaces all failed pods of a node, or none: then returns how long the node has to wait. */
function replaceFailed(set: DaemonSet, name: string, failed: readonly Pod[], draft: Draft): number | undefined {
  if (failed.length === 0) return undefined;
  const wait = draft.backoffs.putOffMs(name);
  if (wait !== undefined) return wait;
  draft.backoffs.replace(name);
  for (const pod of failed) {
    const { namespace = '', name: podName } = pod.metadata;
    draft.toDelete.push(pod);
    draft.reported.push(
      record(set, 'Warning', 'FailedDaemonPod', `Found failed daemon pod ${namespace}/${podName} on node ${name}, will try to kill it`),
    );
  }
  return undefined;
}

/** Keeps the oldest pod of each template; an old pod that is not ready is deleted as soon as there is a new one. */
function prune(view: View, name: string, { fit }: NodePods, left: readonly Pod[], draft: Draft): void {
  if (left.length === 0) {
    if (fit === 'runs') draft.nodes.push(name);
    return;
  }
  if (left.length === 1) return;
  const [fresh, ...moreFresh] = left.filter((pod) => isNew(pod, view.wanted));
  const [stale, ...moreStale] = left.filter((pod) => !isNew(pod, view.wanted));
  draft.toDelete.push(...moreFresh, ...moreStale);
  if (fresh !== undefined && stale !== undefined && !isReady(stale)) draft.toDelete.push(stale);
}
