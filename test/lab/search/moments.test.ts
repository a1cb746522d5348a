/** From what happens in a run without faults to what a search tries by intention, and what swarm testing draws. */
import { describe, expect, it } from 'vitest';
import type { InjectedFault, PointChoice, Transition } from '../../../src/lab/scenario/index.ts';
import { aimsOf } from '../../../src/lab/search/aims.ts';
import { historian, type Deciding, type Happening, type History } from '../../../src/lab/search/history.ts';
import { Corpus, fractionOf, swarming, type Draw, type Field } from '../../../src/lab/search/swarm.ts';

const happening = (name: string, what: Transition, atMs: number, seen: Readonly<Record<string, string>>): Happening => ({
  name,
  what,
  kind: name.split(' ')[0] ?? '',
  atMs,
  seen: new Map(Object.entries(seen)),
});
const deciding = (sort: 'decide' | 'write', at: string, atMs: number, did?: Transition, who = 'mine'): Deciding => ({
  sort,
  at,
  process: 'm',
  who,
  atMs,
  ...(did === undefined ? {} : { did }),
});
const choice = (at: string, injectedFault: InjectedFault): PointChoice => ({ at, injectedFault });

describe('the history of a run', () => {
  it('has what happened, by whom, who saw it, and the decisions', () => {
    const { reached, observe, history } = historian();
    const see = (process: string, transition: string, revision: number, atMs: number): void =>
      reached(
        { sort: 'see', process, who: 'Pod', address: `see ${process} ${transition}`, transition, revision, key: '', actor: '' },
        atMs,
      );
    const point = (sort: 'decide' | 'write' | 'start', address: string, who: string, atMs: number): void =>
      reached({ sort, process: 'm', who, address, key: '', actor: '' }, atMs);
    const wrote = (revision: number, controller?: string): void =>
      observe({ type: 'write', change: { revision }, ...(controller === undefined ? {} : { controller }) } as never);
    point('decide', 'd1', 'job', 1);
    point('write', 'w1', 'job', 2);
    see('m', 'Pod n/a created #1', 5, 3);
    see('other', 'Pod n/a created #1', 5, 4);
    see('m', 'Pod n/a created #1', 5, 9);
    wrote(5, 'job');
    point('write', 'w2', 'job', 4);
    wrote(6, 'job');
    see('m', 'Pod n/a spec #1', 6, 5);
    wrote(7);
    see('m', 'Job n/j deleting #1', 7, 6);
    see('m', 'Pod n/b created #1', 8, 7);
    wrote(8, 'another');
    point('start', 's', 'Pod', 8);
    observe({ type: 'note' } as never);
    const run = { kinds: { list: () => [] } } as never;
    expect(history(run, {})).toEqual({
      mine: ['job'],
      kinds: ['Pod', 'Job'],
      happenings: [
        {
          ...happening('Pod n/a created #1', 'created', 3, { m: 'see m Pod n/a created #1', other: 'see other Pod n/a created #1' }),
          by: 'job',
        },
        { ...happening('Pod n/a spec #1', 'spec', 5, { m: 'see m Pod n/a spec #1' }), by: 'job' },
        happening('Job n/j deleting #1', 'deleting', 6, { m: 'see m Job n/j deleting #1' }),
        { ...happening('Pod n/b created #1', 'created', 7, { m: 'see m Pod n/b created #1' }), by: 'another' },
      ],
      deciding: [
        deciding('decide', 'd1', 1, undefined, 'job'),
        deciding('write', 'w1', 2, 'created', 'job'),
        deciding('write', 'w2', 4, 'spec', 'job'),
      ],
    });
    const own = { name: 'mine', reconciles: 'Widget', watches: [{ kind: 'Pod' }, { kind: 'Widget' }], writes: ['Pod', 'Secret'] };
    const other = { name: 'bare', writes: [] };
    expect(history(run, { with: { controllers: [own, () => other] as never } })).toMatchObject({
      mine: ['mine', 'bare'],
      kinds: ['Widget', 'Pod', 'Secret'],
    });
  });
});

