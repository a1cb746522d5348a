/** What a search counts: catches, tallies, kept runs, moments tried; and the sum of its parts. */
import { describe, expect, it } from 'vitest';
import type { InjectedFault, PointChoice } from '../../../src/lab/scenario/index.ts';
import type { Cause } from '../../../src/lab/search/cause.ts';
import { momentCoverage, momentsOf, recordMoments, type Moment } from '../../../src/lab/search/moments-tried.ts';
import { addUp, catchName, openStatistics, targetOf } from '../../../src/lab/search/statistics.ts';

const choice = (at: string, fault: InjectedFault = { do: 'lose' }): PointChoice => ({ at, injectedFault: fault });
const A = choice('write m job n/a: create Pod #1');
const B = choice('see m Pod n/p #1', { do: 'hold', ms: 1 });
const C = choice('decide m job n/a w0+1', { do: 'relist' });
const cause = (claim: string, more: Partial<Cause> = {}): Cause => ({ claim, message: 'm', ...more });

interface Given {
  readonly taken?: readonly PointChoice[];
  readonly broken?: readonly Cause[];
  readonly reached?: readonly string[];
  readonly exercised?: readonly string[];
  readonly stuck?: boolean;
}
const outcome = (number: number, { taken = [], broken = [], reached = [], exercised = [], stuck = false }: Given = {}) =>
  ({ number, taken, broken, reached, exercised, stuck }) as never;

/** The statistics as plain records. */
const plain = ({ reached, kept, tried, catches, moments, idle, ...rest }: Parameters<typeof addUp>[0][number]) => {
  const { runs, replayed, stuck } = rest;
  return {
    runs,
    replayed,
    stuck,
    reached: [...reached],
    kept: [...kept],
    tried: [...tried.values()],
    catches: [...catches],
    moments: [[...moments.single], [...moments.pairs]],
    idle: [...idle],
  };
};

it('a target is a controller; for watch events a process and a kind', () => {
  expect(['see m Pod n/p #1', 'actor m sees Pod', 'actor m job decides', A.at, C.at, 'start agent/node-0 n/p #1'].map(targetOf)).toEqual([
    'm sees Pod',
    'm sees Pod',
    'job',
    'job',
    'job',
    'n/p',
  ]);
});

describe('the statistics of a search', () => {
  it('count each run once, with what it reached, kept and tried', () => {
    const one = openStatistics(
      ['calm'],
      ['a', 'b'],
      [A, B].map(({ at }) => ({ address: at, sort: 'write', whom: 'job' })),
    );
    expect([
      one.enter(outcome(1, { taken: [A], reached: ['calm', 'new'], exercised: ['a'] }), true),
      one.enter(outcome(2, { taken: [A, B, choice('start agent/n n/p #1', { do: 'hang' })], reached: ['new'], stuck: true }), false),
      one.enter(outcome(3, { taken: [A], broken: [cause('x')], reached: ['broken'] }), true),
      one.enter(outcome(4, { taken: [C], broken: [cause('y', { elsewhere: true })], reached: ['other'] }), true),
      one.enter(outcome(-1, { taken: [B], broken: [cause('x')], reached: ['replayed'], stuck: true }), true),
    ]).toEqual([true, false, true, true, true]);
    const lose = { injectedFault: 'lose', whom: 'job' };
    expect(plain(one)).toEqual({
      runs: 4,
      replayed: 1,
      stuck: 1,
      reached: [
        ['calm', 0],
        ['new', 1],
        ['broken', 3],
        ['other', 4],
        ['replayed', -1],
      ],
      kept: [
        [1, [A]],
        [4, [C]],
      ],
      tried: [
        { ...lose, times: 3, news: 1, broke: 1, nothing: 1 },
        { injectedFault: 'hold', whom: 'm sees Pod', times: 1, news: 0, broke: 0, nothing: 1 },
        { injectedFault: 'hang', whom: 'containers', times: 1, news: 0, broke: 0, nothing: 1 },
        { injectedFault: 'relist', whom: 'job', times: 1, news: 1, broke: 0, nothing: 0 },
      ],
      catches: [
        ['x |  |  | ', { cause: cause('x'), choices: [B], run: -1, firstRun: -1, seen: 1, others: [{ run: 3, choices: [A] }] }],
        ['elsewhere | y |  |  | ', { cause: cause('y', { elsewhere: true }), choices: [C], run: 4, firstRun: 4, seen: 1 }],
      ],
      moments: [[`lose ${A.at}`, `hold ${B.at}`], ['0 1']],
      idle: ['b'],
    });
  });

  it('keep of a failure the shortest run, then the first, and others in that order', () => {
    const one = openStatistics([], []);
    const taken = [[A, B], [C], [B], [A, B, C]];
    for (const [at, some] of taken.entries())
      one.enter(outcome(at + 1, { taken: some, broken: [cause('x', { controller: 'job', action: 'create Pod', why: 'w' })] }), false);
    const found = one.catches.get('x | job | create Pod | w');
    expect(found).toMatchObject({
      run: 2,
      firstRun: 1,
      seen: 4,
      choices: [C],
      others: [
        { run: 3, choices: [B] },
        { run: 1, choices: [A, B] },
        { run: 4, choices: [A, B, C] },
      ],
    });
    for (let run = 5; run < 70; run++) one.enter(outcome(run, { taken: [A, B], broken: [cause('z')] }), false);
    const many = one.catches.get('z |  |  | ');
    expect([many?.run, many?.seen, many?.others?.length, many?.others?.[0]?.run]).toEqual([5, 65, 48, 6]);
    expect(catchName({ cause: cause('z', { elsewhere: true }) })).toBe('elsewhere | z |  |  | ');
  });

  it('of parts add up to those of the whole', () => {
    const runs: readonly (readonly [number, Given])[] = [
      [-1, { taken: [B], broken: [cause('x')], reached: ['replayed'] }],
      [1, { taken: [A], reached: ['new'], exercised: ['a'] }],
      [2, { taken: [A, B], broken: [cause('x')] }],
      [3, { taken: [C], reached: ['new', 'late'], stuck: true }],
      [4, { taken: [C], broken: [cause('y')], exercised: ['b'] }],
    ];
    const of = (numbers: readonly number[]) => {
      const part = openStatistics(
        ['calm'],
        ['a', 'b', 'c'],
        [A, B].map(({ at }) => ({ address: at, sort: 'write', whom: 'job' })),
      );
      for (const [number, given] of runs) if (numbers.includes(number)) part.enter(outcome(number, given), number === 1);
      return part;
    };
    const whole = of([-1, 1, 2, 3, 4]);
    for (const parts of [
      [of([-1, 1, 3]), of([-1, 2, 4])],
      [of([-1, 2, 3, 4]), of([-1, 1])],
    ]) {
      const sum = plain(addUp(parts));
      expect(sum).toEqual({
        ...plain(whole),
        reached: [
          ['replayed', -1],
          ['calm', 0],
          ['new', 1],
          ['late', 3],
        ],
        tried: expect.any(Array) as unknown,
      });
      expect(new Set(sum.tried)).toEqual(new Set(plain(whole).tried));
    }
    expect(plain(addUp([]))).toEqual({
      runs: 0,
      replayed: 0,
      stuck: 0,
      reached: [],
      kept: [],
      tried: [],
      catches: [],
      moments: [[], []],
      idle: [],
    });
  });
});

