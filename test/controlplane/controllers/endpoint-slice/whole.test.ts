/** Whole decisions about the slices of a service, with and without terminating endpoints and hints. */
import { describe, expect, it } from 'vitest';
import type { EndpointSlice, Node } from '../../../../src/apiserver/kinds/index.ts';
import { endpointSlices } from '../../../../src/controlplane/controllers/endpoint-slice/controller.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, type Situation } from '../../../support/reconcile.ts';
import { asObjects, node, pod, service, slice } from '../endpoints/objects.ts';

const held = (more: object = {}) => ({
  addresses: ['10.1.0.1'],
  conditions: { ready: true, serving: true, terminating: false },
  nodeName: 'node-0',
  targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'uid-p' },
  ...more,
});
const HINTED = { annotations: { 'service.kubernetes.io/topology-aware-hints': 'Auto' } };
const zoned = (name: string, zone: string, ready = 'True'): Node =>
  ({
    ...node(name, { 'topology.kubernetes.io/zone': zone }),
    status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as Node;
const ZONES = [zoned('node-0', 'a'), zoned('node-1', 'b')];
const lines = (objects: readonly object[], more: Partial<Situation> = {}) =>
  linesOf(decide(endpointSlices, { objects: asObjects(...objects), key: 'default/web', now: at(60), ...more }));
const going = { meta: { deletionTimestamp: AT } };

describe('the slices of a service', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'are created',
      () =>
        lines([
          service({ clusterIP: 'None' }, { labels: { a: 'b' } }),
          node('node-0', { 'topology.kubernetes.io/zone': 'a' }),
          pod('p', { spec: { hostname: 'h', subdomain: 'web' } }),
        ]),
      [
        'its pod or its ports have changed',
        'create EndpointSlice web- {metadata:{labels:{a:b,kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io,service.kubernetes.io/headless:""},annotations:{endpoints.kubernetes.io/last-change-trigger-time:00:00:00},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},addressType:IPv4,ports:[{name:"",port:8080,protocol:TCP}],endpoints:[{addresses:[10.1.0.1],conditions:{ready:true,serving:true,terminating:false},hostname:h,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0,zone:a}]} {tolerate:[Forbidden],otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    ['are left', () => lines([service(), node(), pod('p'), slice('s', [held()])]), ['its slices match its pod', 'memory: {reported:1}']],
    [
      'are updated, with the time of the change',
      () =>
        lines(
          [
            service(),
            node(),
            pod('p', { ready: false, turnedAt: '2024-01-01T00:00:30Z' }),
            slice('s', [held()], { annotations: { note: 'x' } }),
          ],
          { memory: { reported: 0 } },
        ),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},annotations:{note:x,endpoints.kubernetes.io/last-change-trigger-time:00:00:30},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:false,serving:false,terminating:false},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'lose the time of a change that is known',
      () =>
        lines(
          [
            service(),
            node(),
            pod('p', { ready: false }),
            slice('s', [held()], { annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': AT } }),
          ],
          { memory: { reported: 9 } },
        ),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:false,serving:false,terminating:false},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'have terminating endpoints',
      () => lines([service(), node(), pod('p', going), slice('s', [held()])], { memory: { reported: 9 } }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:false,serving:true,terminating:true},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'have no terminating endpoints where the gate is off',
      () =>
        lines([service(), node(), pod('p', going), slice('s', [held()])], {
          memory: { reported: 9 },
          gates: { EndpointSliceTerminatingCondition: false },
        }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[],ports:[]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'say nothing of their end where the gate is off',
      () => lines([service(), node(), pod('p')], { memory: { reported: 9 }, gates: { EndpointSliceTerminatingCondition: false } }),
      [
        'its pod or its ports have changed',
        'create EndpointSlice web- {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},addressType:IPv4,ports:[{name:"",port:8080,protocol:TCP}],endpoints:[{addresses:[10.1.0.1],conditions:{ready:true},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}]} {tolerate:[Forbidden],otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"}}',
        'memory: {reported:1}',
      ],
    ],
    [
      'have ready endpoints where the service publishes them',
      () =>
        lines([service({ publishNotReadyAddresses: true }), node(), pod('p', { ready: false }), slice('s', [])], {
          memory: { reported: 9 },
        }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:true,serving:false,terminating:false},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'have terminating endpoints that are ready where that is recorded',
      () =>
        lines([service({ publishNotReadyAddresses: true }), node(), pod('p', going), slice('s', [])], {
          memory: { reported: 9 },
          rules: 'recorded' as never,
        }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:true,serving:true,terminating:true},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'have terminating endpoints that are not ready where rules are applied',
      () =>
        lines([service({ publishNotReadyAddresses: true }), node(), pod('p', going), slice('s', [])], {
          memory: { reported: 9 },
          rules: 'strict' as never,
        }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:false,serving:true,terminating:true},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
    [
      'wait for their own writes',
      () => lines([service(), node(), pod('p')], { expectationsSatisfied: false }),
      ['waiting to observe its own writes of slices', 'backoff: retry'],
    ],
    [
      'without a selector are not managed',
      () => lines([service({ selector: undefined }), pod('p')]),
      ['it has no selector: its slices are not managed by this controller'],
    ],
    [
      'get hints',
      () =>
        lines([service({}, HINTED), ...ZONES, pod('p'), pod('q', { ip: '10.1.0.2', spec: { nodeName: 'node-1' } })], {
          memory: { reported: 9 },
        }),
      [
        'its 2 pods or its ports have changed',
        'create EndpointSlice web- {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},addressType:IPv4,ports:[{name:"",port:8080,protocol:TCP}],endpoints:[{addresses:[10.1.0.1],conditions:{ready:true,serving:true,terminating:false},targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},nodeName:node-0,zone:a,hints:{forZones:[{name:a}]}},{addresses:[10.1.0.2],conditions:{ready:true,serving:true,terminating:false},targetRef:{kind:Pod,namespace:default,name:q,uid:uid-q},nodeName:node-1,zone:b,hints:{forZones:[{name:b}]}}]} {tolerate:[Forbidden],otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"}}',
        'memory: {reported:2}',
      ],
    ],
    [
      'get no hints where the gate is off',
      () =>
        lines([service({}, HINTED), ...ZONES, pod('p'), slice('s', [held({ zone: 'a' })])], {
          memory: { reported: 9 },
          gates: { TopologyAwareHints: false },
        }),
      ['its slices match its pod', 'memory: {reported:1}'],
    ],
    [
      'lose hints that are not asked for any more',
      () =>
        lines([service(), ...ZONES, pod('p'), slice('s', [held({ zone: 'a', hints: { forZones: [{ name: 'a' }] } })])], {
          memory: { reported: 9 },
        }),
      [
        'its pod or its ports have changed',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslice-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.1.0.1],conditions:{ready:true,serving:true,terminating:false},nodeName:node-0,targetRef:{kind:Pod,namespace:default,name:p,uid:uid-p},zone:a}],ports:[{name:"",port:8080,protocol:TCP}]} {otherwise:{about:"Service web",type:Warning,reason:FailedToUpdateEndpointSlices,message:"Error updating Endpoint Slices for Service default/web: {error}"},awaited:true}',
        'memory: {reported:1}',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a change', () => {
  const hinted = (name: string, zone: string) => held({ zone, addresses: [name], hints: { forZones: [{ name: zone }] } });
  const objects = (...more: readonly object[]) => asObjects(service({}, HINTED), ...ZONES, pod('p'), ...more);
  const keys = (
    known: readonly object[],
    object: Node | EndpointSlice,
    old?: Node,
    type: 'ADDED' | 'MODIFIED' | 'DELETED' = old === undefined ? 'ADDED' : 'MODIFIED',
  ) => enqueued(endpointSlices, { objects: known as Situation['objects'] }, { type, object, ...(old === undefined ? {} : { old }) });
  const overloaded = objects(slice('s', [hinted('1', 'a'), hinted('2', 'a'), hinted('3', 'a')]));

  it('of a slice concerns its service, except that it was added', () => {
    const of = (type: 'ADDED' | 'MODIFIED' | 'DELETED') => keys([], slice('s', []), undefined, type);
    expect([of('ADDED'), of('MODIFIED'), of('DELETED')]).toEqual([[], ['default/web'], ['default/web']]);
  });

  it('of a node concerns the services with pods on it', () => {
    expect([
      keys(objects(), zoned('node-0', 'a')),
      keys(objects(), zoned('node-9', 'a')),
      keys(objects(), zoned('node-0', 'a'), zoned('node-0', 'a')),
    ]).toEqual([['default/web'], [], []]);
  });

  it('of the readiness of a node concerns the services whose hints leave a zone with too few endpoints', () => {
    const [ready, not] = [zoned('node-1', 'b'), zoned('node-1', 'b', 'False')];
    expect([keys(overloaded, ready, not), keys(overloaded, ready, ready), keys(objects(), ready, not)]).toEqual([['default/web'], [], []]);
    expect(keys(objects(slice('s', [hinted('1', 'a'), hinted('2', 'b')])), ready, not)).toEqual([]);
  });
});

it('a service that is gone leaves its slices to the garbage collector', () => {
  expect(linesOf(decide({ ...endpointSlices, reconcile: endpointSlices.reconcileAbsent }, { objects: [], key: 'default/web' }))).toEqual([
    'Service web is gone: delete its slices',
  ]);
});
