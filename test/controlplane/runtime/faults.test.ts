/** What faults do to the changes that reach a process, and to its requests; and what a process says of its writes. */
import { describe, expect, it } from 'vitest';
import type { ClusterOptions } from '../../../src/controlplane/cluster.ts';
import type { Failure, FaultRules, Outcome, ProcessSpec, RequestVerdict, Write } from '../../../src/controlplane/runtime/index.ts';
import { about, making, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';

describe('the delivery of a change', () => {
  /** When the changes of ConfigMaps arrive at the manager, with these rules. */
  const arrivals = (...rules: readonly FaultRules[]) => {
    const of = world(about());
    for (const each of rules) of.cluster.addFaults(each);
    const arrived = (): readonly string[] =>
      of.seen.flatMap((one) => (one.type === 'delivery' && one.kind === 'ConfigMap' ? [`${one.at - START} ${one.key}`] : []));
    return { ...of, arrived };
  };

  it('takes the latency of watches, and the lags of all faults', () => {
    const asked: unknown[] = [];
    const { make, pass, arrived } = arrivals(
      { delivery: (process, { kind, key }, now) => (asked.push([process, kind, key, now - START]), 30) },
      { delivery: () => undefined },
      { delivery: () => 5 },
    );
    make('a');
    pass(200);
    expect(arrived()).toEqual(['85 default/a']);
    expect(asked).toEqual([[MANAGER, 'ConfigMap', 'default/a', 0]]);
  });

  it('begins when the last cut of the connection ends', () => {
    const cut = (ms: number): FaultRules => ({ cutUntil: (process) => (process === MANAGER ? START + ms : undefined) });
    const { make, pass, arrived } = arrivals(cut(300), cut(500), cut(100), { delivery: () => 7 });
    make('a');
    pass(10);
    make('b');
    pass(600);
    expect(arrived()).toEqual(['557 default/a', '557 default/b']);
  });

  it('never overtakes an earlier one', () => {
    let lag = 100;
    const { make, pass, arrived } = arrivals({ delivery: () => lag });
    make('a');
    pass(10);
    lag = 0;
    make('b');
    pass(120);
    make('c');
    pass(200);
    expect(arrived()).toEqual(['150 default/a', '150 default/b', '180 default/c']);
  });
});

/** A controller that makes these writes for `a`; what it recovers from and goes on with is noted. */
function writing(writes: readonly Write[], options: Partial<ClusterOptions> = {}, parts: object = {}) {
  const failures: Failure[] = [];
  const of = world(
    about({
      reconcile: ({ self: { metadata } }): Outcome => ({ why: 'x', writes: metadata.name === 'a' ? writes : [] }),
      recover: (_, failure) => (failures.push(failure), { why: 'it gives up', writes: [] }),
      ...parts,
    }),
    options,
  );
  const written = (): readonly string[] =>
    of.seen.flatMap((one) => (one.type === 'write' && one.controller !== undefined ? [`${one.at - START} ${one.request}`] : []));
  const events = (): readonly string[] =>
    [...of.cluster.store.values('Event')].map(({ type, reason, message }) => `${type ?? ''} ${reason}: ${message ?? ''}`);
  const transitions = (): readonly string[] =>
    of.seen.flatMap((one) => (one.type === 'process' && one.process === MANAGER ? [`${one.at - START} ${one.what}`] : []));
  return { ...of, failures, written, events, transitions };
}

describe('a request', () => {
  const under = (verdict: RequestVerdict, ...more: readonly RequestVerdict[]) => {
    const of = writing([making('one'), making('two')]);
    for (const each of [verdict, ...more])
      of.cluster.addFaults({ request: ({ request, by }) => (by.process === MANAGER && request.verb === 'create' ? each : undefined) });
    of.make('a');
    of.pass(200);
    return of;
  };

  it('is delayed by all faults together', () => {
    let left = 2;
    const { cluster, make, pass, written } = writing([making('one'), making('two')]);
    for (const delayMs of [40, 3])
      cluster.addFaults({
        request: ({ request }) => (request.verb === 'create' && request.name === undefined && left-- > 0 ? { delayMs } : undefined),
      });
    left = 0;
    make('a');
    left = 2;
    pass(200);
    expect(written()).toEqual(['93 create ConfigMap default/one', '93 create ConfigMap default/two']);
  });

  it('whose response is lost is made, and fails for its controller', () => {
    const { written, failures } = under({ loseResponse: true });
    expect(written()).toEqual(['50 create ConfigMap default/one']);
    expect(failures).toMatchObject([
      {
        write: making('one'),
        dropped: [making('two')],
        status: { status: 'Failure', code: 504, reason: 'Timeout', message: 'the request timed out' },
      },
    ]);
  });

  it('is not made by a process that crashes before it, and is by one that crashes after it', () => {
    const [before, after] = [under({ crash: 'before' }), under({ crash: 'after' })];
    expect([before.written(), before.transitions()]).toEqual([[], ['50 crashed']]);
    expect([after.written(), after.transitions(), after.failures]).toEqual([['50 create ConfigMap default/one'], ['50 crashed'], []]);
  });

  it('that is refused without a code fails with 500', () => {
    const { written, failures } = under({ fail: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: 'no' } });
    expect([written(), failures.map(({ status }) => status.message)]).toEqual([[], ['no']]);
  });
});

