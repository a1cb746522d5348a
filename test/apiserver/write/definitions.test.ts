/** Objects of a definition that is being deleted. */
import { expect, it } from 'vitest';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';
import { widgetDefinition } from '../handlers/widgets.ts';

const DEFINITION = widgetDefinition([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }]);
const creating = (name: string, metadata: object = {}) =>
  ({
    verb: 'create',
    kind: 'Widget',
    namespace: 'default',
    body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...metadata } },
  }) as const;

it.each(['patch', 'update'] as const)(
  'a %s that removes the last finalizer ends the definition, and is answered with the object',
  (verb) => {
    const { ok, refused } = setup();
    ok({ verb: 'create', kind: 'CustomResourceDefinition', body: DEFINITION });
    const held = { kind: 'Widget', namespace: 'default', name: 'held' } as const;
    ok(creating('held', { finalizers: ['example.com/held'] }));
    ok({ verb: 'delete', kind: 'CustomResourceDefinition', name: 'widgets.example.com' });
    const { finalizers: _, ...metadata } = ok({ verb: 'get', ...held }).metadata;
    const answer =
      verb === 'patch'
        ? ok({ verb, ...held, patchType: 'merge', body: { metadata: { finalizers: [] } } })
        : ok({ verb, ...held, body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata } });
    expect(answer).toMatchObject({ kind: 'Widget', metadata: { name: 'held' } });
    expect(refused({ verb: 'get', ...held })).toMatchObject({ code: 404 });
    expect(refused({ verb: 'get', kind: 'CustomResourceDefinition', name: 'widgets.example.com' })).toMatchObject({ code: 404 });
  },
);

it('a definition that is being deleted, while a finalizer holds one of its objects, refuses new ones', () => {
  const { ok, refused } = setup();
  ok({ verb: 'create', kind: 'CustomResourceDefinition', body: DEFINITION });
  ok(creating('held', { finalizers: ['example.com/held'] }));
  ok({ verb: 'delete', kind: 'CustomResourceDefinition', name: 'widgets.example.com' });
  expect(refused(creating('new'))).toMatchObject({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'create not allowed while custom resource definition is terminating',
    details: { group: 'example.com', kind: 'widgets' },
  });
  // Built-in kinds have no definition to wait for.
  ok({ verb: 'create', kind: 'ConfigMap', namespace: 'default', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } } });
});

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}
const definitionOf = (name: string, kind: string, metadata: object = {}) =>
  ({
    ...DEFINITION,
    metadata: { name: `${name}.example.com`, ...metadata },
    spec: { ...(DEFINITION['spec'] as object), names: { kind, plural: name } },
  }) as ObjectInput;
const DEFINITIONS = { kind: 'CustomResourceDefinition' } as const;
const conditionOf = (object: object | undefined, type: string): Condition | undefined =>
  (object as { readonly status: { readonly conditions: readonly Condition[] } } | undefined)?.status.conditions.find(
    (each) => each.type === type,
  );

it('the deletion of a definition waits for its objects, and says so', () => {
  const { ok, store, advance } = setup();
  ok({ ...DEFINITIONS, verb: 'create', body: DEFINITION });
  for (const name of ['a', 'b']) ok(creating(name, { finalizers: ['example.com/held'] }));
  advance(5_000);
  const [name, key] = ['widgets.example.com', 'widgets.example.com'];
  const deleted = ok({ ...DEFINITIONS, verb: 'delete', name });
  expect(deleted.metadata).toMatchObject({
    finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
    deletionTimestamp: '2024-03-01T00:00:05Z',
  });
  expect(conditionOf(deleted, 'Terminating')).toEqual({
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: '2024-03-01T00:00:05Z',
    reason: 'InstanceDeletionInProgress',
    message: 'CustomResource deletion is in progress',
  });
  const free = (of: string) =>
    ok({ verb: 'patch', kind: 'Widget', namespace: 'default', name: of, patchType: 'merge', body: { metadata: { finalizers: null } } });
  free('a');
  expect(store.get('CustomResourceDefinition', key)).toBeDefined();
  free('b');
  expect(store.get('CustomResourceDefinition', key)).toBeUndefined();
});

