import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { setup, type Setup } from './setup.ts';

/** The user of these writes does not matter. */
const ENVELOPE = envelopeOf('test', { verb: 'list', kind: '' });

const pod = (name: string, spec: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const create = (name: string, spec: Record<string, unknown> = {}) =>
  ({ verb: 'create', kind: 'Pod', namespace: 'default', body: pod(name, spec) }) as const;

/** Stores an object directly, of a kind that is not served here. */
function plant({ store }: Setup, kind: string, key: string, parts: Record<string, unknown>): void {
  const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
  const object = {
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: key,
      resourceVersion: String(store.revision + 1),
      creationTimestamp: '2024-03-01T00:00:00Z',
    },
    ...parts,
  } as unknown as ApiObject;
  store.commit({ type: 'ADDED', kind, key, object, at: 0, entry: 0 }, ENVELOPE);
}

describe('default tolerations', () => {
  it('tolerates unreachable nodes for five minutes, unless another toleration covers it', () => {
    const { ok } = setup();
    const own = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
    const made = ok(create('p', { tolerations: [own] }));
    expect((made['spec'] as { tolerations: unknown }).tolerations).toEqual([
      own,
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ]);
  });

  it('shares one spec between pods of one template', () => {
    const { ok } = setup();
    const job = ok({
      verb: 'create',
      kind: 'Job',
      namespace: 'default',
      body: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j' },
        spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
      },
    });
    const { spec } = (job['spec'] as { template: { spec: unknown } }).template;
    const two = ['a', 'b'].map((name) =>
      ok({ verb: 'create', kind: 'Pod', namespace: 'default', body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec } }),
    );
    expect(two[0]?.['spec']).toBe(two[1]?.['spec']);
  });
});

describe('priority', () => {
  it('is 0 without a class, else the value of the class, and cannot be set by the client', () => {
    const world = setup();
    expect(world.ok(create('p'))['spec']).toMatchObject({ priority: 0, preemptionPolicy: 'PreemptLowerPriority' });
    plant(world, 'PriorityClass', 'high', { value: 1000 });
    expect(world.ok(create('q', { priorityClassName: 'high' }))['spec']).toMatchObject({ priority: 1000, priorityClassName: 'high' });
    expect(world.refused(create('r', { priorityClassName: 'nope' })).message).toBe(
      'pods "r" is forbidden: no PriorityClass with name nope was found',
    );
    expect(world.refused(create('s', { priority: 7 })).message).toContain(
      'the integer value of priority (7) must not be provided in pod spec',
    );
  });
});

describe('the default ingress class', () => {
  const ingress = (name: string, more: { readonly spec?: object; readonly metadata?: object } = {}) =>
    ({
      verb: 'create',
      kind: 'Ingress',
      namespace: 'default',
      body: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name, ...more.metadata },
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...more.spec },
      },
    }) as const;
  const marked = {
    metadata: {
      name: 'a',
      uid: 'a',
      resourceVersion: '1',
      creationTimestamp: '2024-03-01T00:00:00Z',
      annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' },
    },
  };
  it('sets the class of Ingresses without one, and must be unique', () => {
    const world = setup();
    const classOf = (object: ApiObject) => (object['spec'] as { readonly ingressClassName?: string }).ingressClassName;
    expect(classOf(world.ok(ingress('early')))).toBeUndefined();
    plant(world, 'IngressClass', 'a', marked);
    expect([
      classOf(world.ok(ingress('late'))),
      classOf(world.ok(ingress('own', { spec: { ingressClassName: 'b' } }))),
      classOf(world.ok(ingress('old', { metadata: { annotations: { 'kubernetes.io/ingress.class': 'c' } } }))),
    ]).toEqual(['a', 'b', undefined]);
    plant(world, 'IngressClass', 'b', { metadata: { ...marked.metadata, name: 'b', uid: 'b' } });
    expect(world.refused(ingress('torn')).message).toBe(
      'ingresses.networking.k8s.io "torn" is forbidden: Internal error occurred: 2 default IngressClasses were found, only 1 allowed',
    );
  });
});

