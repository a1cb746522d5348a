/** How a search shares its runs among workers, when it ends, and what an interruption leaves. */
import { describe, expect, it } from 'vitest';
import type { Catch, Finding, Outcome, Search } from '../../../src/lab/search/index.ts';
import { reduceAll, runRounds } from '../../../src/surfaces/cli/search/runner.ts';
import type { TaskResult, WorkerPool, WorkerTask } from '../../../src/surfaces/cli/search/worker-pool.ts';
import { MOMENTS, STATISTICS } from './searched.ts';

const caught = (claim: string, more: object = {}): Catch => ({
  cause: { claim, message: `${claim} broke`, ...more },
  choices: [],
  run: 1,
  firstRun: 1,
  seen: 1,
});

/** A search of rounds of `many` draws; it catches something in the run of this number. */
function searching(many: number, breaksIn = Infinity) {
  const taken: (readonly number[])[] = [];
  const asked: (number | undefined)[] = [];
  let runs = 0;
  const catches = new Map<string, Catch>([['elsewhere', caught('elsewhere', { elsewhere: true })]]);
  const search = {
    get statistics() {
      return { ...STATISTICS, runs, catches };
    },
    sinceNewReason: 3,
    within: (most: number) => runs < most,
    coverage: () => MOMENTS,
    round(most: number | undefined) {
      asked.push(most);
      return Array.from({ length: many }, (_, at) => ({ number: runs + at + 1 }));
    },
    take(outcomes: readonly Outcome[]) {
      taken.push(outcomes.map(({ number }) => number));
      runs += outcomes.length;
      if (runs >= breaksIn) catches.set('mine', caught('mine'));
    },
  } as unknown as Search;
  return { search, taken, asked };
}

/** Workers that answer at once; undefined: never. */
function workers(many: number, answer: (task: WorkerTask) => TaskResult | undefined) {
  const sizes: number[] = [];
  const pool: WorkerPool = {
    many,
    perform(task) {
      if (task.kind === 'make') sizes.push(task.draws.length);
      const result = answer(task);
      return result === undefined ? new Promise(() => undefined) : Promise.resolve(result);
    },
    end: () => undefined,
  };
  return { pool, sizes };
}
/** The outcomes of a batch, the last one first. */
const made = (task: WorkerTask): TaskResult => ({
  kind: 'make',
  outcomes: task.kind === 'make' ? ([...task.draws].reverse() as unknown as readonly Outcome[]) : [],
});

const control = (more: object = {}) => {
  const reports: string[] = [];
  return {
    reports,
    how: { budget: { runs: 20 }, untilFound: false, elapsed: () => 4_000, report: (text: string) => void reports.push(text), ...more },
  };
};

describe('rounds', () => {
  it('are shared in batches that become smaller, and are taken in order', async () => {
    const { search, taken, asked } = searching(10);
    const { pool, sizes } = workers(2, made);
    const { how, reports } = control();
    await runRounds(search, pool, how);
    expect(sizes).toEqual([2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1]);
    expect(taken).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      [11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    ]);
    expect(asked).toEqual([20, 20]);
    expect(reports).toEqual(
      [10, 20].map(
        (runs) =>
          `${runs} runs, ${runs === 10 ? 3 : 5} a second, 0 found, 75 % of single faults tried, 2 reasons reached (none for 3 runs)`,
      ),
    );
  });

  it('of a time have no number, and report no share of no faults', async () => {
    const { search, asked } = searching(3);
    Object.assign(search, { coverage: () => ({ ...MOMENTS, single: { tried: 0, of: 0 } }) });
    let ms = 0;
    const { how, reports } = control({ budget: { ms: 1 }, elapsed: () => ms++ });
    await runRounds(search, workers(1, made).pool, how);
    expect(asked).toEqual([undefined]);
    expect(reports).toEqual(['3 runs, 3000 a second, 0 found, 2 reasons reached (none for 3 runs)']);
  });

  it('end with the one that finds something that counts, if this is asked', async () => {
    for (const [untilFound, rounds] of [
      [true, 2],
      [false, 4],
    ] as const) {
      const { search, taken } = searching(5, 7);
      await runRounds(search, workers(3, made).pool, control({ untilFound }).how);
      expect(taken).toHaveLength(rounds);
    }
  });

  it('that are interrupted keep what is ready', async () => {
    const stop = new AbortController();
    const { search, taken } = searching(4);
    const { pool } = workers(1, (task) => {
      if (task.kind !== 'make' || task.draws.some(({ number }) => number === 3)) {
        setImmediate(() => stop.abort());
        return undefined;
      }
      return made(task);
    });
    await runRounds(search, pool, control({ interruption: stop.signal }).how);
    expect(taken).toEqual([[1, 2, 4]]);
    await runRounds(search, pool, control({ interruption: stop.signal }).how);
    expect(taken).toHaveLength(1);
  });
});

describe('findings', () => {
  const finding = (claim: string): Finding =>
    ({ cause: { claim, message: '' }, seen: 1, firstRun: 1, also: [], words: [], choices: [] }) as never;
  const all = new Map(['a', 'b', 'c'].map((claim) => [claim, caught(claim)]));
  all.set('elsewhere', caught('elsewhere', { elsewhere: true }));
  const shrunk = (task: WorkerTask): TaskResult => ({
    kind: 'shrink',
    findings: task.kind === 'shrink' && task.caught.cause.claim !== 'b' ? [finding(task.caught.cause.claim)] : [],
  });

  it('are reduced, each failure that counts; what does not reproduce is told', async () => {
    const { how, reports } = control();
    const { findings, raw, lost, interrupted } = await reduceAll({ catches: all }, workers(2, shrunk).pool, how);
    expect([findings.map(({ cause }) => cause.claim), raw, lost, interrupted]).toEqual([['a', 'c'], [], [all.get('b')], false]);
    expect(reports).toEqual(['1 of 3 findings reduced', '2 of 3 findings reduced', '3 of 3 findings reduced']);
  });

  it('that are not reduced at an interruption stay as they were found', async () => {
    const stop = new AbortController();
    const { pool } = workers(1, (task) => {
      if (task.kind === 'shrink' && task.caught.cause.claim === 'a') return shrunk(task);
      setImmediate(() => stop.abort());
      return undefined;
    });
    const { findings, raw, lost, interrupted } = await reduceAll({ catches: all }, pool, control({ interruption: stop.signal }).how);
    expect([findings.map(({ cause }) => cause.claim), raw, lost, interrupted]).toEqual([['a'], [all.get('b'), all.get('c')], [], true]);
    const late = await reduceAll({ catches: all }, workers(1, shrunk).pool, control({ interruption: stop.signal }).how);
    expect([late.findings, late.raw.length, late.interrupted]).toEqual([[], 3, true]);
  });
});