describe('the events of writes', () => {
  const about = { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };
  const says = (reason: string, message: string) => ({ about, type: 'Normal', reason, message }) as const;

  it('name the object that was written, or the error', () => {
    const named = { kind: 'ConfigMap', namespace: 'default' } as const;
    const { make, pass, events } = writing([
      { ...making('one'), then: says('Made', 'made {name} at last'), otherwise: says('No', 'x') },
      { op: 'delete', ...named, name: 'one', then: says('Deleted', '{name} is deleted'), otherwise: says('No', 'y') },
      { op: 'get', ...named, name: 'one', tolerate: ['NotFound'], then: says('No', 'z'), otherwise: says('No', 'z') },
      { op: 'event', event: says('Between', 'this is between') },
      { op: 'delete', ...named, name: 'one', then: says('No', 'w'), otherwise: says('Failed', 'not deleted: {error}!') },
    ]);
    make('a');
    pass(300);
    expect(events()).toEqual([
      'Normal Made: made one at last',
      'Normal Deleted: one is deleted',
      'Normal Between: this is between',
      'Normal Failed: not deleted: configmaps "one" not found!',
    ]);
  });

  it('of a live check that fails name the object and its uid', () => {
    const { make, pass, failures, stored } = writing([
      { op: 'check', kind: 'ConfigMap', namespace: 'default', name: 'a', uid: 'another' },
      making('one'),
    ]);
    make('a');
    pass(100);
    expect(failures).toMatchObject([
      { status: { code: 404, reason: 'NotFound', message: 'ConfigMap "a" with uid another is gone or going' }, dropped: [making('one')] },
    ]);
    expect(stored('one')).toBeUndefined();
  });

  it('go on where the controller does not resume', () => {
    const { make, pass, written } = writing([{ ...making('one'), resume: true }, making('two')]);
    make('a');
    pass(100);
    expect(written()).toEqual(['50 create ConfigMap default/one', '50 create ConfigMap default/two']);
  });
});

describe('the client of a process', () => {
  const limited = (
    spec: Partial<ProcessSpec>,
    writes: readonly Write[],
    latency: NonNullable<ClusterOptions['latency']> = { api: 0, watch: 50 },
  ) => {
    const of = writing(writes, { latency, alter: (process) => (process.name === MANAGER ? { ...process, ...spec } : process) });
    of.make('a');
    of.pass(1_000);
    return of;
  };
  const three = ['one', 'two', 'three'].map(making);
  const times = (of: ReturnType<typeof limited>): readonly number[] => of.written().map((line) => Number.parseInt(line, 10));
  const event = (reason: string): Write => ({
    op: 'event',
    event: { about: { kind: 'ConfigMap', metadata: { name: reason, namespace: 'default' } }, type: 'Normal', reason, message: reason },
  });

  it('delays requests beyond its rate, and no others', () => {
    expect(times(limited({}, three))).toEqual([50, 50, 50]);
    expect(times(limited({ requestRate: { qps: 10, burst: 2 } }, three))).toEqual([50, 50, 150]);
  });

  it('has a latency of its own: half a round trip to the first request, and a whole one between two', () => {
    expect(times(limited({}, three, { api: 20, watch: 50 }))).toEqual([60, 80, 100]);
    expect(times(limited({ apiLatency: 40 }, three, { api: 20, watch: 50 }))).toEqual([70, 110, 150]);
    const [first = 0, second = 0] = times(limited({ apiLatency: { min: 30, max: 32 } }, three, { api: 20, watch: 50 }));
    expect([first - 50 >= 15 && first - 50 <= 16, second - first >= 30 && second - first <= 32]).toEqual([true, true]);
  });

  it('delays events beyond their own rate', () => {
    const emitted = (spec: Partial<ProcessSpec>): readonly number[] =>
      limited(spec, ['a', 'b', 'c'].map(event)).seen.flatMap((one) =>
        one.type === 'write' && one.change.kind === 'Event' ? [one.at - START] : [],
      );
    expect(emitted({})).toEqual([50, 50, 50]);
    expect(emitted({ requestRate: { qps: 1, burst: 1 } })).toEqual([50, 50, 50]);
    expect(emitted({ eventRate: { qps: 10, burst: 1 } })).toEqual([50, 150, 250]);
    expect(emitted({ apiLatency: 40 })).toEqual([70, 70, 70]);
  });
});

describe('the renewals of the lease of a node', () => {
  /** The writes of leases in five minutes: one at most where renewals are elided. */
  const renewals = (latency: NonNullable<ClusterOptions['latency']>, options: Partial<ClusterOptions> = {}, skewMs = 0): number => {
    const of = world(about(), { latency, nodes: [{ name: 'n', capacity: { cpu: '1' } }], ...options });
    if (skewMs !== 0) of.cluster.runtime.addSkew('agent/n', skewMs);
    of.pass(300_000);
    return of.seen.filter((one) => one.type === 'write' && one.change.kind === 'Lease').length;
  };

  it.each<readonly [string, Parameters<typeof renewals>, boolean]>([
    ['latencies are fixed and short', [{ api: 20, watch: 50 }], true],
    ['a request takes 50 ms', [{ api: 100, watch: 0 }], true],
    ['a request takes longer', [{ api: 102, watch: 0 }], false],
    ['the latency of requests is drawn', [{ api: { min: 1, max: 1 }, watch: 0 }], false],
    ['the latency of watches is drawn', [{ api: 1, watch: { min: 1, max: 1 } }], false],
    ['a renewal is observed before the next one', [{ api: 0, watch: 9_999 }], true],
    ['a renewal is observed with the next one', [{ api: 0, watch: 10_000 }], false],
    ['its holder has a skewed clock', [{ api: 0, watch: 0 }, {}, 5], false],
    ['a health check could miss one', [{ api: 0, watch: 1 }, { agents: { nodeLeaseDurationSeconds: 160 } }], false],
    ['a health check observes each', [{ api: 0, watch: 1 }, { agents: { nodeLeaseDurationSeconds: 156 } }], true],
  ])('where %s', (_, given, elided) => {
    expect(renewals(...given) < 2).toBe(elided);
  });
});
