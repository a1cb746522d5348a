/** The faults that a search injects: their values, weaker ones, what a finding says of them, and what they do at a point. */
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../src/apiserver/request/index.ts';
import { faultKinds, kindOf, LONGEST_FAULT_MS } from '../../../src/lab/faults/index.ts';
import type { Injected } from '../../../src/lab/faults/fault.ts';
import type { InjectedFault } from '../../../src/lab/scenario/index.ts';
import { about, START, world } from '../../controlplane/runtime/config-maps.ts';

const CRASHES = ['1ms', '100ms', '1s', '5s', '20s'];
const LISTS = ['', '', ', with lists that are 1s old', ', with lists that are 5s old', ', with lists that are 20s old'];
const dies = (how: string): readonly string[] =>
  CRASHES.flatMap((back) => LISTS.map((lists) => `the process dies ${how} is back ${back} later${lists}`));
const each = (before: string, spans: readonly string[], after = ''): readonly string[] => spans.map((span) => before + span + after);
const meddled = (verb: string, undone = true): readonly string[] =>
  ['the object of the decision', 'its target'].map(
    (what) => `before it arrives, somebody ${verb} ${what}${undone ? ', and takes that back 3s later' : ''}`,
  );

const SAID: Readonly<Record<string, readonly string[]>> = {
  'crash decide': dies('before it and'),
  'crash write': [
    ...dies('before it and'),
    ...dies('right after it and'),
    ...dies('while it is under way: it arrives 100ms later; it'),
    ...dies('while it is under way: it arrives 2s later; it'),
  ],
  'cut decide': each('the process is cut off before it, for ', ['1s', '5s', '20s', '1m']),
  'freeze see': each('from it on the process sees nothing new of any kind, for ', ['100ms', '1s', '3s', '10s', '30s']),
  'gap see': each('the watch breaks before it, and lists again ', ['100ms', '1s', '3s'], ' later'),
  'hang start': ['its containers run and are never ready'],
  'hold see': each('comes ', ['1ms', '10ms', '100ms', '1s', '3s', '10s', '30s'], ' late'),
  'hold decide': ['waits for the end of its instant', ...each('comes ', ['1ms', '100ms', '1s', '3s'], ' late')],
  'late write': each('reaches the server ', ['1ms', '10ms', '100ms', '1s', '3s', '10s', '30s'], ' late'),
  'lose write': ['is handled, and its answer is lost'],
  'meddle write': [...meddled('annotates'), ...meddled('adds a finalizer to')],
  'old-relist decide': each('the process lists all it watches again before it, as it was ', ['1s', '5s', '20s'], ' ago'),
  'recreate write': meddled('deletes and recreates', false),
  'refuse write': ['is answered 409', 'is answered 500'],
  'relist decide': ['the process lists all it watches again before it'],
  'scale write': meddled('scales'),
  'skew decide': ['2s', '20s', '1m30s'].flatMap((by) =>
    ['ahead', 'behind'].map((way) => `the clock of the process is ${by} ${way} from it on, for 1m`),
  ),
  'slow actor': each('each comes ', ['10ms', '100ms', '1s', '5s'], ' late'),
  'unlabel write': meddled('removes the labels of'),
};

const said = (faults: readonly InjectedFault[]): readonly string[] => faults.map((fault) => kindOf(fault).says(fault));

