/** Livelock and starvation, entry by entry: what is a state, what starts the count again, and what is said. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { livelockText, starvationText, watchLivelocks, watchStarvation } from '../../../src/lab/livelock/index.ts';
import type { Entry } from '../../../src/lab/trace/index.ts';

const map = (parts: object, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: '', ...metadata },
  ...parts,
});

/** A detector whose cluster has a process `manager`; `recurring`: the controllers that follow a schedule. */
function detector(recurring: readonly string[] = [], names: readonly string[] = ['manager']) {
  const runtime = {
    process: (name: string) => (names.includes(name) ? {} : undefined),
    recurrences: { atMost: recurring.length, pending: () => recurring.map((controller) => ({ controller })) },
  };
  const watch = watchLivelocks(() => ({ runtime }) as never);
  const last: { object?: ApiObject; at: number; id: number } = { at: 0, id: 0 };
  const write = (object: ApiObject | undefined, { actor = 'manager', controller = 'one', causes = [] as number[], ms = 1 } = {}): void => {
    const { object: previous } = last;
    const type = object === undefined ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
    last.at += ms;
    if (object === undefined) delete last.object;
    else last.object = object;
    const shown = object ?? previous;
    watch.observe({
      type: 'write',
      id: ++last.id,
      at: last.at,
      actor,
      ...(controller === '' ? {} : { controller }),
      request: `update ${shown?.kind} n/c`,
      causes,
      change: { type, kind: shown?.kind, key: 'n/c', object: shown, previous, at: last.at, revision: 1, entry: 1 },
    } as unknown as Entry);
  };
  const decide = (why: string, writes = 1): number => {
    watch.observe({ type: 'reconcile', id: ++last.id, at: last.at, why, writes } as unknown as Entry);
    return last.id;
  };
  return { watch, write, decide, observe: (entry: object) => watch.observe(entry as Entry) };
}
type Detector = ReturnType<typeof detector>;

const [A, B] = [map({ data: { a: '1' } }), map({ data: { a: '2' } })];
const swap = ({ write }: Detector, times: number, how?: Parameters<Detector['write']>[1]): void => {
  for (let at = 0; at < times; at++) write(at % 2 === 0 ? A : B, how);
};

