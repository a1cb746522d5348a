/** Scoring: the best of several feasible nodes. Models: v1.24 pkg/scheduler generic_scheduler prioritizeNodes, selectHost. */
import type { RandomStream } from '../../../engine/random.ts';
import type { NodeInfo, PodInfo } from './node-info.ts';
import type { NodeMemory } from './node-memory.ts';
import type { NodeScorer, Plugin, SchedulerView } from './plugin.ts';

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
export interface Recall {
  readonly memory: NodeMemory;
  readonly places: readonly number[];
}

/** The total scores of these nodes, in their order. */
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

/** The scores of local plugins for each node, added to a base. */
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
