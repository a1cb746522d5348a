/** Validation of reviews reports all errors at once. */
import { expect, it } from 'vitest';
import { setup } from './setup.ts';

const { ask } = setup();
const at = '/apis/authorization.k8s.io/v1';
const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
const META = (name: string, labels = 'map[string]string(nil)') =>
  `v1.ObjectMeta{Name:${JSON.stringify(name)}, GenerateName:"", Namespace:"", SelfLink:"", UID:"", ResourceVersion:"", Generation:0, CreationTimestamp:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), DeletionTimestamp:<nil>, DeletionGracePeriodSeconds:(*int64)(nil), Labels:${labels}, Annotations:map[string]string(nil), OwnerReferences:[]v1.OwnerReference(nil), Finalizers:[]string(nil), ZZZ_DeprecatedClusterName:"", ManagedFields:[]v1.ManagedFieldsEntry(nil)}`;

it('carry no metadata', async () => {
  expect((await ask('POST', `${at}/selfsubjectaccessreviews`, { metadata: { name: 'new' } })).json).toMatchObject({
    code: 422,
    message: `.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified, metadata: Invalid value: ${META('new')}: must be empty]`,
  });
  expect(
    (await ask('POST', `${at}/subjectaccessreviews`, { metadata: { labels: { a: 'b' } }, spec: { resourceAttributes } })).json,
  ).toMatchObject({
    code: 422,
    details: {
      causes: [
        { field: 'spec.user' },
        { field: 'metadata', message: `Invalid value: ${META('', 'map[string]string{"a":"b"}')}: must be empty` },
      ],
    },
  });
});

it('of a namespace have only that namespace', async () => {
  const path = `${at}/namespaces/default/localsubjectaccessreviews`;
  const spec = { user: 'u', resourceAttributes };
  expect((await ask('POST', path, { spec })).json).toMatchObject({ metadata: { namespace: 'default' }, status: { allowed: true } });
  expect((await ask('POST', path, { metadata: { namespace: 'default', name: 'x' }, spec })).json).toMatchObject({
    details: { causes: [{ field: 'metadata', message: expect.stringMatching(/must be empty except for namespace$/) }] },
  });
  expect((await ask('POST', path, { metadata: { namespace: 'other' }, spec })).status).toBe(400);
  expect((await ask('POST', path, { spec: { user: 'u', nonResourceAttributes: { path: '/x', verb: 'get' } } })).json).toMatchObject({
    details: {
      causes: [
        {
          field: 'spec.nonResourceAttributes',
          message: 'Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: disallowed on this kind of request',
        },
      ],
    },
  });
});

it('of a token need one', async () => {
  for (const body of [{}, { spec: {} }, { spec: { token: '' } }])
    expect((await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', body)).json).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  expect((await ask('POST', '/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: 'x' } })).json).toMatchObject({
    status: { error: '[invalid bearer token]' },
  });
});

it('of oneself are of a later release: they are answered with compat', async () => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  expect((await ask('POST', path, body)).status).toBe(404);
  const later = setup({}, () => ({ compat: true }));
  expect((await later.ask('POST', path, body)).json).toEqual({
    ...body,
    metadata: { creationTimestamp: null },
    status: { userInfo: { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] } },
  });
});

it.each(['__proto__', 'constructor', 'toString', 'nopes'])('of no such kind (%s) is not served', async (name) => {
  expect((await ask('POST', `${at}/${name}`, {})).status).toBe(404);
});