describe('the default storage class', () => {
  const claim = (name: string, more: { readonly spec?: object; readonly metadata?: object } = {}) =>
    ({
      verb: 'create',
      kind: 'PersistentVolumeClaim',
      namespace: 'default',
      body: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, ...more.metadata },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...more.spec },
      },
    }) as const;
  const storageClass = (name: string, annotations: Readonly<Record<string, string>>) =>
    ({
      verb: 'create',
      kind: 'StorageClass',
      body: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name, annotations }, provisioner: 'p' },
    }) as const;
  it('sets the class of claims without one, and must be unique', () => {
    const world = setup();
    const classOf = (object: ApiObject) => (object['spec'] as { readonly storageClassName?: string }).storageClassName;
    world.ok(storageClass('plain', {}));
    expect(classOf(world.ok(claim('early')))).toBeUndefined();
    world.ok(storageClass('a', { 'storageclass.beta.kubernetes.io/is-default-class': 'true' }));
    expect([
      classOf(world.ok(claim('late'))),
      classOf(world.ok(claim('none', { spec: { storageClassName: '' } }))),
      classOf(world.ok(claim('old', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'c' } } }))),
    ]).toEqual(['a', '', undefined]);
    world.ok(storageClass('b', { 'storageclass.kubernetes.io/is-default-class': 'true' }));
    expect(world.refused(claim('torn')).message).toBe(
      'persistentvolumeclaims "torn" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    );
    expect(classOf(world.ok(claim('own', { spec: { storageClassName: 'b' } })))).toBe('b');
  });
});

describe('runtime classes', () => {
  it('add overhead, node selector and tolerations', () => {
    const world = setup();
    plant(world, 'RuntimeClass', 'vm', {
      handler: 'vm',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    });
    const made = world.ok(create('p', { runtimeClassName: 'vm', nodeSelector: { disk: 'ssd' } }));
    expect(made['spec']).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { disk: 'ssd', vm: 'yes' } });
    expect((made['spec'] as { tolerations: readonly unknown[] }).tolerations).toHaveLength(3);
    expect(world.refused(create('q', { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } })).message).toContain(
      'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    );
    expect(world.refused(create('r', { runtimeClassName: 'nope' })).message).toBe(
      'pods "r" is forbidden: pod rejected: RuntimeClass "nope" not found',
    );
  });
});

describe('quotas', () => {
  it('count what fits and refuse what does not', () => {
    const world = setup();
    plant(world, 'ResourceQuota', 'default/q', { spec: { hard: { pods: '1' } }, status: { hard: { pods: '1' }, used: { pods: '0' } } });
    world.ok(create('a'));
    expect(world.store.get('ResourceQuota', 'default/q')?.['status']).toEqual({ hard: { pods: '1' }, used: { pods: '1' } });
    expect(world.refused(create('b'))).toMatchObject({
      code: 403,
      message: 'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    });
  });
  it('of CPU and memory require requests of every container; those of other resources do not', () => {
    const world = setup();
    const hard = { 'limits.cpu': '1', 'limits.ephemeral-storage': '1Gi', memory: '1Gi' };
    plant(world, 'ResourceQuota', 'default/q', { spec: { hard }, status: { hard, used: {} } });
    const full = { limits: { cpu: '100m' }, requests: { memory: '1Mi' } };
    const asking = (main: object, init: object) =>
      create('p', {
        containers: [{ name: 'c', image: 'i', resources: main }],
        initContainers: [{ name: 'i', image: 'i', resources: init }],
      });
    expect([asking({}, full), asking(full, { requests: { memory: '1Mi' } })].map((request) => world.refused(request).message)).toEqual(
      ['limits.cpu,memory', 'limits.cpu'].map((names) => `pods "p" is forbidden: failed quota: q: must specify ${names}`),
    );
    world.ok(asking(full, full));
    expect(world.store.get('ResourceQuota', 'default/q')?.['status']).toEqual({
      hard,
      used: { 'limits.cpu': '100m', 'limits.ephemeral-storage': '0', memory: '1Mi' },
    });
  });
});

describe('namespaces', () => {
  it('accept no new objects while terminating, and are removed when they are empty', () => {
    const { ok, refused, server, store } = setup();
    ok({ verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } } });
    expect(ok({ verb: 'delete', kind: 'Namespace', name: 'n' })['status']).toEqual({ phase: 'Terminating' });
    const late = refused({ verb: 'create', kind: 'Pod', namespace: 'n', body: pod('p') });
    expect(late).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'pods "p" is forbidden: unable to create new content in namespace n because it is being terminated',
    });
    expect(late.details?.causes).toEqual([
      { reason: 'NamespaceTerminating', message: 'namespace n is being terminated', field: 'metadata.namespace' },
    ]);
    const stored = store.get('Namespace', 'n');
    expect(
      server.handle(
        envelopeOf('client', {
          verb: 'update',
          kind: 'Namespace',
          name: 'n',
          subresource: 'finalize',
          body: { ...stored, spec: {} } as never,
        }),
      ),
    ).toMatchObject({ ok: true, code: 200 });
    expect(store.get('Namespace', 'n')).toBeUndefined();
  });

  it('of every cluster cannot be deleted', () => {
    const { refused } = setup();
    expect(refused({ verb: 'delete', kind: 'Namespace', name: 'default' }).message).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});
