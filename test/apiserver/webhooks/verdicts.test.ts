/** What the answer of an admission webhook means, and what it is asked. */
import { describe, expect, it } from 'vitest';
import { verdictOf, versionFor } from '../../../src/apiserver/admission/webhooks/review.ts';
import type { WebhookCall } from '../../../src/apiserver/admission/index.ts';
import { envelopeOf, Refusal, type User } from '../../../src/apiserver/request/index.ts';
import { base64OfText } from '../../../src/schema/values/index.ts';
import { setup } from '../handlers/setup.ts';

const V1 = 'admission.k8s.io/v1';
const review = { apiVersion: V1, request: { uid: 'u' } };
const answer = (response: unknown) => ({ apiVersion: V1, kind: 'AdmissionReview', response });
const allowed = (more: object) => answer({ uid: 'u', allowed: true, ...more });
const webhook = { name: 'a.hooks.io' } as never;

/** The verdict on an answer, or the refusal of it; with the annotations that it made. */
function verdict(given: unknown): unknown {
  const notes: string[] = [];
  const scope = { annotate: (key: string, value: string) => void notes.push(`${key}=${value}`) };
  try {
    const found = verdictOf(webhook, review, given, scope);
    return notes.length === 0 ? found : { ...(found as object), notes };
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.status;
    throw thrown;
  }
}

describe('an answer', () => {
  const none = (got: string): string => `expected webhook response of ${V1}, Kind=AdmissionReview, got ${got}`;
  const fine = { patch: undefined, warnings: [] };
  const operations = [{ op: 'remove', path: '/x' }];
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, none('null')],
    ['a text', 'x', none('"x"')],
    ['a list', [], none('[]')],
    ['an object of no kind', {}, none(', Kind=')],
    ['another kind', { apiVersion: V1, kind: 'X' }, none(`${V1}, Kind=X`)],
    ['another version', { ...allowed({}), apiVersion: 'admission.k8s.io/v1beta1' }, none('admission.k8s.io/v1beta1, Kind=AdmissionReview')],
    ['no response', answer(undefined), 'Webhook response was absent'],
    ['a response that is none', answer([]), 'Webhook response was absent'],
    ['no uid', answer({ allowed: true }), 'expected response.uid="u", got ""'],
    ['another uid', answer({ uid: 'v' }), 'expected response.uid="u", got "v"'],
    ['a permission', allowed({}), fine],
    ['warnings, of which some are no texts', allowed({ warnings: ['a', 5, 'b'] }), { ...fine, warnings: ['a', 'b'] }],
    ['warnings that are no list', allowed({ warnings: 'a' }), fine],
    [
      'a patch',
      allowed({ patchType: 'JSONPatch', patch: base64OfText(JSON.stringify(operations)), warnings: ['w'] }),
      { patch: operations, warnings: ['w'] },
    ],
    ['an empty patch', allowed({ patch: '' }), fine],
    ['no patch', allowed({ patch: null }), fine],
    ['the type of no patch', allowed({ patchType: 'JSONPatch' }), 'webhook returned response.patchType but not response.patch'],
    ['a patch of no type', allowed({ patch: base64OfText('[]') }), 'invalid response.patchType: ""'],
    ['a patch of another type', allowed({ patchType: 'Merge', patch: base64OfText('[]') }), 'invalid response.patchType: "Merge"'],
    [
      'a patch that is no JSON',
      allowed({ patchType: 'JSONPatch', patch: base64OfText('[') }),
      expect.stringMatching(/^illegal response\.patch: \S/),
    ],
    [
      'annotations',
      allowed({ auditAnnotations: { b: 'x', 'no key': 'y', c: 5, a: '' } }),
      { ...fine, notes: ['a.hooks.io/b=x', 'a.hooks.io/a='] },
    ],
    ['annotations that are none', allowed({ auditAnnotations: 'x' }), fine],
  ])('%s', (_, given, expected) => expect(verdict(given)).toEqual(expected));

  const by = 'admission webhook "a.hooks.io" denied the request';
  it.each<[unknown, number, string, object]>([
    [undefined, 400, `${by} without explanation`, {}],
    ['x', 400, `${by} without explanation`, {}],
    [{ message: '', reason: '' }, 400, `${by} without explanation`, {}],
    [
      { message: 'no', reason: 'Forbidden', code: 403, details: { name: 'n' } },
      403,
      `${by}: no`,
      { reason: 'Forbidden', details: { name: 'n' } },
    ],
    [{ reason: 'Gone' }, 400, `${by}: Gone`, { reason: 'Gone' }],
    [{ message: 5, details: 'x', code: '403', reason: 7 }, 400, `${by} without explanation`, {}],
    [{ code: 399 }, 400, `${by} without explanation`, {}],
    [{ code: 400 }, 400, `${by} without explanation`, {}],
    [{ code: 599 }, 599, `${by} without explanation`, {}],
    [{ code: 600 }, 400, `${by} without explanation`, {}],
  ])('that denies with %j', (status, code, message, more) => {
    const { reason, details } = more as { readonly reason?: string; readonly details?: object };
    const {
      apiVersion: _,
      kind: __,
      metadata: ___,
      status: ____,
      ...refusal
    } = verdict(answer({ uid: 'u', status })) as Record<string, unknown>;
    expect(refusal).toEqual({ code, message, ...(reason === undefined ? {} : { reason }), ...(details === undefined ? {} : { details }) });
  });
});

