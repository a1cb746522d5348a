/** Affinity and anti-affinity between the pod and existing pods, in both directions. Models: v1.24 plugins/interpodaffinity. */
import { keptIn } from '../../../../schema/values/index.ts';
import { on } from '../cluster-events.ts';
import type { NodeInfo, PodInfo } from '../node-info.ts';
import { MAX_SCORE, unresolvable, unschedulable, type NodeFilter, type NodeScorer, type Plugin, type SchedulerView } from '../plugin.ts';
import { groupView, type GroupView } from '../pod-groups.ts';
import type { ValueCounts } from '../pod-groups.ts';
import { matchesAll, preferredTerms, requiredTerms, type Term } from './affinity-terms.ts';

const NOT_NEAR = unresolvable("node(s) didn't match pod affinity rules");
const TOO_NEAR = unschedulable("node(s) didn't match pod anti-affinity rules");
const NOT_WANTED = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Upstream's hardPodAffinityWeight: the score for an existing pod whose required affinity selects the pod. */
const REQUIRED_WEIGHT = 1;

interface Requirements {
  readonly self: GroupView;
  readonly near: readonly Term[];
  readonly apart: readonly Term[];
  readonly view: SchedulerView;
}

function satisfiesNear({ near, self }: Requirements, found: LayeredCounts, { node }: NodeInfo): boolean {
  let all = true;
  for (const { topologyKey } of near) {
    const value = node?.metadata.labels?.[topologyKey];
    if (value === undefined) return false;
    if (found.get(topologyKey, value) <= 0) all = false;
  }
  // The first pod of a group with affinity to itself may run anywhere.
  return all || (found.isEmpty() && matchesAll(near, self));
}

function createFilter(needs: Requirements, near: LayeredCounts, apart: LayeredCounts, refusing: LayeredCounts): NodeFilter {
  const update = (other: PodInfo, node: NodeInfo, sign: 1 | -1): void => {
    const seen = groupView(other.pod);
    if (matchesAll(needs.near, seen)) for (const { topologyKey } of needs.near) near.add(topologyKey, node, sign);
    for (const term of needs.apart) if (term.matches(seen)) apart.add(term.topologyKey, node, sign);
    for (const term of requiredTerms(other.pod.spec.affinity, 'podAntiAffinity', seen.namespace, needs.view))
      if (term.matches(needs.self)) refusing.add(term.topologyKey, node, sign);
  };
  return {
    check(node) {
      if (needs.near.length > 0 && !satisfiesNear(needs, near, node)) return NOT_NEAR;
      if (apart.touches(node)) return TOO_NEAR;
      return refusing.touches(node) ? NOT_WANTED : undefined;
    },
    add: (other, node) => update(other, node, 1),
    remove: (other, node) => update(other, node, -1),
    clone: () => createFilter(needs, near.clone(), apart.clone(), refusing.clone()),
  };
}

function filterOf({ pod }: PodInfo, view: SchedulerView): NodeFilter {
  const { affinity } = pod.spec;
  const self = groupView(pod);
  const near = requiredTerms(affinity, 'podAffinity', self.namespace, view);
  const apart = requiredTerms(affinity, 'podAntiAffinity', self.namespace, view);
  const together =
    near.length === 0
      ? undefined
      : view.model.groups.count(`affinity ${near.map(({ name }) => name).join(' & ')}`, (group) => matchesAll(near, group));
  const refusing: Base[] = [];
  for (const { affinity: other, namespace, tally } of view.model.groups.holders()) {
    for (const term of requiredTerms(other, 'podAntiAffinity', namespace, view))
      if (term.matches(self)) refusing.push({ key: term.topologyKey, counts: tally.by(term.topologyKey) });
  }
  return createFilter(
    { self, near, apart, view },
    new LayeredCounts(
      together === undefined ? [] : near.map(({ topologyKey }) => ({ key: topologyKey, counts: together.by(topologyKey) })),
    ),
    new LayeredCounts(
      apart.map((term) => ({
        key: term.topologyKey,
        counts: view.model.groups.count(`affinity ${term.name}`, term.matches).by(term.topologyKey),
      })),
    ),
    new LayeredCounts(refusing),
  );
}

/** A weight for every matching pod that shares the node's value of a key. */
interface Points {
  readonly key: string;
  readonly weight: number;
  readonly counts: ValueCounts;
}

