/** Writes by clients of a version: what they are validated by, which object they get, and whose fields stay. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup } from '../handlers/setup.ts';
import { widgetDefinition } from '../handlers/widgets.ts';

const text = { type: 'string' };
const version = (name: string, properties: object) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties } },
});
const definition = widgetDefinition([version('v1', { now: text, both: text }), version('v1beta1', { both: text })]);
const WIDGETS = { kind: 'Widget', namespace: 'default' } as const;
const W = { ...WIDGETS, name: 'w' } as const;
const widget = (of: string, more: object = {}) => ({ apiVersion: of, kind: 'Widget', metadata: { name: 'w' }, ...more }) as ObjectInput;

function world() {
  const made = setup();
  made.ok({ verb: 'create', kind: 'CustomResourceDefinition', body: definition });
  return made;
}
const membersOf = ({ apiVersion, now, both }: ApiObject): readonly unknown[] => [apiVersion, now, both];

describe('a custom resource', () => {
  it('is written, read and patched in the version of the request; else a write is in that of its body', () => {
    const { ok, store } = world();
    expect(membersOf(ok({ ...WIDGETS, verb: 'create', body: widget('example.com/v1', { now: 'n', both: 'b' }) }))).toEqual([
      'example.com/v1',
      'n',
      'b',
    ]);
    expect(membersOf(ok({ ...W, verb: 'get', version: 'v1beta1' }))).toEqual(['example.com/v1beta1', undefined, 'b']);
    expect(membersOf(ok({ ...W, verb: 'patch', version: 'v1beta1', patchType: 'merge', body: { both: 'c' } }))).toEqual([
      'example.com/v1beta1',
      undefined,
      'c',
    ]);
    // What only the other version has is not in the object that the client changed.
    expect(membersOf(store.get('Widget', 'default/w') as ApiObject)).toEqual(['example.com/v1', undefined, 'c']);
    const written = (of: string, more: object) => {
      const { metadata } = ok({ ...W, verb: 'get' });
      return membersOf(ok({ ...W, verb: 'update', body: { ...widget(`example.com/${of}`, more), metadata } }));
    };
    expect(written('v1beta1', { both: 'd' })).toEqual(['example.com/v1beta1', undefined, 'd']);
    expect(written('v1', { now: 'm' })).toEqual(['example.com/v1', 'm', undefined]);
  });

  it.each(['example.com/v2', 'x.example.com/v1beta1', 'v1beta1', 'example.comv1beta1', '/v1beta1', 5, undefined])(
    'is stored in no version that its body invents: %s',
    (apiVersion) => {
      const { refused } = world();
      const expected = apiVersion === undefined ? '' : String(apiVersion);
      const body = { ...widget(''), apiVersion } as never;
      if (typeof apiVersion === 'number') expect(refused({ ...WIDGETS, verb: 'create', body }).code).toBe(400);
      else
        expect(refused({ ...WIDGETS, verb: 'create', body })).toMatchObject({
          code: 400,
          message: `the API version in the data (${expected}) does not match the expected API version (example.com/v1)`,
        });
    },
  );

  it('is refused in a version that its kind does not have; a built-in kind has the version of its group', () => {
    const { refused, ok } = world();
    for (const [kind, of] of [
      ['Widget', 'v2'],
      ['Gadget', 'v1'],
      ['Gadget', undefined],
    ] as const)
      expect(refused({ verb: 'list', kind, ...(of === undefined ? {} : { version: of }) }), kind).toMatchObject({ code: 404 });
    ok({ verb: 'get', kind: 'Namespace', name: 'default', version: 'v1' });
  });

  it('keeps the managers of its other versions, and drops those of versions that are gone', () => {
    const { ok, store } = world();
    const apply = (of: string, fieldManager: string, more: object) =>
      ok({ ...W, verb: 'patch', version: of, patchType: 'apply', fieldManager, force: true, body: widget(`example.com/${of}`, more) });
    apply('v1', 'one', { now: 'n' });
    apply('v1beta1', 'two', { both: 'b' });
    const managers = () =>
      store.get('Widget', 'default/w')?.metadata.managedFields?.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`);
    expect(managers()).toEqual(['one example.com/v1', 'two example.com/v1beta1']);
    const { spec } = definition as unknown as { readonly spec: { readonly versions: readonly object[] } };
    ok({
      verb: 'patch',
      kind: 'CustomResourceDefinition',
      name: 'widgets.example.com',
      patchType: 'merge',
      body: { spec: { versions: [spec.versions[0]] } },
    });
    apply('v1', 'three', { now: 'm' });
    expect(managers()).toEqual(['three example.com/v1']);
  });
});

describe('an event', () => {
  it('is validated by the rules of the version of its client', () => {
    const { server } = setup();
    const body = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { namespace: 'default' },
      type: 'Other',
    } as ObjectInput;
    const answer = (of: object) => {
      const response = server.handle(
        envelopeOf('client', { verb: 'create', kind: 'Event', namespace: 'default', body, dryRun: true, ...of }),
      );
      return response.ok ? response.code : (response.status.details?.causes ?? []).map(({ field }) => field);
    };
    expect([answer({}), answer({ version: 'events/v1' }), answer({ version: 'events/v1beta1' })]).toEqual([
      201,
      ['eventTime', 'type'],
      201,
    ]);
  });
});

it('a request notes the first annotation of a key for the audit, and says none where there is none', () => {
  const names = ['first', 'second'];
  const { server, ok } = setup(
    'k8s.io',
    {},
    {
      webhooks({ review }) {
        const { apiVersion, request } = review as { readonly apiVersion: string; readonly request: { readonly uid: string } };
        const auditAnnotations = { said: names.shift() ?? 'last' };
        return { review: { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, auditAnnotations } } };
      },
    },
  );
  const hook = (name: string) => ({
    name,
    clientConfig: { service: { namespace: 'default', name: 'hooks' } },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  });
  for (const name of ['a', 'b'])
    ok({
      verb: 'create',
      kind: 'ValidatingWebhookConfiguration',
      body: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name },
        webhooks: [hook('same.hooks.io')],
      },
    });
  const create = (name: string) =>
    server.handle(
      envelopeOf('client', {
        verb: 'create',
        kind: 'ConfigMap',
        namespace: 'default',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
      }),
    );
  expect(create('x')).toMatchObject({ annotations: { 'same.hooks.io/said': 'first' } });
  expect(create('y')).toMatchObject({ annotations: { 'same.hooks.io/said': 'last' } });
  expect(server.handle(envelopeOf('client', { verb: 'get', kind: 'ConfigMap', namespace: 'default', name: 'x' }))).not.toHaveProperty(
    'annotations',
  );
});
