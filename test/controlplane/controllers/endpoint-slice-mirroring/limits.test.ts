/** What is mirrored of Endpoints at the limits, and the slices that belong to an object as they come and go. */
import { describe, expect, it } from 'vitest';
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import { endpointSliceMirroring, wantedMirrors } from '../../../../src/controlplane/controllers/endpoint-slice-mirroring/controller.ts';
import { decide, enqueued, linesOf, observingWith } from '../../../support/reconcile.ts';
import { asObjects, endpoints, service, slice } from '../endpoints/objects.ts';

const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const mine = (name: string, list: readonly object[] = [], more: object = {}): EndpointSlice =>
  slice(name, list, { manager: MANAGER, ...more });
const many = (count: number, from: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ ip: `10.${from}.${Math.floor(index / 250)}.${index % 250}` }));
const PORTS = [{ name: '', port: 80, protocol: 'TCP' }];
const lines = (...objects: readonly object[]) =>
  linesOf(decide(endpointSliceMirroring, { objects: asObjects(...objects), key: 'default/web' }));
const plain = service({ selector: undefined });

describe('of a subset, addresses are mirrored', () => {
  const sizes = (...subsets: readonly object[]) => {
    const { mirrors, invalid, skipped } = wantedMirrors(endpoints(subsets));
    return [
      mirrors.map(({ family, endpoints: all }) => [family, all.length, all.filter(({ conditions }) => conditions.ready === false).length]),
      invalid,
      skipped,
    ];
  };
  it('up to a thousand, the ready ones first', () => {
    expect(sizes({ addresses: many(1000, 1), ports: PORTS })).toEqual([[['IPv4', 1000, 0]], 0, 0]);
    expect(sizes({ addresses: many(999, 1), notReadyAddresses: many(3, 2), ports: PORTS })).toEqual([[['IPv4', 1000, 1]], 0, 2]);
    expect(
      sizes({ addresses: many(1000, 1), ports: PORTS }, { addresses: many(2, 2), ports: [{ name: 'x', port: 81, protocol: 'TCP' }] }),
    ).toEqual([
      [
        ['IPv4', 1000, 0],
        ['IPv4', 2, 0],
      ],
      0,
      0,
    ]);
  });

  it('that are valid, by their family', () => {
    expect(sizes({ addresses: [{ ip: 'x' }, { ip: '10.0.0.1' }, { ip: 'fd00::1' }, { ip: '' }], ports: PORTS })).toEqual([
      [
        ['IPv4', 1, 0],
        ['IPv6', 1, 0],
      ],
      2,
      0,
    ]);
  });

  it('once each, as unready if any subset says so, with the ports that have the same ones', () => {
    const [a, b] = [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }];
    const { mirrors } = wantedMirrors(
      endpoints([
        { addresses: [b, a], ports: [{ port: 1 }, { name: 'x', port: 2, protocol: 'UDP', appProtocol: 'dns' }] },
        { notReadyAddresses: [a], ports: [{ port: 1 }] },
        { addresses: [a, b], ports: [{ name: 'y', port: 3, protocol: 'TCP' }] },
        { addresses: [a] },
      ]),
    );
    expect(
      mirrors.map(({ ports, endpoints: all }) => [
        ports.map(({ name, port, protocol }) => `${name ?? ''}/${port ?? ''}/${protocol ?? ''}`),
        all.map(({ addresses, conditions }) => `${addresses.join()} ${String(conditions.ready)}`),
      ]),
    ).toEqual([
      [['/1/TCP'], ['10.0.0.2 true', '10.0.0.1 false']],
      [
        ['x/2/UDP', 'y/3/TCP'],
        ['10.0.0.2 true', '10.0.0.1 true'],
      ],
      [[], ['10.0.0.1 true']],
    ]);
  });
});

