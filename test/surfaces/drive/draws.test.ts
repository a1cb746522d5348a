/** The faults that a search draws for the clients of a scenario, and their weaker forms. */
import { describe, expect, it } from 'vitest';
import { DRAWN, drawFaults, type PlacedFault, weaker, withFaults } from '../../../src/surfaces/drive/search/draws.ts';

describe('the faults of a search', () => {
  const WRITES = [1, 2, 3, 4, 6, 8];
  const AWAY = [1, 1_000, 5_000];
  const SPANS = AWAY.map((ms) => (ms === 1 ? 20_000 : ms)).toSorted((a, b) => a - b);
  const drawn = (runs: number, kinds: readonly string[] = [], names?: readonly string[]) =>
    Array.from({ length: runs }, (_, run) => drawFaults(3, run, ['a', 'b'], 4, kinds, names));

  it('are one to three, in the order of their steps, of all clients', () => {
    const all = drawn(500);
    expect(new Set(all.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
    expect(new Set(all.flat().map(({ before }) => before))).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(all.flat().map(({ fault }) => fault.subject))).toEqual(new Set(['a', 'b']));
    for (const each of all) expect(each.map(({ before }) => before)).toEqual(each.map(({ before }) => before).toSorted((a, b) => a - b));
    expect(drawFaults(1, 1, [], 4, [])).toEqual([]);
    expect(drawFaults(1, 1, ['a'], 0, []).every(({ before }) => before === 0)).toBe(true);
    expect(drawFaults(1, 1, ['a'], 4, [], [])).toEqual([]);
  });

  it('have every sort and strength', () => {
    const found = new Set(
      drawn(6_000)
        .flat()
        .map(({ fault: { name, parameters } }) => `${name} ${JSON.stringify(parameters)}`),
    );
    const expected: readonly (readonly [string, readonly object[]])[] = [
      [
        'crash',
        WRITES.flatMap((n) =>
          AWAY.flatMap((restartAfter) => [
            { beforeWrite: n, restartAfter },
            { afterWrites: n, restartAfter },
          ]),
        ),
      ],
      [
        'failRequest',
        WRITES.flatMap((nth) => [
          { nth, code: 500 },
          ...['create', 'update', 'patch'].flatMap((verb) => [
            { verb, nth, loseResponse: true },
            { verb, nth, code: 409 },
          ]),
        ]),
      ],
      ['lag', [100, 1_000, 3_000, 10_000, 30_000].map((by) => ({ by }))],
      ['relist', [...SPANS.map((staleBy) => ({ staleBy })), {}]],
      ['closeWatches', [{ code: 410 }, {}]],
      ['partition', SPANS.map((ms) => ({ for: ms }))],
      ['pause', SPANS.map((ms) => ({ for: ms }))],
      ['freeze', SPANS.map((ms) => ({ for: ms, onlyCached: true }))],
    ];
    expect([...found].toSorted()).toEqual(
      expected.flatMap(([name, all]) => all.map((each) => `${name} ${JSON.stringify(each)}`)).toSorted(),
    );
    expect(DRAWN).toEqual(['crash', 'failRequest', 'lag', 'relist', 'closeWatches', 'partition', 'pause', 'freeze']);
  });

  it('may be of some names, and a lag of one kind alone', () => {
    const lags = drawn(200, ['Pod', 'Job'], ['lag']).flat();
    expect(new Set(lags.map(({ fault }) => fault.name))).toEqual(new Set(['lag']));
    expect(new Set(lags.map(({ fault }) => JSON.stringify(fault.parameters['kinds'])))).toEqual(new Set([undefined, '["Pod"]', '["Job"]']));
    for (const { fault } of drawn(200, ['Pod'], ['pause']).flat()) expect(fault.parameters).not.toHaveProperty('kinds');
  });

  const placed = (before: number, name: string, parameters: object): PlacedFault => ({
    before,
    fault: { name, subject: 'a', parameters } as never,
  });

  it('become weaker: fewer first, then shorter times, the shortest first', () => {
    const lag = (by: number, ...kinds: readonly string[]): PlacedFault =>
      placed(0, 'lag', { by, ...(kinds.length === 0 ? {} : { kinds }) });
    const crash = (restartAfter: number): PlacedFault => placed(1, 'crash', { beforeWrite: 4, restartAfter });
    expect(weaker([lag(3_000, 'Pod')])).toEqual([[lag(100, 'Pod')], [lag(1_000, 'Pod')]]);
    expect(weaker([lag(1_000), crash(5_000)])).toEqual([
      [crash(5_000)],
      [lag(1_000)],
      [lag(100), crash(5_000)],
      [lag(1_000), crash(1)],
      [lag(1_000), crash(1_000)],
    ]);
    expect(weaker([lag(100)])).toEqual([]);
    expect(weaker([placed(0, 'relist', { staleBy: 20_000 })])).toEqual([
      [placed(0, 'relist', { staleBy: 1_000 })],
      [placed(0, 'relist', { staleBy: 5_000 })],
    ]);
    expect(weaker([placed(0, 'pause', { for: 5_000 })])).toEqual([[placed(0, 'pause', { for: 1_000 })]]);
    expect(weaker([placed(0, 'closeWatches', { code: 410 })])).toEqual([]);
  });

  it('stand before their steps, or at the end', () => {
    const steps = ['one', 'two'].map((verb) => ({ verb })) as never;
    const { steps: all } = withFaults({ steps } as never, [
      placed(0, 'a', {}),
      placed(1, 'b', {}),
      placed(1, 'c', {}),
      placed(2, 'd', {}),
      placed(9, 'e', {}),
    ]);
    expect(all.map((step) => ('fault' in step ? step.fault.name : step.verb))).toEqual(['a', 'one', 'b', 'c', 'two', 'd', 'e']);
    expect(all[0]).toEqual({ timing: { when: 'next' }, verb: 'fault', fault: { name: 'a', subject: 'a', parameters: {} } });
  });
});
