/** Admission webhooks: their configurations, which requests they are asked about, and what their answers do. */
import { describe, expect, it } from 'vitest';
import type { WebhookCall } from '../../../src/apiserver/admission/index.ts';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { createAuditLog } from '../../../src/lab/incident/index.ts';
import { base64OfText } from '../../../src/schema/values/index.ts';
import { setup } from '../handlers/setup.ts';

type Response = Readonly<Record<string, unknown>>;
const GROUP = 'admissionregistration.k8s.io/v1';
const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
const hook = (name: string, more: object = {}) => ({
  name: `${name}.hooks.example.com`,
  clientConfig: { service: { namespace: 'default', name: 'hooks' } },
  rules: [rule],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});
const configuration = (kind: 'Mutating' | 'Validating', name: string, webhooks: readonly object[]) => ({
  verb: 'create' as const,
  kind: `${kind}WebhookConfiguration`,
  body: { apiVersion: GROUP, kind: `${kind}WebhookConfiguration`, metadata: { name }, webhooks } as never,
});
const patch = (...operations: readonly object[]): Response => ({ patchType: 'JSONPatch', patch: base64OfText(JSON.stringify(operations)) });
const label = (key: string, value = 'x') => patch({ op: 'add', path: `/metadata/labels/${key}`, value });

/** A server whose webhooks answer as told, by their first names. */
function world(answers: Readonly<Record<string, (request: Readonly<Record<string, never>>) => Response | string>>) {
  const calls: { readonly name: string; readonly request: Readonly<Record<string, never>> }[] = [];
  const made = setup(
    'k8s.io',
    {},
    {
      webhooks({ name, review }: WebhookCall) {
        const { apiVersion, request } = review as { readonly apiVersion: string; readonly request: Readonly<Record<string, never>> };
        const short = name.split('.')[0] ?? '';
        calls.push({ name: short, request });
        const answer = answers[short]?.(request) ?? {};
        if (typeof answer === 'string') return { failure: answer };
        return { review: { apiVersion, kind: 'AdmissionReview', response: { uid: request['uid'], allowed: true, ...answer } } };
      },
    },
  );
  const map = (name: string, labels: object = {}, data: object = {}) =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data }) as never;
  const at = { kind: 'ConfigMap', namespace: 'default' } as const;
  return {
    ...made,
    calls,
    map,
    at,
    create: (name: string, labels?: object) => made.ok({ verb: 'create', ...at, body: map(name, labels) }),
    refusedCreate: (name: string, labels?: object) => made.refused({ verb: 'create', ...at, body: map(name, labels) }),
  };
}

describe('a configuration of webhooks', () => {
  it('has the defaults of v1.24, and is refused with every problem', () => {
    const { ok, refused } = world({});
    expect(ok(configuration('Mutating', 'a', [hook('one')]))).toMatchObject({
      webhooks: [
        {
          failurePolicy: 'Fail',
          matchPolicy: 'Equivalent',
          reinvocationPolicy: 'Never',
          timeoutSeconds: 10,
          namespaceSelector: {},
          rules: [{ scope: '*' }],
          clientConfig: { service: { port: 443 } },
        },
      ],
    });
    const { message } = refused(
      configuration('Validating', 'b', [
        hook('one', { sideEffects: 'Some', timeoutSeconds: 31, failurePolicy: 'Maybe', clientConfig: {} }),
        {
          ...hook('one'),
          name: 'short',
          admissionReviewVersions: ['v2'],
          rules: [{ ...rule, operations: ['READ'], apiGroups: ['*', 'a'], resources: [] }],
        },
      ]),
    );
    for (const text of [
      'webhooks[0].failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
      'webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds',
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
      'webhooks[1].name: Invalid value: "short": should be a domain with at least three segments separated by dots',
      'webhooks[1].rules[0].operations[0]: Unsupported value: "READ"',
      `webhooks[1].rules[0].apiGroups: Invalid value: []string{"*", "a"}: if '*' is present, must not specify other API groups`,
      'webhooks[1].rules[0].resources: Required value',
      'webhooks[1].admissionReviewVersions: Invalid value: []string{"v2"}: must include at least one of v1, v1beta1',
    ])
      expect(message).toContain(text);
  });

  it('is stored with a warning where nobody asks, and never asked about itself', () => {
    const plain = setup();
    const stored = plain.server.handle(envelopeOf('client', configuration('Validating', 'a', [hook('one')])));
    expect(stored.warnings?.join()).toContain('webhooks are not asked here');
    const { ok, server, calls } = world({ all: () => ({ allowed: false }) });
    ok(configuration('Validating', 'a', [hook('all', { rules: [{ ...rule, apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }] })]));
    expect(server.handle(envelopeOf('client', { verb: 'delete', kind: 'ValidatingWebhookConfiguration', name: 'a' })).ok).toBe(true);
    expect(calls).toEqual([]);
  });
});

