/** Keeps pods of a kind evenly spread over the values of a label of nodes. Models: v1.24 plugins/podtopologyspread filtering.go, scoring.go. */
import { on } from '../cluster-events.ts';
import { ln } from '../logarithm.ts';
import type { NodeInfo } from '../node-info.ts';
import { MAX_SCORE, unresolvable, unschedulable, type NodeFilter, type NodeScorer, type Plugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';
import type { SchedulerView } from '../view.ts';
import { requiredNodeTest } from './node-affinity.ts';
import { defaultConstraints, hasAllKeys, ownConstraints, type Constraint } from './spread-constraints.ts';

const TOO_MANY = unschedulable("node(s) didn't match pod topology spread constraints");
const NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");

/** Matching pods by value of one constraint's key; values without pods count zero. */
interface Domains {
  readonly size: number;
  get(value: string): number;
  add(value: string, by: number): void;
  /** The smallest count; infinite when there is no domain. */
  least(): number;
  clone(): Domains;
}

function createDomains(counts: Map<string, number>): Domains {
  let least: number | undefined;
  return {
    size: counts.size,
    get: (value) => counts.get(value) ?? 0,
    add(value, by) {
      const count = counts.get(value);
      if (count === undefined) return;
      counts.set(value, count + by);
      least = undefined;
    },
    least() {
      if (least === undefined) {
        least = Infinity;
        for (const count of counts.values()) if (count < least) least = count;
      }
      return least;
    },
    clone: () => createDomains(new Map(counts)),
  };
}

interface Counted { readonly constraint: Constraint; readonly domains: Domains; readonly self: number }

const valueOf = ({ node }: NodeInfo, { topologyKey }: Constraint): string | undefined => node?.metadata.labels?.[topologyKey];

function createFilter(pod: PodInfo, counted: readonly Counted[], useMinDomains: boolean): NodeFilter {
  const constraints = counted.map(({ constraint }) => constraint);
  const update = (other: PodInfo, node: NodeInfo, by: number): void => {
    if ((other.pod.metadata.namespace ?? '') !== (pod.pod.metadata.namespace ?? '') || !hasAllKeys(node.node, constraints)) return;
    for (const { constraint, domains } of counted) if (constraint.matches(other.pod.metadata.labels)) domains.add(valueOf(node, constraint) ?? '', by);
  };
  return {
    check(node) {
      for (const { constraint, domains, self } of counted) {
        const value = valueOf(node, constraint);
        if (value === undefined) return NO_LABEL;
        const tooFew = useMinDomains && constraint.minDomains !== undefined && domains.size < constraint.minDomains;
        if (domains.get(value) + self - (tooFew ? 0 : domains.least()) > constraint.maxSkew) return TOO_MANY;
      }
      return undefined;
    },
    add: (other, node) => update(other, node, 1),
    remove: (other, node) => update(other, node, -1),
    clone: () => createFilter(pod, counted.map((one) => ({ ...one, domains: one.domains.clone() })), useMinDomains),
  };
}

function filterOf(info: PodInfo, view: SchedulerView): NodeFilter | undefined {
  const { pod } = info;
  const constraints = ownConstraints(pod, 'DoNotSchedule', view);
  if (constraints.length === 0) return undefined;
  const wanted = requiredNodeTest(pod.spec);
  const tables = constraints.map(() => new Map<string, number>());
  for (const { node } of view.nodes()) {
    if (node === undefined || wanted?.(node) === false || !hasAllKeys(node, constraints)) continue;
    for (let i = 0; i < constraints.length; i++) tables[i]?.set(node.metadata.labels?.[constraints[i]?.topologyKey ?? ''] ?? '', 0);
  }
  const counted = constraints.map((constraint, i): Counted => {
    const table = tables[i] ?? new Map<string, number>();
    for (const [name, count] of constraint.counts) {
      const node = view.node(name);
      const value = node === undefined ? undefined : valueOf(node, constraint);
      const before = value === undefined ? undefined : table.get(value);
      if (value !== undefined && before !== undefined) table.set(value, before + count);
    }
    return { constraint, domains: createDomains(table), self: constraint.matches(pod.metadata.labels) ? 1 : 0 };
  });
  return createFilter(info, counted, view.gates['MinDomainsInPodTopologySpread'] === true);
}

/** Matching pods by value, for the values that candidate nodes have. */
function softTable(constraint: Constraint, candidates: readonly NodeInfo[], counts: (node: NodeInfo) => boolean, view: SchedulerView): Map<string, number> {
  const table = new Map<string, number>();
  for (const node of candidates) table.set(valueOf(node, constraint) ?? '', 0);
  for (const [name, count] of constraint.counts) {
    const node = view.node(name);
    const value = node === undefined ? '' : valueOf(node, constraint) ?? '';
    const before = table.get(value);
    if (node !== undefined && before !== undefined && counts(node)) table.set(value, before + count);
  }
  return table;
}

function scorerOf({ pod }: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]): NodeScorer | number {
  const own = pod.spec.topologySpreadConstraints !== undefined && pod.spec.topologySpreadConstraints.length > 0;
  const constraints = own ? ownConstraints(pod, 'ScheduleAnyway', view) : defaultConstraints(pod, view);
  if (constraints.length === 0) return MAX_SCORE;
  const hostname = view.names.key('', 'hostname');
  const wanted = requiredNodeTest(pod.spec);
  // The default constraints do without a label that nodes lack; a pod's own do not.
  const candidates = own ? nodes.filter(({ node }) => hasAllKeys(node, constraints)) : nodes;
  const ignored = new Set(own && candidates.length < nodes.length ? nodes.filter(({ node }) => !hasAllKeys(node, constraints)) : []);
  const counts = ({ node }: NodeInfo): boolean => node !== undefined && wanted?.(node) !== false && (!own || hasAllKeys(node, constraints));
  const parts = constraints.map((constraint) => {
    const table = constraint.topologyKey === hostname ? undefined : softTable(constraint, candidates, counts, view);
    return { constraint, table, weight: ln((table?.size ?? candidates.length) + 2) };
  });
  return {
    score(node) {
      if (ignored.has(node)) return 0;
      let score = 0;
      for (const { constraint, table, weight } of parts) {
        const value = valueOf(node, constraint);
        if (value === undefined) continue;
        const count = table === undefined ? constraint.counts.get(node.name) ?? 0 : table.get(value) ?? 0;
        score += count * weight + (constraint.maxSkew - 1);
      }
      return Math.round(score);
    },
    normalise: (scores) => fewestBest(scores, (i) => { const node = nodes[i]; return node !== undefined && ignored.has(node); }),
  };
}

/** Turns scores round: the fewer pods there, the better. Ignored nodes get nothing. */
function fewestBest(scores: number[], ignored: (i: number) => boolean): void {
  let least = Infinity;
  let most = 0;
  for (let i = 0; i < scores.length; i++) {
    if (ignored(i)) continue;
    const score = scores[i] ?? 0;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let i = 0; i < scores.length; i++) scores[i] = ignored(i) ? 0 : most === 0 ? MAX_SCORE : Math.trunc((MAX_SCORE * (most + least - (scores[i] ?? 0))) / most);
}

export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  events: { Pod: on('add', 'update', 'delete'), Node: on('add', 'delete', 'labels') },
  filterFor(pod, view) {
    const filter = filterOf(pod, view);
    return filter === undefined ? undefined : { filter };
  },
  weight: 2,
  scorerFor: scorerOf,
};
