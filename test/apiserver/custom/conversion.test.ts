/** Conversion by the webhook of a definition: what it is asked, what it may change, and what upstream says where it fails. */
import { expect, it } from 'vitest';
import { type AskWebhook, inVersionOf } from '../../../src/apiserver/admission/index.ts';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import { inVersion } from '../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../src/apiserver/machinery/index.ts';

const schema = (...fields: readonly string[]) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: Object.fromEntries(fields.map((each) => [each, { type: 'string' }])) } },
  },
});
const betaOf = (conversionReviewVersions: readonly string[] | undefined) => {
  const made = customKind({
    kind: 'CustomResourceDefinition',
    apiVersion: 'apiextensions.k8s.io/v1',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions, clientConfig: { service: { namespace: 'default', name: 'hooks' } } },
      },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schema('size') },
        { name: 'v1beta1', served: true, storage: false, schema: schema('width') },
      ],
    },
  });
  if (!('kind' in made)) throw new Error(JSON.stringify(made));
  const beta = inVersion(made.kind, 'v1beta1');
  if (beta === undefined) throw new Error('v1beta1 is served');
  return beta;
};
const beta = betaOf(['v2', 'v1']);

const widget = (): ApiObject =>
  ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default', uid: 'u', labels: { a: 'b' } },
    spec: { size: 'large' },
  }) as unknown as ApiObject;
const answering =
  (change: (object: Record<string, unknown>) => object, more: object = {}): AskWebhook =>
  ({ review }) => {
    const { apiVersion, request } = review as { apiVersion: string; request: { uid: string; objects: Record<string, unknown>[] } };
    const convertedObjects = request.objects.map((each) => change({ ...each, apiVersion: 'example.com/v1beta1' }));
    const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects, ...more };
    return { review: { apiVersion, kind: 'ConversionReview', response } };
  };
const convert = (webhooks: AskWebhook) => inVersionOf({ webhooks, names: namesFor('k8s.io') }, widget(), beta);

it('is asked in a version that it understands, and may change all but the identity; what the version lacks is pruned', () => {
  const reviews: object[] = [];
  const renames = answering(({ spec, metadata, ...rest }) => ({
    ...rest,
    metadata: { ...(metadata as object), labels: { c: 'd' }, finalizers: ['x.example.com/y'] },
    spec: { width: (spec as { size: string }).size, size: 'stays' },
  }));
  const found = convert((call) => {
    reviews.push(call.review);
    expect(call).toMatchObject({
      name: 'widgets.example.com',
      webhook: { timeoutSeconds: 30, clientConfig: { service: { name: 'hooks' } } },
    });
    return renames(call);
  });
  expect(found).toEqual({
    apiVersion: 'example.com/v1beta1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default', uid: 'u', labels: { c: 'd' } },
    spec: { width: 'large' },
  });
  expect(reviews).toMatchObject([
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { desiredAPIVersion: 'example.com/v1beta1', objects: [widget()] },
    },
  ]);
});

const FAILED = 'conversion webhook for example.com/v1, Kind=Widget failed: ';
const RETURNED = 'conversion webhook for example.com/v1, Kind=Widget returned ';
const INVALID = `${RETURNED}invalid converted object at index 0: `;
const EXPECTED = `${FAILED}expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got `;
const said =
  (review: unknown): AskWebhook =>
  () => ({ review });
const review = (response: unknown) => said({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response });
const having = (change: object): AskWebhook => answering((each) => ({ ...each, ...change }));
const withMetadata = (change: object): AskWebhook =>
  answering((each) => ({ ...each, metadata: { ...(each['metadata'] as object), ...change } }));
it.each<readonly [name: string, ask: AskWebhook, message: string]>([
  ['no answer', () => ({ failure: 'Post "https://hooks": refused' }), `${FAILED}Post "https://hooks": refused`],
  ['a failure', answering((each) => each, { result: { status: 'Failure', message: 'too old' } }), `${FAILED}too old`],
  ['another uid', answering((each) => each, { uid: 'other' }), `${FAILED}expected response.uid="u", got "other"`],
  ['nothing', answering((each) => each, { convertedObjects: [] }), `${RETURNED}0 objects, expected 1`],
  ['no list', answering((each) => each, { convertedObjects: {} }), `${RETURNED}0 objects, expected 1`],
  ['two objects', answering((each) => each, { convertedObjects: [{}, {}] }), `${RETURNED}2 objects, expected 1`],
  ['no review', said(7), `${EXPECTED}, Kind=`],
  ['another review', said({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'X' }), `${EXPECTED}apiextensions.k8s.io/v1, Kind=X`],
  ['a review of another version', said({ apiVersion: 'a/v1', kind: 'ConversionReview' }), `${EXPECTED}a/v1, Kind=ConversionReview`],
  ['no response', review(undefined), `${FAILED}no response provided`],
  ['a list as response', review([]), `${FAILED}no response provided`],
  ['no uid', review({}), `${FAILED}expected response.uid="u", got ""`],
  ['no status', review({ uid: 'u' }), `${FAILED}response.result.status was '', not 'Success'`],
  [
    'another status',
    review({ uid: 'u', result: { status: 'Odd', message: '' } }),
    `${FAILED}response.result.status was 'Odd', not 'Success'`,
  ],
  ['a reason', review({ uid: 'u', result: { message: 5, reason: 'Because' } }), `${FAILED}Because`],
  ['another kind', having({ kind: 'Other' }), `${INVALID}must have the same kind: Widget != Other`],
  ['no object', answering(() => [], {}), `${INVALID}must have the same kind: Widget != `],
  [
    'another version',
    having({ apiVersion: 'example.com/v2' }),
    `${INVALID}invalid apiVersion example.com/v2, expected example.com/v1beta1`,
  ],
  ['no version', having({ apiVersion: undefined }), `${INVALID}invalid apiVersion , expected example.com/v1beta1`],
  ['another namespace', withMetadata({ namespace: 'x' }), `${INVALID}must have the same namespace: default != x`],
  ['no namespace', withMetadata({ namespace: undefined }), `${INVALID}must have the same namespace: default != `],
  ['another UID', withMetadata({ uid: 'v' }), `${INVALID}must have the same UID: u != v`],
  [
    'labels that are none',
    withMetadata({ labels: { a: 5 } }),
    `${RETURNED}invalid object at index 0: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`,
  ],
  [
    'another name',
    answering((each) => ({ ...each, metadata: { ...(each['metadata'] as object), name: 'x' } })),
    `${INVALID}must have the same name: w != x`,
  ],
])('of %s the client gets an error 500', (_, ask, message) => {
  expect(() => convert(ask)).toThrow(
    expect.objectContaining({ status: expect.objectContaining({ code: 500, status: 'Failure', message }) as unknown }),
  );
});

it.each([
  [['v2', 'v1beta1', 'v1'], 'v1beta1'],
  [['v1', 'v1beta1'], 'v1'],
])('a webhook that reads reviews of %j gets %s', (versions, expected) => {
  let asked: unknown;
  const webhooks: AskWebhook = (call) => {
    asked = (call.review as { readonly apiVersion: string }).apiVersion;
    return answering((each) => each)(call);
  };
  expect(inVersionOf({ webhooks, names: namesFor('k8s.io') }, widget(), betaOf(versions)).apiVersion).toBe('example.com/v1beta1');
  expect(asked).toBe(`apiextensions.k8s.io/${expected}`);
});
