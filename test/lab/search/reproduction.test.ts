/** The reproduction of a cause gives the same result as the whole run, and stops when the result is known. */
import { describe, expect, it } from 'vitest';
import { replaying, type Point } from '../../../src/lab/choices/index.ts';
import type { PointChoice } from '../../../src/lab/scenario/index.ts';
import { attempt, pointsOf, reproduction } from '../../../src/lab/search/reproduction.ts';
import { quiesced, quietAtOf } from '../../../src/lab/search/healing.ts';
import { LATCH, latch } from './incidents/latch.ts';

const CLAIM = 'never-refused-thrice';
const making = { controllers: () => [latch] };
const { scenario } = quiesced(LATCH, 20_000, true);
const refused = (...nths: readonly number[]): readonly PointChoice[] =>
  nths.map((nth) => ({
    at: `write controller-manager latch default/bone: update ConfigMap #${nth}`,
    injectedFault: { do: 'refuse', code: 500 },
  }));

/** Returns the same, and the instant of the last event of the run. */
const asked = (choices: readonly PointChoice[], by?: number) => {
  const last = { at: 0 };
  const { slow, choose } = replaying(choices);
  const chooser = {
    slow,
    choose(point: Point, now: number) {
      last.at = now;
      return choose(point, now);
    },
  };
  return { answer: reproduction(scenario, making, chooser, { claim: CLAIM, ...(by === undefined ? {} : { by }) }), last: last.at };
};

describe('a reproduction', () => {
  it('has the result of the whole run', () => {
    for (const choices of [refused(1, 3, 5), refused(1, 3), refused(1, 2, 5), []])
      expect(asked(choices).answer?.cause).toEqual(attempt(scenario, making, replaying(choices)).broken[0]);
    expect(asked(refused(1, 3, 5)).answer?.cause).toMatchObject({ claim: CLAIM, controller: 'latch', action: 'update ConfigMap' });
  });

  it('stops at the write that breaks the assertion', () => {
    const { answer, last } = asked(refused(1, 3, 5));
    expect(answer?.at).toBeLessThan(scenario.startAt + 2_000);
    expect(last).toBeLessThanOrEqual(answer?.at ?? 0);
  });

  it('does not count a violation after the given instant', () => {
    expect(asked(refused(1, 3, 5), scenario.startAt + 500).answer).toBeUndefined();
    expect(asked(refused(1, 3, 5), scenario.startAt + 2_000).answer).toBeDefined();
  });
});

describe('the points of a run', () => {
  it('are those at which a search may choose, each once, in their order', () => {
    const all: string[] = [];
    attempt(scenario, making, {
      slow: new Map(),
      choose({ address }, now) {
        if (now < quietAtOf(scenario)) all.push(address);
        return undefined;
      },
    });
    const points = pointsOf(scenario, making, replaying([]));
    expect(points).toEqual([...new Set(all)]);
    expect(points).toContain('write controller-manager latch default/bone: update ConfigMap #3');
  });
});
