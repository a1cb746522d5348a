import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup } from './setup.ts';

type Asked = { readonly requests?: object; readonly limits?: object };
const containers = (...all: readonly Asked[]) => all.map((resources, at) => ({ name: `c${at}`, image: 'i', resources }));
const podOf = (name: string, asked: readonly Asked[], init: readonly Asked[] = []) =>
  ({
    verb: 'create',
    kind: 'Pod',
    namespace: 'default',
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        containers: containers(...asked),
        ...(init.length === 0 ? {} : { initContainers: containers(...init).map((one) => ({ ...one, name: `i${one.name}` })) }),
      },
    },
  }) as const;
const rangeOf = (name: string, ...limits: readonly object[]) =>
  ({
    verb: 'create',
    kind: 'LimitRange',
    namespace: 'default',
    body: { apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec: { limits } },
  }) as const;
const claimOf = (storage: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'p' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});

const within = (...limits: readonly object[]) => {
  const world = setup();
  world.ok(rangeOf('r', ...limits));
  return world;
};
const resourcesOf = ({ spec }: ApiObject & { readonly spec?: unknown }, list: 'containers' | 'initContainers' = 'containers') =>
  (spec as Record<string, readonly { readonly resources: object }[]>)[list]?.map(({ resources }) => resources);
const PREFIX = 'pods "p" is forbidden: ';

describe('defaults of a LimitRange', () => {
  const item = { type: 'Container', default: { cpu: '1', memory: '1Gi' }, defaultRequest: { cpu: '500m' } };
  it('set missing requests and limits, and record it in an annotation', () => {
    const pod = within(item).ok(
      podOf('p', [{}, { limits: { cpu: '2' }, requests: { cpu: '1', memory: '1Mi' } }], [{ limits: { cpu: '1', memory: '5' } }]),
    );
    expect(resourcesOf(pod)).toEqual([
      { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } },
      { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Mi' } },
    ]);
    expect(resourcesOf(pod, 'initContainers')).toEqual([{ limits: { cpu: '1', memory: '5' }, requests: { cpu: '1', memory: '5' } }]);
    expect(pod.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger':
        'LimitRanger plugin set: cpu, memory request for container c0; cpu, memory limit for container c0; memory limit for container c1',
    });
    expect(pod['status']).toMatchObject({ qosClass: 'Burstable' });
  });
  it('do not change pods with all values, pods of other namespaces, and templates', () => {
    const world = within(item);
    const full = { limits: { cpu: '1', memory: '1' }, requests: { cpu: '1', memory: '1' } };
    expect(world.ok(podOf('full', [full])).metadata.annotations).toBeUndefined();
    world.ok({ verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } } });
    expect(resourcesOf(world.ok({ ...podOf('p', [{}]), namespace: 'other' }))).toEqual([{}]);
    const job = world.ok({
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: containers({}) } } },
      },
    });
    expect(job['spec']).toMatchObject({ template: { spec: { containers: [{ resources: {} }] } } });
  });
  it('are computed once for pods of one template', () => {
    const world = within(item);
    const job = world.ok({
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: containers({}) } } },
      },
    });
    const { spec } = (job['spec'] as { readonly template: { readonly spec: unknown } }).template;
    const [a, b] = ['a', 'b'].map((name) =>
      world.ok({ verb: 'create', kind: 'Pod', namespace: 'default', body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec } }),
    );
    expect(a?.['spec']).toMatchObject({ containers: [{ resources: { limits: { cpu: '1' } } }] });
    expect(a?.['spec']).toBe(b?.['spec']);
  });
});