function pointsFor({ pod }: PodInfo, view: SchedulerView): readonly Points[] {
  const self = groupView(pod);
  const points: Points[] = [];
  for (const { term, weight } of preferredTerms(pod.spec.affinity, self.namespace, view))
    points.push({
      key: term.topologyKey,
      weight,
      counts: view.model.groups.count(`affinity ${term.name}`, term.matches).by(term.topologyKey),
    });
  for (const { affinity, namespace, tally } of view.model.groups.holders()) {
    const wishes = [
      ...preferredTerms(affinity, namespace, view),
      ...requiredTerms(affinity, 'podAffinity', namespace, view).map((term) => ({ term, weight: REQUIRED_WEIGHT })),
    ];
    for (const { term, weight } of wishes)
      if (term.matches(self)) points.push({ key: term.topologyKey, weight, counts: tally.by(term.topologyKey) });
  }
  return points.filter(({ counts }) => counts.size > 0);
}

function scorerOf(pod: PodInfo, view: SchedulerView): NodeScorer | number {
  if (pod.pod.spec.affinity === undefined && !view.model.groups.hasHolders) return 0;
  const points = pointsFor(pod, view);
  if (points.length === 0) return 0;
  return {
    score({ node }) {
      let sum = 0;
      for (const { key, weight, counts } of points) {
        const value = node?.metadata.labels?.[key];
        if (value !== undefined) sum += weight * counts.get(value);
      }
      return sum;
    },
    normalise: spreadOut,
  };
}

/** Normalizes scores so that the least becomes 0 and the greatest 100; equal scores become 0. */
function spreadOut(scores: number[]): void {
  let least = Infinity;
  let most = -Infinity;
  for (const score of scores) {
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let i = 0; i < scores.length; i++)
    scores[i] = most > least ? Math.trunc(MAX_SCORE * (((scores[i] ?? 0) - least) / (most - least))) : 0;
}

export const interPodAffinity: Plugin = {
  name: 'InterPodAffinity',
  events: { Pod: on('add', 'update', 'delete'), Node: on('add', 'labels') },
  filtersBy: 'affinity',
  filterFor: filterOf,
  weight: 2,
  scorerFor: scorerOf,
};

/** Numbers by label key, then by label value; they begin empty, or as a copy. */
class TopologyCounts {
  private readonly counts = new Map<string, Map<string, number>>();
  total = 0;

  constructor(from?: TopologyCounts) {
    for (const [key, values] of from?.counts ?? []) this.counts.set(key, new Map(values));
    this.total = from?.total ?? 0;
  }

  keys(): Iterable<string> {
    return this.counts.keys();
  }

  get(key: string, value: string): number {
    return this.counts.get(key)?.get(value) ?? 0;
  }

  /** Adds to the node's value of a key; a node without the label is ignored. */
  add(key: string, { node }: NodeInfo, by: number): void {
    const value = node?.metadata.labels?.[key];
    if (value === undefined) return;
    const values = keptIn(this.counts, key, () => new Map<string, number>());
    values.set(value, (values.get(value) ?? 0) + by);
    this.total += by;
  }
}

interface Base {
  readonly key: string;
  readonly counts: ValueCounts;
}

/** The combined counts of several terms, with hypothetical changes on top: if a pod were added or removed. */
class LayeredCounts {
  private readonly bases: readonly Base[];
  private changes: TopologyCounts | undefined;

  constructor(bases: readonly Base[], changes?: TopologyCounts) {
    this.bases = bases;
    this.changes = changes;
  }

  get(key: string, value: string): number {
    let sum = this.changes === undefined ? 0 : this.changes.get(key, value);
    for (const base of this.bases) if (base.key === key) sum += base.counts.get(value);
    return sum;
  }

  isEmpty(): boolean {
    let total = this.changes === undefined ? 0 : this.changes.total;
    for (const { counts } of this.bases) total += counts.total;
    return total === 0;
  }

  /** Whether the node shares a value with a counted pod. */
  touches({ node }: NodeInfo): boolean {
    const touchesBy = (key: string): boolean => {
      const value = node?.metadata.labels?.[key];
      return value !== undefined && this.get(key, value) > 0;
    };
    for (const { key } of this.bases) if (touchesBy(key)) return true;
    if (this.changes !== undefined) for (const key of this.changes.keys()) if (touchesBy(key)) return true;
    return false;
  }

  add(key: string, node: NodeInfo, by: number): void {
    (this.changes ??= new TopologyCounts()).add(key, node, by);
  }

  clone(): LayeredCounts {
    return new LayeredCounts(this.bases, this.changes === undefined ? undefined : new TopologyCounts(this.changes));
  }
}
