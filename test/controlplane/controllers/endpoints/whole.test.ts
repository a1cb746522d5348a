/** Whole decisions about the Endpoints of a service, and those whose service is gone. */
import { describe, expect, it } from 'vitest';
import type { Endpoints, Pod, Service } from '../../../../src/apiserver/kinds/index.ts';
import {
  endpointsController,
  type Entry,
  entryOf,
  type Groups,
  MOST_ADDRESSES,
  putEntry,
  subsetsOf,
} from '../../../../src/controlplane/controllers/endpoints/controller.ts';
import type { createCache } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, observingWith, type Situation } from '../../../support/reconcile.ts';
import { asObjects, endpoints, pod, service } from './objects.ts';

const lines = (objects: readonly object[], more: Partial<Situation> = {}) =>
  linesOf(decide(endpointsController, { objects: asObjects(...objects), now: at(60), key: 'default/web', ...more }));
const PORTS = [{ port: 8080, protocol: 'TCP' }];
const address = (name: string, ip = '10.1.0.1') => ({
  ip,
  nodeName: 'node-0',
  targetRef: { kind: 'Pod', namespace: 'default', name, uid: `uid-${name}` },
});
const TRIGGER = 'endpoints.kubernetes.io/last-change-trigger-time';

describe('the Endpoints of a service', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'are created',
      () => lines([service({}, { labels: { a: 'b' } }), pod('p'), pod('q', { ready: false, ip: '10.1.0.2' })]),
      [
        'its 2 pods or its ports have changed',
        'create Endpoints web {metadata:{labels:{a:b},annotations:{endpoints.kubernetes.io/last-change-trigger-time:00:00:00}},subsets:[{addresses:[{ip:10.1.0.1,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p}}],notReadyAddresses:[{ip:10.1.0.2,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:q,uid:uid-q}}],ports:[{port:8080,protocol:TCP}]}]} {tolerate:[Forbidden],otherwise:{about:"Endpoints web",type:Warning,reason:FailedToCreateEndpoint,message:"Failed to create endpoint for service default/web: {error}"}}',
        'memory: {reported:2}',
      ],
    ],
    [
      'are created empty',
      () => lines([service()]),
      [
        'it has no pods, or its ports have changed',
        'create Endpoints web {metadata:{labels:{},annotations:{endpoints.kubernetes.io/last-change-trigger-time:00:00:00}},subsets:[]} {tolerate:[Forbidden],otherwise:{about:"Endpoints web",type:Warning,reason:FailedToCreateEndpoint,message:"Failed to create endpoint for service default/web: {error}"}}',
        'memory: {reported:0}',
      ],
    ],
    [
      'are left where they match',
      () => lines([service(), pod('p'), endpoints([{ addresses: [address('p')], ports: PORTS }])], { memory: { reported: 0 } }),
      ['its endpoints match its pod', 'memory: {reported:1}'],
    ],
    [
      'are updated, with the time of the change, and keep other annotations',
      () =>
        lines(
          [
            service(),
            pod('p', { turnedAt: '2024-01-01T00:00:30Z' }),
            endpoints([], { annotations: { note: 'x', [TRIGGER]: 'old', 'endpoints.kubernetes.io/over-capacity': 'truncated' } }),
          ],
          { memory: { reported: 0 } },
        ),
      [
        'its pod or its ports have changed',
        'update Endpoints web {metadata:{annotations:{note:x,endpoints.kubernetes.io/last-change-trigger-time:00:00:30},labels:{}},subsets:[{addresses:[{ip:10.1.0.1,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p}}],ports:[{port:8080,protocol:TCP}]}]} {otherwise:{about:"Endpoints web",type:Warning,reason:FailedToUpdateEndpoint,message:"Failed to update endpoint default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    [
      'are updated without a time where it is known already',
      () => lines([service(), pod('p'), endpoints([])], { memory: { reported: 9 } }),
      [
        'its pod or its ports have changed',
        'update Endpoints web {metadata:{labels:{},annotations:{}},subsets:[{addresses:[{ip:10.1.0.1,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p}}],ports:[{port:8080,protocol:TCP}]}]} {otherwise:{about:"Endpoints web",type:Warning,reason:FailedToUpdateEndpoint,message:"Failed to update endpoint default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    [
      'get the labels of the service',
      () =>
        lines(
          [
            service({ clusterIP: 'None' }, { labels: { a: 'b' } }),
            pod('p'),
            endpoints([{ addresses: [address('p')], ports: PORTS }], { labels: { a: 'b' } }),
          ],
          { memory: { reported: 9 } },
        ),
      [
        'its pod or its ports have changed',
        'update Endpoints web {metadata:{labels:{a:b,service.kubernetes.io/headless:""},annotations:{}},subsets:[{addresses:[{ip:10.1.0.1,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p}}],ports:[{port:8080,protocol:TCP}]}]} {otherwise:{about:"Endpoints web",type:Warning,reason:FailedToUpdateEndpoint,message:"Failed to update endpoint default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    [
      'lose the mark that they are cut',
      () =>
        lines(
          [
            service(),
            pod('p'),
            endpoints([{ addresses: [address('p')], ports: PORTS }], {
              annotations: { 'endpoints.kubernetes.io/over-capacity': 'truncated' },
            }),
          ],
          { memory: { reported: 9 } },
        ),
      [
        'its pod or its ports have changed',
        'update Endpoints web {metadata:{annotations:{},labels:{}},subsets:[{addresses:[{ip:10.1.0.1,nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p}}],ports:[{port:8080,protocol:TCP}]}]} {otherwise:{about:"Endpoints web",type:Warning,reason:FailedToUpdateEndpoint,message:"Failed to update endpoint default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    [
      'without a selector are not managed',
      () => lines([service({ selector: undefined }), pod('p')]),
      ['it has no selector: its Endpoints are not managed by this controller'],
    ],
    [
      'are deleted with their service',
      () =>
        linesOf(decide({ ...endpointsController, reconcile: endpointsController.reconcileAbsent }, { objects: [], key: 'default/web' })),
      ['its Service is gone', 'delete Endpoints web {tolerate:[NotFound]}', 'memory: null'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  it('are looked at when the process starts, where they have no service and are no lock', () => {
    const context = observingWith(undefined);
    const cache = context.cache as ReturnType<typeof createCache>;
    for (const kind of ['Service', 'Endpoints'] as const) cache.open(kind);
    cache.set('Service', 'default/web', service());
    const named = (name: string, annotations?: object): Endpoints =>
      endpoints([], { name, ...(annotations === undefined ? {} : { annotations }) });
    for (const each of [
      named('web'),
      named('left'),
      named('lock', { 'control-plane.alpha.kubernetes.io/leader': '{}' }),
      named('noted', { note: 'x' }),
    ])
      cache.set('Endpoints', `default/${each.metadata.name}`, each);
    expect(endpointsController.startKeys?.(context as never)).toEqual(['default/left', 'default/noted']);
  });

  it('that are deleted concern their service', () => {
    const keys = (type: 'DELETED' | 'MODIFIED') => enqueued(endpointsController, { objects: [] }, { type, object: endpoints([]) });
    expect([keys('DELETED'), keys('MODIFIED')]).toEqual([['default/web'], []]);
  });
});

describe('the entry of a pod', () => {
  const entry = (of: Pod, spec: object = {}): Entry | undefined => entryOf(of, service(spec));
  it('has its ports in order, or none where a headless service has none', () => {
    const ports = [
      { name: 'z', port: 2 },
      { name: 'a', port: 1 },
    ];
    expect(entry(pod('p'), { ports })?.group).toBe('a/TCP/1,z/TCP/2');
    expect(entry(pod('p'), { ports: [] })).toBeUndefined();
    expect(entry(pod('p'), { ports: [], clusterIP: 'None' })?.group).toBe('');
    expect(entry(pod('p'), { ports: undefined, clusterIP: 'None' })?.ports).toEqual([]);
    expect(entry(pod('p'), { ports: [{ port: 1, targetPort: 'none' }], clusterIP: 'None' })).toBeUndefined();
  });

  it('is ready as the pod is, or as the service says', () => {
    expect([entry(pod('p'))?.ready, entry(pod('p', { ready: false }))?.ready]).toEqual([true, false]);
    expect(entry(pod('p', { ready: false }), { publishNotReadyAddresses: true })?.ready).toBe(true);
    const going = pod('p', { meta: { deletionTimestamp: 'now' } });
    expect([entry(going), entry(going, { publishNotReadyAddresses: true })?.ready]).toEqual([undefined, true]);
  });

  it('has the name of its host in the domain of its service', () => {
    expect(entry(pod('p', { spec: { hostname: 'h', subdomain: 'web' } }))?.address).toEqual({ ...address('p'), hostname: 'h' });
  });
});

describe('subsets', () => {
  const of = (self: Service, ...pods: readonly Pod[]): Groups => {
    const groups: Groups = new Map();
    for (const each of pods) putEntry(groups, undefined, entryOf(each, self));
    return groups;
  };
  const many = (count: number, from: number, ready: boolean): readonly Pod[] =>
    Array.from({ length: count }, (_, index) =>
      pod(`${ready ? 'r' : 'u'}${String(index).padStart(4, '0')}`, { ready, ip: `10.${from}.${Math.floor(index / 250)}.${index % 250}` }),
    );
  const sizes = (groups: Groups) => {
    const { subsets, truncated } = subsetsOf(groups);
    return [truncated, ...subsets.map(({ addresses = [], notReadyAddresses = [] }) => [addresses.length, notReadyAddresses.length])];
  };
  const named = (name: string, port: number) => service({ ports: [{ name, port: 80, targetPort: port }] });

  it('keep a thousand addresses, the ready ones first', () => {
    expect(sizes(of(service(), ...many(MOST_ADDRESSES, 1, true)))).toEqual([false, [1000, 0]]);
    expect(sizes(of(service(), ...many(900, 1, true), ...many(100, 2, false)))).toEqual([false, [900, 100]]);
    expect(sizes(of(service(), ...many(900, 1, true), ...many(101, 2, false)))).toEqual([true, [900, 100]]);
    expect(sizes(of(service(), ...many(1001, 1, true), ...many(5, 2, false)))).toEqual([true, [1000, 0]]);
    expect(sizes(of(service(), ...many(1000, 1, true), ...many(5, 2, false)))).toEqual([true, [1000, 0]]);
  });

  it('share them in proportion, in order', () => {
    const groups = of(named('a', 1), ...many(900, 1, true));
    for (const each of many(600, 3, true))
      putEntry(groups, undefined, entryOf({ ...each, metadata: { ...each.metadata, uid: `x${each.metadata.uid}` } }, named('b', 2)));
    expect(sizes(groups)).toEqual([true, [600, 0], [400, 0]]);
    const [first] = subsetsOf(groups).subsets;
    expect(first?.addresses?.map(({ ip }) => ip).slice(0, 2)).toEqual(['10.1.0.0', '10.1.0.1']);
  });

  it('combine ports with the same addresses, and addresses of the same port', () => {
    const two = (name: string, ip: string, second: number): Entry | undefined =>
      entryOf(
        pod(name, { ip, spec: { containers: [{ name: 'c', ports: [{ name: 'x', containerPort: second }] }] } }),
        service({
          ports: [
            { name: 'http', port: 80, targetPort: 8080 },
            { name: 'x', port: 81, targetPort: 'x' },
          ],
        }),
      );
    const groups: Groups = new Map();
    for (const each of [two('b', '10.0.0.2', 1), two('a', '10.0.0.1', 2), two('c', '10.0.0.3', 1)]) putEntry(groups, undefined, each);
    expect(
      subsetsOf(groups).subsets.map(({ addresses, ports }) => [
        addresses?.map(({ ip }) => ip),
        ports?.map(({ name, port }) => `${name ?? ''} ${port}`),
      ]),
    ).toEqual([
      [['10.0.0.1', '10.0.0.2', '10.0.0.3'], ['http 8080']],
      [['10.0.0.2', '10.0.0.3'], ['x 1']],
      [['10.0.0.1'], ['x 2']],
    ]);
  });

  it('of headless services without ports have none', () => {
    const headless = service({ clusterIP: 'None', ports: [] });
    const groups = of(headless, pod('p'));
    for (const each of [pod('q', { ip: '10.1.0.9' })]) putEntry(groups, undefined, entryOf(each, service()));
    expect(subsetsOf(groups).subsets).toEqual([{ addresses: [address('p')] }, { addresses: [address('q', '10.1.0.9')], ports: PORTS }]);
  });

  it('lose an address, move it, and lose their last', () => {
    const self = service();
    const [a, b, c] = ['1', '2', '3'].map((end) => entryOf(pod(`p${end}`, { ip: `10.0.0.${end}` }), self));
    const groups: Groups = new Map();
    for (const each of [c, a, b]) putEntry(groups, undefined, each);
    putEntry(groups, b, undefined);
    const unready = entryOf(pod('p1', { ip: '10.0.0.1', ready: false }), self);
    putEntry(groups, a, unready);
    expect(subsetsOf(groups).subsets).toEqual([
      { addresses: [address('p3', '10.0.0.3')], notReadyAddresses: [address('p1', '10.0.0.1')], ports: PORTS },
    ]);
    putEntry(groups, c, undefined);
    expect(groups.size).toBe(1);
    putEntry(groups, unready, undefined);
    putEntry(groups, unready, undefined);
    expect(groups.size).toBe(0);
  });
});