describe('mutating webhooks', () => {
  it('are asked in the order of their configurations, and each sees what the one before made', () => {
    const { ok, create, calls } = world({
      first: () => ({ ...label('first'), warnings: ['mind this'] }),
      second: (request) =>
        label('second', Object.keys((request['object'] as never as { metadata: { labels: object } }).metadata.labels).join('.')),
    });
    ok(configuration('Mutating', 'b', [hook('second')]));
    ok(configuration('Mutating', 'a', [hook('first')]));
    expect(create('m', { a: 'b' }).metadata.labels).toEqual({ a: 'b', first: 'x', second: 'a.first' });
    expect(calls.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(calls[0]?.request).toMatchObject({
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'm',
      namespace: 'default',
      operation: 'CREATE',
      oldObject: null,
      dryRun: false,
      userInfo: { username: 'client' },
      object: { kind: 'ConfigMap', metadata: { name: 'm', labels: { a: 'b' } } },
    });
  });

  it('are asked again if others change the object after them, once, where they want it', () => {
    const { ok, create, calls } = world({ again: () => ({}), never: () => ({}), last: () => label('last') });
    ok(configuration('Mutating', 'a', [hook('again', { reinvocationPolicy: 'IfNeeded' }), hook('never'), hook('last')]));
    create('m', { a: 'b' });
    expect(calls.map(({ name }) => name)).toEqual(['again', 'never', 'last', 'again']);
  });

  it('make objects that are validated, and answers that are none are failures', () => {
    const { ok, refusedCreate } = world({
      bad: () => label('bad', 'not a label!'),
      odd: () => ({ patch: base64OfText('{'), patchType: 'JSONPatch' }),
      other: () => ({ uid: 'other' }),
    });
    ok(
      configuration('Mutating', 'a', [
        hook('bad', { objectSelector: { matchLabels: { ask: 'bad' } } }),
        hook('odd', { objectSelector: { matchLabels: { ask: 'odd' } } }),
        hook('other', { objectSelector: { matchLabels: { ask: 'other' } } }),
      ]),
    );
    expect(refusedCreate('m', { ask: 'bad' }).message).toContain('metadata.labels: Invalid value: "not a label!"');
    expect(refusedCreate('m', { ask: 'odd' }).message).toMatch(
      /^Internal error occurred: failed calling webhook "odd.hooks.example.com": illegal response.patch: /,
    );
    expect(refusedCreate('m', { ask: 'other' }).message).toContain('expected response.uid=');
  });
});

describe('validating webhooks', () => {
  it('deny with their message, code and reason', () => {
    const { ok, create, refusedCreate, refused, at } = world({
      no: (request) =>
        request['operation'] === ('CREATE' as never)
          ? {}
          : { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'stays' } },
      silent: () => ({ allowed: false }),
    });
    ok(configuration('Validating', 'a', [hook('no'), hook('silent', { objectSelector: { matchLabels: { a: 'silent' } } })]));
    create('m');
    expect(refused({ verb: 'delete', ...at, name: 'm' })).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "no.hooks.example.com" denied the request: stays',
    });
    expect(refused({ verb: 'patch', ...at, name: 'm', patchType: 'merge', body: { data: { a: 'b' } } }).code).toBe(403);
    expect(refusedCreate('n', { a: 'silent' })).toMatchObject({
      code: 400,
      message: 'admission webhook "silent.hooks.example.com" denied the request without explanation',
    });
  });

  it('that do not answer refuse or not, by their policy', () => {
    const { ok, create, refusedCreate } = world({
      down: () => 'Post "https://hooks.default.svc:443/?timeout=10s": dial tcp: connect: connection refused',
    });
    ok(configuration('Validating', 'a', [hook('down', { failurePolicy: 'Ignore' })]));
    expect(create('m').kind).toBe('ConfigMap');
    ok(configuration('Validating', 'b', [hook('down')]));
    expect(refusedCreate('n')).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message:
        'Internal error occurred: failed calling webhook "down.hooks.example.com": failed to call webhook: Post "https://hooks.default.svc:443/?timeout=10s": dial tcp: connect: connection refused',
    });
  });

  it('are asked about what their rules and selectors choose', () => {
    const { ok, create, calls, at } = world({});
    const only = (name: string, more: object) => hook(name, more);
    ok(
      configuration('Validating', 'a', [
        only('updates', { rules: [{ ...rule, operations: ['UPDATE'] }] }),
        only('pods', { rules: [{ ...rule, resources: ['pods', 'configmaps/status'] }] }),
        only('cluster', { rules: [{ ...rule, scope: 'Cluster' }] }),
        only('elsewhere', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }),
        only('here', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } }),
        only('everything', { rules: [{ ...rule, apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }] }),
      ]),
    );
    create('m');
    expect(calls.map(({ name }) => name)).toEqual(['here', 'everything']);
    calls.length = 0;
    ok({ verb: 'patch', ...at, name: 'm', patchType: 'merge', body: { data: { a: 'b' } }, dryRun: true });
    expect(calls.map(({ name }) => name)).toEqual(['updates', 'here', 'everything']);
    expect(calls[0]?.request).toMatchObject({ dryRun: true, operation: 'UPDATE', oldObject: { metadata: { name: 'm' } } });
  });

  it('are asked in the version of a custom resource that they know, unless they match exactly', () => {
    const { ok, calls } = world({});
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const versions = ['v1beta1', 'v1'].map((name) => ({ name, served: true, storage: name === 'v1', schema }));
    const spec = { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions };
    ok({
      verb: 'create',
      kind: 'CustomResourceDefinition',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec,
      },
    });
    const rules = [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['widgets'] }];
    ok(configuration('Validating', 'a', [hook('either', { rules }), hook('exact', { rules, matchPolicy: 'Exact' })]));
    ok({
      verb: 'create',
      kind: 'Widget',
      namespace: 'default',
      body: { apiVersion: 'example.com/v1beta1', kind: 'Widget', metadata: { name: 'w' } },
    });
    expect(calls).toMatchObject([
      {
        name: 'either',
        request: { kind: { version: 'v1' }, requestKind: { version: 'v1beta1' }, object: { apiVersion: 'example.com/v1' } },
      },
    ]);
  });
});

