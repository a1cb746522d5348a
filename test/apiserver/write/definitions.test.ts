/** Objects of a definition that is being deleted. */
import { expect, it } from 'vitest';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { setup } from '../handlers/setup.ts';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
} as ObjectInput;
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
