/**
 * Plans one pod for each node that fits: which pods are missing, failed, surplus or misplaced; the replacement of old pods, within
 * maxUnavailable, or with a new pod beside the old; and the status. Old pods that are not available are all replaced at once, because they
 * reduce nothing. Models: v1.24 pkg/controller/daemon manage, podsShouldBeOnNode, updateDaemonSetStatus, storeDaemonSetStatus, update.go
 * rollingUpdate, pkg/controller/daemon/util UnavailableCount, SurgeCount.
 */
import type { DaemonSet, Pod, DaemonSetStatus } from '../../../apiserver/kinds/index.ts';
import { record, type Write } from '../../runtime/index.ts';
import { isReady, minReadyMs } from '../../shared/index.ts';
import { BackoffDraft, type Backoffs } from './backoff.ts';
import type { DaemonInput } from './recover.ts';
import { byAge, hasFailed, isLive, isNew, type NodePods, type View } from './view.ts';
import type { FeatureGates } from '../../../apiserver/machinery/index.ts';
import { legacyIntOrPercent, present, unlessZero } from '../../../schema/values/index.ts';

export interface Plan extends Step {
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
  againMs: number;
}

/** Availability of pods counts by the process's clock, the back-off of failed ones by elapsed time. */
export function planPods(set: DaemonSet, view: View, backoffs: Backoffs, { now, elapsed }: Pick<DaemonInput, 'now' | 'elapsed'>): Plan {
  const draft: Draft = { nodes: [], toDelete: [], reported: [], backoffs: new BackoffDraft(backoffs, elapsed), againMs: Infinity };
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
  const { backoffs: changed, againMs, ...plan } = draft;
  const soonest = Math.min(againMs, changed.leastMs());
  return {
    ...plan,
    backoffs: changed.finished(view.failing.mark),
    againMs: soonest === Infinity ? undefined : soonest,
    visited: view.calls.size + visited,
  };
}

/** Plans nodes with failed pods: those that changed since the last sync, and those whose back-off ends. Returns their number. */
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
  if (wait !== undefined) draft.againMs = Math.min(draft.againMs, wait);
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

export interface Step {
  /** Nodes that get a pod. */
  readonly nodes: readonly string[];
  readonly toDelete: readonly Pod[];
}
const NOTHING: Step = { nodes: [], toDelete: [] };

/** A number, or a percentage of the nodes, rounded up. */
function share({ spec: { updateStrategy } }: DaemonSet, name: 'maxUnavailable' | 'maxSurge', nodes: number): number {
  if (updateStrategy.type !== 'RollingUpdate') return 0;
  const scaled = legacyIntOrPercent(updateStrategy.rollingUpdate?.[name] ?? 0, nodes, true);
  return scaled.error === undefined ? scaled.value : 0;
}

const surgeOf = (set: DaemonSet, nodes: number, gates: FeatureGates): number =>
  gates['DaemonSetUpdateSurge'] === false ? 0 : share(set, 'maxSurge', nodes);

/** Whether a second pod may be created on a node before the first is deleted. */
export const allowsSurge = (set: DaemonSet, gates: FeatureGates): boolean => surgeOf(set, 1, gates) > 0;

/** The pods to delete, and the nodes to surge on, in one step of an update. */
export function nextStep(set: DaemonSet, view: View, now: number, gates: FeatureGates): Step {
  if (set.spec.updateStrategy.type !== 'RollingUpdate') return NOTHING;
  const { old, both } = view.stages;
  if (old.size === 0 && both.size === 0) return NOTHING;
  const surge = surgeOf(set, view.desired, gates);
  return surge === 0 ? replace(set, view, now) : comeBeside(set, view, surge, now);
}

function replace(set: DaemonSet, view: View, now: number): Step {
  const { none, odd, both, old, new: fresh } = view.stages;
  const wait = minReadyMs(set);
  const most = share(set, 'maxUnavailable', view.desired);
  const allowed = most === 0 && view.desired > 0 ? 1 : most;
  const unavailable = none.size + odd.size + both.size + fresh.size - fresh.available(wait, now);
  const chosen = [...old.lacking(wait, now), ...old.oldest(wait, now, Math.max(0, allowed - unavailable))];
  return { nodes: [], toDelete: chosen.flatMap((name) => liveOn(view, name)) };
}

function comeBeside(set: DaemonSet, view: View, surge: number, now: number): Step {
  const { odd, both, old } = view.stages;
  const wait = minReadyMs(set);
  const relieved = both.oldest(wait, now, Infinity);
  const toDelete = relieved.flatMap((name) => liveOn(view, name).filter((pod) => !isNew(pod, view.wanted)));
  const inFlight = odd.size + both.size - relieved.length;
  return { nodes: [...old.lacking(wait, now), ...old.oldest(wait, now, Math.max(0, surge - inFlight))], toDelete };
}

const liveOn = ({ entries }: View, name: string): readonly Pod[] => entries.get(name)?.pods.filter(isLive) ?? [];

/** @param acted whether the sync acted on this generation; a sync that only counts does not update observedGeneration. */
export function statusOf(set: DaemonSet, view: View, acted: boolean, now: number): DaemonSetStatus {
  const available = view.serving.available(minReadyMs(set), now);
  const unavailable = view.desired - available;
  const { observedGeneration: _, updatedNumberScheduled: __, numberAvailable: ___, numberUnavailable: ____, ...rest } = set.status;
  const generation = acted ? set.metadata.generation : set.status.observedGeneration;
  return present({
    ...rest,
    currentNumberScheduled: view.current,
    numberMisscheduled: view.misplaced,
    desiredNumberScheduled: view.desired,
    numberReady: view.serving.ready,
    observedGeneration: generation,
    updatedNumberScheduled: unlessZero(view.updated),
    numberAvailable: unlessZero(available),
    numberUnavailable: unlessZero(unavailable),
  });
}

const COMPARED = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

export const isRelevant = (before: DaemonSetStatus, after: DaemonSetStatus): boolean =>
  COMPARED.some((field) => (before[field] ?? 0) !== (after[field] ?? 0));
