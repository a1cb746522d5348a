/** The availability of APIs, by the services that answer them. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { apiServiceAvailability } from '../../../../src/controlplane/controllers/api-service/controller.ts';
import { at, AT } from '../../../support/objects.ts';
import { decide, enqueued, linesOf } from '../../../support/reconcile.ts';

const objectOf = (apiVersion: string, kind: string, name: string, more: object, namespace?: string): ApiObject =>
  ({
    apiVersion,
    kind,
    metadata: { name, uid: name, resourceVersion: '1', ...(namespace === undefined ? {} : { namespace }) },
    ...more,
  }) as never;
const api = (name: string, service?: object, status: object = {}): ApiObject =>
  objectOf('apiregistration.k8s.io/v1', 'APIService', name, {
    spec: { group: 'g', version: 'v1', ...(service === undefined ? {} : { service }) },
    status,
  });
const METRICS = { namespace: 'default', name: 'metrics', port: 443 };
const service = objectOf('v1', 'Service', 'metrics', { spec: { ports: [{ name: 'https', port: 443 }], type: 'ClusterIP' } }, 'default');
const endpoints = (ip?: string): ApiObject =>
  objectOf(
    'v1',
    'Endpoints',
    'metrics',
    { subsets: ip === undefined ? [] : [{ addresses: [{ ip }], ports: [{ name: 'https', port: 443 }] }] },
    'default',
  );
const said = (status: string, reason: string, message: string): object => ({
  conditions: [{ type: 'Available', status, lastTransitionTime: AT, reason, message }],
});
const MISSING = 'service/metrics in "default" is not present';
const becomes = (status: string, reason: string, message: string, time = '00:01:00'): readonly string[] => [
  message,
  `update APIService/status a {status:{conditions:[${JSON.stringify(`Available=${status}, lastTransitionTime: ${time}, reason: ${reason}, message: ${message}`)}]}}`,
];

describe('an API', () => {
  it.each<readonly [string, readonly ApiObject[], readonly string[]]>([
    ['of the server itself is available', [api('a')], becomes('True', 'Local', 'Local APIServices are always available')],
    ['needs its service', [api('a', METRICS)], becomes('False', 'ServiceNotFound', MISSING)],
    [
      'needs endpoints',
      [api('a', METRICS), service],
      becomes('False', 'EndpointsNotFound', 'cannot find endpoints for service/metrics in "default"'),
    ],
    [
      'needs an address',
      [api('a', METRICS), service, endpoints()],
      becomes('False', 'MissingEndpoints', 'endpoints for service/metrics in "default" have no addresses with port name "https"'),
    ],
    [
      'needs its port',
      [api('a', { ...METRICS, port: 444 }), service, endpoints('10.0.0.1')],
      becomes('False', 'ServicePortError', 'service/metrics in "default" is not listening on port 444'),
    ],
    ['is available with all of them', [api('a', METRICS), service, endpoints('10.0.0.1')], becomes('True', 'Passed', 'all checks passed')],
    [
      'keeps its status',
      [api('a', METRICS, said('False', 'ServiceNotFound', MISSING))],
      [`its status already says unavailable: ${MISSING}`],
    ],
    [
      'that is available keeps its status',
      [api('a', METRICS, said('True', 'Passed', 'all checks passed')), service, endpoints('10.0.0.1')],
      ['its status already says available: all checks passed'],
    ],
    [
      'keeps the time of its status while that only says something else',
      [api('a', METRICS, said('False', 'ServiceNotFound', 'other'))],
      becomes('False', 'ServiceNotFound', MISSING, '00:00:00'),
    ],
    ['changes its status', [api('a', METRICS, said('True', 'Passed', 'all checks passed'))], becomes('False', 'ServiceNotFound', MISSING)],
  ])('%s', (_, objects, expected) => {
    expect(linesOf(decide(apiServiceAvailability, { objects, now: at(60) }))).toEqual(expected);
  });

  it('is looked at when its service or the endpoints of that change', () => {
    const objects = [api('a', METRICS), api('b'), api('c', METRICS), api('d', { ...METRICS, namespace: 'other' })];
    const keys = (object: ApiObject, more: object = {}) =>
      enqueued(apiServiceAvailability, { objects }, { type: 'ADDED', object: { ...object, metadata: { ...object.metadata, ...more } } });
    expect([keys(service), keys(endpoints()), keys(service, { name: 'x' }), keys(service, { namespace: 'other' })]).toEqual([
      ['a', 'c'],
      ['a', 'c'],
      [],
      ['d'],
    ]);
  });
});
