/** Coverage of runs: which controllers were active near a fault, and the reasons of decisions as branches. */
import { expect, it } from 'vitest';
import { collectCoverage, sumCoverage, type Coverage } from '../../src/lab/coverage.ts';

type Entry = Parameters<ReturnType<typeof collectCoverage>['observe']>[0];

const decided = (controller: string, at: number, why = 'it waits'): Entry => ({ type: 'reconcile', at, controller, why }) as Entry;
const wrote = (controller: string | undefined, at: number): Entry =>
  ({ type: 'write', at, ...(controller === undefined ? {} : { controller }) }) as Entry;
const fault = (name: string, at: number, given: object | undefined = {}): Entry =>
  ({ type: 'fault', at, fault: name, ...(given === undefined ? {} : { given }) }) as Entry;

function of(entries: readonly Entry[]): Coverage {
  const { observe, coverage } = collectCoverage();
  for (const entry of entries) observe(entry);
  return coverage();
}

it('a controller was active that decided ten seconds before a fault, or wrote ten seconds after it', () => {
  const { faults, injected } = of([
    decided('early', 0),
    decided('job', 1),
    decided('job', 2),
    fault('crash', 10_001),
    wrote('job', 10_001),
    wrote('cron-job', 15_000),
    wrote('cron-job', 15_000),
    wrote(undefined, 15_000),
    fault('lag', 16_000),
    wrote('deployment', 20_001),
    wrote('late', 20_002),
    fault('crash', 50_000),
    wrote('job', 50_000),
    { type: 'fault', at: 50_000, fault: 'end' } as Entry,
    wrote('end', 60_001),
  ]);
  expect(faults).toEqual([
    ['crash', 'job', 2],
    ['crash', 'cron-job', 1],
    ['crash', 'deployment', 1],
    ['lag', 'deployment', 1],
    ['lag', 'late', 1],
  ]);
  expect(injected).toEqual([
    ['crash', 2],
    ['lag', 1],
  ]);
});

it('a reason is a branch: without its numbers', () => {
  const { reasons } = of([
    decided('job', 0, '2 of 3 pods run'),
    decided('job', 1, '1 of 10 pods run'),
    decided('job', 2, 'it waits for 1.5 s'),
    decided('cron-job', 3, 'it waits'),
  ]);
  expect(reasons).toEqual([
    ['job', '… of … pods run', 2],
    ['job', 'it waits for … s', 1],
    ['cron-job', 'it waits', 1],
  ]);
});

it('the coverage of several runs is their sum', () => {
  const one: Coverage = { faults: [['crash', 'job', 1]], injected: [['crash', 2]], reasons: [['job', 'a', 1]] };
  const other: Coverage = {
    faults: [
      ['crash', 'job', 2],
      ['lag', 'job', 1],
    ],
    injected: [
      ['crash', 1],
      ['lag', 1],
    ],
    reasons: [
      ['job', 'a', 4],
      ['job', 'b', 1],
    ],
  };
  expect(sumCoverage([one, other])).toEqual({
    faults: [
      ['crash', 'job', 3],
      ['lag', 'job', 1],
    ],
    injected: [
      ['crash', 3],
      ['lag', 1],
    ],
    reasons: [
      ['job', 'a', 5],
      ['job', 'b', 1],
    ],
  });
  expect(sumCoverage([])).toEqual({ faults: [], injected: [], reasons: [] });
});
