/** What a service needs of its pods: ports, names, readiness, and since when it changed. */
import { describe, expect, it } from 'vitest';
import type { Pod, Service } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import {
  belongsInEndpoints,
  hostnameIn,
  isHeadless,
  isReady,
  leaderAnnotation,
  podPorts,
  podReference,
  readySince,
  Times,
} from '../../../src/controlplane/shared/index.ts';
import { formatTime } from '../../../src/schema/values/index.ts';
import { AT, at, barePod } from '../../support/objects.ts';

const serviceOf = (spec: object): Service =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's', namespace: 'default', uid: 'uid-s' }, spec }) as unknown as Service;

describe('the target port of a service', () => {
  const pod = barePod('p', 'Running', {
    spec: {
      containers: [
        { name: 'a', ports: [{ name: 'http', containerPort: 8080 }] },
        { name: 'b' },
        {
          name: 'c',
          ports: [
            { name: 'dns', containerPort: 53, protocol: 'UDP' },
            { name: 'dns', containerPort: 54, protocol: 'TCP' },
          ],
        },
      ],
    },
  });
  const target = (port: object) => podPorts(pod, serviceOf({ ports: [{ port: 80, ...port }] }));

  it.each<[string, object, number | undefined]>([
    ['a number', { targetPort: 81 }, 81],
    ['the port itself where there is none', {}, 80],
    ['the port itself for 0', { targetPort: 0 }, 80],
    ['the port itself for an empty name', { targetPort: '' }, 80],
    ['the port of a container by name', { targetPort: 'http' }, 8080],
    ['the one of the same protocol', { targetPort: 'dns' }, 54],
    ['the one of another protocol', { targetPort: 'dns', protocol: 'UDP' }, 53],
    ['none of an unknown name', { targetPort: 'grpc' }, undefined],
    ['none of a name of another protocol', { targetPort: 'http', protocol: 'UDP' }, undefined],
  ])('is %s', (_, port, number) => {
    expect(target(port).map((one) => one.port)).toEqual(number === undefined ? [] : [number]);
  });

  it('has the name and the protocols of the service, in its order', () => {
    const ports = [
      { name: 'two', port: 2, protocol: 'UDP', appProtocol: 'dns' },
      { name: 'none', port: 3, targetPort: 'unknown' },
      { port: 1 },
    ];
    expect(podPorts(pod, serviceOf({ ports }))).toEqual([
      { name: 'two', port: 2, protocol: 'UDP', appProtocol: 'dns' },
      { name: '', port: 1, protocol: 'TCP' },
    ]);
    expect(podPorts(pod, serviceOf({}))).toEqual([]);
  });
});

describe('a pod behind a service', () => {
  it('has a host name in the domain of its service', () => {
    const named = (spec: object) => hostnameIn(barePod('p', 'Running', { spec }), serviceOf({}));
    expect([named({ hostname: 'h', subdomain: 's' }), named({ hostname: 'h', subdomain: 'other' }), named({ hostname: 'h' })]).toEqual([
      'h',
      undefined,
      undefined,
    ]);
    expect([named({ hostname: '', subdomain: 's' }), named({ subdomain: 's' })]).toEqual([undefined, undefined]);
  });

  it('is referenced by name and uid', () => {
    expect(podReference(barePod('p'))).toEqual({ kind: 'Pod', namespace: 'default', name: 'p', uid: 'uid-p' });
  });

  it.each<[boolean, string, { phase?: string; policy?: string; ip?: string | null; dying?: boolean; late?: boolean }]>([
    [true, 'one that runs', {}],
    [true, 'a pending one with an address', { phase: 'Pending' }],
    [false, 'one without an address', { ip: null }],
    [false, 'one with an empty address', { ip: '' }],
    [false, 'one that is being deleted', { dying: true }],
    [true, 'one that is being deleted, where these count', { dying: true, late: true }],
    [false, 'one that failed and never restarts', { policy: 'Never', phase: 'Failed' }],
    [false, 'one that succeeded and never restarts', { policy: 'Never', phase: 'Succeeded' }],
    [true, 'one that runs and never restarts', { policy: 'Never' }],
    [false, 'one that succeeded and restarts on failure', { policy: 'OnFailure', phase: 'Succeeded' }],
    [true, 'one that failed and restarts on failure', { policy: 'OnFailure', phase: 'Failed' }],
    [true, 'one that succeeded and always restarts', { phase: 'Succeeded' }],
  ])(
    'can have an endpoint: %s, %s',
    (belongs, _, { phase = 'Running', policy = 'Always', ip = '10.0.0.1', dying = false, late = false }) => {
      const pod = barePod('p', phase, {
        meta: dying ? { deletionTimestamp: AT } : {},
        spec: { restartPolicy: policy },
        status: ip === null ? {} : { podIP: ip },
      });
      expect(belongsInEndpoints(pod, late)).toBe(belongs);
    },
  );
});

