/** Why a process had not seen changes: its old lists, faults on it, or events under way. */
import { describe, expect, it } from 'vitest';
import { reasonsFor } from '../../../src/lab/trace/staleness.ts';
import { became, delivered, fault, lists, objectOf, other, START, traceOf } from './made.ts';

type Made = Parameters<typeof traceOf>[0][number];
const unseenAt = (sinceMs: number, revision = 5, kind = 'Pod') =>
  ({ kind, key: 'default/a', how: 'missing', since: START + sinceMs, revision }) as const;
/** The reasons at the last step of a history, each with its step. */
const reasons = (entries: readonly Made[], ...unseen: readonly ReturnType<typeof unseenAt>[]): readonly string[] =>
  reasonsFor(traceOf(entries), entries.length, 'p', unseen).map(({ step, text }) => `#${step} ${text}`);
/** Something that happens then, without a meaning here. */
const then = (sinceMs: number): Made => other(sinceMs, { type: 'note', text: '' });

describe('a fault on the connection', () => {
  it.each<[string, readonly Made[], readonly ReturnType<typeof unseenAt>[], readonly string[]]>([
    [
      'a lag that is as long',
      [fault(10, 'lag', 'p', { by: 30 }, 'by: 30ms'), then(50)],
      [unseenAt(20)],
      ['#1 suffers lag since 0.010s (by: 30ms)'],
    ],
    ['a lag that is over', [fault(10, 'lag', 'p', { by: 29 }), then(50)], [unseenAt(20)], []],
    ['a lag without its length', [fault(10, 'lag', 'p', {}), then(50)], [unseenAt(50)], ['#1 suffers lag since 0.010s']],
    ['a change before the lag', [fault(10, 'lag', 'p', { by: 90 }), then(50)], [unseenAt(9)], []],
    ['a change at its beginning', [fault(10, 'lag', 'p', { by: 90 }), then(50)], [unseenAt(10)], ['#1 suffers lag since 0.010s']],
    [
      'a change at the end of the lag',
      [fault(10, 'lag', 'p', { by: 90, for: 20 }), then(50)],
      [unseenAt(30)],
      ['#1 suffers lag since 0.010s'],
    ],
    ['a change after it', [fault(10, 'lag', 'p', { by: 90, for: 20 }), then(50)], [unseenAt(31)], []],
    ['a lag of another kind', [fault(10, 'lag', 'p', { by: 90, kinds: ['Node'] }), then(50)], [unseenAt(20)], []],
    [
      'a lag of this kind too',
      [fault(10, 'lag', 'p', { by: 90, kinds: ['Node', 'Pod'] }), then(50)],
      [unseenAt(20)],
      ['#1 suffers lag since 0.010s'],
    ],
    ['a lag of another process', [fault(10, 'lag', 'q', { by: 90 }), then(50)], [unseenAt(20)], []],
    ['a partition until now', [fault(10, 'partition', 'p', { for: 40 }), then(50)], [unseenAt(20)], ['#1 is cut off since 0.010s']],
    ['a partition that is over', [fault(10, 'partition', 'p', { for: 39 }), then(50)], [unseenAt(20)], []],
    ['a partition without end', [fault(10, 'partition', 'p'), then(50)], [unseenAt(20)], ['#1 is cut off since 0.010s']],
    ['a freeze', [fault(10, 'freeze', 'p'), then(50)], [unseenAt(20)], ['#1 is shown a frozen state since 0.010s']],
    ['a pause', [fault(10, 'pause', 'p', {}, 'for: 9s'), then(50)], [unseenAt(20)], ['#1 suffers pause since 0.010s (for: 9s)']],
    ['a crash', [fault(10, 'crash', 'p'), then(50)], [unseenAt(20)], []],
    [
      'several, the latest first',
      [fault(10, 'lag', 'p', { by: 90 }), fault(11, 'freeze', 'p'), then(50)],
      [unseenAt(5), unseenAt(20)],
      ['#2 is shown a frozen state since 0.011s', '#1 suffers lag since 0.010s'],
    ],
  ])('%s', (_, entries, unseen, expected) => {
    expect(reasons(entries, ...unseen)).toEqual(expected);
  });

  it('of a search has no parameters, and is none of these reasons', () => {
    expect(reasons([other(10, { type: 'fault', fault: 'lag', detail: '' }), then(50)], unseenAt(20))).toEqual([]);
  });
});

