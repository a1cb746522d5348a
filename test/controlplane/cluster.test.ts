/** A cluster by its options, and the interface by which its driver advances it. */
import { describe, expect, it } from 'vitest';
import type { CertificateAuthority, ControllerOptions } from '../../src/controlplane/controllers/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../src/controlplane/cluster.ts';
import { defineController, type Observation } from '../../src/controlplane/runtime/index.ts';

const START = Date.UTC(2024, 2, 1);
const HOUR = 3_600_000;
const NAMED = { kind: 'ConfigMap', namespace: 'default' } as const;

function open(options: Partial<ClusterOptions> = {}) {
  const seen: Observation[] = [];
  const cluster = createCluster({ startAt: START, controllers: () => [], onObservation: (one) => void seen.push(one), ...options });
  const of = <T extends Observation['type']>(type: T) => seen.filter((one): one is Extract<Observation, { type: T }> => one.type === type);
  return { cluster, seen, of };
}
const make = (cluster: Cluster, name: string, kind = 'ConfigMap', more: object = {}): number => {
  const body = { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' }, ...more };
  return cluster.request('user', { verb: 'create', kind, namespace: 'default', body }, [7]).code;
};

describe('the time of a cluster', () => {
  it('is its start after a warm-up, in which its processes start', () => {
    const starts = (options: Partial<ClusterOptions>): readonly unknown[] => {
      const { cluster, of } = open(options);
      return [cluster.now - cluster.startAt, of('process').map(({ at, process }) => `${at - cluster.startAt} ${process}`)];
    };
    expect(starts({})).toEqual([0, ['-49500 controller-manager', '-49500 scheduler']]);
    expect(starts({ warmUpMs: 1_000 })).toEqual([0, ['-1000 controller-manager', '-1000 scheduler']]);
    expect(starts({ from: [] })).toEqual([0, ['0 controller-manager', '0 scheduler']]);
    expect(createCluster().startAt).toBe(Date.UTC(2024, 0, 1));
  });

  it('begins not later than dates can be written', () => {
    const latest = Date.UTC(9999, 11, 31, 23, 59, 59);
    expect(() => createCluster({ startAt: latest * 2 })).toThrow(/^startAt: expected at most \d{4}-.*Z, found \d+ ms since the epoch$/);
  });

  it('counts against the limits from its start on', () => {
    const { cluster } = open({ limits: { steps: 2 } });
    for (const name of ['a', 'b', 'c']) cluster.plan(START + 1, name, () => undefined);
    expect(() => cluster.runUntil(START + 1)).toThrow('the run took more than 2 steps; last was c');
  });
});

describe('the driver of a cluster', () => {
  it('plans actions, and advances step by step, to an instant, or until nothing is left to do', () => {
    const { cluster } = open();
    const done: unknown[] = [];
    for (const at of [30, 10, 20]) cluster.plan(START + at, `at ${at}`, (causes) => done.push([cluster.now - START, causes]));
    expect([cluster.step(START + 9), cluster.step(START + 10), cluster.now - START]).toEqual([false, true, 10]);
    cluster.runUntil(START + 25);
    expect([cluster.now - START, cluster.runUntilSettled(START + 29), cluster.runUntilSettled(START + 30)]).toEqual([25, false, true]);
    expect(done).toEqual([
      [10, []],
      [20, []],
      [30, []],
    ]);
  });

  it('requests as a user, and hears of each request and of refusals', () => {
    const asked: unknown[] = [];
    const { cluster, of } = open({
      onRequest: ({ envelope: { by, request }, response, at, kinds }) =>
        by.process === 'user' ? asked.push([request.verb, response.code, at - START, kinds.byKind('ConfigMap')?.plural]) : 0,
    });
    expect([make(cluster, 'a'), make(cluster, 'a')]).toEqual([201, 409]);
    expect(asked).toEqual([
      ['create', 201, 0, 'configmaps'],
      ['create', 409, 0, 'configmaps'],
    ]);
    expect(of('write').at(-1)).toMatchObject({ actor: 'user', request: 'create ConfigMap default/a', causes: [7] });
    expect(of('refusal').at(-1)).toMatchObject({
      actor: 'user',
      request: 'create ConfigMap default/a',
      status: { reason: 'AlreadyExists' },
    });
    const sent = { by: { process: 'scheduler', incarnation: 0 }, causes: [], request: { verb: 'get', ...NAMED, name: 'a' } } as const;
    expect([cluster.send(sent).code, cluster.send({ ...sent, request: { ...sent.request, name: 'b' } }).code]).toEqual([200, 404]);
    expect(of('refusal').at(-1)).toMatchObject({ actor: 'scheduler' });
  });

  it('reports what it does itself, to all observers', () => {
    const { cluster, seen } = open();
    const later: Observation[] = [];
    const following = cluster.observations.subscribe((one) => void later.push(one));
    const id = cluster.note({ type: 'operation', label: 'x', causes: [] });
    following.unsubscribe();
    cluster.note({ type: 'operation', label: 'y', causes: [] });
    expect(seen.slice(-2)).toEqual([
      { id, at: START, type: 'operation', label: 'x', causes: [] },
      { id: id + 1, at: START, type: 'operation', label: 'y', causes: [] },
    ]);
    expect(later).toEqual([seen.at(-2)]);
  });

  it('hears the same with and without an observer: the digest depends on neither', () => {
    const digestOf = (options: Partial<ClusterOptions>): string => {
      const cluster = createCluster({ startAt: START, controllers: () => [], ...options });
      make(cluster, 'a');
      cluster.note({ type: 'operation', label: 'x', causes: [] });
      return cluster.digest();
    };
    expect(digestOf({ onObservation: () => undefined })).toBe(digestOf({}));
    expect(digestOf({ seed: 1 })).toBe(digestOf({}));
    expect(digestOf({ seed: 2 })).not.toBe(digestOf({}));
    expect(digestOf({ digest: false })).toBe(digestOf({ digest: false, seed: 2 }));
  });

  it('installs fault rules, and removes them', () => {
    const { cluster } = open();
    const rules = { notice: { process: 'x', says: 'is slow' } };
    const lift = cluster.addFaults(rules);
    expect(cluster.faults).toEqual([rules]);
    lift();
    lift();
    expect(cluster.faults).toEqual([]);
  });

  it('gives a process other flags from its next start on', () => {
    const altered: string[] = [];
    const { cluster, of } = open({ alter: (process) => (altered.push(process.name), process) });
    expect([cluster.configure('scheduler', { flags: ['--secure-port=-1'] }), cluster.configure('x', {})]).toEqual([true, false]);
    expect(altered).toEqual(['controller-manager', 'scheduler', 'scheduler']);
    cluster.runtime.crash('scheduler');
    cluster.runtime.restart('scheduler', START + 5);
    cluster.runUntil(START + 5);
    expect(of('process').slice(-2)).toMatchObject([
      { process: 'scheduler', what: 'crashed', at: START },
      { process: 'scheduler', what: 'refused', at: START + 5 },
    ]);
  });

  it('drops old changes, so that lists from before are too old', () => {
    const { cluster } = open();
    make(cluster, 'a');
    const before = cluster.store.revision;
    make(cluster, 'b');
    expect(cluster.store.changesAfter('ConfigMap', before)).toHaveLength(1);
    make(cluster, 'c');
    cluster.compact(before + 1);
    expect(cluster.store.changesAfter('ConfigMap', before)).toBeUndefined();
  });

  it('may decide which containers ever run', () => {
    const { cluster } = open({ nodes: [{ name: 'n', capacity: { cpu: '4', memory: '8Gi', pods: '9' } }] });
    const asked: string[] = [];
    cluster.setStrategy({
      see: () => 0,
      decide: () => undefined,
      write: () => undefined,
      start: (process, pod) => (asked.push(`${process} ${pod.metadata.name}`), false),
    });
    const pod = (name: string) => make(cluster, name, 'Pod', { spec: { nodeName: 'n', containers: [{ name: 'c', image: 'sim:1' }] } });
    pod('a');
    cluster.runUntil(START + 9_000);
    cluster.setStrategy(undefined);
    pod('b');
    cluster.runUntil(START + 20_000);
    expect(asked).toEqual(['agent/n a']);
  });
});

describe('the options of a cluster', () => {
  it('are passed to its controllers, as far as they concern them', () => {
    const given: ControllerOptions[] = [];
    const controllers: ClusterOptions['controllers'] = (_, options = {}) => (given.push(options), []);
    const certificateAuthority: CertificateAuthority = { issuer: new Uint8Array(), sign: () => new Uint8Array() };
    open({ controllers });
    open({ controllers, timeZone: 'Asia/Tokyo', certificateAuthority });
    expect(given.map(({ timeZone, certificateAuthority: authority }) => [timeZone, authority])).toEqual([
      [undefined, undefined],
      ['Asia/Tokyo', certificateAuthority],
    ]);
    expect(given[0]).not.toHaveProperty('timeZone');
  });

  it('may name namespaces, clients, and a limit on objects', () => {
    const { cluster } = open({ namespaces: [{ name: 'a' }, { name: 'b', labels: { is: 'b' } }], clients: ['phone'], maxObjects: 20 });
    const labels = (name: string) => cluster.store.get('Namespace', name)?.metadata.labels;
    expect([labels('a'), labels('b')]).toMatchObject([{ 'orch.io/metadata.name': 'a' }, { is: 'b' }]);
    expect(cluster.runtime.process('phone')?.spec).toEqual({ name: 'phone', controllers: [], isClient: true });
    expect(Array.from({ length: 20 }, (_, at) => make(cluster, `c${at}`)).at(-1)).toBeGreaterThan(400);
  });

  it('has what every cluster has, also where that is more than the limit on objects', () => {
    const { cluster } = open({ maxObjects: 3 });
    expect(cluster.store.get('Namespace', 'default')).toBeDefined();
    expect([cluster.server.capacity.used > 3, make(cluster, 'c')]).toEqual([true, 403]);
  });

  it('may make every renewal of a lease a write, or describe those that are elided', () => {
    const renewals: unknown[] = [];
    const nodes = [{ name: 'n', capacity: { cpu: '4' } }];
    const count = (options: Partial<ClusterOptions>): number => {
      const { cluster, of } = open({ nodes, ...options });
      const before = of('write').length;
      cluster.runUntil(START + 35_000);
      return of('write')
        .slice(before)
        .filter(({ change }) => change.kind === 'Lease').length;
    };
    expect([count({ onRenewalInterval: (one) => renewals.push(one) }), count({ eagerLeases: true })]).toEqual([0, 4]);
    expect(renewals).toMatchObject([{ process: 'agent/n', lease: 'orch-node-lease/n', everyMs: 10_000 }]);
    const { cluster } = open({ nodes });
    expect(cluster.store.get('Lease', 'orch-node-lease/n')?.spec.leaseDurationSeconds).toBe(40);
  });

  it('may deliver changes to controllers whose predicates do not want them', () => {
    const heard = (broadcast: boolean): number => {
      let count = 0;
      const observer = defineController<'ConfigMap'>({
        name: 'observer',
        reconciles: 'ConfigMap',
        writes: [],
        self: { predicate: { fields: ['data'] } },
        observe: ({ key }) => void (key === 'default/a' ? count++ : 0),
        reconcile: () => ({ why: 'it looks on', writes: [] }),
      });
      const { cluster } = open({ broadcast, controllers: () => [observer] });
      make(cluster, 'a');
      cluster.request('user', { verb: 'patch', ...NAMED, name: 'a', patchType: 'merge', body: { metadata: { labels: { x: 'y' } } } });
      cluster.runUntil(START + 1);
      return count;
    };
    expect([heard(false), heard(true)]).toEqual([1, 2]);
  });
});

it('an Event is deleted an hour after its last write', () => {
  const { cluster, of } = open();
  const event = { involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'a' } };
  for (const name of ['once', 'again', 'deleted']) make(cluster, name, 'Event', event);
  const named = { kind: 'Event', namespace: 'default' } as const;
  cluster.runUntil(START + 1_000);
  cluster.request('user', { verb: 'patch', ...named, name: 'again', patchType: 'merge', body: { count: 2 } });
  cluster.request('user', { verb: 'delete', ...named, name: 'deleted' });
  const left = (): readonly string[] => [...cluster.store.values('Event')].map(({ metadata }) => metadata.name);
  cluster.runUntil(START + HOUR - 1);
  expect(left()).toEqual(['once', 'again']);
  cluster.runUntil(START + HOUR);
  expect(left()).toEqual(['again']);
  expect(of('write').at(-1)).toMatchObject({ actor: 'server', request: 'delete Event default/once' });
  cluster.runUntil(START + HOUR + 1_000);
  expect(left()).toEqual([]);
  expect(of('refusal')).toEqual([]);
});
