/**
 * The independence relation of the exhaustive search: sampled pairs of independent events at one instant are executed in both orders, and
 * the resulting states are compared part by part. A change of a controller that makes it read something else fails here.
 */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pending } from '../../../src/engine/index.ts';
import type { ClusterEvent } from '../../../src/controlplane/runtime/index.ts';
import { itemsOf, type Scenario } from '../../../src/lab/scenario/index.ts';
import { stage, type Staged } from '../../../src/lab/simulation/index.ts';
import { dependent, meetsIn, moveOf, type Move } from '../../../src/lab/search/exhaustive/dependence.ts';
import { TOY_LATENCY, orderRulesAt } from '../../../src/lab/search/exhaustive/walk.ts';
import { watchState } from '../../../src/lab/search/exhaustive/state.ts';
import { readScenarios } from '../../../src/surfaces/cli/load.ts';

const WORLDS = [
  'scenarios/job/02-indexed.yaml',
  'scenarios/stateful-set/01-scale-up-ordered-ready.yaml',
  'scenarios/deployment/01-rolling-update.yaml',
  'scenarios/lease/03-graceful-hand-over.yaml',
];
/** The interval of the sampled moments, and the number of pairs at each. */
const EVERY = Number(process.env['ORCHSIM_PAIRS_EVERY'] ?? 61);
const MOST_PAIRS = 4;
const MOST_MOMENTS = 400;
const RULES = { apart: true, drawn: false };

const withLatency = (scenario: Scenario): Scenario => ({ ...scenario, cluster: { ...scenario.cluster, latency: TOY_LATENCY } });

interface Pair {
  readonly moment: number;
  /** Sequence numbers, which are the same in every run up to there. */
  readonly one: number;
  readonly other: number;
  readonly name: string;
}

const nameOf = (move: Move): string =>
  move.does === 'anything' ? 'anything' : `${move.does} ${move.process} ${move.does === 'deliver' ? move.kind : move.controller}`;

type Choosing = (staged: Staged, candidates: readonly Pending<ClusterEvent>[], moment: number) => number;

/** Runs event by event until `enough` is true. */
function play(scenario: Scenario, choose: Choosing, enough: (staged: Staged, moment: number) => boolean): void {
  const going: { staged?: Staged; moment: number } = { moment: 0 };
  const staged = stage(scenario, {
    digest: false,
    tries: false,
    eagerLeases: true,
    choose: (candidates) => (going.staged === undefined ? 0 : choose(going.staged, candidates, going.moment++)),
  });
  going.staged = staged;
  staged.pauseAt(0);
  while (staged.passing.next().done !== true) if (enough(staged, going.moment)) break;
}

/** Whether no event without a choice would come between the two in one order and after them in the other. */
const isClean = ({ cluster: { kernel } }: Staged): boolean =>
  !kernel
    .pending()
    .some(({ at, event }) => at === kernel.now && (event.type === 'emit' || event.type === 'expire' || event.type === 'skew'));

function pairsIn(scenario: Scenario): readonly Pair[] {
  const pairs: Pair[] = [];
  const items = itemsOf(scenario.steps);
  const choose: Choosing = (staged, candidates, moment) => {
    if (moment % EVERY !== 0 || !isClean(staged)) return 0;
    const { cluster } = staged;
    const moves = candidates.map((each) => moveOf(cluster, each));
    const found: Pair[] = [];
    for (const [at, one] of moves.entries())
      for (const [to, other] of moves.entries())
        if (to > at && !dependent(one, other, orderRulesAt(RULES, items, staged.position), meetsIn(cluster)))
          found.push({
            moment,
            one: candidates[at]?.seq ?? -1,
            other: candidates[to]?.seq ?? -1,
            name: `${nameOf(one)} | ${nameOf(other)}`,
          });
    pairs.push(...found.filter(({ name }, at) => found.findIndex((each) => each.name === name) === at).slice(0, MOST_PAIRS));
    return 0;
  };
  play(scenario, choose, (_, moment) => moment >= MOST_MOMENTS);
  return pairs;
}

/** Returns the state right after both events, the first one first. */
function after(scenario: Scenario, moment: number, first: number, second: number): ReadonlyMap<string, unknown> | undefined {
  let state: ReadonlyMap<string, unknown> | undefined;
  let watch: ReturnType<typeof watchState> | undefined;
  const both = new Set([first, second]);
  play(
    scenario,
    (staged, candidates, now) => {
      watch ??= watchState(staged);
      if (now < moment) return 0;
      const wanted = now === moment ? first : second;
      return Math.max(
        0,
        candidates.findIndex(({ seq }) => seq === wanted),
      );
    },
    (staged, now) => {
      if (now <= moment || staged.cluster.kernel.pending().some(({ seq }) => both.has(seq))) return false;
      state = watch?.parts();
      return true;
    },
  );
  return state;
}

const { scenarios } = readScenarios(WORLDS, { cwd: resolve(import.meta.dirname, '../../..') });

describe.each(scenarios.map(({ scenario }) => [scenario.name, withLatency(scenario)] as const))('%s', (_, scenario) => {
  it('reaches the same state whichever of two independent events is first', { timeout: 60_000 }, () => {
    const pairs = pairsIn(scenario);
    expect(pairs.length).toBeGreaterThan(0);
    const wrong = pairs.flatMap(({ moment, one, other, name }) => {
      const [left, right] = [after(scenario, moment, one, other), after(scenario, moment, other, one)];
      if (left === undefined || right === undefined) return [];
      const parts = [...new Set([...left.keys(), ...right.keys()])].filter(
        (part) => JSON.stringify(left.get(part)) !== JSON.stringify(right.get(part)),
      );
      return parts.length === 0 ? [] : [`${moment} ${name}: ${parts.join(', ')}`];
    });
    expect(wrong).toEqual([]);
  });
});
