/** The inner state of a cluster at a moment: as parts that are compared, and as introspection shows it. */
import { describe, expect, it } from 'vitest';
import { introspectionOf } from '../../../src/controlplane/runtime/introspection.ts';
import type { FaultRules, Outcome } from '../../../src/controlplane/runtime/index.ts';
import { about, making, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';
const fail = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'InternalError',
  message: 'no',
  code: 500,
} as const;
const at = (ms: number): number => START + ms;

/** What the controller decides, by the name of the ConfigMap. */
const DECISIONS: Readonly<Record<string, (now: number) => Outcome>> = {
  wakes: (now) => ({ why: 'it waits', writes: [], wakeAt: now + 10_000, memory: { seen: 1 } }),
  ticks: (now) => ({ why: 'it ticks', writes: [], wakeAt: now + 5_000, background: true }),
  makes: () => ({
    why: 'it makes two',
    writes: [making('one'), { ...making('two'), tolerate: ['AlreadyExists'] }],
    enqueue: [{ key: 'default/later', afterMs: 700 }],
  }),
  fails: () => ({ why: 'it tries', writes: [making('never')] }),
  tells: () => ({
    why: 'it tells',
    writes: [
      {
        op: 'event',
        event: {
          about: { kind: 'ConfigMap', metadata: { name: 'tells', namespace: 'default' } },
          type: 'Normal',
          reason: 'Seen',
          message: 'seen',
        },
      },
    ],
  }),
};

/** A cluster with one ConfigMap of that name, and its state: the parts that are about what is pending or held. */
function start(name: string, refuses = false) {
  const of = world(about({ reconcile: ({ self, now }) => DECISIONS[self.metadata.name]?.(now) ?? { why: 'nothing', writes: [] } }), {
    latency: { api: 20, watch: 50 },
  });
  if (refuses)
    of.cluster.addFaults({ describe: () => 'refuses', request: ({ by: { process } }) => (process === MANAGER ? { fail } : undefined) });
  of.make(name);
  const parts = (): Readonly<Record<string, unknown>> => {
    const found: Record<string, unknown> = {};
    of.cluster.describe((part, value) => {
      if (!/^(?:now|machines|chance|scheduler|operation \d+|objects .*|.* has .*|scheduler .*)$/.test(part) && part !== MANAGER)
        found[part] = value;
    });
    return found;
  };
  const introspection = () => introspectionOf(of.cluster);
  return { ...of, parts, introspection };
}
const key = (name: string): string => `${MANAGER} onlooker default/${name}`;
/** [queued, processing, dirty, delayed, wake, failures, memory, elided, decided, awaits, flight] */
const held = (parts: Readonly<Record<number, unknown>>): readonly unknown[] =>
  Array.from(
    { length: 11 },
    (_, place) => parts[place] ?? [undefined, false, false, undefined, undefined, 0, undefined, false, undefined, [], undefined][place],
  );
const gets = (arrives: number, objects: readonly unknown[]): object => ({
  [`${MANAGER} gets ConfigMap`]: [at(arrives), objects.map((object) => ['ADDED', object])],
  ...Object.fromEntries(objects.map((_, place) => [`delivery to ${MANAGER} of ConfigMap ${place}`, at(arrives)])),
});