describe('sub-resources with a form of their own', () => {
  const about = (group: string, ...resources: readonly string[]) => ({
    rules: [{ operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources }],
  });
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  } as never;
  const of = { kind: 'Deployment', namespace: 'default', name: 'web' } as const;
  const scaleTo = (replicas: number) => ({ verb: 'update', ...of, subresource: 'scale', body: { spec: { replicas } } as never }) as const;

  it('are asked about as Scale, which they may change, and not about the parent', () => {
    const { ok, refused, calls, store } = world({
      caps: () => patch({ op: 'replace', path: '/spec/replicas', value: 3 }),
      even: ({ object }) => ((object as never as { spec: { replicas: number } }).spec.replicas === 3 ? {} : { allowed: false }),
      parent: () => ({ allowed: false }),
    });
    ok({ verb: 'create', kind: 'Deployment', namespace: 'default', body: deployment });
    ok(configuration('Mutating', 'a', [hook('caps', about('apps', 'deployments/scale'))]));
    ok(configuration('Validating', 'b', [hook('even', about('apps', '*/scale')), hook('parent', about('apps', 'deployments'))]));
    ok(scaleTo(9));
    expect(store.get('Deployment', 'default/web')?.spec.replicas).toBe(3);
    expect(calls.map(({ name }) => name)).toEqual(['caps', 'even']);
    expect(calls[1]?.request).toMatchObject({
      kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      resource: { group: 'apps', version: 'v1', resource: 'deployments' },
      subResource: 'scale',
      operation: 'UPDATE',
      name: 'web',
      object: { kind: 'Scale', spec: { replicas: 3 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
    calls.length = 0;
    ok({ verb: 'patch', ...of, subresource: 'scale', patchType: 'merge', body: { spec: { replicas: 5 } } });
    expect(calls.map(({ name }) => name)).toEqual(['caps', 'even']);
    expect(refused({ verb: 'update', ...of, body: { ...(deployment as object), spec: { replicas: 1 } } as never }).message).toBeDefined();
  });

  it('are asked about as Binding and Eviction, and a refusal leaves the pod', () => {
    const { ok, refused, calls, store } = world({ no: () => ({ allowed: false, status: { message: 'not here', code: 403 } }) });
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } as never;
    ok({ verb: 'create', kind: 'Pod', namespace: 'default', body: pod });
    ok(configuration('Validating', 'a', [hook('no', about('', 'pods/binding', 'pods/eviction', 'pods'))]));
    const to = (subresource: string, body: object) =>
      refused({ verb: 'create', kind: 'Pod', namespace: 'default', name: 'p', subresource, body: body as never });
    const said = 'admission webhook "no.hooks.example.com" denied the request: not here';
    expect(to('binding', { target: { kind: 'Node', name: 'n' } })).toMatchObject({ code: 403, message: said });
    expect(to('eviction', { metadata: { name: 'p' } })).toMatchObject({ code: 403, message: said });
    expect(calls.map(({ request: { kind, operation, oldObject } }) => [kind, operation, oldObject])).toEqual([
      [{ group: '', version: 'v1', kind: 'Binding' }, 'CREATE', null],
      [{ group: 'policy', version: 'v1', kind: 'Eviction' }, 'CREATE', null],
    ]);
    expect(store.get('Pod', 'default/p')?.spec).not.toHaveProperty('nodeName');
  });
});

it('what a webhook notes for the audit log is in the response, also of a refusal', () => {
  const { server, ok, at, map } = world({
    notes: ({ name }) => ({ allowed: name !== ('no' as never), auditAnnotations: { seen: 'yes', 'not a key': 'x', 'a/b': 'y' } }),
  });
  ok(configuration('Validating', 'a', [hook('notes')]));
  const create = (name: string) => server.handle(envelopeOf('client', { verb: 'create', ...at, body: map(name) }));
  const annotations = { 'notes.hooks.example.com/seen': 'yes' };
  expect(create('yes')).toMatchObject({ ok: true, annotations });
  const refused = create('no');
  expect(refused).toMatchObject({ ok: false, annotations });
  const lines: string[] = [];
  const log = createAuditLog({ startAt: 0, line: (text) => lines.push(text) });
  const envelope = envelopeOf('client', { verb: 'create', ...at, body: map('no') });
  log({ envelope, response: refused, at: 0, kinds: kindsFor(namesFor('k8s.io')) });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ annotations });
  expect(server.handle(envelopeOf('client', { verb: 'get', ...at, name: 'yes' }))).not.toHaveProperty('annotations');
});

