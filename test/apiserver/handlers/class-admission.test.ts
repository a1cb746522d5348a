/** Default classes, growing claims, finalizers of storage, and namespaces that end or are labelled. */
import { describe, expect, it } from 'vitest';
import { body, create, refusal, specOf } from './made.ts';
import { setup } from './setup.ts';

describe('default classes', () => {
  const storageClass = (name: string, mark?: string, prefix = 'storageclass.kubernetes.io') =>
    body(
      'StorageClass',
      name,
      { provisioner: 'p' },
      mark === undefined ? {} : { annotations: { [`${prefix}/is-default-class`]: mark } },
      'storage.k8s.io/v1',
    );
  const claim = (name: string, spec: object = {}, metadata: object = {}) =>
    body(
      'PersistentVolumeClaim',
      name,
      { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } }, ...spec } },
      metadata,
    );

  it('of claims are the one that is marked', () => {
    const world = setup();
    const classNames = (...claims: readonly ReturnType<typeof claim>[]) =>
      claims.map((each) => specOf(create(world, each))['storageClassName']);
    create(world, storageClass('other', 'false'));
    const none = classNames(claim('a'));
    create(world, storageClass('standard', 'true'));
    expect([
      none,
      classNames(
        claim('b'),
        claim('c', { storageClassName: '' }),
        claim('d', { storageClassName: 'other' }),
        claim('e', {}, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'other' } }),
      ),
    ]).toEqual([[undefined], ['standard', '', 'other', undefined]]);
    create(world, storageClass('beta', 'true', 'storageclass.beta.kubernetes.io'));
    expect(refusal(world, claim('f'))).toBe(
      'persistentvolumeclaims "f" is forbidden: Internal error occurred: 2 default StorageClasses were found',
    );
  });

  it('of Ingresses are the one that is marked', () => {
    const world = setup();
    const ingressClass = (name: string, mark?: string) =>
      body(
        'IngressClass',
        name,
        { spec: { controller: 'a.b/c' } },
        mark === undefined ? {} : { annotations: { 'ingressclass.kubernetes.io/is-default-class': mark } },
        'networking.k8s.io/v1',
      );
    const ingress = (name: string, spec: object = {}, metadata: object = {}) =>
      body(
        'Ingress',
        name,
        { spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } }, ...spec } },
        metadata,
        'networking.k8s.io/v1',
      );
    create(world, ingressClass('plain'));
    const none = specOf(create(world, ingress('a')));
    create(world, ingressClass('standard', 'true'));
    expect(
      [
        none,
        specOf(create(world, ingress('b'))),
        specOf(create(world, ingress('c', { ingressClassName: 'plain' }))),
        specOf(create(world, ingress('d', {}, { annotations: { 'kubernetes.io/ingress.class': 'x' } }))),
      ].map((spec) => Object.entries(spec)[0]),
    ).toEqual([
      ['defaultBackend', { service: { name: 's', port: { number: 1 } } }],
      ['ingressClassName', 'standard'],
      ['ingressClassName', 'plain'],
      ['defaultBackend', { service: { name: 's', port: { number: 1 } } }],
    ]);
    create(world, ingressClass('second', 'true'));
    expect(refusal(world, ingress('e'))).toBe(
      'ingresses.networking.k8s.io "e" is forbidden: Internal error occurred: 2 default IngressClasses were found, only 1 allowed',
    );
  });

  it('allow claims to grow', () => {
    const world = setup();
    create(world, { ...storageClass('grows'), allowVolumeExpansion: true });
    create(world, { ...storageClass('stays'), allowVolumeExpansion: false });
    const resized = (name: string, spec: object, storage: string): string => {
      const made = create(world, claim(name, spec));
      const bound = world.ok({
        verb: 'update',
        kind: 'PersistentVolumeClaim',
        namespace: 'default',
        name,
        subresource: 'status',
        body: { ...made, status: { phase: 'Bound' } },
      } as never);
      const response = world.server.handle({
        request: {
          verb: 'update',
          kind: 'PersistentVolumeClaim',
          namespace: 'default',
          name,
          body: { ...bound, spec: { ...specOf(bound), resources: { requests: { storage } } } },
        },
        by: { process: 'client' },
      } as never);
      return response.ok ? 'allowed' : (response.status.message ?? '');
    };
    expect([
      resized('a', { storageClassName: 'grows' }, '2'),
      resized('b', { storageClassName: 'stays' }, '2'),
      resized('c', { storageClassName: '' }, '2'),
      resized('d', { storageClassName: 'gone' }, '2'),
      resized('e', { storageClassName: 'stays' }, '1'),
    ]).toEqual([
      'allowed',
      'persistentvolumeclaims "b" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      'persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      'persistentvolumeclaims "d" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      'allowed',
    ]);
  });

  it('and finalizers keep what is in use', () => {
    const world = setup();
    const volume = body(
      'PersistentVolume',
      'v',
      { spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } } },
      { finalizers: ['kubernetes.io/pv-protection', 'a/b'] },
    );
    expect([
      create(world, volume).metadata.finalizers,
      create(world, { ...volume, metadata: { name: 'w' } }).metadata.finalizers,
      create(world, claim('a')).metadata.finalizers,
    ]).toEqual([['kubernetes.io/pv-protection', 'a/b'], ['kubernetes.io/pv-protection'], ['kubernetes.io/pvc-protection']]);
  });
});

