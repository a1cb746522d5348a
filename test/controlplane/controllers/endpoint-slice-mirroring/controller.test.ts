import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { EndpointSlice } from '../../../../src/apiserver/kinds/index.ts';
import { endpointSliceMirroring, wantedMirrors } from '../../../../src/controlplane/controllers/endpoint-slice-mirroring/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { decide, enqueued, phrase } from '../../../support/reconcile.ts';
import { asObjects, endpoints, service, slice } from '../endpoints/objects.ts';

const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const plain = service({ selector: undefined });
const port = { port: 8080, protocol: 'TCP' };
const subset = (...ips: readonly string[]) => ({ addresses: ips.map((ip) => ({ ip })), ports: [port] });
const mirror = (name: string, ips: readonly string[], more: Parameters<typeof slice>[2] = {}) =>
  slice(
    name,
    ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
    { manager: MANAGER, owner: 'uid-web', ...more },
  );
const writes = (objects: readonly ApiObject[]): readonly Write[] => decide(endpointSliceMirroring, { objects }).writes;
const said = (objects: readonly ApiObject[]): readonly string[] => writes(objects).map(phrase);
const made = (objects: readonly ApiObject[]): readonly EndpointSlice[] =>
  writes(objects).flatMap((write) => (write.op === 'create' || write.op === 'update' ? [write.object as unknown as EndpointSlice] : []));

describe('user-written Endpoints', () => {
  it.each<[string, readonly ApiObject[], readonly string[]]>([
    ['are mirrored', asObjects(endpoints([subset('10.0.0.1')]), plain), ['create EndpointSlice web-']],
    ['are mirrored once', asObjects(endpoints([subset('10.0.0.1')]), plain, mirror('m', ['10.0.0.1'])), []],
    [
      'are mirrored again when they change',
      asObjects(endpoints([subset('10.0.0.1', '10.0.0.2')]), plain, mirror('m', ['10.0.0.1'])),
      ['update EndpointSlice m'],
    ],
    ['have no mirror when they are empty', asObjects(endpoints([]), plain, mirror('m', ['10.0.0.1'])), ['delete EndpointSlice m']],
    [
      'have one mirror for each set of ports',
      asObjects(endpoints([subset('10.0.0.1'), { addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 9090, protocol: 'TCP' }] }]), plain),
      ['create EndpointSlice web-', 'create EndpointSlice web-'],
    ],
    [
      'have one mirror, not two',
      asObjects(endpoints([subset('10.0.0.1')]), plain, mirror('m', ['10.0.0.1']), mirror('n', ['10.0.0.1'])),
      ['delete EndpointSlice n'],
    ],
    [
      'use a mirror that is not needed for one that is',
      asObjects(
        endpoints([{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 9090, protocol: 'TCP' }] }]),
        plain,
        mirror('m', ['10.0.0.1']),
      ),
      ['update EndpointSlice m'],
    ],
    [
      'but not for addresses of another family',
      asObjects(endpoints([{ addresses: [{ ip: 'fd00::1' }], ports: [port] }]), plain, mirror('m', ['10.0.0.1'])),
      ['create EndpointSlice web-', 'delete EndpointSlice m'],
    ],
    [
      'are not mirrored when they say so',
      asObjects(
        endpoints([subset('10.0.0.1')], { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }),
        plain,
        mirror('m', ['10.0.0.1']),
      ),
      ['delete EndpointSlice m'],
    ],
    [
      'are not mirrored when they are a lock',
      asObjects(endpoints([subset('10.0.0.1')], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }), plain),
      [],
    ],
    [
      'are not mirrored without a service',
      asObjects(endpoints([subset('10.0.0.1')]), mirror('m', ['10.0.0.1'])),
      ['delete EndpointSlice m'],
    ],
    [
      'are not mirrored when the service has a selector',
      asObjects(endpoints([subset('10.0.0.1')]), service(), mirror('m', ['10.0.0.1'])),
      ['delete EndpointSlice m'],
    ],
    ['leave slices of others alone', asObjects(endpoints([]), plain, slice('theirs', [])), []],
    [
      'make no new mirror when they are going',
      asObjects(endpoints([subset('10.0.0.1')], { deletionTimestamp: '2024-01-01T00:00:00Z' }), plain),
      [],
    ],
  ])('%s', (_, objects, expected) => {
    expect(said(objects)).toEqual(expected);
  });

  it('pass on labels and annotations, except those of tools', () => {
    const [copy] = made(
      asObjects(
        endpoints([subset('10.0.0.1')], {
          labels: { tier: 'front' },
          annotations: {
            note: 'x',
            'endpoints.kubernetes.io/last-change-trigger-time': 'y',
            'kubectl.kubernetes.io/last-applied-configuration': 'z',
          },
        }),
        plain,
      ),
    );
    expect(copy?.metadata.labels).toEqual({
      tier: 'front',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': MANAGER,
    });
    expect(copy?.metadata.annotations).toEqual({ note: 'x' });
    expect(copy?.metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Endpoints', name: 'web', uid: 'uid-web', controller: true, blockOwnerDeletion: true },
    ]);
  });

  it('get an event when there are too many addresses', () => {
    const many = Array.from({ length: 1005 }, (_, i) => `10.0.${i >> 8}.${i & 255}`);
    const all = writes(asObjects(endpoints([subset(...many)]), plain));
    expect(all.map(phrase)).toEqual(['event TooManyAddressesToMirror', 'create EndpointSlice web-']);
    expect(all[0]?.op === 'event' ? all[0].event.message : '').toBe(
      'A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 5 addresses were skipped',
    );
    expect(made(asObjects(endpoints([subset(...many)]), plain))[0]?.endpoints).toHaveLength(1000);
  });

  it('are deleted with their mirrors', () => {
    const absent = endpointSliceMirroring.reconcileAbsent?.({
      key: 'default/web',
      state: new Map([['default/web', new Map([['default/m', mirror('m', [])]])]]),
    } as unknown as Parameters<NonNullable<typeof endpointSliceMirroring.reconcileAbsent>>[0]);
    expect(absent?.writes.map(phrase)).toEqual(['delete EndpointSlice m']);
  });

  it('are enqueued when their service or their mirror changes', () => {
    expect(enqueued(endpointSliceMirroring, { objects: [] }, { type: 'MODIFIED', object: plain })).toEqual(['default/web']);
    for (const type of ['MODIFIED', 'DELETED'] as const)
      expect(enqueued(endpointSliceMirroring, { objects: [] }, { type, object: mirror('m', []) })).toEqual(['default/web']);
    expect(enqueued(endpointSliceMirroring, { objects: [] }, { type: 'DELETED', object: slice('theirs', []) })).toEqual([]);
  });
});