describe('the parts of the state', () => {
  it('are a change in flight, then a wake-up with a memory', () => {
    const { parts, pass, stored } = start('wakes');
    expect(parts()).toEqual(gets(50, [stored('wakes')]));
    pass(50);
    expect(parts()).toEqual({ [key('wakes')]: held({ 4: [at(10_050), false], 6: { seen: 1 } }) });
    pass(20_000);
    expect(parts()).toEqual({ [key('wakes')]: held({ 4: [at(20_050 + 10_000), false], 6: { seen: 1 } }) });
    const ticking = start('ticks');
    ticking.pass(50);
    expect(ticking.parts()).toEqual({ [key('ticks')]: held({ 4: [at(5_050), true] }) });
  });

  it('are the writes of a decision, and what its caches do not show yet', () => {
    const { parts, pass, stored } = start('makes');
    pass(50);
    const rest = { writes: [making('one'), { ...making('two'), tolerate: ['AlreadyExists'] }] };
    const later = { [key('later')]: held({ 3: [at(750), 'delay'] }) };
    expect(parts()).toEqual({
      ...later,
      [key('makes')]: held({ 1: true, 10: [0, true, rest] }),
      [`write of ${key('makes')}`]: [at(60), 0, false],
    });
    pass(10);
    expect(parts()).toEqual({
      ...later,
      ...gets(110, [stored('one')]),
      [key('makes')]: held({ 1: true, 9: [['ConfigMap', 1]], 10: [1, true, rest] }),
      [`write of ${key('makes')}`]: [at(80), 1, false],
    });
    pass(20);
    expect(parts()).toEqual({
      ...later,
      [`${MANAGER} gets ConfigMap`]: [
        at(130),
        [
          ['ADDED', stored('one')],
          ['ADDED', stored('two')],
        ],
      ],
      [`delivery to ${MANAGER} of ConfigMap 0`]: at(110),
      [`delivery to ${MANAGER} of ConfigMap 1`]: at(130),
      [key('makes')]: held({ 9: [['ConfigMap', 2]] }),
    });
    pass(30);
    expect(parts()[key('makes')]).toEqual(held({ 9: [['ConfigMap', 1]] }));
    pass(20);
    expect(parts()).toEqual(later);
    pass(620);
    expect(parts()).toEqual({});
  });

  it('are failures, with the back-off of the key and of the queue', () => {
    const { parts, pass, set } = start('fails', true);
    pass(60);
    const failures = `${MANAGER} onlooker failures`;
    expect(parts()).toEqual({ 'fault 0': 'refuses', [failures]: at(160), [key('fails')]: held({ 3: [at(65), 'backoff'], 5: 1 }) });
    set('fails', 'x');
    pass(50);
    // Refused at 60, 75 and 95 ms; the change that arrives at 110 ms is an attempt beside the back-off.
    const write = { writes: [making('never')] };
    expect(parts()).toEqual({
      'fault 0': 'refuses',
      [failures]: at(360),
      [key('fails')]: held({ 1: true, 3: [at(115), 'backoff'], 5: 3, 10: [0, true, write] }),
      [`write of ${key('fails')}`]: [at(120), 0, false],
    });
  });

  it('are events that are written, by their time alone', () => {
    const { parts, pass } = start('tells');
    pass(50);
    expect(parts()).toEqual({ [`events at ${at(60)}`]: 1 });
    pass(10);
    expect(parts()).toEqual({});
  });

  it('are a key that is queued, one that is changed while it is in process, and a decision that is postponed', () => {
    const { cluster, parts, pass, enqueue } = start('makes');
    pass(50);
    enqueue('makes');
    enqueue('other');
    expect(parts()).toMatchObject({ [key('makes')]: { 2: true }, [key('other')]: held({ 0: [at(50), false] }) });
    cluster.setStrategy({ see: () => 0, decide: () => ({ hold: 30 }), write: () => undefined, start: () => false });
    pass(0);
    expect(parts()[key('other')]).toEqual(held({ 0: [at(80), true] }));
  });

  it('are those of a process: whether it is up, since when, its clock, and a start that is planned', () => {
    const { cluster, pass, crash } = start('wakes');
    const own = (): readonly unknown[] => {
      const found: unknown[] = [];
      cluster.describe((part, value) => void (part === MANAGER || /^(?:start|clock) of/.test(part) ? found.push([part, value]) : 0));
      return found;
    };
    const [[, [, since]] = ['', [true, 0]]] = own() as readonly (readonly [string, readonly [boolean, number]])[];
    const state = (parts: Readonly<Record<number, unknown>>): readonly unknown[] => [
      MANAGER,
      Array.from({ length: 8 }, (_, place) => (place in parts ? parts[place] : [true, since, 0, [], true, undefined, 0, undefined][place])),
    ];
    expect(own()).toEqual([state({})]);
    const first = cluster.runtime.addSkew(MANAGER, 5);
    const second = cluster.runtime.addSkew(MANAGER, 7);
    expect(own()).toEqual([state({ 2: 7, 3: [{ skewMs: 5 }] })]);
    second();
    first();
    pass(100);
    crash();
    cluster.runtime.restart(MANAGER, at(500), [], 3);
    expect(own()).toEqual([state({ 0: false, 1: at(100), 4: false }), [`start of ${MANAGER} at ${at(500)}`, 3]]);
    pass(400);
    expect(own()).toEqual([state({ 1: at(500), 5: 3 })]);
    cluster.runtime.restart(MANAGER, at(900));
    expect(own()).toHaveLength(1);
  });

  it('are the faults, which must describe themselves', () => {
    const { cluster, parts } = start('wakes');
    const rules = (more: FaultRules): (() => void) => cluster.addFaults(more);
    rules({ describe: () => ['lag', 5] });
    expect(parts()['fault 0']).toEqual(['lag', 5]);
    const end = rules({ notice: { process: MANAGER, says: 'is slow' } });
    expect(() => parts()).toThrow('a fault (is slow) does not describe itself: give its rules `describe`');
    end();
    rules({});
    expect(() => parts()).toThrow('a fault (a user-defined one) does not describe itself');
  });

  it('that last are reported again only when something has touched them', () => {
    const { cluster, pass, enqueue, set } = start('wakes');
    const known = new Set<object>();
    const reported = (): readonly string[] => {
      const found: string[] = [];
      const report = (part: string): void => void found.push(part);
      cluster.describe(report, (of, parts) => {
        if (known.has(of)) return true;
        const lasts = parts(report);
        if (lasts) known.add(of);
        return lasts;
      });
      return found.filter((part) => part.startsWith(`${MANAGER} `)).sort();
    };
    pass(50);
    expect(reported()).toEqual([`${MANAGER} has ConfigMap`, key('wakes')]);
    expect(reported()).toEqual([]);
    enqueue('other');
    expect(reported()).toEqual([key('other'), key('wakes')]);
    pass(0);
    reported();
    set('wakes', 'x');
    expect(reported()).toEqual([`${MANAGER} gets ConfigMap`, `${MANAGER} has ConfigMap`]);
    pass(50);
    expect(reported()).toEqual([`${MANAGER} has ConfigMap`, key('wakes')]);
  });
});