describe('readiness', () => {
  const withReady = (condition?: object): Pod =>
    barePod('p', 'Running', {
      status: {
        conditions:
          condition === undefined
            ? null
            : [
                { type: 'Other', status: 'True' },
                { type: 'Ready', ...condition },
              ],
      },
    });

  it('is the condition of a pod, with the time of its change', () => {
    const ready = withReady({ status: 'True', lastTransitionTime: AT });
    expect([isReady(ready), readySince(ready)]).toEqual([true, at(0)]);
    const notReady = withReady({ status: 'False', lastTransitionTime: AT });
    expect([isReady(notReady), readySince(notReady)]).toEqual([false, undefined]);
    expect(readySince(withReady({ status: 'True', lastTransitionTime: null }))).toBe(Infinity);
    expect(readySince(withReady({ status: 'True' }))).toBe(Infinity);
    expect(isReady(withReady())).toBe(false);
    expect(readySince(barePod('p', 'Pending'))).toBeUndefined();
  });
});

it('a service is headless by its address None', () => {
  expect([{ clusterIP: 'None' }, { clusterIP: '10.0.0.1' }, {}].map((spec) => isHeadless(serviceOf(spec)))).toEqual([true, false, false]);
});

it('the record of an election in Endpoints is an annotation of the domain', () => {
  expect(leaderAnnotation(namesFor('k8s.io'))).toBe('control-plane.alpha.kubernetes.io/leader');
});

describe('the readiness changes behind a service', () => {
  const seen = (name: string, second: number | undefined, status = 'True'): Pod =>
    barePod(name, 'Running', {
      status: { conditions: second === undefined ? [] : [{ type: 'Ready', status, lastTransitionTime: formatTime(at(second)) }] },
    });

  it('are known by the oldest after a version', () => {
    const times = new Times();
    expect(times.since(0)).toBeUndefined();
    times.see(seen('a', 5), true);
    times.see(seen('b', 3), true);
    expect([times.version, times.since(0)]).toEqual([2, at(3)]);
    times.see(seen('a', 9, 'False'), true);
    expect([times.version, times.since(2), times.since(3)]).toEqual([3, at(9), undefined]);
  });

  it('count once, and not back in time', () => {
    const times = new Times();
    times.see(seen('a', 5), true);
    times.see(seen('a', 5), true);
    times.see(seen('a', 4), true);
    expect([times.version, times.since(0)]).toEqual([1, at(5)]);
    // What was seen last counts, so the same time is a change again.
    times.see(seen('a', 5), true);
    expect(times.version).toBe(2);
  });

  it('of a pod that is no longer selected, or has no condition, are forgotten', () => {
    const times = new Times();
    times.see(seen('a', 5), true);
    times.see(seen('a', 5), false);
    times.see(seen('a', 5), true);
    times.see(seen('a', undefined), true);
    times.see(seen('a', 5), true);
    expect(times.version).toBe(3);
    expect(times.describe()).toEqual([new Map([['a', at(5)]]), [1, 2, 3].map((version) => ({ version, at: at(5) })), 3, 0]);
  });

  it('that were asked for are dropped with the next change', () => {
    const times = new Times();
    for (const second of [1, 2, 3]) times.see(seen('a', second), true);
    times.since(2);
    times.see(seen('a', 4), true);
    expect(times.describe()).toEqual([
      new Map([['a', at(4)]]),
      [
        { version: 3, at: at(3) },
        { version: 4, at: at(4) },
      ],
      4,
      2,
    ]);
    expect(times.since(2)).toBe(at(3));
  });
});
