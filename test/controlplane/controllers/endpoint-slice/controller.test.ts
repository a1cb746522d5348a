import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import { createCluster, type Cluster } from '../../../../src/controlplane/cluster.ts';
import { endpointSlices } from '../../../../src/controlplane/controllers/endpoint-slice/controller.ts';
import { decide, enqueued, phrase, type Situation } from '../../../support/reconcile.ts';
import { asObjects, node, pod, service, slice } from '../endpoints/objects.ts';

const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';
const held = (more: object = {}) => ({
  addresses: ['10.1.0.1'],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'node-0',
  targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'uid-p' },
  ...more,
});
const reported = { reported: 1 };
const writes = (situation: Situation): readonly string[] => decide(endpointSlices, situation).writes.map(phrase);
const written = (situation: Situation): EndpointSlice | undefined => {
  const write = decide(endpointSlices, situation).writes.find(({ op }) => op === 'create' || op === 'update');
  return write !== undefined && 'object' in write ? (write.object as unknown as EndpointSlice) : undefined;
};

describe('the slices of a service', () => {
  it.each<[string, readonly ApiObject[], readonly string[]]>([
    ['are made', asObjects(service(), pod('p'), node()), ['create EndpointSlice web-']],
    ['are made without pods too', asObjects(service(), node()), ['create EndpointSlice web-']],
    ['are left as they are', asObjects(service(), pod('p'), node(), slice('s', [held()])), []],
    ['follow the pods', asObjects(service(), pod('p', { ready: false }), node(), slice('s', [held()])), ['update EndpointSlice s']],
    [
      'follow the labels',
      asObjects(service({}, { labels: { tier: 'front' } }), pod('p'), node(), slice('s', [held()])),
      ['update EndpointSlice s'],
    ],
    [
      'follow the ports',
      asObjects(service({ ports: [{ port: 80, targetPort: 9090 }] }), pod('p'), node(), slice('s', [held()])),
      ['update EndpointSlice s'],
    ],
    [
      'of an earlier service of that name go',
      asObjects(service(), pod('p'), node(), slice('old', [held()], { owner: 'uid-old' })),
      ['create EndpointSlice web-', 'delete EndpointSlice old'],
    ],
    [
      'of others are left alone',
      asObjects(service(), pod('p'), node(), slice('s', [held()]), slice('theirs', [held()], { manager: 'me' })),
      [],
    ],
    [
      'are not made for a service that is going',
      asObjects(service({}, { deletionTimestamp: '2024-01-01T00:00:00Z' }), pod('p'), node()),
      [],
    ],
    ["are somebody else's without a selector", asObjects(service({ selector: undefined }), pod('p')), []],
    [
      'hold an endpoint once',
      asObjects(service(), pod('p'), node(), slice('s', [held()]), slice('t', [held()])),
      ['delete EndpointSlice t'],
    ],
  ])('%s', (_, objects, expected) => {
    expect(writes({ objects, memory: reported })).toEqual(expected);
  });

  it('are computed without visiting all pods', () => {
    expect(writes({ objects: asObjects(service(), pod('p'), node(), slice('s', [held()])), memory: reported, noScans: true })).toEqual([]);
  });

  it("wait for a pod's node to be known, unless unready endpoints are published", () => {
    expect(written({ objects: asObjects(service(), pod('p')) })?.endpoints).toEqual([]);
    expect(written({ objects: asObjects(service({ publishNotReadyAddresses: true }), pod('p')) })?.endpoints).toHaveLength(1);
  });

  it('have the conditions of a pod', () => {
    const conditions = (of: Parameters<typeof pod>[1], spec = {}) =>
      written({ objects: asObjects(service(spec), pod('p', of), node('node-0', { 'topology.kubernetes.io/zone': 'a' })) })?.endpoints?.[0];
    const going = { deletionTimestamp: '2024-01-01T00:00:00Z' };
    expect(conditions({})).toMatchObject({ zone: 'a', nodeName: 'node-0', conditions: { ready: true, serving: true, terminating: false } });
    expect(conditions({ meta: going })?.conditions).toEqual({ ready: false, serving: true, terminating: true });
    expect(conditions({ ready: false })?.conditions).toEqual({ ready: false, serving: false, terminating: false });
    expect(conditions({ ready: false, meta: going }, { publishNotReadyAddresses: true })?.conditions).toEqual({
      ready: true,
      serving: false,
      terminating: true,
    });
  });

  it('exclude terminating pods while the gate is off, unless unready endpoints are published', () => {
    const gates = { EndpointSliceTerminatingCondition: false };
    const conditions = (of: Parameters<typeof pod>[1], spec = {}) =>
      written({ objects: asObjects(service(spec), pod('p', of), node()), gates })?.endpoints?.map((one) => one.conditions);
    const going = { meta: { deletionTimestamp: '2024-01-01T00:00:00Z' } };
    expect([conditions({}), conditions(going), conditions(going, { publishNotReadyAddresses: true })]).toEqual([
      [{ ready: true }],
      [],
      [{ ready: true }],
    ]);
  });

  it('are enqueued when a node leaves a zone overloaded, and lose their hints when a zone is unknown', () => {
    const zoned = (name: string, zone: string, ready: string) => ({
      ...node(name, { 'topology.kubernetes.io/zone': zone }),
      status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: ready }] },
    });
    const hinted = { zone: 'a', hints: { forZones: [{ name: 'a' }] } };
    const asking = service({}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } });
    const objects = (ready: string) =>
      asObjects(asking, pod('p'), zoned('node-0', 'a', 'True'), zoned('node-1', 'b', ready), slice('s', [held(hinted)]));
    const gone = asObjects(zoned('node-1', 'b', 'False'))[0] as ApiObject;
    expect(
      enqueued(
        endpointSlices,
        { objects: objects('True') },
        { type: 'MODIFIED', object: gone, old: asObjects(zoned('node-1', 'b', 'True'))[0] as ApiObject },
      ),
    ).toEqual(['default/web']);
    expect(written({ objects: objects('False'), memory: reported })?.endpoints?.[0]?.hints).toBeUndefined();
    expect(writes({ objects: objects('False'), memory: reported, gates: { TopologyAwareHints: false } })).toEqual([]);
  });

  it('keep annotations of other clients', () => {
    const objects = asObjects(
      service(),
      pod('p', { ready: false }),
      node(),
      slice('s', [held()], { annotations: { mine: 'yes', [TRIGGER]: 'old' } }),
    );
    expect(written({ objects, memory: reported })?.metadata.annotations).toEqual({ mine: 'yes' });
  });

  it('the empty one is written when the time of the change has passed, as recorded, and not again', () => {
    const empty = (annotations?: object) => slice('s', [], { ports: [], ...(annotations === undefined ? {} : { annotations }) });
    expect(
      writes({ objects: asObjects(service(), node(), empty({ [TRIGGER]: '2024-01-01T00:00:00Z' })), memory: { reported: 0 } }),
    ).toEqual(['update EndpointSlice s']);
    expect(writes({ objects: asObjects(service(), node(), empty()), memory: { reported: 0 } })).toEqual([]);
  });

  it('must be in the cache before anything else is decided', () => {
    expect(writes({ objects: asObjects(service(), pod('p'), node()), expectationsSatisfied: false })).toEqual([]);
  });

  it('are enqueued when another client changes them, and when a node is added', () => {
    const objects = asObjects(service(), pod('p'));
    expect(enqueued(endpointSlices, { objects }, { type: 'MODIFIED', object: slice('s', []) })).toEqual(['default/web']);
    expect(enqueued(endpointSlices, { objects }, { type: 'DELETED', object: slice('s', []) })).toEqual(['default/web']);
    expect(enqueued(endpointSlices, { objects }, { type: 'MODIFIED', object: slice('s', [], { manager: 'me' }) })).toEqual([]);
    expect(enqueued(endpointSlices, { objects }, { type: 'ADDED', object: node() })).toEqual(['default/web']);
  });
});