describe('the values of an injected fault', () => {
  it('are these at each sort of point', () => {
    const all = faultKinds.flatMap((kind) => kind.sorts.map((sort) => [`${kind.name} ${sort}`, said(kind.drawn(sort))] as const));
    expect(Object.fromEntries(all)).toEqual(SAID);
    expect(LONGEST_FAULT_MS).toBe(60_000);
    expect(faultKinds.filter(({ onRequest }) => onRequest !== undefined).map(({ name }) => name)).toEqual([
      'hang',
      'old-relist',
      'recreate',
      'scale',
      'unlabel',
    ]);
  });

  it('of a crash are, where names of what happened are known, lists as of just before each', () => {
    const [crash] = faultKinds;
    const drawn = said(crash?.drawn('decide', ['Pod default/p gone #1']) ?? []);
    const back = (span: string): readonly string[] =>
      [
        '',
        '',
        ', with lists as of just before Pod default/p gone #1',
        ', with lists as of just before Pod default/p gone #1, and sees nothing newer for 5s',
      ].map((lists) => `the process dies before it and is back ${span} later${lists}`);
    expect(drawn).toEqual(CRASHES.flatMap(back));
  });

  const span = (...spans: readonly number[]) => spans;
  it.each<readonly [InjectedFault, readonly InjectedFault[]]>([
    ...(['hold', 'late', 'freeze'] as const).map(
      (name) => [{ do: name, ms: 1_000 }, span(1, 10, 100).map((ms) => ({ do: name, ms }))] as const,
    ),
    [{ do: 'hold', ms: 1 }, []],
    [{ do: 'hold', ms: 2 }, [{ do: 'hold', ms: 1 }]],
    [{ do: 'gap', ms: 3_000 }, span(100, 1_000).map((ms) => ({ do: 'gap', ms }))],
    [{ do: 'cut', ms: 20_000 }, span(1_000, 5_000).map((ms) => ({ do: 'cut', ms }))],
    [{ do: 'slow', ms: 1_000, kind: 'Pod' } as never, span(10, 100).map((ms) => ({ do: 'slow', ms, kind: 'Pod' }) as never)],
    [{ do: 'skew', ms: -90_000, forMs: 60_000 }, span(2_000, 20_000).map((ms) => ({ do: 'skew', ms: -ms, forMs: 60_000 }))],
    [{ do: 'skew', ms: 20_000, forMs: 60_000 }, [{ do: 'skew', ms: 2_000, forMs: 60_000 }]],
    [{ do: 'old-relist', staleByMs: 5_000 }, span(1_000, 3_000).map((staleByMs) => ({ do: 'old-relist', staleByMs }))],
    [{ do: 'meddle', edit: 'finalize', of: 'target', undoMs: 9 }, [{ do: 'meddle', edit: 'annotate', of: 'target', undoMs: 9 }]],
    [{ do: 'meddle', edit: 'annotate', of: 'target', undoMs: 9 }, []],
    ...(
      [{ do: 'scale', of: 'target', undoMs: 9 }, { do: 'relist' }, { do: 'lose' }, { do: 'refuse', code: 409 }, { do: 'hang' }] as const
    ).map((fault) => [fault, []] as const),
  ])('%j are made weaker: %j', (fault, weaker) => {
    expect(kindOf(fault).weaker(fault)).toEqual(weaker);
  });

  it('of a crash are made weaker by newer lists, a sooner return, and an earlier arrival', () => {
    const crash = { do: 'crash', when: 'during', arrivesAfterMs: 2_000, restartAfterMs: 100 } as const;
    const { weaker } = kindOf(crash);
    expect(weaker({ ...crash, staleByMs: 5_000 })).toEqual([
      crash,
      { ...crash, staleByMs: 1_000 },
      { ...crash, staleByMs: 3_000 },
      { ...crash, restartAfterMs: 1, staleByMs: 5_000 },
      { ...crash, arrivesAfterMs: 100, staleByMs: 5_000 },
    ]);
    const before = { do: 'crash', when: 'before', restartAfterMs: 1 } as const;
    expect(weaker({ ...before, asOf: 'before x', frozenMs: 5_000 })).toEqual([before, { ...before, asOf: 'before x' }]);
    expect(weaker({ ...before, asOf: 'before x' })).toEqual([before]);
    expect(weaker(before)).toEqual([]);
  });
});