describe('what is tried by intention', () => {
  const history: History = {
    mine: ['mine'],
    kinds: ['Pod'],
    happenings: [
      happening('Pod n/a status #1', 'status', 1_000, { m: 's1' }),
      happening('Pod n/a gone #1', 'gone', 2_000, { m: 's2', other: 'x' }),
      happening('Job n/j created #1', 'created', 2_500, { m: 's3' }),
      happening('Pod n/b created #1', 'created', 3_000, { other: 'x' }),
    ],
    deciding: [
      deciding('decide', 'd1', 500),
      deciding('write', 'w1', 1_500, 'status'),
      deciding('decide', 'd2', 2_500),
      deciding('write', 'w2', 2_600, 'created'),
      deciding('write', 'w3', 2_700),
      deciding('write', 'w4', 2_800, 'created', 'built-in'),
    ],
  };

  it('is each fault at each moment of my controllers, the promising ones first', () => {
    const singles = (...faults: readonly string[]): readonly PointChoice[] => aimsOf(history, faults).singles;
    const crash = { do: 'crash', when: 'before' } as const;
    expect(singles('lose')).toEqual([choice('w2', { do: 'lose' }), choice('w1', { do: 'lose' })]);
    expect(singles('refuse', 'lose')).toEqual([
      choice('w2', { do: 'lose' }),
      choice('w2', { do: 'refuse', code: 409 }),
      choice('w1', { do: 'lose' }),
      choice('w1', { do: 'refuse', code: 409 }),
      choice('w2', { do: 'refuse', code: 500 }),
      choice('w1', { do: 'refuse', code: 500 }),
    ]);
    expect(singles('late')).toEqual([3_000, 10_000].flatMap((ms) => ['w2', 'w1'].map((at) => choice(at, { do: 'late', ms }))));
    const spans = (fault: (ms: number) => InjectedFault) => [
      choice('s2', fault(30_000)),
      choice('s1', fault(30_000)),
      choice('s2', fault(3_000)),
      choice('s1', fault(3_000)),
      choice('s1', fault(1_060)),
    ];
    expect(singles('hold')).toEqual(spans((ms) => ({ do: 'hold', ms })));
    expect(singles('freeze')).toEqual(spans((ms) => ({ do: 'freeze', ms })));
    expect(singles('gap')).toEqual(
      [3_000, 1_060].flatMap((ms) => (ms === 3_000 ? ['s2', 's1'] : ['s1']).map((at) => choice(at, { do: 'gap', ms }))),
    );
    const old = (at: string, name: string) => choice(at, { ...crash, restartAfterMs: 1, asOf: `before ${name}` });
    const list = [
      [
        choice('w2', { do: 'crash', when: 'after', restartAfterMs: 1 }),
        choice('w1', { do: 'crash', when: 'after', restartAfterMs: 1 }),
        choice('w2', { ...crash, restartAfterMs: 3_000 }),
        choice('w1', { ...crash, restartAfterMs: 3_000 }),
      ],
      [old('d2', 'Pod n/a gone #1'), old('d2', 'Pod n/a status #1')],
      [old('d2', 'Pod n/a gone #1'), old('d2', 'Pod n/a status #1')].map(({ at, injectedFault }) =>
        choice(at, { ...injectedFault, frozenMs: 30_000 } as InjectedFault),
      ),
      [2_000, 100].flatMap((arrivesAfterMs) =>
        ['w2', 'w1'].map((at) => choice(at, { do: 'crash', when: 'during', restartAfterMs: 1, arrivesAfterMs })),
      ),
    ];
    expect(singles('crash')).toEqual([0, 1, 2, 3].flatMap((nth) => list.flatMap((each) => each[nth] ?? [])));
    expect(singles()).toEqual([]);
    expect(aimsOf(history, ['lose'])).toBe(aimsOf(history, ['lose']));
  });

  it('is pairs around what my controllers create, delete, adopt or change', () => {
    const { pairs } = aimsOf(history, ['lose', 'hold', 'refuse']);
    const [lost, refused] = [choice('w2', { do: 'lose' }), choice('w2', { do: 'refuse', code: 409 })];
    const held = (at: string, ms: number) => choice(at, { do: 'hold', ms });
    expect(pairs).toEqual([
      [held('s1', 3_000), lost],
      [held('s1', 3_000), refused],
      [held('s1', 30_000), lost],
      [held('s1', 30_000), refused],
      [held('s2', 3_000), lost],
      [held('s2', 3_000), refused],
      [held('s1', 3_000), held('s2', 3_000)],
      [held('s1', 30_000), held('s2', 3_000)],
      [held('s2', 30_000), lost],
      [held('s2', 30_000), refused],
      [held('s1', 3_000), held('s2', 30_000)],
      [held('s1', 30_000), held('s2', 30_000)],
    ]);
    const quiet: History = { ...history, deciding: [deciding('write', 'w1', 7_001, 'metadata')] };
    expect(aimsOf(quiet, ['lose', 'hold']).pairs).toEqual([]);
    expect(aimsOf({ ...quiet, deciding: [deciding('write', 'w1', 7_000, 'metadata')] }, ['lose', 'hold']).pairs).toEqual(
      [3_000, 30_000].map((ms) => [held('s2', ms), choice('w1', { do: 'lose' })]),
    );
    expect(aimsOf({ ...quiet, deciding: [deciding('decide', 'd', 9_000)] }, ['lose', 'hold']).pairs).toHaveLength(4);
  });
});