it('the version of reviews is the first that is known', () => {
  expect([undefined, [], ['v2'], ['v2', 'v1beta1', 'v1'], ['v1', 'v1beta1']].map((each) => versionFor(each))).toEqual([
    'v1',
    'v1',
    'v1',
    'v1beta1',
    'v1',
  ]);
});

describe('a question', () => {
  /** The requests that a webhook of these rules is asked about. */
  function asked(webhooks: object): { readonly world: ReturnType<typeof setup>; readonly requests: Record<string, unknown>[] } {
    const requests: Record<string, unknown>[] = [];
    const world = setup(
      'k8s.io',
      {},
      {
        webhooks(call: WebhookCall) {
          const { apiVersion, request } = call.review as { readonly apiVersion: string; readonly request: Record<string, unknown> };
          requests.push(structuredClone({ ...request, apiVersion }));
          return { review: { apiVersion, kind: 'AdmissionReview', response: { uid: request['uid'], allowed: true } } };
        },
      },
    );
    const kind = 'ValidatingWebhookConfiguration';
    const hook = { name: 'a.hooks.io', clientConfig: { service: { namespace: 'default', name: 'h' } }, sideEffects: 'None', ...webhooks };
    world.ok({
      verb: 'create',
      kind,
      body: { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'a' }, webhooks: [hook] },
    });
    return { world, requests };
  }
  const everything = (more: object = {}) => ({
    admissionReviewVersions: ['v1beta1'],
    rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
    ...more,
  });

  it('says who asks for what, in the version of reviews that the webhook prefers', () => {
    const { world, requests } = asked(everything());
    const user: User = { name: 'u', uid: '7', groups: ['g'], extra: { scopes: ['a'] } };
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } };
    const at = { kind: 'ConfigMap', namespace: 'default' } as const;
    const stored = world.ok({ ...at, verb: 'create', body: map, user });
    world.server.handle(envelopeOf('client', { ...at, verb: 'delete', name: 'm', dryRun: true }));
    const common = {
      apiVersion: 'admission.k8s.io/v1beta1',
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/) as unknown,
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'm',
      namespace: 'default',
    };
    const { resourceVersion: _, ...metadata } = stored.metadata;
    expect(requests).toEqual([
      {
        ...common,
        operation: 'CREATE',
        userInfo: { username: 'u', uid: '7', groups: ['g'], extra: { scopes: ['a'] } },
        object: { ...stored, metadata },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
      {
        ...common,
        operation: 'DELETE',
        userInfo: { username: 'client', groups: [] },
        object: null,
        oldObject: stored,
        dryRun: true,
        options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    ]);
  });

  it.each<[string, object, readonly string[]]>([
    ['labels of a namespace itself', everything({ namespaceSelector: { matchLabels: { a: 'b' } } }), ['Namespace yes']],
    [
      'cluster scope',
      { ...everything(), rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Cluster' }] },
      ['Namespace yes', 'Namespace no'],
    ],
    [
      'namespaces',
      { ...everything(), rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'], scope: 'Namespaced' }] },
      ['ConfigMap m'],
    ],
    [
      'sub-resources only',
      { ...everything(), rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['namespaces/status'] }] },
      ['Namespace yes'],
    ],
    [
      'one of two resources',
      {
        ...everything(),
        rules: [{ operations: ['CREATE'], apiGroups: ['x', ''], apiVersions: ['v1'], resources: ['pods', 'configmaps'] }],
      },
      ['ConfigMap m'],
    ],
    ['another group', { ...everything(), rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['*'], resources: ['*/*'] }] }, []],
    ['another version', { ...everything(), rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v2'], resources: ['*/*'] }] }, []],
    ['no rule', { ...everything(), rules: [] }, []],
  ])('is chosen by %s', (_, webhooks, expected) => {
    const { world, requests } = asked(webhooks);
    const create = (kind: string, metadata: object, namespace?: string) =>
      world.ok({
        verb: 'create',
        kind,
        ...(namespace === undefined ? {} : { namespace }),
        body: { apiVersion: 'v1', kind, metadata },
      });
    const made = create('Namespace', { name: 'yes', labels: { a: 'b' } });
    create('Namespace', { name: 'no', labels: { a: 'c' } });
    create('ConfigMap', { name: 'm' }, 'no');
    if (_ === 'sub-resources only') world.ok({ verb: 'update', kind: 'Namespace', name: 'yes', subresource: 'status', body: made });
    expect(requests.map(({ kind, name }) => `${(kind as { readonly kind: string }).kind} ${String(name)}`)).toEqual(expected);
  });
});