it('a webhook may make requests of its own: each answer has only its own annotations', () => {
  const inner: unknown[] = [];
  const { server, ok, at, map } = world({
    notes: () => ({ auditAnnotations: { seen: 'yes' } }),
    looks: () => {
      inner.push(server.handle(envelopeOf('webhook', { verb: 'list', kind: 'ConfigMap' })));
      return {};
    },
  });
  ok(configuration('Validating', 'a', [hook('notes'), hook('looks')]));
  const made = server.handle(envelopeOf('client', { verb: 'create', ...at, body: map('one') }));
  expect(made).toMatchObject({ ok: true, annotations: { 'notes.hooks.example.com/seen': 'yes' } });
  expect(inner).toEqual([expect.not.objectContaining({ annotations: expect.anything() as unknown })]);
  expect(inner).toMatchObject([{ ok: true }]);
});

it('a request within a request that fails by an error leaves the outer one its author', () => {
  const unreadable = Object.defineProperty({ apiVersion: 'v1', kind: 'ConfigMap' }, 'metadata', {
    enumerable: true,
    get() {
      throw new Error('unreadable');
    },
  });
  const { server, store, ok, at, map } = world({
    fails: () => {
      expect(() => server.handle(envelopeOf('webhook', { verb: 'create', ...at, body: unreadable as never }))).toThrow('unreadable');
      return {};
    },
  });
  ok(configuration('Validating', 'a', [hook('fails')]));
  const authors: string[] = [];
  store.onChange((_, { by }) => void authors.push(by.process));
  ok({ verb: 'create', ...at, body: map('one') });
  expect(authors).toEqual(['client']);
});
