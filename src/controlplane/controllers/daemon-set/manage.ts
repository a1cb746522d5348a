/** A pod on each node that fits, and nothing else: what is missing, what failed, what is too much, what is out of place. Models: v1.24 pkg/controller/daemon manage, podsShouldBeOnNode. */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { isReady } from '../../shared/index.ts';
import { afterFailures, type Backoffs, putOffMs } from './backoff.ts';
import { minReadyMs } from './input.ts';
import { byAge, isLive, isNew, type NodePods } from './standing.ts';
import type { View } from './view.ts';

/** What a sync wants done. */
export interface Plan {
  /** Nodes that are to get a pod. */
  readonly nodes: readonly string[];
  readonly doomed: readonly Pod[];
  /** Events about failed pods. */
  readonly told: readonly Write[];
  readonly backoffs: Backoffs;
  /** When to look again at failed pods that have to wait, milliseconds from now. */
  readonly againMs: number | undefined;
}

interface Draft {
  readonly nodes: string[];
  readonly doomed: Pod[];
  readonly told: Write[];
  readonly failed: string[];
  againMs: number | undefined;
}

export function planPods(set: DaemonSet, view: View, backoffs: Backoffs, now: number): Plan {
  const draft: Draft = { nodes: [], doomed: [], told: [], failed: [], againMs: undefined };
  for (const name of view.calls) {
    const node = view.entries.get(name);
    if (node !== undefined) planNode(set, view, name, node, backoffs, now, draft);
  }
  // Beside a new pod that is available the old one has done its duty.
  for (const name of view.stages.both.oldest(minReadyMs(set), now, Infinity)) {
    const node = view.entries.get(name);
    if (node?.fit !== undefined && !view.calls.has(name))
      draft.doomed.push(...node.pods.filter((pod) => isLive(pod) && !isNew(pod, view.wanted)));
  }
  const { failed, ...plan } = draft;
  return { ...plan, backoffs: failed.length === 0 ? backoffs : afterFailures(backoffs, failed, now) };
}

function planNode(set: DaemonSet, view: View, name: string, node: NodePods, backoffs: Backoffs, now: number, draft: Draft): void {
  const live = node.pods.filter(isLive);
  if (node.fit === undefined) {
    // Nobody else would delete what waits for a node that is gone.
    draft.doomed.push(...live.filter(({ spec }) => (spec.nodeName ?? '') === ''));
    return;
  }
  if (node.fit === 'leaves') {
    draft.doomed.push(...live);
    return;
  }
  if (node.fit === 'runs' && node.pods.length === 0) {
    draft.nodes.push(name);
    return;
  }
  const failed = live.filter(({ status }) => status.phase === 'Failed');
  const left = live.filter((pod) => !failed.includes(pod)).sort(byAge);
  replaceFailed(set, name, failed, backoffs, now, draft);
  if (view.wanted.surges) prune(view, name, node, left, draft);
  else draft.doomed.push(...left.slice(1));
}

function replaceFailed(set: DaemonSet, name: string, failed: readonly Pod[], backoffs: Backoffs, now: number, draft: Draft): void {
  for (const pod of failed) {
    const wait = draft.failed.includes(name) ? 0 : putOffMs(backoffs, name, now);
    if (wait !== undefined) {
      if (wait > 0) draft.againMs = Math.min(draft.againMs ?? Infinity, wait);
      continue;
    }
    const { namespace = '', name: podName } = pod.metadata;
    draft.failed.push(name);
    draft.doomed.push(pod);
    draft.told.push(
      record(set, 'Warning', 'FailedDaemonPod', `Found failed daemon pod ${namespace}/${podName} on node ${name}, will try to kill it`),
    );
  }
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
  draft.doomed.push(...moreFresh, ...moreStale);
  if (fresh !== undefined && stale !== undefined && !isReady(stale)) draft.doomed.push(stale);
}
