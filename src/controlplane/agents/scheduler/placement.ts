/**
 * One attempt to find a node for a pod: filtering, then scoring, the best of several feasible nodes. Models: v1.24 pkg/scheduler
 * generic_scheduler Schedule, prioritizeNodes, selectHost.
 */
import type { RandomStream } from '../../../engine/random.ts';
import { compareText } from '../../../schema/values/index.ts';
import { checkNode, checkWithNominated, feasibleNodes, filtersFor, rememberingCheck, type PodFilters } from './filtering.ts';
import type { NodeInfo, PodInfo } from './node-info.ts';
import { NodeMemory } from './node-memory.ts';
import type { NodeRefusal, Plugin, SchedulerView, NodeScorer } from './plugin.ts';

/** A node was found; `scores` unless there was only one feasible node. */
export interface Placed {
  readonly type: 'placed';
  readonly node: string;
  /** Its place among the feasible ones. */ readonly at: number;
  readonly visited: number;
  readonly feasible: readonly NodeInfo[];
  /** By feasible node, in their order. */
  readonly scores: readonly number[] | undefined;
  /** The scenario states the node. */
  readonly isStated?: true;
}
/** No node was found; `filters` unless all nodes were refused at once. */
export interface Refused {
  readonly type: 'refused';
  readonly refused: ReadonlyMap<string, NodeRefusal>;
  readonly refusedBy: readonly string[];
  readonly filters: PodFilters | undefined;
}
interface Failed {
  readonly type: 'failed';
  readonly message: string;
}
export type Placement = Placed | Refused | Failed;

interface Options {
  readonly plugins: readonly Plugin[];
  readonly view: SchedulerView;
  readonly random: RandomStream;
}

const refusedAll = (refusal: NodeRefusal, nodes: readonly NodeInfo[]): Placement => {
  const refused = new Map(nodes.map(({ name }) => [name, refusal]));
  return { type: 'refused', refused, refusedBy: refusal.plugins, filters: undefined };
};

function checking({ filters }: PodFilters, pod: PodInfo, nominator: SchedulerView['nominator']) {
  if (nominator.size === 0) return (node: NodeInfo): NodeRefusal | undefined => checkNode(filters, node);
  return (node: NodeInfo): NodeRefusal | undefined => checkWithNominated(filters, node, pod, nominator);
}

/** The nodes of these names; or the name of one that is unknown. */
function named(names: Iterable<string>, view: SchedulerView): readonly NodeInfo[] | string {
  const nodes: NodeInfo[] = [];
  for (const name of names) {
    const node = view.model.node(name);
    if (node === undefined) return name;
    nodes.push(node);
  }
  return nodes;
}

export class Placer {
  private readonly options: Options;
  private readonly memory = new NodeMemory();
  /** The refusals of the present attempt. Most attempts have none, and leave the table to the next. */
  private refused = new Map<string, NodeRefusal>();
  /** The index at which the next round of filtering starts. */
  startsAt = 0;

  constructor(options: Options) {
    this.options = options;
  }

  /** `stated`: the node that is taken if it passes every filter. */
  place(pod: PodInfo, stated?: string): Placement {
    const { memory } = this;
    const { plugins, view } = this.options;
    const { nominator } = view;
    const all = view.model.nodes();
    memory.turnTo(pod.pod.spec, all, view.model.takeStale());
    const filters = filtersFor(plugins, pod, view, memory.offers);
    if ('code' in filters) return refusedAll(filters, all);
    const refused = this.refused.size === 0 ? this.refused : (this.refused = new Map<string, NodeRefusal>());
    const check = checking(filters, pod, nominator);
    // The nominated node is tried before any other.
    const { nominatedNodeName = '' } = pod.pod.status;
    const promised = nominatedNodeName === '' ? undefined : view.model.node(nominatedNodeName);
    if (promised !== undefined) {
      const refusal = check(promised);
      if (refusal === undefined) return this.choose(pod, [promised], 1);
      refused.set(promised.name, refusal);
    }
    const wanted = stated === undefined ? undefined : view.model.node(stated);
    if (wanted !== undefined && check(wanted) === undefined)
      return { type: 'placed', node: wanted.name, at: 0, visited: 1, feasible: [wanted], scores: undefined, isStated: true };
    const { onlyNodes } = filters;
    const candidates = onlyNodes === undefined ? all : named(onlyNodes, view);
    if (typeof candidates === 'string') return { type: 'failed', message: `nodeinfo not found for node name "${candidates}"` };
    const recalls = onlyNodes === undefined && nominator.size === 0 ? rememberingCheck(filters, memory) : check;
    const { nodes: feasible, places } = feasibleNodes(candidates, this.startsAt, recalls, refused);
    const visited = feasible.length + refused.size;
    this.startsAt = candidates.length === 0 ? 0 : (this.startsAt + visited) % candidates.length;
    if (refused.size > 0)
      for (const { code, reasons } of refused.values()) if (code === 'error') return { type: 'failed', message: reasons.join(', ') };
    if (feasible.length > 0) return this.choose(pod, feasible, visited, onlyNodes === undefined ? { memory, places } : undefined);
    const refusedBy = [...new Set([...new Set(refused.values())].flatMap((refusal) => refusal.plugins))].sort(compareText);
    this.refused = new Map();
    return { type: 'refused', refused, refusedBy, filters };
  }