describe('a livelock', () => {
  it('is the eighth visit of one state, with the writes since the seventh', () => {
    const one = detector();
    swap(one, 14);
    expect([one.watch.most, one.watch.livelock]).toEqual([7, undefined]);
    one.write(A, { causes: [one.decide('it should be 1')] });
    const move = { actor: 'manager', controller: 'one', request: 'update ConfigMap n/c', kind: 'ConfigMap' };
    expect(one.watch.livelock).toEqual({
      visits: 8,
      moves: [
        { ...move, at: 14, why: undefined },
        { ...move, at: 15, why: 'it should be 1' },
      ],
    });
    expect(one.watch.current).toBe(one.watch.livelock);
    swap(one, 4);
    expect([one.watch.most, one.watch.livelock?.visits]).toEqual([9, 8]);
    // An action from outside ends it, and starts the count again.
    one.observe({ type: 'operation', at: 30, label: 'x' });
    expect([one.watch.most, one.watch.current, one.watch.livelock?.visits]).toEqual([0, undefined, 8]);
  });

  it.each<readonly [string, object, object]>([
    ['a version', map({}, { resourceVersion: '7', generation: 2, uid: 'v', managedFields: [1] }), map({}, { resourceVersion: '8' })],
    ['an instant', map({ at: '2024-01-01T00:00:00Z' }), map({ at: '2025-12-31T23:59:59Z' })],
    ['an address', map({ a: '10.0.0.1' }), map({ a: '10.255.1.22' })],
    [
      'a message',
      map({ status: { message: 'a', conditions: [{ message: 'x', status: 'True' }] } }),
      map({ status: { message: 'b', conditions: [{ message: 'y', status: 'True' }] } }),
    ],
    ['the addresses of a pod', map({ status: { podIP: 'x', podIPs: [1], hostIP: 'y', ip: 'z' } }), map({ status: {} })],
    ['what names a container', map({ status: { containerID: 'x', imageID: 'y' } }), map({ status: {} })],
    ['an observed generation', map({ status: { observedGeneration: 4 } }), map({ status: {} })],
    ['the address of a service', map({ spec: { clusterIP: 'a', clusterIPs: [1] } }), map({ spec: {} })],
    ['a generated name', map({}, { name: 'web-x7x', generateName: 'web-' }), map({}, { name: 'web-abc', generateName: 'web-' })],
    ['the order of members', map({ data: { a: 'x', b: 'y' } }), map({ data: { b: 'y', a: 'x' } })],
    ['a member without a value', map({ data: undefined }), map({})],
  ])('does not distinguish states by %s', (_, one, other) => {
    const { watch, write } = detector();
    for (const object of [one, other]) write(object as ApiObject);
    write(B);
    write(one as ApiObject);
    // The first write created the object, the second changed nothing.
    expect(watch.most).toBe(2);
  });

  it.each<readonly [string, ApiObject, ApiObject]>([
    ['a value', map({ data: { a: 'x' } }), map({ data: { a: 'y' } })],
    ['the name of a member', map({ data: { a: 'x' } }), map({ data: { b: 'x' } })],
    ['the order of a list', map({ a: ['x', 'y'] }), map({ a: ['y', 'x'] })],
    ['labels', map({}, { labels: { a: 'x' } }), map({}, { labels: {} })],
    ['a name', map({}, { name: 'c' }), map({}, { name: 'd' })],
    ['a name that is not generated', map({}, { name: 'c', generateName: '' }), map({}, { name: 'd', generateName: '' })],
    ['nothing and a null', map({ a: null }), map({})],
    ['an address with a port', map({ a: '10.0.0.1:80' }), map({ a: '10.0.0.2:80' })],
    ['a nested value', map({ a: { b: { c: 1 } } }), map({ a: { b: { c: 2 } } })],
    ['a deletion', map({}), map({}, { deletionTimestamp: '2024-01-01T00:00:00Z' })],
  ])('distinguishes states by %s', (_, one, other) => {
    const { watch, write } = detector();
    for (const object of [one, other, one]) write(object);
    expect(watch.most).toBe(2);
  });

  it('counts objects that come and go, but no Events and no leases', () => {
    const { watch, write } = detector();
    for (let at = 0; at < 3; at++) {
      write(A);
      write(undefined);
    }
    expect(watch.most).toBe(3);
    for (const kind of ['Event', 'Lease'])
      for (const data of ['1', '2', '1', '2', '1', '2', '1', '2', '1', '2']) write({ ...map({ data }), kind });
    expect(watch.most).toBe(3);
  });

  it('starts its count again at a fault, and at a write of a user, not at one of a process', () => {
    const one = detector();
    swap(one, 6);
    one.observe({ type: 'fault', at: 9, fault: 'crash' });
    expect(one.watch.most).toBe(0);
    swap(one, 6, { controller: '' });
    expect(one.watch.most).toBe(3);
    one.write(map({ data: { a: '3' } }), { actor: 'user', controller: '' });
    expect(one.watch.most).toBe(0);
    swap(one, 4, { actor: 'user', controller: 'two' });
    expect(one.watch.most).toBe(2);
  });

  it('is none where a schedule makes the writes', () => {
    const scheduled = detector(['one']);
    swap(scheduled, 15);
    expect([scheduled.watch.livelock, scheduled.watch.most]).toEqual([undefined, 0]);
    const other = detector(['two']);
    swap(other, 15);
    expect(other.watch.livelock?.visits).toBe(8);
  });

  it('reports no more than two hundred writes, from a record that is bounded', () => {
    const one = detector();
    for (let round = 0; round < 8; round++)
      for (let at = 0; at < 250; at++) one.write(map({ data: { a: at === 0 ? 'x' : `${at}:${round}` } }));
    expect(one.watch.livelock?.moves.length).toBe(200);
    const few = detector();
    for (let round = 0; round < 8; round++)
      for (let at = 0; at < 70; at++) few.write(map({ data: { a: at === 0 ? 'x' : `${at}:${round}` } }));
    expect(few.watch.livelock?.moves.length).toBe(70);
    expect(few.watch.livelock?.moves[0]?.at).toBe(6 * 70 + 2);
  });

  it('is said with its first writes and their reasons', () => {
    const move = (at: number, more: object = {}) => ({
      at,
      actor: 'manager',
      controller: 'one',
      request: 'update Job n/j',
      kind: 'Job',
      why: undefined,
      ...more,
    });
    expect(livelockText({ visits: 8, moves: [move(5, { why: 'it can' })] })).toEqual({
      message: 'livelock: the cluster was in one state 8 times, with a write between',
      detail: ['  one: update Job n/j, because "it can"'],
    });
    const many = Array.from({ length: 14 }, (_, at) => move(at * 1_000, { controller: undefined }));
    expect(livelockText({ visits: 9, moves: many })).toEqual({
      message: 'livelock: the cluster was in one state 9 times, with 14 writes between, 13s long',
      detail: [...Array.from({ length: 12 }, () => '  manager: update Job n/j'), '  and 2 more'],
    });
    expect(livelockText({ visits: 9, moves: [] })).toEqual({
      message: 'livelock: the cluster was in one state 9 times, with 0 writes between',
      detail: [],
    });
  });
});

