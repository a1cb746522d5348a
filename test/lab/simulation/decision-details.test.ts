/** Decisions about traffic and endpoints that differ from the expectation: whole troubles, from objects alone. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { DecisionExpectation } from '../../../src/lab/scenario/index.ts';
import { dissentOf } from '../../../src/lab/simulation/decisions.ts';
import { clusterWith } from './world.ts';

const pod = (name: string, namespace: string, app: string): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${app} } }, spec: { containers: [{ name: c, image: i }] } }`;
const SERVICE = namesFor('orch.io').key('', 'service-name');
const cluster = clusterWith([
  '{ apiVersion: v1, kind: Namespace, metadata: { name: red, labels: { team: red } } }',
  pod('web', 'default', 'web'),
  pod('cli', 'red', 'cli'),
  pod('cli', 'other', 'cli'),
  '{ apiVersion: networking.orch.io/v1, kind: NetworkPolicy, metadata: { name: from-red }, spec: { podSelector: { matchLabels: { app: web } }, ingress: [{ ports: [{ port: 80 }, { port: 53, protocol: UDP }], from: [{ namespaceSelector: { matchLabels: { team: red } } }] }] } }',
  '{ apiVersion: v1, kind: Service, metadata: { name: by-hand }, spec: { ports: [{ name: http, port: 80 }] } }',
  `{ apiVersion: discovery.orch.io/v1, kind: EndpointSlice, metadata: { name: by-hand-1, labels: { ${SERVICE}: by-hand } }, addressType: IPv4, ports: [{ name: http, port: 8080 }, { name: odd, port: 9090 }], endpoints: [{ addresses: [10.0.0.1], conditions: { ready: true }, targetRef: { kind: Pod, name: web, namespace: default } }, { addresses: [10.0.0.2], conditions: { ready: false } }, { addresses: [10.0.0.3], conditions: { ready: false, serving: true, terminating: true } }] }`,
]);
const dissent = (expectation: object) => {
  const trouble = dissentOf(cluster, expectation as DecisionExpectation);
  return trouble && { ...trouble, detail: [...trouble.detail] };
};

describe('traffic', () => {
  const web = { kind: 'Pod', name: 'web' };
  const traffic = (namespace: string, more: object = {}, is = true) =>
    dissent({ expect: 'traffic', question: { from: { kind: 'Pod', namespace, name: 'cli' }, to: web, port: 80, ...more }, is });

  it('from a namespace by its labels passes, on the ports and protocols of the policy', () => {
    expect([
      traffic('red'),
      traffic('red', { port: 53, protocol: 'UDP' }),
      traffic('other', {}, false),
      traffic('red', { port: 53 }, false),
    ]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('that is stopped names the policy, and is about the receiver', () => {
    expect(traffic('other')).toEqual({
      message: 'expected traffic from Pod/other/cli to Pod/web on TCP 80 to pass',
      detail: [
        expect.stringMatching(/^ {2}Pod default\/web is isolated for ingress, and policy default\/from-red has no rule that allows it/),
      ],
      about: { kind: 'Pod', namespace: 'default', name: 'web' },
    });
    expect(traffic('red', { port: 53, protocol: 'SCTP' })?.message).toBe('expected traffic from Pod/red/cli to Pod/web on SCTP 53 to pass');
  });

  it('through a service reaches the pods behind its port, or addresses', () => {
    const through = (is: boolean) =>
      dissent({
        expect: 'traffic',
        question: { from: { kind: 'Pod', namespace: 'other', name: 'cli' }, to: { kind: 'Service', name: 'by-hand' }, port: 80 },
        is,
      });
    expect(through(false)).toBeUndefined();
    expect(through(true)?.message).toBe('expected traffic from Pod/other/cli to Service/by-hand on TCP 80 to pass');
    expect(
      dissent({
        expect: 'traffic',
        question: { from: { address: '203.0.113.7' }, to: { kind: 'Service', name: 'by-hand' }, port: 80, protocol: 'UDP' },
        is: false,
      }),
    ).toEqual({
      message: 'Service/by-hand has no ready endpoint on port 80',
      detail: [],
    });
  });
});

describe('endpoints', () => {
  const endpoints = (is: readonly string[], more: object = {}) =>
    dissent({ expect: 'endpoints', question: { service: 'by-hand', ...more }, is });

  it('are those that are ready, by pod or address, with their port or without', () => {
    for (const name of ['web', 'web:8080', '10.0.0.1', '10.0.0.1:8080']) expect(endpoints([name]), name).toBeUndefined();
  });

  it('that differ are listed, with those that are not used', () => {
    expect(endpoints(['10.0.0.2'])).toEqual({
      message: 'expected the endpoints of service default/by-hand to be 10.0.0.2, found web:8080',
      detail: [
        '  not used: web:9090 (named odd, and the ports of the service: named http)',
        '  not used: 10.0.0.2:8080 (not ready)',
        '  not used: 10.0.0.2:9090 (named odd, and the ports of the service: named http)',
        '  not used: 10.0.0.3:8080 (terminating)',
        '  not used: 10.0.0.3:9090 (named odd, and the ports of the service: named http)',
      ],
      about: { kind: 'EndpointSlice', namespace: 'default', name: 'by-hand-1' },
    });
    expect(endpoints([], { via: 'Endpoints' })).toEqual({ message: 'there is no Endpoints of service default/by-hand', detail: [] });
    expect(endpoints([], { namespace: 'other' })).toEqual({ message: 'there is no EndpointSlice of service other/by-hand', detail: [] });
  });
});
