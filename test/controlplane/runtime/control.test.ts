/** What is done to processes from outside, and what their outcomes do to them. */
import { describe, expect, it } from 'vitest';
import { Kernel } from '../../../src/engine/index.ts';
import { EventExpiry } from '../../../src/controlplane/runtime/events.ts';
import type { ClusterEvent } from '../../../src/controlplane/runtime/pending.ts';
import type { Outcome, ProcessSpec } from '../../../src/controlplane/runtime/index.ts';
import { about, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';
/** A cluster whose controller decides as given, once about each ConfigMap. */
const deciding = (outcome: Partial<Outcome>, parts: Parameters<typeof about>[0] = {}) =>
  world(about({ reconcile: ({ self }) => ({ why: 'x', writes: [], ...(self.metadata.name === 'a' ? outcome : {}) }), ...parts }));
const transitions = ({ seen }: ReturnType<typeof deciding>, name = MANAGER): readonly string[] =>
  seen.flatMap((one) =>
    one.type === 'process' && one.process === name
      ? [`${one.at - START} ${one.what}${one.refusal === undefined ? '' : `: ${one.refusal}`}`]
      : [],
  );

describe('a process that there is not', () => {
  it('is neither crashed, stopped, started, skewed, configured nor made to list', () => {
    const { cluster } = world(about());
    const { runtime } = cluster;
    const spec = { name: 'x', controllers: [] };
    expect([
      runtime.crash('x'),
      runtime.stop('x'),
      runtime.restart('x', START),
      runtime.configure(spec),
      runtime.relist('x', undefined),
      runtime.enqueue('x', 'onlooker', 'k'),
      runtime.enqueue(MANAGER, 'x', 'k'),
      runtime.process('x'),
      runtime.addSkew('x', 5)(),
    ]).toEqual([false, false, false, false, false, false, false, undefined, undefined]);
    expect([runtime.enqueue(MANAGER, 'onlooker', 'k'), runtime.restart(MANAGER, START), runtime.relist(MANAGER, 'Pod')]).toEqual([
      true,
      false,
      true,
    ]);
    expect([
      runtime.crash(MANAGER),
      runtime.crash(MANAGER),
      runtime.stop(MANAGER),
      runtime.relist(MANAGER, undefined),
      runtime.enqueue(MANAGER, 'onlooker', 'k'),
    ]).toEqual([true, false, false, false, false]);
  });
});

describe('an outcome', () => {
  it('ends its process, which its supervisor restarts after a second, or stops it', () => {
    const exits = deciding({ process: 'exit' });
    exits.make('a');
    exits.pass(1_050);
    expect(transitions(exits)).toEqual(['50 crashed', '1050 started', '1050 crashed']);
    const stops = deciding({ process: 'stop' });
    stops.make('a');
    stops.pass(9_000);
    expect(transitions(stops)).toEqual(['50 stopped']);
  });

  it.each<readonly [Outcome['backoff'], readonly number[]]>([
    [undefined, [50, 100, 150]],
    ['forget', [50, 100, 150]],
    ['keep', [50, 100, 150]],
    ['retry', [50, 55, 65, 85, 125, 205]],
  ])('with back-off %s is followed by these decisions', (backoff, times) => {
    const { make, set, pass, decisions } = deciding(backoff === undefined ? {} : { backoff });
    make('a');
    pass(50);
    if (backoff !== 'retry')
      for (const value of ['1', '2']) {
        set('a', value);
        pass(50);
      }
    pass(155);
    expect(decisions('a').slice(0, times.length)).toEqual(times);
  });

  it('keeps the failures of its key, or forgets them', () => {
    const failures: number[] = [];
    const { make, set, pass } = world(
      about({
        reconcile: ({ self: { data }, failures: count }) => {
          failures.push(count);
          return { why: 'x', writes: [], backoff: ({ keep: 'keep', forget: 'forget' } as const)[data?.['value'] ?? ''] ?? 'retry' };
        },
      }),
    );
    make('a');
    pass(51);
    for (const value of ['keep', 'keep2', 'forget', 'more']) {
      set('a', value === 'keep2' ? 'keep' : value);
      pass(50);
    }
    // Four attempts in the first 50 ms; then each change is an attempt beside the last back-off.
    expect(failures.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(failures.at(-1)).toBeLessThan(4);
    expect(failures).toContain(0);
  });

  it('has keys of others decided about, at once or later, and its own again', () => {
    const others = ['default/b', { key: 'default/c', afterMs: 0 }, { key: 'default/d', afterMs: 30 }];
    const { make, pass, seen } = world(
      about({
        reconcile: ({ now }) =>
          now < START + 70 ? { why: 'x', writes: [], enqueue: others, wakeAt: START + 70 } : { why: 'y', writes: [] },
        reconcileAbsent: () => ({ why: 'gone', writes: [] }),
      }),
    );
    make('a');
    pass(90);
    expect(seen.flatMap((one) => (one.type === 'reconcile' ? [`${one.at - START} ${one.key}`] : []))).toEqual([
      '50 default/a',
      '50 default/b',
      '50 default/c',
      '70 default/a',
      '80 default/d',
    ]);
    expect(seen.flatMap((one) => (one.type === 'timer' ? [`${one.at - START} ${one.key} ${one.because}`] : []))).toEqual([
      '70 default/a wake',
      '80 default/d delay',
    ]);
  });

  it('gets the list that it has asked for', () => {
    const got: unknown[] = [];
    const { make, pass } = deciding(
      { writes: [{ op: 'list', kind: 'ConfigMap', namespace: 'default', resume: true }] },
      {
        resume: (_, { write, object, objects }) => {
          got.push([write.op, object, objects?.map(({ metadata }) => metadata.name)]);
          return { why: 'done', writes: [] };
        },
      },
    );
    make('a');
    pass(50);
    expect(got).toEqual([['list', undefined, ['a']]]);
  });
});

describe('a process', () => {
  const spec = (parts: Partial<ProcessSpec>): ProcessSpec => ({ name: 'extra', controllers: [], ...parts });

  it('reports the gates in which it differs, or why it does not start', () => {
    const of = world(about());
    const [[gate, on] = ['', false]] = Object.entries(of.cluster.gates);
    of.cluster.runtime.add(spec({ gates: { ...of.cluster.gates, [gate]: !on } }));
    of.cluster.runtime.add(spec({ name: 'refused', refusal: 'its flags are wrong' }));
    of.cluster.runtime.add(spec({ name: 'never' }), Infinity);
    of.pass(10);
    expect(of.seen.filter((one) => one.type === 'process')).toMatchObject([
      { process: 'extra', what: 'started', gates: { [gate]: !on } },
      { process: 'refused', what: 'refused', refusal: 'its flags are wrong' },
    ]);
    expect([of.cluster.runtime.process('refused')?.up, of.cluster.runtime.process('never')?.up]).toEqual([false, false]);
    expect(of.cluster.runtime.configure(spec({ refusal: 'no more' }))).toBe(true);
    of.cluster.runtime.crash('extra');
    of.cluster.runtime.restart('extra', of.cluster.now);
    of.pass(10);
    expect(transitions(of, 'extra')).toEqual(['0 started', '10 crashed', '10 refused: no more']);
  });

  it('that cannot be authenticated writes nothing', () => {
    const of = deciding({
      writes: [{ op: 'create', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b', namespace: 'default' } } }],
    });
    const process = of.cluster.runtime.process(MANAGER);
    if (process !== undefined) process.spec = { ...process.spec, isAuthenticated: (now) => now > START + 60 };
    of.make('a');
    of.pass(60);
    expect(of.stored('b')).toBeUndefined();
    expect(
      of.seen.flatMap((one) =>
        one.type === 'refusal' ? [`${one.at - START} ${one.request}: ${one.status.message ?? ''} ${one.status.code ?? 0}`] : [],
      ),
    ).toEqual([50, 55].map((at) => `${at} create ConfigMap default/b: Unauthorized 401`));
    of.pass(10);
    expect(of.stored('b')).toBeDefined();
  });

  it('has the latest of several skews that are active', () => {
    const { cluster } = world(about());
    const skew = (): number | undefined => cluster.runtime.process(MANAGER)?.skewMs;
    const [one, two, three] = [5, 7, -9].map((ms) => cluster.runtime.addSkew(MANAGER, ms));
    const values = [skew()];
    for (const end of [two, two, three, one, one]) {
      end?.();
      values.push(skew());
    }
    expect(values).toEqual([-9, -9, -9, 5, 0, 0]);
  });

  it('tells who listens about each delay that ends, until that is over', () => {
    const of = deciding({
      enqueue: [
        { key: 'default/b', afterMs: 10 },
        { key: 'default/c', afterMs: 20 },
      ],
    });
    const heard: string[] = [];
    const end = of.cluster.runtime.onTimer((process, controller, key) => heard.push(`${process} ${controller} ${key}`));
    of.make('a');
    of.pass(60);
    end();
    of.pass(20);
    expect(heard).toEqual([`${MANAGER} onlooker default/b`]);
  });

  it('that lists again sees another object of the same name as a deletion and a creation', () => {
    const heard: string[] = [];
    const { make, drop, pass, relist, stored } = world(
      about({ observe: ({ type, object, old }) => void heard.push(`${type} ${object.metadata.uid} ${old?.metadata.uid ?? ''}`) }),
    );
    make('a');
    pass(50);
    const first = stored('a')?.metadata.uid ?? '';
    heard.length = 0;
    drop('a');
    make('a');
    relist();
    expect(heard).toEqual([`DELETED ${first} ${first}`, `ADDED ${stored('a')?.metadata.uid ?? ''} `]);
  });
});

it('Events expire an hour after their last write, in order, also after thousands', () => {
  const ended: string[] = [];
  const kernel = new Kernel<ClusterEvent>({ startAt: 0, describe: ({ type }) => type, handle: () => expiry.run() });
  const expiry = new EventExpiry(kernel, (key, revision, causes) => void ended.push(`${kernel.now} ${key} ${revision} ${causes.join()}`));
  expiry.written('a', 1, 10);
  kernel.runUntil(5);
  expiry.written('b', 2, 11);
  expiry.written('a', 3, 12);
  kernel.runUntil(3_599_999);
  expect(ended).toEqual([]);
  kernel.runUntil(3_600_004);
  expect(ended).toEqual(['3600000 a 1 10']);
  kernel.runUntil(3_600_005);
  expect(ended.slice(1)).toEqual(['3600005 b 2 11', '3600005 a 3 12']);
  expect(kernel.pending()).toEqual([]);
  ended.length = 0;
  const many = 3_000;
  for (let at = 0; at < many; at++) {
    expiry.written(`k${at}`, at, at);
    kernel.runUntil(kernel.now + 1);
  }
  kernel.runUntil(kernel.now + 3_600_000);
  expect(ended).toEqual(Array.from({ length: many }, (_, at) => `${7_200_005 + at} k${at} ${at} ${at}`));
});