describe('the moments of a search', () => {
  const point = (sort: string, who: string, address: string) => ({ sort, process: 'm', who, address, key: '', actor: '' }) as never;
  const points = [
    point('see', 'Pod', 'a'),
    point('see', 'Job', 'b'),
    point('decide', 'job', 'c'),
    point('write', 'other', 'd'),
    point('start', 'Pod', 'e'),
  ];

  it("are those of the user's controllers, or of all", () => {
    const moment = (address: string, sort: Moment['sort'], whom: string): Moment => ({ address, sort, whom });
    expect(momentsOf(points, { kinds: ['Pod'] }, new Set(['job']))).toEqual([
      moment('a', 'see', 'm sees Pod'),
      moment('c', 'decide', 'job'),
    ]);
    expect(momentsOf(points, { kinds: [] }, new Set())).toEqual([
      moment('a', 'see', 'm sees Pod'),
      moment('b', 'see', 'm sees Job'),
      moment('c', 'decide', 'job'),
      moment('d', 'write', 'other'),
      moment('e', 'start', 'containers'),
    ]);
  });

  it('have been tried with some faults, alone and in pairs', () => {
    const moments = momentsOf(points, { kinds: [] }, new Set());
    const { note, tried } = recordMoments(moments);
    note([choice('d'), choice('c', { do: 'relist' }), choice('nowhere'), choice('c', { do: 'relist' })]);
    note([choice('d', { do: 'late', ms: 1 }), choice('a', { do: 'hold', ms: 1 }), choice('b', { do: 'hold', ms: 2 })]);
    expect([[...tried.single], [...tried.pairs]]).toEqual([
      ['lose d', 'relist c', 'late d', 'hold a', 'hold b'],
      ['2 3', '0 1', '0 3', '1 3'],
    ]);
    expect(momentCoverage(moments, tried, ['hold', 'lose', 'relist', 'hang', 'slow'], ['z', 'a'])).toEqual({
      controllers: ['a', 'z'],
      moments: 5,
      kinds: 4,
      single: { tried: 4, of: 6 },
      pairs: { tried: 4, of: 10 },
      rows: [
        { whom: 'containers', injectedFault: 'hang', tried: 0, of: 1 },
        { whom: 'job', injectedFault: 'hold', tried: 0, of: 1 },
        { whom: 'job', injectedFault: 'relist', tried: 1, of: 1 },
        { whom: 'm sees Job', injectedFault: 'hold', tried: 1, of: 1 },
        { whom: 'm sees Pod', injectedFault: 'hold', tried: 1, of: 1 },
        { whom: 'other', injectedFault: 'lose', tried: 1, of: 1 },
      ],
    });
  });
});