describe('Endpoints', () => {
  const one = { addresses: [{ ip: '10.0.0.1' }], ports: PORTS };
  const ready = { addresses: ['10.0.0.1'], conditions: { ready: true } };
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'are mirrored with their labels and annotations, except those of tools',
      () =>
        lines(
          plain,
          endpoints([one], {
            labels: { a: 'b' },
            annotations: {
              note: 'x',
              'endpoints.kubernetes.io/last-change-trigger-time': 'y',
              'kubectl.kubernetes.io/last-applied-configuration': 'z',
            },
          }),
        ),
      [
        'its slices do not show its latest change yet',
        'create EndpointSlice web- {metadata:{labels:{a:b,kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslicemirroring-controller.k8s.io},annotations:{note:x},ownerReferences:[{apiVersion:v1,kind:Endpoints,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},addressType:IPv4,ports:[{name:"",port:80,protocol:TCP}],endpoints:[{addresses:[10.0.0.1],conditions:{ready:true}}]} {tolerate:[Forbidden]}',
      ],
    ],
    [
      'are left where their slices show them',
      () => lines(plain, endpoints([one]), mine('s', [ready], { ports: PORTS })),
      ['its slices are up to date'],
    ],
    [
      'update a slice of another state',
      () => lines(plain, endpoints([one]), mine('s', [{ ...ready, conditions: { ready: false } }], { ports: PORTS })),
      [
        'its slices do not show its latest change yet',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslicemirroring-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.0.0.1],conditions:{ready:true}}],ports:[{name:"",port:80,protocol:TCP}]} {awaited:true}',
      ],
    ],
    [
      'delete duplicates',
      () => lines(plain, endpoints([one]), mine('s', [ready], { ports: PORTS }), mine('t', [ready], { ports: PORTS })),
      ['its slices do not show its latest change yet', 'delete EndpointSlice t {uid:uid-t,tolerate:[NotFound]}'],
    ],
    [
      'reuse a slice of other ports',
      () =>
        lines(
          plain,
          endpoints([one]),
          mine('s', [], { ports: [{ name: 'x', port: 1, protocol: 'TCP' }] }),
          mine('six', [], { addressType: 'IPv6' }),
        ),
      [
        'its slices do not show its latest change yet',
        'update EndpointSlice s {metadata:{labels:{kubernetes.io/service-name:web,endpointslice.kubernetes.io/managed-by:endpointslicemirroring-controller.k8s.io},ownerReferences:[{apiVersion:v1,kind:Service,name:web,uid:uid-web,controller:true}]},addressType:IPv4,endpoints:[{addresses:[10.0.0.1],conditions:{ready:true}}],ports:[{name:"",port:80,protocol:TCP}]} {awaited:true}',
        'delete EndpointSlice six {uid:uid-six,tolerate:[NotFound]}',
      ],
    ],
    [
      'warn of invalid and of too many addresses',
      () =>
        lines(
          plain,
          endpoints([{ addresses: [...many(1001, 1)], notReadyAddresses: [{ ip: 'x' }], ports: PORTS }, { addresses: [{ ip: 'x' }] }]),
        ).filter((line) => line.startsWith('event')),
      [
        'event Warning InvalidIPAddress of Endpoints web: Skipped 1 invalid IP addresses when mirroring to EndpointSlices',
        'event Warning TooManyAddressesToMirror of Endpoints web: A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped',
      ],
    ],
    [
      'that are being deleted get no new slices',
      () => lines(plain, endpoints([one], { deletionTimestamp: '2024-01-01T00:00:00Z' })),
      ['its slices are up to date'],
    ],
    [
      'without a service lose their slices',
      () => lines(endpoints([one]), mine('s', [ready])),
      ['there is no Service of its name', 'delete EndpointSlice s {uid:uid-s,tolerate:[NotFound]}'],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });

  it('that are gone lose their slices', () => {
    const gone = (...objects: readonly object[]) =>
      linesOf(
        decide(
          { ...endpointSliceMirroring, reconcile: endpointSliceMirroring.reconcileAbsent },
          { objects: asObjects(...objects), key: 'default/web' },
        ),
      );
    expect([gone(), gone(mine('s'), mine('t', [], { labels: { 'kubernetes.io/service-name': 'other' } }))]).toEqual([
      ['it is gone'],
      ['it is gone: delete its slices', 'delete EndpointSlice s {uid:uid-s,tolerate:[NotFound]}'],
    ]);
  });
});

it('slices belong to an object while their labels say so', () => {
  const state = new Map<string, Map<string, EndpointSlice>>();
  const context = observingWith(state);
  const see = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: EndpointSlice, old?: EndpointSlice): void =>
    endpointSliceMirroring.observe?.({ type, kind: 'EndpointSlice', key: `default/${object.metadata.name}`, object, old }, context);
  const held = () => [...state].map(([key, slices]) => [key, [...slices.keys()]]);
  const moved = mine('s', [], { labels: { 'kubernetes.io/service-name': 'other' } });
  see('ADDED', mine('s'));
  see('ADDED', mine('t'));
  see('MODIFIED', mine('s', [{}]), mine('s'));
  expect([held(), state.get('default/web')?.get('default/s')?.endpoints]).toEqual([[['default/web', ['default/s', 'default/t']]], [{}]]);
  see('MODIFIED', moved, mine('s', [{}]));
  expect(held()).toEqual([
    ['default/web', ['default/t']],
    ['default/other', ['default/s']],
  ]);
  see('DELETED', mine('t'), mine('t'));
  expect(held()).toEqual([['default/other', ['default/s']]]);
  see('DELETED', moved, moved);
  expect(held()).toEqual([]);
  see('ADDED', slice('u', [], { manager: 'else' }));
  expect(held()).toEqual([]);
});

it('a change of a slice concerns its object, except that it was added', () => {
  const keys = (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: EndpointSlice) =>
    enqueued(endpointSliceMirroring, { objects: [] }, { type, object });
  expect([keys('ADDED', mine('s')), keys('MODIFIED', mine('s')), keys('DELETED', mine('s')), keys('MODIFIED', slice('s', []))]).toEqual([
    [],
    ['default/web'],
    ['default/web'],
    [],
  ]);
});
