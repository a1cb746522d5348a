/**
 * The view that a set has of all nodes, updated node by node and pod by pod, so that no sync visits all of them: of each node its
 * contribution to the counts, whether there is something to do, and its stage in an update. It is built for one template and one revision,
 * and rebuilt for another. Models: the loops over nodes of v1.24 pkg/controller/daemon, as incremental updates.
 */
import type { DaemonSet, Node, Pod } from '../../../apiserver/kinds/index.ts';
import { type FitTest, nodeOfPod, hashOf, type Fit } from './pod.ts';
import { Failing } from './backoff.ts';
import { isReady, readySince, Timeline } from '../../shared/index.ts';
import { compareText, bump } from '../../../schema/values/index.ts';

interface Entry extends NodePods {
  readonly state: NodeState;
}

export type View = ReturnType<typeof emptyView>;

const emptyView = ({ template, wanted, fit }: Like, number: number) => ({
  template,
  wanted,
  fit,
  entries: new Map<string, Entry>(),
  /** Nodes that fit; those of them with a pod; nodes with a pod that do not fit; nodes with an up-to-date pod. */
  desired: 0,
  current: 0,
  misplaced: 0,
  updated: 0,
  /** Nodes that fit and have a pod. */
  serving: new ReadyNodes(),
  /** Nodes where there may be a pod to create or delete. */
  calls: new Set<string>(),
  /** Nodes where only a failed pod is to be replaced, now or later. */
  failing: new Failing(number),
  stages: { none: new ReadyNodes(), new: new ReadyNodes(), old: new ReadyNodes(), both: new ReadyNodes(), odd: new ReadyNodes() },
  /** The number of pods of each template. */
  hashes: new Map<string, number>(),
});

interface Like {
  readonly template: DaemonSet['spec']['template'];
  readonly wanted: Wanted;
  readonly fit: FitTest;
}

/** `number` identifies the view among those of the set; 0: it is not cached. */
export function createView(like: Like, nodes: Iterable<Node>, pods: Iterable<Pod>, number: number): View {
  const view = emptyView(like, number);
  for (const node of nodes) putNode(view, node.metadata.name, node);
  for (const pod of pods) putPod(view, undefined, pod);
  return view;
}

export const describeView = ({ fit: _, stages, serving, failing, ...rest }: View): unknown => [
  rest,
  serving.describe(),
  [failing.since(undefined), failing.mark],
  Object.entries(stages).map(([stage, nodes]) => [stage, nodes.describe()]),
];

const NO_PODS: NodePods = { fit: undefined, pods: [] };

/** Adds or changes a node; undefined: removes it. */
export function putNode(view: View, name: string, node: Node | undefined): void {
  const before = view.entries.get(name);
  const fit = node === undefined ? undefined : view.fit(node);
  if (before === undefined || before.fit !== fit) put(view, name, before, { fit, pods: before?.pods ?? [] });
}

/** Adds (nothing before), changes, or removes (nothing after) a pod of the set. */
export function putPod(view: View, before: Pod | undefined, after: Pod | undefined): void {
  const [from, to] = [before === undefined ? undefined : nodeOfPod(before), after === undefined ? undefined : nodeOfPod(after)];
  countHash(view, before, -1);
  countHash(view, after, 1);
  if (from !== undefined && from !== to) {
    const entry = view.entries.get(from) ?? NO_PODS;
    put(view, from, view.entries.get(from), { fit: entry.fit, pods: entry.pods.filter((pod) => pod !== before && !isSame(pod, before)) });
  }
  if (to === undefined || after === undefined) return;
  const entry = view.entries.get(to) ?? NO_PODS;
  const others = entry.pods.filter((pod) => !isSame(pod, after) && !isSame(pod, before));
  put(view, to, view.entries.get(to), { fit: entry.fit, pods: others.length === 0 ? [after] : [...others, after].sort(byAge) });
}

const isSame = (a: Pod, b: Pod | undefined): boolean => a.metadata.uid === b?.metadata.uid;

function countHash({ hashes }: View, pod: Pod | undefined, by: 1 | -1): void {
  const hash = pod === undefined ? undefined : hashOf(pod);
  if (hash !== undefined && hash !== '') bump(hashes, hash, by);
}

function put(view: View, name: string, before: Entry | undefined, { fit, pods }: NodePods): void {
  if (before !== undefined) count(view, name, before.state, -1);
  const failed = before?.state.fails === true;
  if (fit === undefined && pods.length === 0) {
    view.entries.delete(name);
    if (failed) view.failing.turn(name, false);
    return;
  }
  const state = nodeStateOf({ fit, pods }, view.wanted);
  if (state.fails !== failed) view.failing.turn(name, state.fails);
  view.entries.set(name, { fit, pods, state });
  count(view, name, state, 1);
}

function count(view: View, name: string, state: NodeState, by: 1 | -1): void {
  const { runs, served, misplaced, updated, readySince, calls, stage, stageSince } = state;
  if (runs) view.desired += by;
  if (served) view.current += by;
  if (misplaced) view.misplaced += by;
  if (updated) view.updated += by;
  if (served) view.serving.turn(name, readySince, by);
  if (calls) view.calls[by === 1 ? 'add' : 'delete'](name);
  if (stage !== undefined) view.stages[stage].turn(name, stageSince, by);
}

export interface NodePods {
  /** Undefined: the node does not exist. */
  readonly fit: Fit | undefined;
  /** Includes pods being deleted, in upstream's order: the first is the one that counts. */
  readonly pods: readonly Pod[];
}

