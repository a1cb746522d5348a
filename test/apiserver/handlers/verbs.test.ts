import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const pod = (name: string, spec: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const inDefault = { kind: 'Pod', namespace: 'default' } as const;

describe('creating', () => {
  it('sets the metadata that the server owns', () => {
    const { ok } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: pod('p') });
    expect(made.metadata).toMatchObject({ name: 'p', namespace: 'default', creationTimestamp: '2024-03-01T00:00:00Z' });
    expect(made.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(made['status']).toEqual({ phase: 'Pending', qosClass: 'BestEffort' });
    expect((made['spec'] as { tolerations: unknown }).tolerations).toHaveLength(2);
  });

  it('generates names from a base truncated to 58 characters', () => {
    const { ok } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: { ...pod(''), metadata: { generateName: 'a'.repeat(70) } } });
    expect(made.metadata.name).toMatch(/^a{58}[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  });

  it('refuses a missing namespace before the body is decoded', () => {
    const { refused } = setup();
    expect(refused({ kind: 'Pod', namespace: 'nope', verb: 'create', body: pod('p', { containers: [] }) })).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "nope" not found',
    });
  });

  it('refuses an existing name', () => {
    const { ok, refused } = setup();
    ok({ ...inDefault, verb: 'create', body: pod('p') });
    expect(refused({ ...inDefault, verb: 'create', body: pod('p') })).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'pods "p" already exists',
    });
  });
});

describe('updating', () => {
  it('keeps an unchanged object and its resourceVersion', () => {
    const { ok, store } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: pod('p') });
    const before = store.revision;
    expect(ok({ ...inDefault, verb: 'update', name: 'p', body: structuredClone(made) })).toBe(made);
    expect(store.revision).toBe(before);
  });

  it('refuses a stale resourceVersion', () => {
    const { ok, refused } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: pod('p') });
    ok({ ...inDefault, verb: 'update', name: 'p', body: { ...made, metadata: { ...made.metadata, labels: { a: 'b' } } } });
    expect(
      refused({ ...inDefault, verb: 'update', name: 'p', body: { ...made, metadata: { ...made.metadata, labels: { a: 'c' } } } }),
    ).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('writes only the status through the status sub-resource', () => {
    const { ok } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: pod('p') });
    const after = ok({
      ...inDefault,
      verb: 'update',
      name: 'p',
      subresource: 'status',
      body: { ...made, spec: { ...(made['spec'] as object), nodeName: 'n' }, status: { phase: 'Running' } },
    });
    expect(after['spec']).toBe(made['spec']);
    expect(after['status']).toMatchObject({ phase: 'Running' });
  });

  it('sets defaults of the written status: a pod without a phase is Pending', () => {
    const { ok } = setup();
    ok({ ...inDefault, verb: 'create', body: pod('p') });
    const written = (status: object) =>
      ok({ ...inDefault, verb: 'update', name: 'p', subresource: 'status', body: { ...pod('p'), status } })['status'];
    expect(written({ phase: 'Running', message: 'm' })).toMatchObject({ phase: 'Running', message: 'm' });
    expect(written({ message: 'm' })).toMatchObject({ phase: 'Pending', message: 'm' });
    expect(written({ phase: '', message: 'n' })).toMatchObject({ phase: 'Pending', message: 'n' });
  });

  it('sets defaults of the written status: the capacity of a node is allocatable', () => {
    const { ok } = setup();
    const made = ok({ verb: 'create', kind: 'Node', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } } });
    expect(made['status']).not.toHaveProperty('allocatable');
    const status = { capacity: { cpu: '4' } };
    const after = ok({ verb: 'update', kind: 'Node', name: 'n', subresource: 'status', body: { ...made, status } });
    expect(after['status']).toMatchObject({ capacity: { cpu: '4' }, allocatable: { cpu: '4' } });
    // Allocatable amounts are kept as given.
    const kept = ok({
      verb: 'patch',
      kind: 'Node',
      name: 'n',
      subresource: 'status',
      patchType: 'merge',
      body: { status: { capacity: { cpu: '8' } } },
    });
    expect(kept['status']).toMatchObject({ capacity: { cpu: '8' }, allocatable: { cpu: '4' } });
  });
});

