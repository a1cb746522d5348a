import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { resourceQuotas } from '../../../../src/controlplane/controllers/resource-quota/controller.ts';
import { at, barePod, jobOf } from '../../../support/objects.ts';
import { decide, enqueued, statusIn } from '../../../support/reconcile.ts';
import { claimOf } from '../volume-attachment/objects.ts';

const controller = resourceQuotas(kindsFor(namesFor('k8s.io')));
const quota = (hard: Readonly<Record<string, string>>, status: object = {}, spec: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'default', uid: 'uid-q', resourceVersion: '1' },
    spec: { hard, ...spec },
    status,
  }) as unknown as ApiObject;
const pod = (
  name: string,
  phase = 'Running',
  requests: object = {},
  more: { readonly meta?: object; readonly status?: object; readonly spec?: object } = {},
) =>
  barePod(name, phase, {
    ...(more.meta === undefined ? {} : { meta: { ...more.meta } }),
    ...(more.status === undefined ? {} : { status: more.status }),
    spec: {
      containers: [
        { name: 'c', image: 'i', resources: { requests, limits: { cpu: '1' } } },
        { name: 'd', image: 'i', resources: { requests } },
      ],
      ...more.spec,
    },
  });
const usedOf = (objects: readonly ApiObject[]): unknown => statusIn<{ used: unknown }>(decide(controller, { objects, now: at(0) }))?.used;

describe('what a quota counts', () => {
  it('is only what it limits, with its limits beside it', () => {
    const outcome = decide(controller, {
      objects: [quota({ pods: '2', 'requests.cpu': '1' }), pod('a', 'Running', { cpu: '100m' }), pod('b', 'Pending', { cpu: '250m' })],
    });
    expect(statusIn(outcome)).toEqual({ hard: { pods: '2', 'requests.cpu': '1' }, used: { pods: '2', 'requests.cpu': '700m' } });
  });

  it('excludes pods that have ended, except as objects', () => {
    expect(
      usedOf([
        quota({ pods: '9', 'count/pods': '9', cpu: '9', 'limits.cpu': '9' }),
        pod('a', 'Running', { cpu: '1' }),
        pod('b', 'Succeeded', { cpu: '1' }),
        pod('c', 'Failed', { cpu: '1' }),
      ]),
    ).toEqual({ pods: '1', 'count/pods': '3', cpu: '2', 'limits.cpu': '1' });
  });

  it('is the largest init container where that requests more', () => {
    expect(
      usedOf([
        quota({ 'requests.memory': '9Gi' }),
        pod(
          'a',
          'Pending',
          { memory: '1Gi' },
          { spec: { initContainers: [{ name: 'i', resources: { requests: { memory: '3Gi' } } }], overhead: { memory: '512Mi' } } },
        ),
      ]),
    ).toEqual({ 'requests.memory': '3584Mi' });
  });

  it('is claims by size and class, and other kinds by number', () => {
    const claim = claimOf('data', undefined);
    const fast = { ...claim, spec: { ...claim.spec, storageClassName: 'fast' } } as ApiObject;
    expect(
      usedOf([
        quota({
          persistentvolumeclaims: '9',
          'requests.storage': '9Gi',
          'fast.storageclass.storage.k8s.io/requests.storage': '9Gi',
          'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
          'count/jobs.batch': '5',
        }),
        fast,
        claimOf('more', undefined),
        jobOf('j'),
      ]),
    ).toEqual({
      persistentvolumeclaims: '2',
      'requests.storage': '2Gi',
      'fast.storageclass.storage.k8s.io/requests.storage': '1Gi',
      'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'count/jobs.batch': '1',
    });
  });

  it('excludes pods whose grace period is over, at the next resync of five minutes', () => {
    const going = pod('a', 'Running', {}, { meta: { deletionTimestamp: '2024-01-01T00:00:30Z', deletionGracePeriodSeconds: 30 } });
    const look = (seconds: number, used: object) =>
      decide(controller, {
        objects: [quota({ pods: '9', 'count/pods': '9' }, { hard: { pods: '9', 'count/pods': '9' }, used }), going, pod('b')],
        now: at(seconds),
        startedAt: at(0),
      });
    expect(look(10, { pods: '2', 'count/pods': '2' })).toMatchObject({ writes: [], wakeAt: at(300), background: true });
    const later = look(300, { pods: '2', 'count/pods': '2' });
    expect(statusIn<{ used: unknown }>(later)?.used).toEqual({ pods: '1', 'count/pods': '2' });
    expect(later.wakeAt).toBeUndefined();
    expect(enqueued(controller, { objects: [quota({ pods: '9' })] }, { type: 'MODIFIED', object: going, old: pod('a') })).toEqual([
      'default/q',
    ]);
  });

  it('is only what its scopes cover', () => {
    const objects = [
      pod('a', 'Running', {}, { status: { qosClass: 'BestEffort' } }),
      pod('b', 'Running', {}, { spec: { activeDeadlineSeconds: 5 }, status: { qosClass: 'Burstable' } }),
    ];
    for (const [scope, count] of [
      ['BestEffort', '1'],
      ['NotBestEffort', '1'],
      ['Terminating', '1'],
      ['NotTerminating', '1'],
    ] as const)
      expect(usedOf([quota({ pods: '9' }, {}, { scopes: [scope] }), ...objects])).toEqual({ pods: count });
    expect(usedOf([quota({ pods: '9' }, {}, { scopes: ['BestEffort', 'Terminating'] }), ...objects])).toEqual({ pods: '0' });
  });

  it('excludes other namespaces', () => {
    expect(usedOf([quota({ pods: '9' }), pod('a', 'Running', {}, { meta: { namespace: 'other' } })])).toEqual({ pods: '0' });
  });

  it('is written only when an amount changes, not its notation', () => {
    expect(
      decide(controller, {
        objects: [quota({ cpu: '1000m', pods: '2' }, { hard: { pods: '2', cpu: '1' }, used: { cpu: '0', pods: '0' } })],
      }).writes,
    ).toEqual([]);
    expect(usedOf([quota({ pods: '2' }, { hard: { pods: '2', cpu: '1' }, used: { cpu: '0', pods: '0' } })])).toEqual({ pods: '0' });
  });
});

describe('a recount', () => {
  const objects = [quota({ pods: '9' })];
  it('happens when an object is deleted or ends', () => {
    expect(enqueued(controller, { objects }, { type: 'DELETED', object: pod('a') })).toEqual(['default/q']);
    expect(enqueued(controller, { objects }, { type: 'MODIFIED', object: pod('a', 'Succeeded'), old: pod('a') })).toEqual(['default/q']);
  });
  it('happens when a service becomes one of another type', () => {
    const service = (type: string, name = 's') =>
      ({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default', uid: name }, spec: { type } }) as unknown as ApiObject;
    const change = (from: string, to: string) =>
      enqueued(controller, { objects }, { type: 'MODIFIED', object: service(to), old: service(from) });
    expect([change('NodePort', 'ClusterIP'), change('NodePort', 'NodePort')]).toEqual([['default/q'], []]);
  });
  it('does not happen when an object is created or only changes: admission counts those', () => {
    expect(enqueued(controller, { objects }, { type: 'ADDED', object: pod('a') })).toEqual([]);
    expect(enqueued(controller, { objects }, { type: 'MODIFIED', object: pod('a', 'Succeeded'), old: pod('a', 'Failed') })).toEqual([]);
  });
});