  private choose(pod: PodInfo, feasible: readonly NodeInfo[], visited: number, recall?: Recall): Placement {
    const { plugins, view, random } = this.options;
    const scores = feasible.length === 1 ? undefined : scoreNodes(plugins, pod, view, feasible, recall);
    const at = scores === undefined ? 0 : pickBest(scores, random);
    return { type: 'placed', node: feasible[at]?.name ?? '', at, visited, feasible, scores };
  }
}

interface Weighted {
  readonly weight: number;
  readonly local: boolean;
  readonly scorer: NodeScorer;
}

/** The scorers whose scores differ by node, and the sum of all others. */
function scorersFor(plugins: readonly Plugin[], pod: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]) {
  const scorers: Weighted[] = [];
  let same = 0;
  for (let at = 0; at < plugins.length; at++) {
    const plugin = plugins[at];
    const scorer = plugin?.scorerFor?.(pod, view, nodes);
    if (plugin === undefined || scorer === undefined) continue;
    const { weight = 1, local = false } = plugin;
    if (typeof scorer === 'number') same += scorer * weight;
    else scorers.push({ weight, local: local && scorer.normalise === undefined, scorer });
  }
  return { scorers, same };
}

/** The cache of local plugins' scores, and the nodes' indexes in it. */
interface Recall {
  readonly memory: NodeMemory;
  readonly places: readonly number[];
}

export function scoreNodes(
  plugins: readonly Plugin[],
  pod: PodInfo,
  view: SchedulerView,
  nodes: readonly NodeInfo[],
  recall: Recall | undefined,
): readonly number[] {
  const { scorers, same } = scorersFor(plugins, pod, view, nodes);
  const totals = localTotals(scorers, nodes, same, recall);
  for (const { scorer, weight, local } of scorers) if (!local) addTo(totals, weightedScores(scorer, weight, nodes));
  return totals;
}

function localTotals(scorers: readonly Weighted[], nodes: readonly NodeInfo[], base: number, recall: Recall | undefined): number[] {
  const sum = (node: NodeInfo): number => {
    let total = 0;
    for (const { scorer, weight, local } of scorers) if (local) total += scorer.score(node) * weight;
    return total;
  };
  if (recall === undefined) return nodes.map((node) => base + sum(node));
  const { memory, places } = recall;
  const totals = new Array<number>(places.length);
  for (let i = 0; i < places.length; i++) totals[i] = base + memory.score(places[i] ?? -1, sum);
  return totals;
}

function weightedScores(scorer: NodeScorer, weight: number, nodes: readonly NodeInfo[]): readonly number[] {
  const scores = nodes.map((node) => scorer.score(node));
  scorer.normalise?.(scores, nodes);
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) * weight;
  return scores;
}

function addTo(totals: number[], scores: readonly number[]): void {
  for (let i = 0; i < scores.length; i++) totals[i] = (totals[i] ?? 0) + (scores[i] ?? 0);
}

/** The index of a greatest score; ties are broken at random, with one draw per further candidate as in upstream. */
export function pickBest(totals: readonly number[], random: RandomStream): number {
  let best = 0;
  let most = totals[0] ?? 0;
  let candidates = 1;
  for (let i = 1; i < totals.length; i++) {
    const total = totals[i] ?? 0;
    if (total > most) {
      most = total;
      best = i;
      candidates = 1;
    } else if (total === most) {
      candidates++;
      if (random.below(candidates) === 0) best = i;
    }
  }
  return best;
}