describe('an injected fault', () => {
  const manager = 'controller-manager';
  const at: Injected = { process: manager, revision: () => undefined };
  const of = (parts: object = {}) => {
    const { cluster, make, ...rest } = world(about(), parts);
    make('c');
    rest.pass(100);
    const request = { verb: 'update', kind: 'ConfigMap', namespace: 'default', name: 'c' };
    const envelope = { request, by: { process: manager, controller: 'onlooker', key: 'default/c' }, causes: [] } as unknown as Envelope;
    const apply = <F extends InjectedFault>(fault: F): readonly unknown[] => {
      const kind = kindOf(fault);
      return [
        kind.see?.(cluster, fault, { ...at, kind: 'ConfigMap' }),
        kind.decide?.(cluster, fault, at),
        kind.write?.(cluster, fault, { ...at, envelope }),
      ].filter((one) => one !== undefined);
    };
    const rules = (): readonly unknown[] => cluster.faults.map(({ notice, describe: says }) => [notice, says?.()]);
    return { cluster, apply, rules, ...rest };
  };
  const refused = (code: number, reason: string): object => ({
    fail: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: `a fault answered ${code}`, reason, code },
  });

  it.each<readonly [InjectedFault, readonly unknown[]]>([
    [{ do: 'late', ms: 7 }, [{ delayMs: 7 }]],
    [{ do: 'refuse', code: 409 }, [refused(409, 'Conflict')]],
    [{ do: 'refuse', code: 429 }, [refused(429, 'TooManyRequests')]],
    [{ do: 'refuse', code: 503 }, [refused(503, 'ServiceUnavailable')]],
    [{ do: 'refuse', code: 504 }, [refused(504, 'Timeout')]],
    [{ do: 'refuse', code: 418 }, [refused(418, 'InternalError')]],
    [{ do: 'lose' }, [{ loseResponse: true }]],
    [{ do: 'hold', ms: 7 }, [7, { hold: 7 }]],
    [{ do: 'hang' }, []],
    [{ do: 'slow', ms: 7 } as never, []],
  ])('%j answers %j', (fault, answers) => {
    const { apply, rules } = of();
    expect(apply(fault)).toEqual(answers);
    expect(rules()).toEqual([]);
  });

  it('that cuts a process off lasts as long as it says', () => {
    const { cluster, apply, rules, pass } = of();
    expect(apply({ do: 'cut', ms: 500 })).toEqual([]);
    const endsAt = START + 600;
    expect(rules()).toEqual([[{ process: manager, says: 'is cut off from the server', until: endsAt }, ['cut', manager, endsAt]]]);
    const [cut] = cluster.faults;
    const by = (process: string): Envelope => ({ by: { process } }) as unknown as Envelope;
    expect([cut?.cutUntil?.(manager), cut?.cutUntil?.('other'), cut?.request?.(by(manager), 0), cut?.request?.(by('other'), 0)]).toEqual([
      endsAt,
      undefined,
      refused(504, 'Timeout'),
      undefined,
    ]);
    pass(499);
    expect(rules()).toHaveLength(1);
    pass(1);
    expect(rules()).toEqual([]);
  });

  it('that freezes what a process sees, or breaks a watch, delays the event', () => {
    const { cluster, apply, rules, pass, seen } = of();
    expect(apply({ do: 'freeze', ms: 50 })).toEqual([50]);
    expect(apply({ do: 'gap', ms: 80 })).toEqual([80]);
    expect(rules()).toEqual([
      [{ process: manager, says: 'sees nothing new', until: START + 150 }, ['freeze', manager, START + 150]],
      [
        { process: manager, says: 'receives no changes of ConfigMap until it lists again', until: START + 180 },
        ['gap', manager, START + 180, ['ConfigMap']],
      ],
    ]);
    const [freeze, gap] = cluster.faults;
    const late = (process: string, kind: string) => gap?.delivery?.(process, { kind } as never, START + 150);
    expect([
      freeze?.cutUntil?.(manager),
      freeze?.cutUntil?.('other'),
      late(manager, 'ConfigMap'),
      late('other', 'ConfigMap'),
      late(manager, 'Pod'),
    ]).toEqual([START + 150, undefined, 30, undefined, undefined]);
    pass(80);
    expect(rules()).toEqual([]);
    expect(seen.flatMap((one) => (one.type === 'fault' ? [`${one.fault}: ${one.detail} at ${one.at - START}`] : []))).toEqual([
      `end: ${manager} sees changes again at 150`,
      `end: ${manager} lists again at 180`,
    ]);
  });

  it('that skews a clock takes it back', () => {
    const { cluster, apply, pass } = of();
    const skew = (): number | undefined => cluster.runtime.process(manager)?.skewMs;
    expect(apply({ do: 'skew', ms: -2_000, forMs: 100 })).toEqual([]);
    expect(skew()).toBe(-2_000);
    pass(100);
    expect(skew()).toBe(0);
  });

  it('that lists again shows the present, or the past', () => {
    const { cluster, apply, set, cached } = of();
    set('c', 'new');
    apply({ do: 'relist' });
    expect(cached('c')?.data).toEqual({ value: 'new' });
    cluster.runUntil(cluster.now + 1_000);
    apply({ do: 'old-relist', staleByMs: 1_001 });
    expect(cached('c')?.data).toBeUndefined();
    apply({ do: 'old-relist', staleByMs: 1_000 });
    expect(cached('c')?.data).toEqual({ value: 'new' });
  });
});
