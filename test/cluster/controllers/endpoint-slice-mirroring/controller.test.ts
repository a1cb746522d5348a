import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/cluster/api/index.ts';
import { endpointSliceMirroring } from '../../../../src/cluster/controllers/endpoint-slice-mirroring/controller.ts';
import { decide, enqueued, phrase } from '../../../support/reconcile.ts';

const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const service = (selector?: object): ApiObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'default', uid: 'uid-s' }, spec: (selector === undefined ? {} : { selector }) } as unknown as ApiObject);
const endpoints = (subsets: readonly object[], meta: object = {}): ApiObject => ({ apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 's', namespace: 'default', uid: 'uid-e', resourceVersion: '1', ...meta }, subsets } as unknown as ApiObject);
const WEB = { addresses: [{ ip: '10.0.0.1', hostname: 'one' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [{ port: 80 }] };
const LABELS = { 'kubernetes.io/service-name': 's', 'endpointslice.kubernetes.io/managed-by': MANAGER };
const slice = (name: string, filled: readonly object[], ports: readonly object[] = [{ name: '', port: 80, protocol: 'TCP' }]): ApiObject => ({
  apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', endpoints: filled, ports,
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '3', labels: LABELS, ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 's', uid: 'uid-e', controller: true, blockOwnerDeletion: true }] },
} as unknown as ApiObject);
const BOTH = [{ addresses: ['10.0.0.1'], conditions: { ready: true }, hostname: 'one' }, { addresses: ['10.0.0.2'], conditions: { ready: false } }];
const writes = (...objects: readonly ApiObject[]) => decide(endpointSliceMirroring, { objects }).writes;

describe('endpoints that somebody wrote', () => {
  it('are mirrored into a slice of theirs', () => {
    expect(writes(endpoints([WEB], { labels: { app: 'x' } }), service())).toMatchObject([{ op: 'create', object: {
      kind: 'EndpointSlice', addressType: 'IPv4', metadata: { generateName: 's-', namespace: 'default', labels: { app: 'x', ...LABELS }, ownerReferences: [{ kind: 'Endpoints', name: 's', uid: 'uid-e', controller: true }] },
      endpoints: BOTH, ports: [{ name: '', port: 80, protocol: 'TCP' }],
    } }]);
  });

  it('with other ports go to other slices', () => {
    expect(writes(endpoints([WEB, { addresses: [{ ip: '10.0.0.3' }], ports: [{ name: 'tls', port: 443 }] }]), service()).map(phrase)).toEqual(['create EndpointSlice s-', 'create EndpointSlice s-']);
  });

  it('that are mirrored need nothing', () => { expect(writes(endpoints([WEB]), service(), slice('a', BOTH))).toEqual([]); });

  it('that change are mirrored anew, and those without addresses no more', () => {
    expect(writes(endpoints([{ ...WEB, notReadyAddresses: [] }]), service(), slice('a', BOTH)).map(phrase)).toEqual(['update EndpointSlice a']);
    expect(writes(endpoints([]), service(), slice('a', BOTH)).map(phrase)).toEqual(['delete EndpointSlice a']);
  });

  it('of more than a thousand addresses are cut off there', () => {
    const addresses = Array.from({ length: 1100 }, (_, i) => ({ ip: `10.1.${i >> 8}.${i & 255}` }));
    const made = writes(endpoints([{ addresses, ports: [{ port: 80 }] }]), service());
    expect(made.reduce((sum, write) => sum + (write.op === 'create' ? (write.object['endpoints'] as readonly unknown[]).length : 0), 0)).toBe(1000);
  });
});

describe('endpoints that are not mirrored', () => {
  it.each([
    ['without a service', endpoints([WEB]), undefined],
    ['of a service that selects pods', endpoints([WEB]), service({ app: 'x' })],
    ['that ask for it', endpoints([WEB], { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } }), service()],
    ['that are a leader lock', endpoints([WEB], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }), service()],
  ])('are those %s; their slices go', (_which, object, of) => {
    const others = of === undefined ? [] : [of];
    expect(writes(object, ...others)).toEqual([]);
    expect(writes(object, ...others, slice('a', BOTH)).map(phrase)).toEqual(['delete EndpointSlice a']);
  });
});

it('a slice somebody deleted is made again', () => {
  expect(enqueued(endpointSliceMirroring, { objects: [] }, { type: 'DELETED', object: slice('a', BOTH) })).toEqual(['default/s']);
  expect(enqueued(endpointSliceMirroring, { objects: [] }, { type: 'MODIFIED', object: slice('a', BOTH) })).toEqual([]);
});
