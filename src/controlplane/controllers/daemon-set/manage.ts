/**
 * A pod on each node that fits, and nothing else: what is missing, what failed, what is too much, what is out of place. Models: v1.24
 * pkg/controller/daemon manage, podsShouldBeOnNode.
 */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { isReady } from '../../shared/index.ts';
import { type BackoffDraft, type Backoffs, draftOf } from './backoff.ts';
import { minReadyMs } from './input.ts';
import { byAge, hasFailed, isLive, isNew, type NodePods } from './standing.ts';
import type { View } from './view.ts';

/** What a sync wants done. */
export interface Plan {
  /** Nodes that are to get a pod. */
  readonly nodes: readonly string[];
  readonly toDelete: readonly Pod[];
  /** Events about failed pods. */
  readonly reported: readonly Write[];
  readonly backoffs: Backoffs;
  /** When to look again at failed pods that have to wait, milliseconds from now. */
  readonly againMs: number | undefined;
  /** How many nodes were looked at. */
  readonly looked: number;
}

interface Draft {
  readonly nodes: string[];
  readonly toDelete: Pod[];
  readonly reported: Write[];
  readonly backoffs: BackoffDraft;
  againMs: number | undefined;
}

/** The process's clock, by which pods are available, and the one that nobody sets, by which failed ones wait. */
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
  const asked = planFailed(set, view, backoffs, draft, elapsed);
  // Beside a new pod that is available the old one has done its duty.
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
    looked: view.calls.size + asked,
  };
}

/**
 * Of the nodes that only wait for a failed pod to be replaced those that have changed since the last sync, and those that are due. Answers
 * how many.
 */
function planFailed(set: DaemonSet, { failing, entries }: View, { replaced, mark }: Backoffs, draft: Draft, now: number): number {
  // Of what another view knew nothing is sure.
  const due = mark?.view === failing.mark.view ? now : Infinity;
  const asked = new Set([...failing.since(mark), ...replaced, ...draft.backoffs.waitingUntil(due)]);
  for (const name of asked) if (!failing.has(name)) draft.backoffs.setWaiting(name, false);
  const still = [...asked].filter((name) => failing.has(name)).sort((a, b) => failing.place(a) - failing.place(b));
  for (const name of still) {
    const wait = replaceFailed(set, name, entries.get(name)?.pods.filter((pod) => isLive(pod) && hasFailed(pod)) ?? [], draft);
    if (wait !== undefined) draft.backoffs.setWaiting(name, true);
  }
  return asked.size;
}

function planNode(set: DaemonSet, view: View, name: string, node: NodePods, draft: Draft): void {
  const live = node.pods.filter(isLive);
  if (node.fit === undefined) {
    // Nobody else would delete what waits for a node that is gone.
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

/** Replaces them all, or none: then it answers how long the node has to wait. */
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

/** Of the new and of the old the oldest stays each; an old one that is not ready goes as soon as there is a new one. */
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