describe('in a cluster', () => {
  const open = (pods: number): { readonly cluster: Cluster; readonly writesOf: () => number } => {
    const cluster = createCluster({
      nodes: [{ name: 'node-0', capacity: { cpu: '400', pods: '5000' } }],
      latency: { api: 2, watch: 1 },
      agents: { podBehaviors: [{}] },
    });
    let count = 0;
    cluster.store.onChange(({ kind }) => {
      if (kind === 'EndpointSlice') count++;
    });
    make(cluster, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's', namespace: 'default' },
      spec: { selector: { app: 'x' }, ports: [{ port: 80 }] },
    });
    for (let i = 0; i < pods; i++)
      make(cluster, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `p-${i}`, namespace: 'default', labels: { app: 'x' } },
        spec: { nodeName: 'node-0', terminationGracePeriodSeconds: 1, containers: [{ name: 'c', image: 'c:1' }] },
      });
    // An agent sends five requests per second, and reports three statuses of each pod.
    cluster.runUntil(cluster.startAt + 200_000);
    return { cluster, writesOf: () => count };
  };
  const make = (
    cluster: Cluster,
    body: { readonly apiVersion: string; readonly kind: string; readonly metadata: object; readonly [field: string]: unknown },
  ): void => {
    const answer = cluster.request('t', { verb: 'create', kind: body.kind, namespace: 'default', body });
    if (!answer.ok) throw new Error(answer.status.message);
  };
  const endpoints = (cluster: Cluster): readonly string[] =>
    [...cluster.store.values('EndpointSlice')]
      .filter(({ metadata }) => metadata.name.startsWith('s-'))
      .flatMap((object) => ((object as unknown as EndpointSlice).endpoints ?? []).map(({ targetRef }) => targetRef?.name ?? ''));

  it('the slices of 250 pods contain each once, and a deleted pod costs one slice', () => {
    const { cluster, writesOf } = open(250);
    expect(endpoints(cluster).length).toBe(250);
    expect(new Set(endpoints(cluster)).size).toBe(250);
    const before = writesOf();
    cluster.request('t', { verb: 'delete', kind: 'Pod', namespace: 'default', name: 'p-7', gracePeriodSeconds: 0 });
    cluster.runUntil(cluster.now + 5_000);
    expect(writesOf() - before).toBe(1);
    expect(endpoints(cluster)).not.toContain('p-7');
  });

  it('a restarted controller finds nothing to do', () => {
    const { cluster, writesOf } = open(120);
    const before = writesOf();
    cluster.runtime.crash('controller-manager');
    cluster.runtime.restart('controller-manager', cluster.now);
    cluster.runUntil(cluster.now + 10_000);
    expect(writesOf() - before).toBe(0);
  });
});
