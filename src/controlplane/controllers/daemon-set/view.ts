/**
 * What a set knows of all nodes, kept up node by node and pod by pod: no sync goes through all of them. It is made for one template and one
 * revision, and made anew for another. Models: the loops over nodes of v1.24 pkg/controller/daemon, turned inside out.
 */
import type { DaemonSet, Node, Pod } from '../../../apiserver/kinds/index.ts';
import type { FitTest } from './fit.ts';
import { nodeOfPod } from './pod.ts';
import { createFailing, type Failing } from './failing.ts';
import { createRoster, type Roster } from './ready-nodes.ts';
import { byAge, type NodePods, type Stage, type Standing, standingOf, type Wanted } from './standing.ts';
import { hashOf } from './hash.ts';

interface Entry extends NodePods {
  readonly standing: Standing;
}

export interface View {
  readonly template: DaemonSet['spec']['template'];
  readonly wanted: Wanted;
  readonly fit: FitTest;
  readonly entries: Map<string, Entry>;
  /** Nodes that fit; those of them that have a pod; those that have one and do not fit; those whose pod is new. */
  desired: number;
  current: number;
  misplaced: number;
  updated: number;
  /** Nodes that fit and have a pod. */
  readonly serving: Roster;
  /** Nodes where there may be something to create or to delete. */
  readonly calls: Set<string>;
  /** Nodes where only a failed pod is to be replaced, now or later. */
  readonly failing: Failing;
  readonly stages: Readonly<Record<Stage, Roster>>;
  /** How many pods there are of each template. */
  readonly hashes: Map<string, number>;
}

/** What there is to know of each node and pod. */
export interface Around {
  readonly fit: FitTest;
  readonly nodes: Iterable<Node>;
  readonly pods: Iterable<Pod>;
}

/** `number` tells it from other views of the set; 0: it is not kept. */
export function createView(template: View['template'], wanted: Wanted, { fit, nodes, pods }: Around, number: number): View {
  const stages = { none: createRoster(), new: createRoster(), old: createRoster(), both: createRoster(), odd: createRoster() };
  const view: View = {
    template,
    wanted,
    fit,
    entries: new Map(),
    desired: 0,
    current: 0,
    misplaced: 0,
    updated: 0,
    serving: createRoster(),
    calls: new Set(),
    failing: createFailing(number),
    stages,
    hashes: new Map(),
  };
  for (const node of nodes) putNode(view, node.metadata.name, node);
  for (const pod of pods) putPod(view, undefined, pod);
  return view;
}

/** As plain data. */
export const describeView = ({ fit: _, stages, serving, failing, ...rest }: View): unknown => [
  rest,
  serving.describe(),
  [failing.since(undefined), failing.mark],
  Object.entries(stages).map(([stage, roster]) => [stage, roster.describe()]),
];

const WATCH_ONLY: NodePods = { fit: undefined, pods: [] };

/** A node comes or changes; undefined: it goes. */
export function putNode(view: View, name: string, node: Node | undefined): void {
  const before = view.entries.get(name);
  const fit = node === undefined ? undefined : view.fit(node);
  if (before === undefined || before.fit !== fit) put(view, name, before, { fit, pods: before?.pods ?? [] });
}

/** A pod of the set's comes (nothing before), changes, or goes (nothing after). */
export function putPod(view: View, before: Pod | undefined, after: Pod | undefined): void {
  const [from, to] = [before === undefined ? undefined : nodeOfPod(before), after === undefined ? undefined : nodeOfPod(after)];
  countHash(view, before, -1);
  countHash(view, after, 1);
  if (from !== undefined && from !== to) {
    const entry = view.entries.get(from) ?? WATCH_ONLY;
    put(view, from, view.entries.get(from), { fit: entry.fit, pods: entry.pods.filter((pod) => pod !== before && !isSame(pod, before)) });
  }
  if (to === undefined || after === undefined) return;
  const entry = view.entries.get(to) ?? WATCH_ONLY;
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
  if (before !== undefined) count(view, name, before.standing, -1);
  const failed = before?.standing.fails === true;
  if (fit === undefined && pods.length === 0) {
    view.entries.delete(name);
    if (failed) view.failing.turn(name, false);
    return;
  }
  const standing = standingOf({ fit, pods }, view.wanted);
  if (standing.fails !== failed) view.failing.turn(name, standing.fails);
  view.entries.set(name, { fit, pods, standing });
  count(view, name, standing, 1);
}

function count(view: View, name: string, standing: Standing, by: 1 | -1): void {
  const { runs, served, misplaced, updated, readySince, calls, stage, stageSince } = standing;
  if (runs) view.desired += by;
  if (served) view.current += by;
  if (misplaced) view.misplaced += by;
  if (updated) view.updated += by;
  if (served) move(view.serving, name, readySince, by);
  if (calls && by === 1) view.calls.add(name);
  if (calls && by === -1) view.calls.delete(name);
  if (stage !== undefined) move(view.stages[stage], name, stageSince, by);
}

function move(roster: Roster, name: string, since: number | undefined, by: 1 | -1): void {
  if (by === 1) roster.add(name, since);
  else roster.remove(name, since);
}
