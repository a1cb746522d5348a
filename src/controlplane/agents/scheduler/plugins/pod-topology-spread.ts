/**
 * Spreads matching pods evenly over the values of a node label. Models: v1.24 plugins/podtopologyspread filtering.go, scoring.go. The
 * natural logarithm by plain arithmetic: the host's function differs in the last bit between engines.
 */
import { requiredNodeTest, type NodeTest } from '../../../../apiserver/decisions/index.ts';
import type { Node } from '../../../../apiserver/kinds/index.ts';
import { on } from '../cluster-events.ts';
import type { NodeInfo, PodInfo } from '../node-info.ts';
import { MAX_SCORE, unresolvable, unschedulable, type NodeFilter, type NodeScorer, type Plugin, type SchedulerView } from '../plugin.ts';
import { defaultConstraints, Domains, hasAllKeys, ownConstraints, type Constraint } from './spread-constraints.ts';

/** ln(x) for x ≥ 1, within a few units of the last place. */
export function ln(x: number): number {
  let exponent = 0;
  let mantissa = x;
  while (mantissa > 1.5) {
    mantissa /= 2;
    exponent++;
  }
  // ln(m) = 2 (z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1), |z| ≤ 1/5.
  const z = (mantissa - 1) / (mantissa + 1);
  const square = z * z;
  let power = z;
  let sum = 0;
  for (let n = 1; n < 31; n += 2) {
    sum += power / n;
    power *= square;
  }
  return exponent * Math.LN2 + 2 * sum;
}

const TOO_MANY = unschedulable("node(s) didn't match pod topology spread constraints");
const NO_LABEL = unresolvable("node(s) didn't match pod topology spread constraints (missing required label)");

interface Counted {
  readonly constraint: Constraint;
  readonly domains: Domains;
  readonly self: number;
}

const valueOf = ({ node }: NodeInfo, { topologyKey }: Constraint): string | undefined => node?.metadata.labels?.[topologyKey];

function createFilter(pod: PodInfo, counted: readonly Counted[], useMinDomains: boolean): NodeFilter {
  const constraints = counted.map(({ constraint }) => constraint);
  const update = (other: PodInfo, node: NodeInfo, by: number): void => {
    if ((other.pod.metadata.namespace ?? '') !== (pod.pod.metadata.namespace ?? '') || !hasAllKeys(node.node, constraints)) return;
    for (const { constraint, domains } of counted)
      if (constraint.matches(other.pod.metadata.labels)) domains.add(valueOf(node, constraint) ?? '', by);
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
    clone: () =>
      createFilter(
        pod,
        counted.map((one) => ({ ...one, domains: one.domains.clone() })),
        useMinDomains,
      ),
  };
}

/** Whether every node counts for these constraints: the pod may run on any, and all have the labels. */
const allNodesCount = (wanted: NodeTest | undefined, constraints: readonly Constraint[], view: SchedulerView): boolean =>
  wanted === undefined && constraints.every(({ topologyKey }) => view.model.topology.of(topologyKey).missing === 0);

/** Domains of the nodes that the pod may run on and that have all labels, by a loop over nodes. */
function eligibleDomains(wanted: NodeTest | undefined, constraints: readonly Constraint[], view: SchedulerView): readonly Domains[] {
  const tables = constraints.map(() => new Map<string, number>());
  for (const { node } of view.model.nodes()) {
    if (node === undefined || wanted?.(node) === false || !hasAllKeys(node, constraints)) continue;
    for (const [i, { topologyKey }] of constraints.entries()) tables[i]?.set(node.metadata.labels?.[topologyKey] ?? '', 0);
  }
  return constraints.map(({ topologyKey, tally }, i) => {
    const table = tables[i] ?? new Map<string, number>();
    // Pods on ineligible nodes count for the values that eligible nodes share with them.
    for (const value of table.keys()) table.set(value, tally.by(topologyKey).get(value));
    return new Domains(table);
  });
}

