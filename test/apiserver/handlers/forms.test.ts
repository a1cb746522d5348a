/** What admission webhooks see of the sub-resources with a form of their own, and what they make of an answer. */
import { describe, expect, it } from 'vitest';
import type { ObjectInput } from '../../../src/apiserver/machinery/index.ts';
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import { setup, type Setup } from './setup.ts';

interface Seen {
  readonly kind: object;
  readonly resource: { readonly resource: string };
  readonly subResource?: string;
  readonly operation: string;
  readonly object: { readonly kind?: string } | null;
  readonly oldObject: { readonly kind?: string } | null;
}

/** A server with a webhook that is asked about everything, allows it, and notes what it was asked. */
function world(response: object = {}) {
  const seen: Seen[] = [];
  const made = setup(
    'k8s.io',
    {},
    {
      webhooks({ review }) {
        const { apiVersion, request } = review as { readonly apiVersion: string; readonly request: Seen & { readonly uid: string } };
        seen.push(request);
        return { review: { apiVersion, kind: 'AdmissionReview', response: { uid: request.uid, allowed: true, ...response } } };
      },
    },
  );
  made.ok({
    verb: 'create',
    kind: 'ValidatingWebhookConfiguration',
    body: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'all' },
      webhooks: [
        {
          name: 'all.hooks.example.com',
          clientConfig: { service: { namespace: 'default', name: 'hooks' } },
          rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    },
  });
  return { ...made, seen };
}
const pods = { kind: 'Pod', namespace: 'default', name: 'p' } as const;
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const make = ({ ok }: Setup, kind: string, apiVersion: string, spec: object) =>
  ok({ verb: 'create', kind, namespace: 'default', body: { apiVersion, kind, metadata: { name: 'p' }, spec } });
const form = (apiVersion: string, kind: string, more: object = {}) =>
  ({ apiVersion, kind, metadata: { name: 'p' }, ...more }) as ObjectInput;

describe('a webhook', () => {
  it.each<[string, Partial<ApiRequest>, object, object]>([
    [
      'the binding',
      { verb: 'create', subresource: 'binding', body: form('v1', 'Binding', { target: { name: 'n' } }) },
      { group: '', version: 'v1', kind: 'Binding' },
      { operation: 'CREATE', subResource: 'binding', object: { kind: 'Binding', target: { name: 'n' } }, oldObject: null },
    ],
    [
      'the eviction',
      { verb: 'create', subresource: 'eviction', body: form('policy/v1', 'Eviction') },
      { group: 'policy', version: 'v1', kind: 'Eviction' },
      { operation: 'CREATE', subResource: 'eviction', object: { kind: 'Eviction' }, oldObject: null },
    ],
    [
      'the eviction of the beta',
      { verb: 'create', subresource: 'eviction', body: form('policy/v1beta1', 'Eviction') },
      { group: 'policy', version: 'v1beta1', kind: 'Eviction' },
      { operation: 'CREATE', subResource: 'eviction', object: { kind: 'Eviction' }, oldObject: null },
    ],
  ])('is asked about %s of a pod', (_, request, kind, expected) => {
    const all = world();
    make(all, 'Pod', 'v1', template.spec);
    all.seen.length = 0;
    expect(all.server.handle(envelopeOf('client', { ...pods, ...request } as ApiRequest)).ok).toBe(true);
    expect(all.seen[0]).toMatchObject({ kind, resource: { resource: 'pods' }, ...expected });
  });

  it('is asked about the scale of a workload, new and old', () => {
    const all = world();
    make(all, 'ReplicaSet', 'apps/v1', { replicas: 2, selector: { matchLabels: { a: 'b' } }, template });
    all.seen.length = 0;
    const at = { ...pods, kind: 'ReplicaSet', subresource: 'scale' } as const;
    all.ok({ ...at, verb: 'update', body: form('autoscaling/v1', 'Scale', { spec: { replicas: 5 } }) });
    expect(all.seen).toMatchObject([
      {
        kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
        resource: { resource: 'replicasets' },
        subResource: 'scale',
        operation: 'UPDATE',
        object: { kind: 'Scale', spec: { replicas: 5 } },
        oldObject: { kind: 'Scale', spec: { replicas: 2 } },
      },
    ]);
  });

  it('may give annotations of the audit and warnings to a request, the first of each key', () => {
    const all = world({ auditAnnotations: { why: 'so', 'not a key': 'x', none: 5 }, warnings: ['mind this'] });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    const maps = { kind: 'ConfigMap', namespace: 'default' } as const;
    const annotations = { 'all.hooks.example.com/why': 'so' };
    expect(all.server.handle(envelopeOf('client', { ...maps, verb: 'create', body }))).toMatchObject({
      code: 201,
      annotations,
      warnings: ['mind this'],
    });
    // Of the next request nothing is kept.
    expect(all.server.handle(envelopeOf('client', { ...maps, verb: 'get', name: 'c' }))).not.toHaveProperty('annotations');
    const gone = all.server.handle(envelopeOf('client', { ...maps, verb: 'deletecollection' }));
    expect(gone).toMatchObject({ ok: true, annotations });
  });
});