describe('deleting', () => {
  it('gives a bound pod its grace period, and an unbound one none', () => {
    const { ok, server, store } = setup();
    ok({ ...inDefault, verb: 'create', body: pod('unbound') });
    ok({ ...inDefault, verb: 'delete', name: 'unbound' });
    expect(store.get('Pod', 'default/unbound')).toBeUndefined();

    ok({ ...inDefault, verb: 'create', body: pod('bound', { nodeName: 'n' }) });
    expect(ok({ ...inDefault, verb: 'delete', name: 'bound' }).metadata).toMatchObject({
      deletionTimestamp: '2024-03-01T00:00:30Z',
      deletionGracePeriodSeconds: 30,
    });
    expect(ok({ ...inDefault, verb: 'delete', name: 'bound', gracePeriodSeconds: 60 }).metadata.deletionGracePeriodSeconds).toBe(30);
    expect(ok({ ...inDefault, verb: 'delete', name: 'bound', gracePeriodSeconds: 3 }).metadata.deletionTimestamp).toBe(
      '2024-03-01T00:00:03Z',
    );
    expect(server.handle(envelopeOf('client', { ...inDefault, verb: 'delete', name: 'bound', gracePeriodSeconds: 0 })).ok).toBe(true);
    expect(store.get('Pod', 'default/bound')).toBeUndefined();
  });

  it('waits for finalizers and completes with the update that removes the last', () => {
    const { ok, store } = setup();
    const made = ok({ ...inDefault, verb: 'create', body: pod('p', {}, { finalizers: ['a.io/b'] }) });
    ok({ ...inDefault, verb: 'delete', name: 'p' });
    expect(store.get('Pod', 'default/p')?.metadata.finalizers).toEqual(['a.io/b']);
    ok({ ...inDefault, verb: 'patch', name: 'p', patchType: 'merge', body: { metadata: { finalizers: null } } });
    expect(store.get('Pod', 'default/p')).toBeUndefined();
    expect(made.metadata.finalizers).toEqual(['a.io/b']);
  });

  it('checks preconditions', () => {
    const { ok, refused } = setup();
    ok({ ...inDefault, verb: 'create', body: pod('p') });
    expect(refused({ ...inDefault, verb: 'delete', name: 'p', preconditions: { uid: 'x' } })).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
  });
});

describe('binding', () => {
  it('assigns a pod to a node once', () => {
    const { server, store, ok } = setup();
    ok({ ...inDefault, verb: 'create', body: pod('p') });
    const bind = {
      ...inDefault,
      verb: 'create',
      name: 'p',
      subresource: 'binding',
      body: { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
    } as const;
    expect(server.handle(envelopeOf('client', bind))).toMatchObject({ ok: true, code: 201 });
    expect(store.get('Pod', 'default/p')).toMatchObject({
      spec: { nodeName: 'n' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2024-03-01T00:00:00Z' }] },
    });
    expect(server.handle(envelopeOf('client', bind))).toMatchObject({ ok: false, code: 409 });
  });
});

describe('a request that is not allowed', () => {
  const { server, refused } = setup('k8s.io', {}, { authorize: ({ verb }) => (verb === 'create' ? undefined : 'no') });

  it.each([
    [
      { ...inDefault, verb: 'get', name: 'p' },
      { name: 'p', kind: 'pods' },
    ],
    [{ ...inDefault, verb: 'list' }, { kind: 'pods' }],
    [
      { kind: 'Lease', namespace: 'default', verb: 'get', name: 'l' },
      { name: 'l', group: 'coordination.k8s.io', kind: 'leases' },
    ],
  ] as const)('is refused with the name and the group that it has: %o', (request, details) => {
    expect(refused(request)).toMatchObject({ code: 403, reason: 'Forbidden', message: 'no' });
    expect(refused(request).details).toEqual(details);
  });

  it('starts no watch', () => {
    expect(server.watch({ kind: 'Pod', verb: 'watch' })).toMatchObject({ ok: false, code: 403, status: { details: { kind: 'pods' } } });
  });
});

it('an update that shares parts with the stored object and says no kind has the kind first, as published', () => {
  const world = setup();
  const at = { kind: 'Service', namespace: 'default', name: 's' } as const;
  const spec = { ports: [{ port: 80 }] };
  world.ok({ ...at, verb: 'create', body: { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec } });
  const body = { kind: '', metadata: { labels: { a: 'b' } } };
  const made = world.ok({ ...at, verb: 'patch', patchType: 'merge', body });
  expect(Object.keys(made).slice(0, 3)).toEqual(['kind', 'apiVersion', 'metadata']);
});

it('the data of a Secret are in the order of their keys, wherever they come from', () => {
  const world = setup();
  const at = { kind: 'Secret', namespace: 'default', name: 's' } as const;
  const body = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { b: 'Yg==' }, stringData: { a: 'a', c: 'c' } };
  const keys = (secret: object): string[] => Object.keys((secret as { readonly data: object }).data);
  expect(keys(world.ok({ ...at, verb: 'create', body: body }))).toEqual(['a', 'b', 'c']);
  const again = { stringData: { __proto__x: 'x', b: 'new' }, data: { b: 'Yg==' } };
  expect(keys(world.ok({ ...at, verb: 'patch', patchType: 'merge', body: again }))).toEqual(['__proto__x', 'a', 'b', 'c']);
});