function filterOf(info: PodInfo, view: SchedulerView): NodeFilter | undefined {
  const { pod } = info;
  const constraints = ownConstraints(pod, 'DoNotSchedule', view);
  if (constraints.length === 0) return undefined;
  const wanted = requiredNodeTest(pod.spec);
  const domains = allNodesCount(wanted, constraints, view)
    ? constraints.map(({ topologyKey, tally }) => new Domains(view.model.topology.of(topologyKey).values, tally.by(topologyKey)))
    : eligibleDomains(wanted, constraints, view);
  const counted = constraints.map((constraint, i): Counted => ({
    constraint,
    domains: domains[i] ?? new Domains(new Map()),
    self: constraint.matches(pod.metadata.labels) ? 1 : 0,
  }));
  return createFilter(info, counted, view.gates['MinDomainsInPodTopologySpread'] === true);
}

/** Matching pods by value, on nodes that count, for the values of candidate nodes: by a loop over nodes with such pods. */
function softTable(
  { topologyKey, tally }: Constraint,
  values: ReadonlySet<string>,
  counts: (node: Node) => boolean,
  view: SchedulerView,
): (value: string) => number {
  const table = new Map<string, number>();
  for (const [name, count] of tally.nodes) {
    const node = view.model.node(name)?.node;
    const value = node?.metadata.labels?.[topologyKey];
    if (node !== undefined && value !== undefined && values.has(value) && counts(node)) table.set(value, (table.get(value) ?? 0) + count);
  }
  return (value) => table.get(value) ?? 0;
}

function scorerOf({ pod }: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]): NodeScorer | number {
  const own = pod.spec.topologySpreadConstraints !== undefined && pod.spec.topologySpreadConstraints.length > 0;
  const constraints = own ? ownConstraints(pod, 'ScheduleAnyway', view) : defaultConstraints(pod, view);
  if (constraints.length === 0) return MAX_SCORE;
  const hostname = view.names.key('', 'hostname');
  const wanted = requiredNodeTest(pod.spec);
  // Default constraints ignore missing labels; a pod's own constraints do not.
  const kept = own ? allNodesCount(wanted, constraints, view) : wanted === undefined;
  const candidates = own && !kept ? nodes.filter(({ node }) => hasAllKeys(node, constraints)) : nodes;
  const ignored = new Set(candidates.length < nodes.length ? nodes.filter(({ node }) => !hasAllKeys(node, constraints)) : []);
  const counts = (node: Node): boolean => wanted?.(node) !== false && (!own || hasAllKeys(node, constraints));
  const parts = constraints.map((constraint) => {
    const { topologyKey, maxSkew, tally } = constraint;
    if (topologyKey === hostname)
      return { constraint, maxSkew, on: (_value: string, name: string) => tally.nodes.get(name) ?? 0, weight: ln(candidates.length + 2) };
    const values = new Set(candidates.map((node) => valueOf(node, constraint) ?? ''));
    const of = kept ? (value: string): number => tally.by(topologyKey).get(value) : softTable(constraint, values, counts, view);
    return { constraint, maxSkew, on: of, weight: ln(values.size + 2) };
  });
  return {
    score(node) {
      if (ignored.has(node)) return 0;
      let score = 0;
      for (const { constraint, maxSkew, on: countOn, weight } of parts) {
        const value = valueOf(node, constraint);
        if (value !== undefined) score += countOn(value, node.name) * weight + (maxSkew - 1);
      }
      return Math.round(score);
    },
    normalise: (scores) =>
      fewestBest(scores, (i) => {
        const node = nodes[i];
        return node !== undefined && ignored.has(node);
      }),
  };
}

/** Inverts scores: the fewer pods, the better. Ignored nodes get 0. */
function fewestBest(scores: number[], ignored: (i: number) => boolean): void {
  let least = Infinity;
  let most = 0;
  for (let i = 0; i < scores.length; i++) {
    if (ignored(i)) continue;
    const score = scores[i] ?? 0;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let i = 0; i < scores.length; i++)
    scores[i] = ignored(i) ? 0 : most === 0 ? MAX_SCORE : Math.trunc((MAX_SCORE * (most + least - (scores[i] ?? 0))) / most);
}

export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  events: { Pod: on('add', 'update', 'delete'), Node: on('add', 'delete', 'labels') },
  filtersBy: 'spread',
  filterFor: filterOf,
  weight: 2,
  scorerFor: scorerOf,
};