describe('starvation', () => {
  function hungry({ faults = 0, failing = 1, from = -Infinity, patienceMs = 0 } = {}) {
    const world = { faults: Array.from({ length: faults }), failing };
    const queue = { failures: () => world.failing };
    const cluster = { faults: world.faults, runtime: { process: () => ({ running: new Map([['job', { queue }]]) }) } };
    const watch = watchStarvation(() => cluster as never, from, patienceMs);
    const decided = (at: number, failures: number, key = 'n/j'): void =>
      watch.observe({ type: 'reconcile', at, process: 'm', controller: 'job', key, failures, why: 'it tries' } as unknown as Entry);
    const refused = (message: string, more: object = {}): void =>
      watch.observe({
        type: 'refusal',
        at: 0,
        actor: 'm',
        controller: 'job',
        key: 'n/j',
        status: { message },
        ...more,
      } as unknown as Entry);
    return { watch, world, cluster, decided, refused, observe: (entry: object) => watch.observe(entry as Entry) };
  }
  const fails = (of: ReturnType<typeof hungry>, times: readonly number[], from = 0): void =>
    times.forEach((at, count) => of.decided(at, from + count));

  it('is six failures in a row that take a second', () => {
    const one = hungry();
    fails(one, [0, 10, 20, 30, 40, 50]);
    one.refused('no');
    one.refused('of another key', { key: 'n/k' });
    one.refused('of a user', { controller: undefined });
    one.decided(60, 6);
    expect(one.watch.starvation).toBeUndefined();
    one.decided(999, 7);
    expect(one.watch.starvation).toBeUndefined();
    one.decided(1_000, 8);
    const found = { at: 1_000, process: 'm', controller: 'job', key: 'n/j', failures: 8, said: 'no', why: 'it tries' };
    expect([one.watch.starvation, one.watch.current]).toEqual([found, found]);
    one.decided(2_000, 9);
    expect([one.watch.starvation?.failures, one.watch.current?.failures]).toEqual([8, 9]);
    const five = hungry();
    fails(five, [0, 1_000, 2_000, 3_000, 4_000, 5_000]);
    expect(five.watch.starvation).toBeUndefined();
    five.decided(6_000, 6);
    expect(five.watch.starvation).toMatchObject({ failures: 6, said: undefined });
  });

  it('lasts until its key succeeds, or somebody acts', () => {
    const one = hungry();
    const starve = (at: number): void => fails(one, [at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 1_000]);
    starve(0);
    one.world.failing = 0;
    expect(one.watch.current).toBeUndefined();
    one.world.failing = 1;
    expect(one.watch.current?.at).toBe(1_000);
    one.decided(3_000, 0);
    expect([one.watch.current, one.watch.starvation?.at]).toEqual([undefined, 1_000]);
    starve(4_000);
    expect(one.watch.current?.at).toBe(5_000);
    for (const entry of [{ type: 'fault' }, { type: 'process', what: 'crashed' }]) {
      one.observe({ at: 6_000, ...entry });
      expect(one.watch.current).toBeUndefined();
      starve(7_000);
    }
    for (const what of ['leads', 'follows', 'lists']) one.observe({ at: 8_000, type: 'process', what });
    expect(one.watch.current).toBeDefined();
  });

  it('does not count failures while a fault is active, nor before its time, nor those of a restarted count', () => {
    const broken = hungry({ faults: 1 });
    fails(broken, [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000]);
    expect(broken.watch.starvation).toBeUndefined();
    broken.cluster.faults.length = 0;
    fails(broken, [7_100, 7_101, 7_102, 7_103, 7_104, 7_999], 8);
    expect(broken.watch.starvation).toBeUndefined();
    fails(broken, [8_000, 8_001], 14);
    expect(broken.watch.starvation?.at).toBe(8_000);
    const late = hungry({ from: 5_000, patienceMs: 2_000 });
    fails(late, [0, 1_000, 2_000, 3_000, 4_999, 5_000, 5_001, 5_002, 5_003, 5_004, 5_005, 6_999, 7_000]);
    expect(late.watch.starvation).toMatchObject({ at: 7_000, failures: 7 });
    const again = hungry();
    fails(again, [0, 500, 1_000, 1_500, 2_000]);
    fails(again, [2_500, 3_000, 3_500, 4_000, 4_500], 2);
    expect(again.watch.starvation).toBeUndefined();
  });

  it('is said with the answer of the server, if there was one', () => {
    const starvation = { at: 0, process: 'm', controller: 'job', key: 'n/j', failures: 7, why: 'it tries' };
    const message = 'starvation: job in m makes no progress with n/j: 7 failures in a row, and no fault is active';
    expect([starvationText({ ...starvation, said: undefined }), starvationText({ ...starvation, said: 'no' })]).toEqual([
      { message, detail: ['  its reason was "it tries"'] },
      { message, detail: ['  the server answered: no', '  its reason was "it tries"'] },
    ]);
  });
});
