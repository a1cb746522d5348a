/**
 * The view that a set has of all nodes, updated node by node and pod by pod, so that no sync visits all of them. It is built for one
 * template and one revision, and rebuilt for another. Models: the loops over nodes of v1.24 pkg/controller/daemon, as incremental updates.
 */
import type { DaemonSet, Node, Pod } from '../../../apiserver/kinds/index.ts';
import { type FitTest, nodeOfPod, hashOf } from './pod.ts';
import { createFailing, type Failing } from './backoff.ts';
import {
  createReadyNodes,
  type ReadyNodes,
  byAge,
  type NodePods,
  type Stage,
  type NodeState,
  nodeStateOf,
  type Wanted,
} from './node-state.ts';

interface Entry extends NodePods {
  readonly state: NodeState;
}

export interface View {
  readonly template: DaemonSet['spec']['template'];
  readonly wanted: Wanted;
  readonly fit: FitTest;
  readonly entries: Map<string, Entry>;
  /** Nodes that fit; those of them with a pod; nodes with a pod that do not fit; nodes with an up-to-date pod. */
  desired: number;
  current: number;
  misplaced: number;
  updated: number;
  /** Nodes that fit and have a pod. */
  readonly serving: ReadyNodes;
  /** Nodes where there may be a pod to create or delete. */
  readonly calls: Set<string>;
  /** Nodes where only a failed pod is to be replaced, now or later. */
  readonly failing: Failing;
  readonly stages: Readonly<Record<Stage, ReadyNodes>>;
  /** The number of pods of each template. */
  readonly hashes: Map<string, number>;
}

/** The inputs of a view: nodes, pods, and the fit test. */
export interface Around {
  readonly fit: FitTest;
  readonly nodes: Iterable<Node>;
  readonly pods: Iterable<Pod>;
}

/** `number` identifies the view among those of the set; 0: it is not cached. */
export function createView(template: View['template'], wanted: Wanted, { fit, nodes, pods }: Around, number: number): View {
  const stages = {
    none: createReadyNodes(),
    new: createReadyNodes(),
    old: createReadyNodes(),
    both: createReadyNodes(),
    odd: createReadyNodes(),
  };
  const view: View = {
    template,
    wanted,
    fit,
    entries: new Map(),
    desired: 0,
    current: 0,
    misplaced: 0,
    updated: 0,
    serving: createReadyNodes(),
    calls: new Set(),
    failing: createFailing(number),
    stages,
    hashes: new Map(),
  };
  for (const node of nodes) putNode(view, node.metadata.name, node);
  for (const pod of pods) putPod(view, undefined, pod);
  return view;
}

/** The view as plain data. */
export const describeView = ({ fit: _, stages, serving, failing, ...rest }: View): unknown => [
  rest,
  serving.describe(),
  [failing.since(undefined), failing.mark],
  Object.entries(stages).map(([stage, roster]) => [stage, roster.describe()]),
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
  if (hash === undefined || hash === '') return;
  const left = (hashes.get(hash) ?? 0) + by;
  if (left === 0) hashes.delete(hash);
  else hashes.set(hash, left);
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
  if (served) move(view.serving, name, readySince, by);
  if (calls && by === 1) view.calls.add(name);
  if (calls && by === -1) view.calls.delete(name);
  if (stage !== undefined) move(view.stages[stage], name, stageSince, by);
}

function move(roster: ReadyNodes, name: string, since: number | undefined, by: 1 | -1): void {
  if (by === 1) roster.add(name, since);
  else roster.remove(name, since);
}