describe('swarm testing', () => {
  const field: Field = {
    seed: 1,
    points: { see: 10, decide: 10, write: 10 },
    actors: ['actor m sees Pod', 'actor m job decides'],
    quietMs: 1_000,
    faults: ['hold', 'late', 'lose', 'slow', 'relist'],
    history: { mine: [], kinds: [], happenings: [], deciding: [] },
  };
  const point = (address: string, sort = 'write') => ({ sort, address }) as never;
  const draws = Array.from({ length: 200 }, (_, number): Draw => ({ number: number + 1 }));

  it('draws the same for the same seed and number, and others for others', () => {
    const drawn = (number: number, seed = 1): string => {
      const { slow, choose } = swarming({ ...field, seed }, { number }, 0);
      return JSON.stringify([[...slow], Array.from({ length: 40 }, (_, at) => choose(point(`write m job n/a: create Pod #${at}`), 0))]);
    };
    expect([1, 2, 3, 4].map((number) => drawn(number))).toEqual([1, 2, 3, 4].map((number) => drawn(number)));
    expect(new Set(draws.map(({ number }) => drawn(number))).size).toBeGreaterThan(100);
    expect(drawn(1, 2)).not.toBe(drawn(1));
    const fractions = draws.map(({ number }) => fractionOf(1, number, 'x'));
    expect([
      Math.min(...fractions) >= 0,
      Math.max(...fractions) < 1,
      fractions.filter((each) => each < 0.5).length > 70,
      fractions.filter((each) => each < 0.5).length < 130,
    ]).toEqual([true, true, true, true]);
  });

  it('injects faults of its sorts, each point once, and none after their end', () => {
    const kinds = new Set<string>();
    for (const draw of draws) {
      const { choose } = swarming(field, draw, 500);
      for (let at = 0; at < 30; at++) {
        const address = `write m job n/a: create Pod #${at}`;
        expect(choose(point(address), 1_500)).toBeUndefined();
        const fault = choose(point(address), 1_499);
        if (fault === undefined) continue;
        kinds.add(fault.do);
        expect(choose(point(address), 0)).toBeUndefined();
      }
      expect(choose(point('start agent/n n/p #1', 'start'), 0)).toBeUndefined();
    }
    expect(kinds).toEqual(new Set(['late', 'lose']));
    const none = swarming({ ...field, points: {} }, { number: 1 }, 0);
    expect(Array.from({ length: 50 }, (_, at) => none.choose(point(`w #${at}`), 0)).filter((fault) => fault !== undefined)).toEqual([]);
  });

  it('has one or two slow actors in half of the runs, until faults end', () => {
    const counts = draws.map((draw) => swarming(field, draw, 0).slow);
    const of = (size: number): number => counts.filter((slow) => slow.size === size).length;
    expect([of(0) > 70, of(0) < 130, of(1) > 30, of(2) > 10, of(3)]).toEqual([true, true, true, true, 0]);
    expect(new Set(counts.flatMap((slow) => [...slow.values()].map(({ untilMs }) => untilMs)))).toEqual(new Set([1_000]));
    expect(new Set(counts.flatMap((slow) => [...slow.keys()]))).toEqual(new Set(field.actors));
    expect(draws.some((draw) => swarming({ ...field, faults: ['lose'] }, draw, 0).slow.size > 0)).toBe(false);
    expect(draws.some((draw) => swarming({ ...field, actors: [] }, draw, 0).slow.size > 0)).toBe(false);
  });

  it('keeps nine of ten choices of the run that it mutates', () => {
    const parent = [
      ...Array.from({ length: 20 }, (_, at) => choice(`write m job n/a: patch Pod #${at}`, { do: 'refuse', code: 409 })),
      choice('actor m x decides', { do: 'slow', ms: 10 }),
    ];
    let kept = 0;
    let slow = 0;
    for (const { number } of draws) {
      const chooser = swarming({ ...field, faults: [] }, { number, parent }, 0);
      kept += parent.filter(
        ({ at, injectedFault }) => chooser.choose(point(at), 0) === injectedFault && injectedFault.do !== 'slow',
      ).length;
      slow += chooser.slow.size;
    }
    expect([kept > 3_500, kept < 3_700, slow > 160, slow < 195]).toEqual([true, true, true, true]);
  });
});

it('a corpus keeps runs that reach something new, and returns the one that was mutated least, the oldest first', () => {
  const corpus = new Corpus();
  const [a, b] = [[choice('a', { do: 'lose' })], [choice('b', { do: 'lose' })]];
  expect([
    corpus.pick(),
    corpus.offer([], ['calm']),
    corpus.offer(a, ['calm']),
    corpus.offer(a, ['one']),
    corpus.offer(b, ['one', 'two']),
    corpus.offer(b, ['two']),
  ]).toEqual([undefined, false, false, true, true, false]);
  expect([corpus.pick(), corpus.pick(), corpus.pick(), corpus.pick()]).toEqual([a, b, a, b]);
});
