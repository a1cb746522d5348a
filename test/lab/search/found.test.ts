/** What a search reports of its statistics, and which findings have one cause. */
import { describe, expect, it } from 'vitest';
import { byCause, type Finding } from '../../../src/lab/search/find.ts';
import { knownBy, reachOf } from '../../../src/lab/search/index.ts';
import type { PointChoice } from '../../../src/lab/scenario/index.ts';

describe('the reach of a search', () => {
  const tally = (injectedFault: string, whom: string) => [`${injectedFault} ${whom}`, { injectedFault, whom }] as const;
  const statistics = {
    reached: new Map([
      ['job: b', 0],
      ['job: a: c', 4],
      ['endpoints: x', -1],
      ['job: d', 4],
      ['job: e', 2],
    ]),
    tried: new Map([tally('late', 'job'), tally('hold', 'm sees Pod'), tally('crash', 'job')]),
    idle: new Set(['x', 'y']),
  };
  const actors = ['actor m job decides', 'actor m job writes', 'actor m sees Pod'];
  const reach = (faults: readonly string[], start = 0) => reachOf(statistics as never, { actors, faults, points: { start } });

  it('has the reasons of each controller, and how many were known after each run', () => {
    expect(reach([])).toEqual({
      reasons: [
        { controller: 'endpoints', said: ['x'] },
        { controller: 'job', said: ['a: c', 'b', 'd', 'e'] },
      ],
      curve: [
        { run: 0, reasons: 2 },
        { run: 2, reasons: 3 },
        { run: 4, reasons: 5 },
      ],
      tried: [
        { injectedFault: 'crash', whom: 'job' },
        { injectedFault: 'late', whom: 'job' },
        { injectedFault: 'hold', whom: 'm sees Pod' },
      ],
      untried: [],
      idle: ['x', 'y'],
    });
  });

  it('has the faults that could have been tried and were not', () => {
    const untried = (faults: readonly string[], start?: number) =>
      reach(faults, start).untried.map(({ injectedFault, whom }) => `${injectedFault} ${whom}`);
    expect(untried(['late', 'hold', 'freeze', 'lose', 'relist', 'hang'])).toEqual([
      'hold job',
      'lose job',
      'relist job',
      'freeze m sees Pod',
    ]);
    expect(untried(['hang'], 1)).toEqual(['hang containers']);
    expect(untried(['slow'])).toEqual(['slow job', 'slow m sees Pod']);
    expect(untried(['refuse'])).toEqual(['refuse job']);
  });

  it('is a share of it known by a run', () => {
    const { curve } = reach([]);
    expect([0, 0.4, 0.41, 0.6, 0.61, 1].map((share) => knownBy({ curve }, share))).toEqual([0, 0, 2, 2, 4, 4]);
    expect(knownBy({ curve: [] }, 0.5)).toBe(0);
  });
});

describe('findings', () => {
  const choice = (at: string, injectedFault: object): PointChoice => ({ at, injectedFault }) as never;
  const hold = { do: 'hold', ms: 1 };
  const finding = (number: number, parts: object = {}): Finding =>
    ({
      cause: { claim: 'x' },
      also: [],
      choices: [],
      misled: [],
      reason: 'r',
      seen: 1,
      shrinks: 2,
      firstRun: number,
      scenario: { steps: [], cluster: { nodes: [] } },
      ...parts,
    }) as never;
  /** The runs of the findings that stand for all. */
  const kept = (...findings: readonly Finding[]) =>
    byCause(findings).map(({ firstRun, seen, shrinks, also }) => [firstRun, seen, shrinks, also]);
  const of = (...choices: readonly PointChoice[]): object => ({ choices });
  const isOne = (a: object, b: object): boolean => kept(finding(1, a), finding(2, b)).length === 1;

  it('of one decider with one reason, and with what it had not seen, are one', () => {
    const decider = { process: 'm', controller: 'job' };
    const seen = { decider, misled: ['Pod'] };
    expect(isOne(seen, { ...seen, cause: { claim: 'y' } })).toBe(true);
    expect(isOne(seen, { ...seen, misled: ['Job'] })).toBe(false);
    expect(isOne(seen, { ...seen, reason: 'other' })).toBe(false);
    expect(isOne(seen, { ...seen, decider: { ...decider, controller: 'other' } })).toBe(false);
    expect(isOne(seen, { ...seen, decider: { ...decider, process: 'n' } })).toBe(false);
    expect(
      isOne(
        { decider, ...of(choice('decide m job n/a w0', hold)) },
        { decider, ...of(choice('decide m job n/b w9', { do: 'hold', ms: 9 })) },
      ),
    ).toBe(true);
    expect(
      isOne({ decider, ...of(choice('decide m job n/a w0', hold)) }, { decider, ...of(choice('decide m job n/a w0', { do: 'relist' })) }),
    ).toBe(false);
  });

  it('without a decider are one by what was done to whom, and by their claim unless it is an expectation', () => {
    const same = of(choice('decide m job n/a w0', hold));
    expect(isOne(same, same)).toBe(true);
    expect(isOne(same, { ...same, cause: { claim: 'y' } })).toBe(false);
    expect(
      isOne({ ...same, cause: { claim: 'the expectation at line 1' } }, { ...same, cause: { claim: 'the expectation at line 2' } }),
    ).toBe(true);
    expect(isOne({ ...same, cause: { claim: 'x', controller: 'job' } }, same)).toBe(false);
  });

  it('have one effect, whichever point an event was delayed at', () => {
    const slow = { do: 'slow', ms: 5 };
    const see = of(choice('see m Pod n/a~1 ADDED #1', hold));
    expect(isOne(see, of(choice('see m Pod n/b MODIFIED #7', { do: 'freeze', ms: 9 })))).toBe(true);
    expect(isOne(see, of(choice('actor m sees Pod', slow)))).toBe(true);
    expect(isOne(see, of(choice('actor m sees Job', slow)))).toBe(false);
    expect(isOne(of(choice('actor m job writes', slow)), of(choice('write m job n/a #1', { do: 'late', ms: 1 })))).toBe(true);
    expect(isOne(of(choice('actor m job decides', slow)), of(choice('decide m job n/a w0', hold)))).toBe(true);
    expect(isOne(of(choice('actor m job decides', slow)), of(choice('actor m job writes', slow)))).toBe(false);
  });

  it('that are one keep the smallest, an invariant before an expectation, with all claims and counts', () => {
    const decider = { process: 'm', controller: 'job' };
    const small = finding(5, { decider, choices: [], seen: 3 });
    const large = finding(2, { decider, choices: [choice('decide m job n/a w0', hold)], misled: ['Pod'], seen: 4 });
    const [one] = byCause([
      { ...large, misled: ['Pod'] },
      { ...small, misled: ['Pod'] },
    ]);
    expect(one).toMatchObject({ choices: [], firstRun: 2, seen: 7, shrinks: 4, also: [] });
    const expectation = finding(1, { decider, misled: ['Pod'], cause: { claim: 'the expectation at line 1' }, also: ['z'], seen: 9 });
    for (const both of [
      [expectation, large],
      [large, expectation],
    ])
      expect(byCause(both)).toMatchObject([{ cause: { claim: 'x' }, choices: large.choices, firstRun: 1, seen: 9, shrinks: 4 }]);
    expect(new Set(byCause([expectation, large])[0]?.also)).toEqual(new Set(['z', 'the expectation at line 1']));
    expect(kept(finding(9), finding(3, { reason: 'other', decider })).map(([run]) => run)).toEqual([3, 9]);
  });
});
