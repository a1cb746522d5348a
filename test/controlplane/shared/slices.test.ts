/** EndpointSlices of a controller: whose they are, how they are compared, and the writes of them. */
import { describe, expect, it } from 'vitest';
import type { EndpointSlice } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import {
  createSlice,
  type Endpoint,
  fillSlice,
  identityOf,
  portsText,
  sameLabels,
  type SlicePort,
  serviceOfSlice,
  servicesOfSlice,
  sliceLabels,
  stateOf,
} from '../../../src/controlplane/shared/index.ts';
import { AT } from '../../support/objects.ts';

const names = namesFor('k8s.io');
const MANAGER = 'endpointslice-controller';
const LABELS = { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
const sliceOf = (labels: object | undefined, meta: object = {}): EndpointSlice =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-x', namespace: 'default', uid: 'u', labels, annotations: { a: 'b' }, ...meta },
    addressType: 'IPv4',
    endpoints: [],
  }) as unknown as EndpointSlice;
const endpoint = (more: object = {}): Endpoint => ({ addresses: ['10.0.0.1'], conditions: {}, ...more });

describe('a text', () => {
  const plain = {} as SlicePort;
  it('of ports does not depend on their order', () => {
    const http = { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'h2c' };
    expect(portsText([{ name: 'z', protocol: 'UDP', port: 1 }, plain, http])).toBe('/TCP//,http/TCP/80/h2c,z/UDP/1/');
    expect([portsText([http, plain]), portsText(undefined), portsText(null)]).toEqual([portsText([plain, http]), '', '']);
  });

  it('of an endpoint identifies it by addresses, host name and target', () => {
    expect(identityOf(endpoint())).toBe('10.0.0.1||/');
    expect(
      identityOf(endpoint({ addresses: ['a', 'b'], hostname: 'h', targetRef: { kind: 'Pod', namespace: 'default', name: 'p' } })),
    ).toBe('a,b|h|default/p');
  });

  it('of the state of an endpoint has its conditions and the uid of its target', () => {
    expect(stateOf(endpoint())).toBe('///');
    const conditions = { ready: true, serving: false, terminating: true };
    expect(stateOf(endpoint({ conditions, targetRef: { uid: 'u' } }))).toBe('true/false/true/u');
  });
});

it('labels are the same in any order', () => {
  expect([sameLabels({ a: '1', b: '2' }, { b: '2', a: '1' }), sameLabels(undefined, {}), sameLabels({}, undefined)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([
    sameLabels({ a: '1' }, { a: '2' }),
    sameLabels({ a: '1' }, {}),
    sameLabels({}, { a: '1' }),
    sameLabels({ a: '1' }, { b: '1' }),
  ]).toEqual([false, false, false, false]);
  expect([sameLabels({ a: '1', b: '2' }, { a: '1' }), sameLabels(undefined, { a: '1' })]).toEqual([false, false]);
});

describe('a slice', () => {
  it('belongs to the service of its labels, if the controller manages it', () => {
    expect(sliceLabels('web', MANAGER, names)).toEqual(LABELS);
    const belongs = (labels: object | undefined) => serviceOfSlice(sliceOf(labels), MANAGER, names);
    expect(belongs(LABELS)).toBe('default/web');
    expect([belongs(undefined), belongs({ ...LABELS, 'kubernetes.io/service-name': undefined })]).toEqual([undefined, undefined]);
    expect(belongs({ ...LABELS, 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' })).toBeUndefined();
    expect(serviceOfSlice(sliceOf(LABELS, { namespace: undefined }), MANAGER, names)).toBe('web');
  });

  it('concerns its service before and after a change', () => {
    const of = (object: EndpointSlice, old?: EndpointSlice, type = 'MODIFIED') =>
      servicesOfSlice({ type, object, old, kind: 'EndpointSlice', key: 'default/web-x' } as never, MANAGER, names);
    const [slice, other] = [sliceOf(LABELS), sliceOf({ ...LABELS, 'kubernetes.io/service-name': 'db' })];
    expect(of(slice)).toEqual({ before: undefined, after: 'default/web' });
    expect(of(other, slice)).toEqual({ before: 'default/web', after: 'default/db' });
    expect(of(slice, slice, 'DELETED')).toEqual({ before: 'default/web', after: undefined });
    expect(of(sliceOf(LABELS, { deletionTimestamp: AT }), slice)).toEqual({ before: 'default/web', after: undefined });
  });

  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default', uid: 'uid-web' } } as never;
  const ports = [{ name: 'http', port: 80 }] as never;

  it('is created for its owner', () => {
    const object = {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      addressType: 'IPv6',
      endpoints: [endpoint()],
      ports,
      metadata: {
        generateName: 'web-',
        namespace: 'default',
        labels: LABELS,
        annotations: { a: 'b' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', uid: 'uid-web', controller: true, blockOwnerDeletion: true }],
      },
    };
    const content = { labels: LABELS, annotations: { a: 'b' }, endpoints: [endpoint()], ports };
    expect(createSlice(service, 'IPv6', content, names)).toStrictEqual({ op: 'create', object, tolerate: ['Forbidden'] });
    const { annotations: _, ...metadata } = object.metadata;
    const otherwise = { about: service, type: 'Warning', reason: 'Failed', message: 'm' } as const;
    expect(createSlice(service, 'IPv6', { ...content, annotations: {} }, names, { otherwise })).toStrictEqual({
      op: 'create',
      object: { ...object, metadata },
      tolerate: ['Forbidden'],
      otherwise,
    });
  });

  it('is filled: its labels, annotations and content are the given ones', () => {
    const before = sliceOf(LABELS);
    const filled = fillSlice(before, { labels: { x: 'y' }, annotations: { c: 'd' }, endpoints: [endpoint()], ports });
    expect(filled).toEqual({
      op: 'update',
      awaited: true,
      object: { ...before, metadata: { ...before.metadata, labels: { x: 'y' }, annotations: { c: 'd' } }, endpoints: [endpoint()], ports },
    });
    expect('annotations' in fillSlice(before, { labels: LABELS, annotations: {} }).object.metadata).toBe(false);
    expect(fillSlice(before, { labels: LABELS, annotations: {} }).object.endpoints).toEqual([]);
  });
});