describe('bounds of a LimitRange', () => {
  const cpu = (request: string | undefined, limit: string | undefined): Asked => ({
    ...(request === undefined ? {} : { requests: { cpu: request } }),
    ...(limit === undefined ? {} : { limits: { cpu: limit } }),
  });
  it.each<[what: string, item: object, asked: readonly Asked[], problem: string, init?: readonly Asked[]]>([
    [
      'too little requested',
      { type: 'Pod', min: { cpu: '1' } },
      [cpu('999m', undefined)],
      'minimum cpu usage per Pod is 1, but request is 999m',
    ],
    ['nothing requested', { type: 'Pod', min: { cpu: '1' } }, [{}], 'minimum cpu usage per Pod is 1.  No request is specified'],
    [
      'too little of a limit',
      { type: 'Container', min: { memory: '1Gi' }, defaultRequest: { memory: '1Gi' } },
      [{ limits: { memory: '1Mi' }, requests: { memory: '1Mi' } }],
      'minimum memory usage per Container is 1Gi, but request is 1Mi',
    ],
    [
      'too much of a limit',
      { type: 'Container', max: { cpu: '1' } },
      [cpu('1', '1001m')],
      'maximum cpu usage per Container is 1, but limit is 1001m',
    ],
    [
      'no limit where there is a maximum',
      { type: 'Pod', max: { cpu: '1' } },
      [cpu('1', undefined)],
      'maximum cpu usage per Pod is 1.  No limit is specified',
    ],
    [
      'a sum too large, as one amount',
      { type: 'Pod', max: { cpu: '2' } },
      [cpu(undefined, '1500m'), cpu(undefined, '500m'), cpu(undefined, '1')],
      'maximum cpu usage per Pod is 2, but limit is 3',
    ],
    [
      'a sum where one container has no value',
      { type: 'Pod', max: { cpu: '2' } },
      [cpu(undefined, '1'), {}],
      'maximum cpu usage per Pod is 2.  No limit is specified',
    ],
    [
      'an init container larger than the sum',
      { type: 'Pod', max: { cpu: '2' } },
      [cpu(undefined, '1')],
      'maximum cpu usage per Pod is 2, but limit is 5',
      [cpu(undefined, '3'), cpu(undefined, '5')],
    ],
    [
      'a ratio too large',
      { type: 'Container', maxLimitRequestRatio: { cpu: '1500m' } },
      [cpu('300m', '500m')],
      'cpu max limit to request ratio per Container is 1500m, but provided ratio is 1.666667',
    ],
    [
      'a ratio to nothing',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      [{}],
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      'a ratio of nothing',
      { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
      [cpu('1', undefined)],
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
    [
      'a ratio beyond those that thousandths can hold',
      { type: 'Container', maxLimitRequestRatio: { memory: '10P' } },
      [{ requests: { memory: '1' }, limits: { memory: '20P' } }],
      'memory max limit to request ratio per Container is 10P, but provided ratio is 20000000000000000.000000',
    ],
    [
      'several at once, each one time',
      { type: 'Pod', max: { cpu: '1', memory: '1' } },
      [{ limits: { cpu: '2', memory: '2' } }],
      '[maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1, but limit is 2]',
    ],
    [
      'the same of two containers',
      { type: 'Container', max: { cpu: '1' } },
      [cpu('1', '2'), cpu('1', '2')],
      'maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      'amounts too large for thousandths',
      { type: 'Container', max: { memory: '1Ei' } },
      [{ limits: { memory: '2Ei' } }],
      'maximum memory usage per Container is 1Ei, but limit is 2Ei',
    ],
  ])('refuse %s', (_, item, asked, problem, init = []) => {
    const { code, reason, message } = within(item).refused(podOf('p', asked, init));
    expect([code, reason, message]).toEqual([403, 'Forbidden', `${PREFIX}${problem}`]);
  });
  it('accept values in range, and updates of older pods', () => {
    const world = setup();
    world.ok(podOf('old', [cpu('1', '4')]));
    world.ok(
      rangeOf(
        'r',
        { type: 'Pod', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } },
        { type: 'Container', min: { cpu: '1' }, max: { cpu: '2' } },
      ),
    );
    world.ok(podOf('p', [cpu('1', '2')]));
    world.ok({
      verb: 'patch',
      kind: 'Pod',
      namespace: 'default',
      name: 'old',
      patchType: 'merge',
      body: { metadata: { labels: { a: 'b' } } },
    });
  });
  it('apply to new and changed claims, unless these are being deleted', () => {
    const world = within({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
    const claim = (storage: string) =>
      ({ verb: 'create', kind: 'PersistentVolumeClaim', namespace: 'default', body: claimOf(storage) }) as const;
    expect(['1Mi', '3Gi'].map((storage) => world.refused(claim(storage)).message)).toEqual([
      'persistentvolumeclaims "p" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
      'persistentvolumeclaims "p" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    ]);
    world.ok(claim('2Gi'));
    world.server.handle(envelopeOf('client', { verb: 'delete', kind: 'LimitRange', namespace: 'default', name: 'r' }));
    world.ok(rangeOf('s', { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }));
    const labelled = {
      verb: 'patch',
      kind: 'PersistentVolumeClaim',
      namespace: 'default',
      name: 'p',
      patchType: 'merge',
      body: { metadata: { labels: { a: 'b' } } },
    } as const;
    expect(world.refused(labelled).message).toBe(
      'persistentvolumeclaims "p" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    );
    world.ok({ verb: 'delete', kind: 'PersistentVolumeClaim', namespace: 'default', name: 'p' });
    world.ok(labelled);
  });
});

it('a ratio may be the greatest, and defaults of claims are none of pods', () => {
  const world = within(
    { type: 'Container', maxLimitRequestRatio: { memory: '10P' } },
    { type: 'PersistentVolumeClaim', min: { storage: '1' }, default: { storage: '2' }, defaultRequest: { storage: '1' } },
  );
  const resources = { requests: { memory: '1' }, limits: { memory: '10P' } };
  expect(resourcesOf(world.ok(podOf('p', [resources])))).toEqual([resources]);
});