/** The wanted template, and whether a second pod may be created before the first is deleted. */
export interface Wanted {
  readonly hash: string;
  readonly surges: boolean;
}

/** The pods that an update finds: none, a new one, an old one, one of each, or more. */
export type Stage = 'none' | 'new' | 'old' | 'both' | 'odd';

export interface NodeState {
  /** The node fits, and has a pod or not; or it does not fit, and has one. */
  readonly runs: boolean;
  readonly served: boolean;
  readonly misplaced: boolean;
  /** The pod that counts is up to date, where the node fits. */
  readonly updated: boolean;
  readonly readySince: number | undefined;
  /** There may be a pod to create or delete, besides failed pods. */
  readonly calls: boolean;
  /** A failed pod is the only thing to handle. */
  readonly fails: boolean;
  /** Undefined: an update ignores the node. */
  readonly stage: Stage | undefined;
  /** Since when the pod that an update considers is ready: the only one, or of two the new one. */
  readonly stageSince: number | undefined;
}

export const isLive = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;
export const hasFailed = ({ status }: Pod): boolean => status.phase === 'Failed';
export const isNew = (pod: Pod, { hash }: Wanted): boolean => hashOf(pod) === hash;

/** Bound pods come first, then older ones. */
export function byAge(a: Pod, b: Pod): number {
  const [left, right] = [(a.spec.nodeName ?? '') === '', (b.spec.nodeName ?? '') === ''];
  if (left !== right) return left ? 1 : -1;
  return compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name);
}

function nodeStateOf(node: NodePods, wanted: Wanted): NodeState {
  const { fit, pods } = node;
  const runs = fit === 'runs';
  const first = runs ? pods[0] : undefined;
  const live = pods.filter(isLive);
  const stage = stageOf(live, runs || pods.length > 0, wanted);
  const considered = stage === 'both' ? live.find((pod) => isNew(pod, wanted)) : stage === 'new' || stage === 'old' ? live[0] : undefined;
  const calls = callsFor(node, live, stage, wanted);
  return {
    runs,
    served: runs && pods.length > 0,
    misplaced: fit !== undefined && !runs && pods.length > 0,
    updated: first !== undefined && isNew(first, wanted),
    readySince: first === undefined ? undefined : readySince(first),
    calls,
    fails: !calls && (fit === 'runs' || fit === 'stays') && live.some(hasFailed),
    stage,
    stageSince: considered === undefined ? undefined : readySince(considered),
  };
}

function stageOf(live: readonly Pod[], counts: boolean, wanted: Wanted): Stage | undefined {
  if (live.length === 0) return counts ? 'none' : undefined;
  const fresh = live.filter((pod) => isNew(pod, wanted)).length;
  const stale = live.length - fresh;
  if (fresh > 1 || stale > 1) return 'odd';
  return fresh === stale ? 'both' : fresh === 1 ? 'new' : 'old';
}

function callsFor({ fit, pods }: NodePods, live: readonly Pod[], stage: Stage | undefined, wanted: Wanted): boolean {
  switch (fit) {
    case undefined:
      return live.some(({ spec }) => (spec.nodeName ?? '') === '');
    case 'leaves':
      return live.length > 0;
    case 'runs':
    case 'stays':
      if (fit === 'runs' && (pods.length === 0 || (wanted.surges && live.every(hasFailed)))) return true;
      if (live.some(hasFailed)) return live.filter((pod) => !hasFailed(pod)).length > 1;
      if (stage === 'both') return !wanted.surges || !live.every((pod) => isNew(pod, wanted) || isReady(pod));
      return stage === 'odd';
  }
}

/** Nodes by how long their pod has been ready, so that counting available pods visits only the others. */
class ReadyNodes {
  readonly #ready = new Timeline<string, Set<string>>(() => new Set());
  readonly #unready = new Set<string>();

  get size(): number {
    return this.ready + this.#unready.size;
  }
  get ready(): number {
    return this.#ready.size;
  }
  /** Adds or removes a node. `since`: when its pod became ready; undefined: it is not ready. */
  turn(node: string, since: number | undefined, by: 1 | -1): void {
    if (since !== undefined) this.#ready[by === 1 ? 'add' : 'remove'](node, since);
    else this.#unready[by === 1 ? 'add' : 'delete'](node);
  }
  /** The number of nodes whose pod has been ready for longer than that, milliseconds. */
  available(minReadyMs: number, now: number): number {
    let count = this.ready;
    for (const { size } of this.#ready.since(readyBefore(minReadyMs, now))) count -= size;
    return count;
  }
  /** At most so many of these nodes, the longest ready first. */
  oldest(minReadyMs: number, now: number, most: number): readonly string[] {
    const found: string[] = [];
    for (const nodes of this.#ready.before(readyBefore(minReadyMs, now)))
      for (const node of nodes) {
        if (found.length >= most) return found;
        found.push(node);
      }
    return found;
  }
  /** All other nodes. */
  lacking(minReadyMs: number, now: number): readonly string[] {
    return [...this.#unready, ...[...this.#ready.since(readyBefore(minReadyMs, now))].flatMap((nodes) => [...nodes])];
  }
  describe(): unknown {
    return [this.#unready, this.#ready.byTime];
  }
}

/** Pods that became ready later are not available; without a minimum all are. */
const readyBefore = (minReadyMs: number, now: number): number | undefined => (minReadyMs === 0 ? undefined : now - minReadyMs);