describe('namespaces', () => {
  it('that end take nothing new, and some are kept', () => {
    const world = setup();
    const config = body('ConfigMap', 'c');
    create(world, body('Namespace', 'shop'));
    create(world, config, 'shop');
    world.ok({ verb: 'delete', kind: 'Namespace', name: 'shop' } as never);
    expect([
      refusal(world, body('ConfigMap', 'd'), 'shop'),
      refusal(world, body('ConfigMap', 'd', {}, { name: undefined, generateName: 'e-' }), 'shop'),
      refusal(world, config, 'gone'),
    ]).toEqual([
      'configmaps "d" is forbidden: unable to create new content in namespace shop because it is being terminated',
      'configmaps "e-" is forbidden: unable to create new content in namespace shop because it is being terminated',
      'namespaces "gone" not found',
    ]);
    const remove = (name: string) => {
      const response = world.server.handle({ request: { verb: 'delete', kind: 'Namespace', name }, by: { process: 'client' } } as never);
      return response.ok ? 'deleted' : response.status.message;
    };
    expect(['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(remove)).toEqual([
      'namespaces "default" is forbidden: this namespace may not be deleted',
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
      'namespaces "kube-public" is forbidden: this namespace may not be deleted',
      'deleted',
    ]);
  });

  it('have labels of pod security with known levels and versions', () => {
    const world = setup();
    const labelled = (name: string, labels: Readonly<Record<string, string>>) =>
      body(
        'Namespace',
        name,
        {},
        { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [`pod-security.kubernetes.io/${key}`, value])) },
      );
    create(
      world,
      labelled('a', {
        enforce: 'privileged',
        audit: 'baseline',
        warn: 'restricted',
        'enforce-version': 'latest',
        'audit-version': 'v1.0',
        'warn-version': 'v1.24',
        other: 'x',
      }),
    );
    expect(
      refusal(
        world,
        labelled('b', {
          enforce: 'none',
          'enforce-version': 'v2.0',
          audit: '',
          'audit-version': 'v1.01',
          warn: 'Baseline',
          'warn-version': 'xlatest',
        }),
      ),
    ).toBe(
      'Namespace "b" is invalid: [metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "none": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: "v2.0": must be "latest" or "v1.x", metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: "": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: "v1.01": must be "latest" or "v1.x", metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "Baseline": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "xlatest": must be "latest" or "v1.x"]',
    );
    const off = setup('k8s.io', { PodSecurity: false });
    const bad = create(off, labelled('c', { enforce: 'none' }));
    expect(bad.metadata.name).toBe('c');
    const made = create(world, labelled('d', {}));
    const update = (labels: Readonly<Record<string, string>>): unknown =>
      world.server.handle({
        request: {
          verb: 'update',
          kind: 'Namespace',
          name: 'd',
          body: { ...made, metadata: { ...made.metadata, resourceVersion: undefined, labels } },
        },
        by: { process: 'client' },
      } as never).ok;
    expect([update({ x: 'y' }), update({ 'pod-security.kubernetes.io/warn': 'no' })]).toEqual([true, false]);
  });
});