it('a definition that something else holds stays when its objects are gone', () => {
  const { ok, store, advance } = setup();
  ok({ ...DEFINITIONS, verb: 'create', body: definitionOf('widgets', 'Widget', { finalizers: ['example.com/held'] }) });
  ok(creating('a', { finalizers: ['example.com/held'] }));
  ok({ ...DEFINITIONS, verb: 'delete', name: 'widgets.example.com' });
  advance(5_000);
  ok({ verb: 'patch', kind: 'Widget', namespace: 'default', name: 'a', patchType: 'merge', body: { metadata: { finalizers: null } } });
  const left = store.get('CustomResourceDefinition', 'widgets.example.com');
  expect(left?.metadata.finalizers).toEqual(['example.com/held']);
  expect(conditionOf(left, 'Terminating')).toEqual({
    type: 'Terminating',
    status: 'False',
    lastTransitionTime: '2024-03-01T00:00:05Z',
    reason: 'InstanceDeletionCompleted',
    message: 'removed all instances',
  });
});

it('names of a definition that is gone go to another of its group that waits for them', () => {
  const { ok, store } = setup();
  const accepted = (name: string) => conditionOf(store.get('CustomResourceDefinition', `${name}.example.com`), 'NamesAccepted')?.status;
  ok({ ...DEFINITIONS, verb: 'create', body: DEFINITION });
  ok({ ...DEFINITIONS, verb: 'create', body: definitionOf('gadgets', 'Widget') });
  expect([accepted('widgets'), accepted('gadgets')]).toEqual(['True', 'False']);
  const { revision } = store;
  ok({ ...DEFINITIONS, verb: 'create', body: definitionOf('gizmos', 'Gizmo') });
  ok({ ...DEFINITIONS, verb: 'delete', name: 'gizmos.example.com' });
  expect(accepted('gadgets')).toBe('False');
  ok({ ...DEFINITIONS, verb: 'delete', name: 'widgets.example.com' });
  expect([accepted('widgets'), accepted('gadgets')]).toEqual([undefined, 'True']);
  expect(store.revision).toBeGreaterThan(revision);
});

const SERVICES = { kind: 'APIService' } as const;
const version = (name: string, served = true, storage = false) => ({
  name,
  served,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
});
const service = (name: string, group: string, labels: object = {}) =>
  ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${name}.${group}`, labels },
    spec: { group, version: name, groupPriorityMinimum: 18_000, versionPriority: 1 },
  }) as never;

it('versions of definitions are registered where the server has registered its own, as long as they are served', () => {
  const { ok, store } = setup();
  ok({ ...SERVICES, verb: 'create', body: service('v1', 'other.com') });
  ok({ ...DEFINITIONS, verb: 'create', body: definitionOf('gizmos', 'Gizmo') });
  // Without the core group's nothing is registered.
  const registered = () => [...store.values('APIService')].map(({ metadata: { name } }) => name).toSorted();
  expect(registered()).toEqual(['v1.other.com']);
  ok({ ...SERVICES, verb: 'create', body: service('v1', '') });
  const versions = [version('v1', true, true), version('v2'), version('v3', false)];
  ok({ ...DEFINITIONS, verb: 'create', body: { ...DEFINITION, spec: { ...(DEFINITION['spec'] as object), versions } } });
  expect(registered()).toEqual(['v1.', 'v1.example.com', 'v1.other.com', 'v2.example.com']);
  const made = store.get('APIService', 'v2.example.com');
  expect(made).toEqual({
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: {
      name: 'v2.example.com',
      uid: made?.metadata.uid,
      resourceVersion: made?.metadata.resourceVersion,
      creationTimestamp: '2024-03-01T00:00:00Z',
      labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' },
    },
    spec: { group: 'example.com', version: 'v2', groupPriorityMinimum: 1000, versionPriority: 100 },
    status: { conditions: [expect.objectContaining({ type: 'Available', status: 'True', reason: 'Local' })] },
  });
  // An unserved version goes; what was registered by hand stays.
  const patch = { spec: { versions: [version('v1', true, true), version('v2', false), version('v3')] } };
  ok({ ...DEFINITIONS, verb: 'patch', name: 'widgets.example.com', patchType: 'merge', body: patch });
  expect(registered()).toEqual(['v1.', 'v1.example.com', 'v1.other.com', 'v3.example.com']);
  ok({ ...DEFINITIONS, verb: 'delete', name: 'widgets.example.com' });
  ok({ ...DEFINITIONS, verb: 'delete', name: 'gizmos.example.com' });
  expect(registered()).toEqual(['v1.', 'v1.other.com']);
});