describe('introspection', () => {
  it('shows what each process holds for each key', () => {
    const { introspection, pass, enqueue } = start('makes');
    const manager = (): unknown => introspection().processes.find(({ name }) => name === MANAGER);
    pass(60);
    enqueue('other');
    const plain = (name: string, more: object = {}): object => ({
      key: `default/${name}`,
      queued: false,
      backingOff: false,
      failures: 0,
      awaits: [],
      ...more,
    });
    expect(manager()).toMatchObject({
      name: MANAGER,
      up: true,
      leading: true,
      underway: [{ kind: 'ConfigMap', changes: 1 }],
      controllers: [
        {
          name: 'onlooker',
          reconciles: 'ConfigMap',
          keys: [
            plain('makes', {
              writing: { why: 'it makes two', left: 1 },
              awaits: [{ kind: 'ConfigMap', revision: expect.any(Number) as unknown }],
            }),
            plain('later', { delayedUntil: at(750) }),
            plain('other', { queued: true }),
          ],
        },
      ],
    });
    const pending = introspection().pending.filter(({ what }) => !what.includes('scheduler'));
    expect(pending.slice(0, 4)).toEqual([
      { what: 'onlooker reconciling default/other', at: at(60), background: false },
      { what: 'write 2 of onlooker for default/makes', at: at(80), background: false },
      { what: `the delivery of a ConfigMap change to ${MANAGER}`, at: at(110), background: false },
      { what: 'onlooker waking for default/later', at: at(750), background: false },
    ]);
    expect(introspection().now).toBe(at(60));
  });

  it('shows back-offs, wake-ups, faults, and what would run in a process that is down', () => {
    const failing = start('fails', true);
    failing.pass(60);
    const [state] = failing.introspection().processes[0]?.controllers[0]?.keys ?? [];
    expect(state).toEqual({ key: 'default/fails', queued: false, delayedUntil: at(65), backingOff: true, failures: 1, awaits: [] });
    const { introspection, pass, crash, cluster } = start('wakes');
    pass(50);
    expect(introspection().processes[0]?.controllers[0]?.keys).toEqual([
      { key: 'default/wakes', queued: false, backingOff: false, wakesAt: at(10_050), failures: 0, awaits: [] },
    ]);
    expect([introspection().processes[0]?.underway, introspection().faults]).toEqual([[], []]);
    cluster.addFaults({ notice: { process: MANAGER, says: 'is slow' } });
    cluster.addFaults({});
    crash();
    expect(introspection().processes[0]).toEqual({
      name: MANAGER,
      up: false,
      since: at(50),
      leading: false,
      controllers: [{ name: 'onlooker', reconciles: 'ConfigMap', keys: [] }],
      underway: [],
    });
    expect(introspection().faults).toEqual([{ process: MANAGER, says: 'is slow' }]);
  });
});