describe('a restart', () => {
  const crash = became(10, 'p', 'crashed');
  const started = (revision: number) => became(30, 'p', 'started', lists(revision, ['Pod']));
  const restart = fault(20, 'restart', 'p', { staleBy: 5_000 }, 'staleBy: 5s');

  it('from old lists, with the end before it, is the reason', () => {
    expect(reasons([crash, restart, started(3), then(50)], unseenAt(20))).toEqual([
      '#2 was restarted at 0.030s from a stale list (staleBy: 5s)',
      '#1 had crashed at 0.010s, and lost its cache',
    ]);
    expect(
      reasons(
        [became(10, 'q', 'crashed'), became(11, 'p', 'stopped'), became(12, 'p', 'leads'), restart, started(3), then(50)],
        unseenAt(20),
      ),
    ).toEqual(['#4 was restarted at 0.030s from a stale list (staleBy: 5s)', '#2 had stopped at 0.011s, and lost its cache']);
    expect(reasons([restart, started(3), then(50)], unseenAt(20))).toEqual(['#1 was restarted at 0.030s from a stale list (staleBy: 5s)']);
  });

  it('without a fault has the revision of its lists', () => {
    const from = ['#2 was restarted at 0.030s from a stale list, as of revision 3'];
    expect(reasons([crash, started(3), then(50)], unseenAt(20))).toEqual(from);
    expect(reasons([fault(20, 'restart', 'p'), started(3), then(50)], unseenAt(20))).toEqual(from);
    expect(reasons([crash, started(3), restart, then(50)], unseenAt(20))).toEqual(from);
    expect(reasons([fault(20, 'crash', 'p', { staleBy: 1 }), started(3), then(50)], unseenAt(20))).toEqual(from);
  });

  it('with lists that had the change is none', () => {
    expect(reasons([crash, started(5), then(50)], unseenAt(20))).toEqual([]);
    expect(reasons([crash, started(3), then(50)], unseenAt(31))).toEqual([]);
    expect(reasons([crash, started(3), then(50)], unseenAt(30))).toHaveLength(1);
    expect(
      reasons([crash, started(3), became(40, 'q', 'started', lists(9, ['Pod'])), then(50)], unseenAt(31, 6), unseenAt(20)),
    ).toHaveLength(1);
  });

  it('does not hide an earlier one, whose lists were older', () => {
    expect(reasons([became(5, 'p', 'started', lists(1, ['Pod'])), started(9), then(50)], unseenAt(4, 5))).toEqual([
      '#1 was restarted at 0.005s from a stale list, as of revision 1',
    ]);
  });

  it('sends the later changes again, which a lag then delays', () => {
    const lag = fault(35, 'lag', 'p', { by: 90 });
    expect(reasons([crash, fault(30, 'lag', 'p', { by: 90 }), restart, started(3), then(50)], unseenAt(20))).toEqual([
      '#3 was restarted at 0.030s from a stale list (staleBy: 5s)',
      '#1 had crashed at 0.010s, and lost its cache',
      '#2 suffers lag since 0.030s',
    ]);
    expect(reasons([crash, restart, started(3), lag, then(50)], unseenAt(20))).toHaveLength(2);
  });
});

describe('a relist', () => {
  const relist = fault(30, 'relist', 'p', { staleBy: 5_000 }, 'staleBy: 5s');

  it('from an old list is the reason for what came before it', () => {
    const from = '#1 relisted at 0.030s from a stale list (staleBy: 5s)';
    expect(reasons([relist, then(50)], unseenAt(20))).toEqual([from]);
    expect(reasons([relist, then(50)], unseenAt(30))).toEqual([from]);
    expect(reasons([relist, then(50)], unseenAt(31), unseenAt(20))).toEqual([from]);
    expect(reasons([relist, then(50)], unseenAt(31))).toEqual([]);
  });

  it('of another process, or from a new list, is none', () => {
    expect(reasons([fault(30, 'relist', 'q', { staleBy: 5 }), then(50)], unseenAt(20))).toEqual([]);
    expect(reasons([fault(30, 'relist', 'p', {}), then(50)], unseenAt(20))).toEqual([]);
  });
});

describe('a client', () => {
  const listed = (sinceMs: number, revision: number, ...kinds: readonly string[]) => became(sinceMs, 'p', 'lists', lists(revision, kinds));

  it('was answered with an old list; of a kind that it lists often, the last one counts', () => {
    expect(reasons([listed(30, 3, 'Pod'), then(50)], unseenAt(20))).toEqual(['#1 was answered at 0.030s with a list as of revision 3']);
    expect(reasons([listed(30, 3, 'Pod'), listed(40, 3, 'Node'), then(50)], unseenAt(20))).toEqual([
      '#1 was answered at 0.030s with a list as of revision 3',
    ]);
    expect(reasons([listed(30, 3, 'Pod'), listed(40, 5, 'Pod'), then(50)], unseenAt(20))).toEqual([]);
    expect(reasons([listed(30, 3, 'Node', 'Pod'), then(50)], unseenAt(31), unseenAt(20))).toHaveLength(1);
    expect(reasons([listed(30, 3, 'Pod'), then(50)], unseenAt(31))).toEqual([]);
    expect(reasons([listed(30, 3, 'Pod'), then(50)], unseenAt(30))).toHaveLength(1);
  });
});

describe('an event under way', () => {
  const pod = objectOf('Pod', 'a', 5);
  const at = (entries: readonly Made[], step: number, ...unseen: readonly ReturnType<typeof unseenAt>[]) =>
    reasonsFor(traceOf(entries), step, 'p', unseen);

  it('is the reason where there is no other: until its delivery', () => {
    const entries = [
      then(50),
      delivered(55, 'q', pod),
      delivered(56, 'p', objectOf('Node', 'a', 5)),
      delivered(57, 'p', objectOf('Pod', 'b', 5)),
      delivered(60, 'p', pod),
    ];
    expect(at(entries, 1, unseenAt(20))).toEqual([{ step: 5, text: 'sees changes late: this one took 0.040s, until 0.060s' }]);
    expect(at(entries, 5, unseenAt(20))).toEqual([]);
    expect(at(entries, 1, unseenAt(30, 5, 'Secret'), unseenAt(20))).toHaveLength(1);
    expect(at([fault(10, 'freeze', 'p'), ...entries], 2, unseenAt(20))).toEqual([
      { step: 1, text: 'is shown a frozen state since 0.010s' },
    ]);
  });
});
