/** Pods that want to be (or not to be) where certain other pods are, and pods there that will not have them. Models: v1.24 plugins/interpodaffinity. */
import type { Affinity } from '../../../api/index.ts';
import { on } from '../cluster-events.ts';
import type { NodeInfo } from '../node-info.ts';
import { MAX_SCORE, unresolvable, unschedulable, type NodeFilter, type NodeScorer, type Plugin } from '../plugin.ts';
import { groupView, type Counts, type GroupView } from '../pod-groups.ts';
import type { PodInfo } from '../pod-info.ts';
import type { SchedulerView } from '../view.ts';
import { compileTerm, type Term } from './affinity-terms.ts';
import { createTopologyCounts, type TopologyCounts } from './topology-counts.ts';

const NOT_NEAR = unresolvable("node(s) didn't match pod affinity rules");
const TOO_NEAR = unschedulable("node(s) didn't match pod anti-affinity rules");
const NOT_WANTED = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Upstream's hardPodAffinityWeight: how much a pod there that requires the like of this one counts for it. */
const REQUIRED_WEIGHT = 1;

type Side = 'podAffinity' | 'podAntiAffinity';

const required = (affinity: Affinity | undefined, side: Side, namespace: string, view: SchedulerView): readonly Term[] =>
  (affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => compileTerm(term, namespace, view));

/** Whom a pod requires near it. */
export const requiredNear = ({ pod }: PodInfo, view: SchedulerView): readonly Term[] => required(pod.spec.affinity, 'podAffinity', pod.metadata.namespace ?? '', view);

/** Preferred terms with their weights; those of anti-affinity count against. */
function preferred(affinity: Affinity | undefined, namespace: string, view: SchedulerView): readonly { readonly term: Term; readonly weight: number }[] {
  const of = (side: Side, sign: 1 | -1) => (affinity?.[side]?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({ term: compileTerm(podAffinityTerm, namespace, view), weight: sign * weight }));
  return [...of('podAffinity', 1), ...of('podAntiAffinity', -1)];
}

const eachNode = (counts: Counts, view: SchedulerView, act: (node: NodeInfo, count: number) => void): void => {
  for (const [name, count] of counts) {
    const node = view.node(name);
    if (node !== undefined) act(node, count);
  }
};

/** What one pod requires, and how the cluster stands to it. */
interface Requirements {
  readonly self: GroupView;
  readonly near: readonly Term[];
  readonly apart: readonly Term[];
  readonly view: SchedulerView;
}

const matchesAll = (terms: readonly Term[], pod: GroupView): boolean => terms.length > 0 && terms.every((term) => term.matches(pod));

function satisfiesNear({ near, self }: Requirements, found: TopologyCounts, { node }: NodeInfo): boolean {
  let all = true;
  for (const { topologyKey } of near) {
    const value = node?.metadata.labels?.[topologyKey];
    if (value === undefined) return false;
    if (found.get(topologyKey, value) <= 0) all = false;
  }
  // The first of a group that wants to be together must start somewhere.
  return all || (found.size === 0 && matchesAll(near, self));
}

function createFilter(needs: Requirements, near: TopologyCounts, apart: TopologyCounts, refusing: TopologyCounts): NodeFilter {
  const update = (other: PodInfo, node: NodeInfo, sign: 1 | -1): void => {
    const seen = groupView(other.pod);
    if (matchesAll(needs.near, seen)) for (const { topologyKey } of needs.near) near.add(topologyKey, node, sign);
    for (const term of needs.apart) if (term.matches(seen)) apart.add(term.topologyKey, node, sign);
    for (const term of required(other.pod.spec.affinity, 'podAntiAffinity', seen.namespace, needs.view)) if (term.matches(needs.self)) refusing.add(term.topologyKey, node, sign);
  };
  return {
    check(node) {
      if (needs.near.length > 0 && !satisfiesNear(needs, near, node)) return NOT_NEAR;
      if (apart.size > 0 && apart.touches(node)) return TOO_NEAR;
      if (refusing.size > 0 && refusing.touches(node)) return NOT_WANTED;
      return undefined;
    },
    add: (other, node) => update(other, node, 1),
    remove: (other, node) => update(other, node, -1),
    clone: () => createFilter(needs, near.clone(), apart.clone(), refusing.clone()),
  };
}

function filterOf({ pod }: PodInfo, view: SchedulerView): NodeFilter {
  const self = groupView(pod);
  const { affinity } = pod.spec;
  const needs: Requirements = { self, view, near: required(affinity, 'podAffinity', self.namespace, view), apart: required(affinity, 'podAntiAffinity', self.namespace, view) };
  const [near, apart, refusing] = [createTopologyCounts(), createTopologyCounts(), createTopologyCounts()];
  if (needs.near.length > 0) {
    const together = view.groups.counts(`affinity ${needs.near.map(({ name }) => name).join(' & ')}`, (group) => matchesAll(needs.near, group));
    eachNode(together, view, (node, count) => { for (const { topologyKey } of needs.near) near.add(topologyKey, node, count); });
  }
  for (const term of needs.apart) eachNode(view.groups.counts(`affinity ${term.name}`, term.matches), view, (node, count) => apart.add(term.topologyKey, node, count));
  for (const { affinity: other, namespace, nodes } of view.groups.holders()) {
    for (const term of required(other, 'podAntiAffinity', namespace, view)) if (term.matches(self)) eachNode(nodes, view, (node, count) => refusing.add(term.topologyKey, node, count));
  }
  return createFilter(needs, near, apart, refusing);
}

function scorerOf({ pod }: PodInfo, view: SchedulerView): NodeScorer | number {
  const self = groupView(pod);
  const points = createTopologyCounts();
  for (const { term, weight } of preferred(pod.spec.affinity, self.namespace, view)) {
    eachNode(view.groups.counts(`affinity ${term.name}`, term.matches), view, (node, count) => points.add(term.topologyKey, node, weight * count));
  }
  for (const { affinity, namespace, nodes } of view.groups.holders()) {
    const wishes = [...preferred(affinity, namespace, view), ...required(affinity, 'podAffinity', namespace, view).map((term) => ({ term, weight: REQUIRED_WEIGHT }))];
    for (const { term, weight } of wishes) if (term.matches(self)) eachNode(nodes, view, (node, count) => points.add(term.topologyKey, node, weight * count));
  }
  if (points.size === 0) return 0;
  return { score: (node) => points.sum(node), normalise: spreadOut };
}

/** Scales scores so that the least becomes 0 and the most 100; all alike become 0. */
function spreadOut(scores: number[]): void {
  let least = Infinity;
  let most = -Infinity;
  for (const score of scores) { if (score < least) least = score; if (score > most) most = score; }
  for (let i = 0; i < scores.length; i++) scores[i] = most > least ? Math.trunc(MAX_SCORE * (((scores[i] ?? 0) - least) / (most - least))) : 0;
}

export const interPodAffinity: Plugin = {
  name: 'InterPodAffinity',
  events: { Pod: on('add', 'update', 'delete'), Node: on('add', 'labels') },
  filterFor: (pod, view) => ({ filter: filterOf(pod, view) }),
  weight: 2,
  scorerFor: scorerOf,
};
