/** Which of several feasible nodes is best. Models: v1.24 pkg/scheduler generic_scheduler prioritizeNodes, selectHost. */
import type { RandomStream } from '../../../engine/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { NodeScorer, Plugin } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerView } from './view.ts';

export interface Scores {
  /** By node, in the order of the nodes given. */
  readonly totals: readonly number[];
  /** Weighted scores by plug-in, in the same order; a number where all nodes score alike. */
  readonly byPlugin: ReadonlyMap<string, readonly number[] | number>;
}

/** Scores of all plug-ins, scaled and weighted. */
export function scoreNodes(plugins: readonly Plugin[], pod: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]): Scores {
  const totals = new Array<number>(nodes.length).fill(0);
  const byPlugin = new Map<string, readonly number[] | number>();
  let same = 0;
  for (const { name, weight = 1, scorerFor } of plugins) {
    const scorer = scorerFor?.(pod, view, nodes);
    if (scorer === undefined) continue;
    if (typeof scorer === 'number') { same += scorer * weight; byPlugin.set(name, scorer * weight); continue; }
    byPlugin.set(name, scorer.normalise === undefined ? addScores(scorer, weight, nodes, totals) : addScaled(scorer, weight, nodes, totals));
  }
  for (let i = 0; i < totals.length; i++) totals[i] = (totals[i] ?? 0) + same;
  return { totals, byPlugin };
}

/** Adds the weighted scores of a scorer that needs no scaling; answers them. */
function addScores(scorer: NodeScorer, weight: number, nodes: readonly NodeInfo[], totals: number[]): readonly number[] {
  const scores: number[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const weighted = node === undefined ? 0 : scorer.score(node) * weight;
    scores.push(weighted);
    totals[i] = (totals[i] ?? 0) + weighted;
  }
  return scores;
}

function addScaled(scorer: NodeScorer, weight: number, nodes: readonly NodeInfo[], totals: number[]): readonly number[] {
  const scores = nodes.map((node) => scorer.score(node));
  scorer.normalise?.(scores, nodes);
  for (let i = 0; i < scores.length; i++) {
    const weighted = (scores[i] ?? 0) * weight;
    scores[i] = weighted;
    totals[i] = (totals[i] ?? 0) + weighted;
  }
  return scores;
}

/** The index of a largest score; ties are drawn, one draw per further candidate as upstream does. */
export function pickBest(totals: readonly number[], random: RandomStream): number {
  let best = 0;
  let most = totals[0] ?? 0;
  let candidates = 1;
  for (let i = 1; i < totals.length; i++) {
    const total = totals[i] ?? 0;
    if (total > most) { most = total; best = i; candidates = 1; } else if (total === most) {
      candidates++;
      if (random.below(candidates) === 0) best = i;
    }
  }
  return best;
}
