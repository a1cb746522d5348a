/** Invariants of Endpoints and EndpointSlices, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, end, keep, objectOf, put, readiness, remove, tells, timeAt } from './history.ts';

const DYING = { deletionTimestamp: timeAt(0) };
const pod = (name: string, spec: object = {}, status: object = { phase: 'Running' }, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata, spec: { nodeName: 'n', ...spec }, status });

describe('endpoints', () => {
  const ENDPOINTS = 'endpoints/agree-with-pods';
  const SLICES = 'endpoint-slices/agree-with-pods';
  const BY = { by: 'endpoints' };
  const service = (spec: object = {}): ApiObject =>
    objectOf('Service', 's', { spec: { clusterIP: '10.0.0.1', selector: { app: 'a' }, ports: [{ port: 80, targetPort: 80 }], ...spec } });
  const labels = { labels: { app: 'a' } };
  const backend = (name: string, podIP: string | undefined, ready = true, more: object = {}): ApiObject =>
    pod(name, { containers: [] }, { podIP, ...readiness(ready), ...more }, labels);
  const pods = [
    backend('b', '10.1.0.2'),
    backend('a', '10.1.0.1'),
    backend('not-ready', '10.1.0.3', false),
    backend('no-address', undefined),
    pod('other', {}, { podIP: '10.1.0.4', ...readiness(true) }),
    pod('away', {}, { podIP: '10.1.0.5', ...readiness(true) }, { ...labels, namespace: 'other' }),
    pod('dying', {}, { podIP: '10.1.0.6', ...readiness(true) }, { ...labels, ...DYING }),
  ];
  const endpoints = (...ips: readonly string[]): ApiObject =>
    objectOf('Endpoints', 's', { subsets: [{ notReadyAddresses: [] }, { addresses: ips.map((ip) => ({ ip })) }] });
  const slice = (name: string, ...addresses: readonly string[]): ApiObject =>
    objectOf('EndpointSlice', name, {
      metadata: { labels: { 'orch.io/service-name': 's' } },
      endpoints: [
        ...addresses.map((one) => ({ addresses: [one], conditions: { ready: true } })),
        { addresses: ['10.9.9.9'], conditions: { ready: false } },
      ],
    });
  const both = ['10.1.0.1', '10.1.0.2'] as const;
  const story = (name: string, objects: readonly ApiObject[], written: readonly ApiObject[], verdict: string): void =>
    tells(name, [
      ...objects.map((object) => [keep(object), '-'] as const),
      ...written.map((object) => [put(object, BY), '-'] as const),
      [end(false), '-'],
      [end(), verdict],
    ]);
  const isReady = (what: string, says: string, are: string): string =>
    `${what} of Service default/s list ${says}, its ready pods are ${are}`;

  it('list the ready pods of their Service, once each', () => {
    story(ENDPOINTS, [service(), ...pods], [endpoints(...both)], 'holds');
    story(ENDPOINTS, [service(), ...pods], [endpoints('10.1.0.2', '10.1.0.1', '10.1.0.2')], 'holds');
    story(ENDPOINTS, [service(), ...pods], [endpoints('10.1.0.1')], isReady('Endpoints', '10.1.0.1', both.join(', ')));
    story(ENDPOINTS, [service(), ...pods], [objectOf('Endpoints', 's')], isReady('Endpoints', 'none', both.join(', ')));
    story(ENDPOINTS, [service()], [endpoints('10.1.0.1')], isReady('Endpoints', '10.1.0.1', 'none'));
    story(ENDPOINTS, [service()], [endpoints()], '-');
  });

  it('list pods that are not ready where the Service publishes them', () => {
    const all = service({ publishNotReadyAddresses: true });
    story(ENDPOINTS, [all, ...pods], [endpoints(...both, '10.1.0.3', '10.1.0.6')], 'holds');
    story(
      ENDPOINTS,
      [all, ...pods],
      [endpoints(...both)],
      isReady('Endpoints', both.join(', '), [...both, '10.1.0.3', '10.1.0.6'].join(', ')),
    );
  });

  it('are not judged without a Service that selects pods, nor when there are too many', () => {
    story(ENDPOINTS, [...pods], [endpoints()], '-');
    story(ENDPOINTS, [service({ selector: {} }), ...pods], [endpoints()], '-');
    story(ENDPOINTS, [service({ type: 'ExternalName' }), ...pods], [endpoints()], '-');
    const many = Array.from({ length: 1000 }, (_, at) => `10.2.${at >> 8}.${at & 255}`);
    story(ENDPOINTS, [service(), ...pods], [endpoints(...many)], '-');
    story(ENDPOINTS, [service()], [endpoints('10.2.0.1', '10.2.0.2')], isReady('Endpoints', '10.2.0.1, 10.2.0.2', 'none'));
  });

  it('omit pods without a port that the Service names; a headless Service without ports names none', () => {
    const named = { ports: [{ port: 80, targetPort: 'web' }] };
    story(ENDPOINTS, [service(named), ...pods], [endpoints()], '-');
    story(ENDPOINTS, [service(named), ...pods], [endpoints('10.1.0.1')], isReady('Endpoints', '10.1.0.1', 'none'));
    story(ENDPOINTS, [service({ clusterIP: 'None', ports: undefined }), ...pods], [endpoints(...both)], 'holds');
    story(ENDPOINTS, [service({ clusterIP: 'None', ...named }), ...pods], [endpoints()], '-');
    story(ENDPOINTS, [service({ ports: [] }), ...pods], [endpoints()], '-');
    story(SLICES, [service(named), ...pods], [slice('s-1', ...both)], 'holds');
  });

  it('as slices list them together', () => {
    story(SLICES, [service(), ...pods], [slice('s-1', '10.1.0.2'), slice('s-2', '10.1.0.1')], 'holds');
    story(SLICES, [service(), ...pods], [slice('s-1', '10.1.0.2')], isReady('slices', '10.1.0.2', both.join(', ')));
    story(SLICES, [service(), ...pods], [objectOf('EndpointSlice', 'free')], '-');
    story(
      SLICES,
      [service(), ...pods],
      [objectOf('EndpointSlice', 's-1', { metadata: { labels: { 'orch.io/service-name': 's' } } })],
      isReady('slices', 'none', both.join(', ')),
    );
    story(
      SLICES,
      [service(), backend('a', '10.1.0.1')],
      [
        objectOf('EndpointSlice', 's-1', {
          metadata: { labels: { 'orch.io/service-name': 's' } },
          endpoints: [{ addresses: ['10.1.0.1'] }],
        }),
      ],
      'holds',
    );
  });

  it('are judged as the controller wrote them', () => {
    tells(ENDPOINTS, [
      [keep(service()), '-'],
      [put(endpoints('10.1.0.1'), BY), '-'],
      [described, new Set(['default/s'])],
      [put(endpoints('10.1.0.2')), '-'],
      [described, new Set()],
      [end(), '-'],
      [put(endpoints('10.1.0.2'), BY), '-'],
      [remove('Endpoints', 'default/s', BY), '-'],
      [described, new Set()],
      [end(), '-'],
    ]);
  });
});