describe('what is mirrored', () => {
  const of = (...subsets: readonly object[]) =>
    wantedMirrors(endpoints(subsets)).mirrors.map(
      ({ family, ports, endpoints: list }) =>
        `${family} ${ports.map(({ name = '', port: number }) => `${name}${number ?? ''}`).join()}: ${list.map(({ addresses, conditions }) => `${addresses.join()}${conditions.ready === true ? '' : '!'}`).join(' ')}`,
    );
  it('combines subsets with the same ports; an address that one calls unready is unready', () => {
    expect(of(subset('10.0.0.1', '10.0.0.2'), { notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [port] })).toEqual([
      'IPv4 8080: 10.0.0.1 10.0.0.2!',
    ]);
  });
  it('combines ports with the same addresses', () => {
    expect(
      of(
        {
          addresses: [{ ip: '10.0.0.1' }],
          ports: [
            { name: 'a', port: 1 },
            { name: 'b', port: 2 },
          ],
        },
        { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'c', port: 3 }] },
      ),
    ).toEqual(['IPv4 a1,b2,c3: 10.0.0.1']);
  });
  it('separates address families', () => {
    expect(of({ addresses: [{ ip: '10.0.0.1' }, { ip: 'fd00::1' }], ports: [port] })).toEqual([
      'IPv4 8080: 10.0.0.1',
      'IPv6 8080: fd00::1',
    ]);
  });
  it('includes subsets without ports', () => {
    expect(of({ addresses: [{ ip: '10.0.0.1' }] })).toEqual(['IPv4 : 10.0.0.1']);
  });
});
