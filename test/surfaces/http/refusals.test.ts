/** Refusals of bodies: unknown kinds, malformed protobuf, tabs in YAML, unknown fields of a strict patch. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const core = '/api/v1/namespaces/default';
const SCHEME = 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';

describe('a body of another kind', () => {
  const { ask } = setup();
  it.each([
    ['v1', 'Service', 'v1.Service'],
    ['apps/v1', 'Deployment', 'v1.Deployment'],
    ['policy/v1beta1', 'PodDisruptionBudget', 'v1beta1.PodDisruptionBudget'],
    ['autoscaling/v2beta2', 'HorizontalPodAutoscalerList', 'v2beta2.HorizontalPodAutoscalerList'],
    ['authorization.k8s.io/v1', 'SubjectAccessReview', 'v1.SubjectAccessReview'],
    ['rbac.authorization.k8s.io/v1beta1', 'Role', 'v1beta1.Role'],
    ['v1', 'Status', 'v1.Status'],
    ['batch/v1beta1', 'DeleteOptions', 'v1.DeleteOptions'],
  ])('that is known: %s %s', async (apiVersion, kind, go) => {
    const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
    expect((await ask('POST', `${core}/pods`, { apiVersion, kind })).json).toMatchObject({
      code: 400,
      message: `${kind} in version "${version}" cannot be handled as a Pod: converting (${go}) to (core.Pod): unknown conversion`,
    });
  });

  it.each([
    ['v1', 'Deployment'],
    ['apps/v1', 'Pod'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    ['apiregistration.k8s.io/v1', 'APIService'],
    ['example.com/v1', 'DeleteOptions'],
  ])('that is not: %s %s', async (apiVersion, kind) => {
    expect((await ask('POST', `${core}/pods`, { apiVersion, kind })).json).toMatchObject({
      code: 400,
      message: expect.stringContaining(`no kind "${kind}" is registered for version "${apiVersion}" ${SCHEME}`),
    });
  });

  it('the aggregator knows only its own kinds', async () => {
    expect((await ask('POST', '/apis/apiregistration.k8s.io/v1/apiservices', { apiVersion: 'v1', kind: 'Pod' })).json).toMatchObject({
      message: expect.stringMatching(/no kind "Pod" is registered for version "v1" in scheme "k8s\.io\/kube-aggregator/),
    });
  });
});

it('a body that is not protobuf', async () => {
  const { ask } = setup();
  const said = async (body: string) =>
    ((await ask('POST', `${core}/pods`, body, { 'content-type': 'application/vnd.kubernetes.protobuf' })).json as { message: string })
      .message;
  const unrecognized = 'the object provided is unrecognized (must be of type Pod)';
  expect(await said('abc')).toBe(
    `${unrecognized}: provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (616263)`,
  );
  expect(await said('x'.repeat(40))).toContain(`(${'78'.repeat(30)} ...)`);
  expect(await said('')).toBe(`${unrecognized}: empty data (<empty>)`);
  expect(await said('k8s\0')).toBe(`${unrecognized}: empty body (6b387300)`);
  expect((await ask('DELETE', `${core}/pods/p`, 'abc', { 'content-type': 'application/vnd.kubernetes.protobuf' })).json).toMatchObject({
    code: 500,
    message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  });
});

describe('a tab in YAML', () => {
  const { ask } = setup();
  it.each([
    ['\ta: b', 'yaml: found character that cannot start any token'],
    ['metadata:\n\tname: x\n', 'yaml: line 2: found character that cannot start any token'],
    ['a: "b"\n\tc: d', 'yaml: line 2: found character that cannot start any token'],
    ['metadata: {name: x}\n\tspec: {}\n', 'yaml: line 2: found character that cannot start any token'],
    ['a:\n  b: c\n\td: e', 'yaml: line 3: found a tab character that violates indentation'],
  ])('%j', async (body, why) => {
    expect((await ask('POST', `${core}/configmaps`, body, { 'content-type': 'application/yaml' })).json).toMatchObject({
      code: 400,
      message: expect.stringContaining(`(must be of type ConfigMap): ${why} (`),
    });
  });
});

/** The words of the errors of YAML, as clients see them: a long body has them too, but for its line. */
describe('malformed YAML', () => {
  const { ask } = setup();
  const long = `data:\n${Array.from({ length: 300 }, (_, at) => `  key-${at}: ${'x'.repeat(20)}\n`).join('')}`;
  const said = async (body: string): Promise<string | undefined> => {
    const { status, json } = await ask('POST', `${core}/configmaps`, body, { 'content-type': 'application/yaml' });
    return status === 400 ? /\(must be of type ConfigMap\): (.*) \(/s.exec((json as { readonly message: string }).message)?.[1] : undefined;
  };
  it.each([
    ['a: {b: c', 1, 'did not find expected node content'],
    ['a: [1, 2', 1, 'did not find expected node content'],
    ['a: b: c', 1, 'did not find expected key'],
    ['a: *x', 1, 'expected an alias of an anchor above it, found *x'],
    ['a: &x [*x]', 1, 'expected an alias of a finished value, found *x inside itself'],
    ['a: "b', 1, 'expected well-formed YAML, found Missing closing "quote'],
    ['a: .nan', 1, 'expected a number that JSON can hold, found .nan'],
    ['? {a: b}\n: c', 1, 'expected a text as key, found a mapping with a'],
    ['<<: 7', 1, 'expected mappings to merge, found 7'],
    ['a: !!binary x', 1, 'expected a tag of JSON values (!!str, !!int, !!float, !!bool, !!null), found !!binary "x"'],
  ])('%j', async (body, line, why) => {
    expect(await said(body)).toBe(`yaml: line ${line}: ${why}`);
    expect((await said(long + body))?.replace(/line \d+/, `line ${line}`)).toBe(`yaml: line ${line}: ${why}`);
  });

  it('is bounded: aliases count as what they stand for, and nesting has a limit', async () => {
    const bomb = [...'bcdefgh'].map((name, at) => `${name}: &${name} [${`*${'abcdefgh'.charAt(at)},`.repeat(10)}]`).join('\n');
    for (const body of [`a: &a [x]\n${bomb}`, '- a\n'.repeat(100_000)]) {
      const { status, json } = await ask('POST', `${core}/configmaps`, body, { 'content-type': 'application/yaml' });
      expect([status, json]).toMatchObject([413, { message: expect.stringContaining('limit is 16000 values') }]);
    }
    expect(await said('['.repeat(100_000))).toBe('yaml: line 1: expected at most 100 levels of nesting, found more');
    expect(
      (
        await ask('POST', `${core}/configmaps`, '{"__proto__": {"a": 1}, "metadata": {"name": "p"}}', {
          'content-type': 'application/yaml',
        })
      ).status,
    ).toBe(201);
  });
});

it('an error of a strict strategic patch shows the patch, not the result', async () => {
  const { ask } = setup({ ServerSideFieldValidation: true });
  await ask('POST', `${core}/configmaps`, { metadata: { name: 'c' } });
  const type = { 'content-type': 'application/strategic-merge-patch+json' };
  expect((await ask('PATCH', `${core}/configmaps/c?fieldValidation=Strict`, { zz: 1, data: { b: 'c' } }, type)).json).toMatchObject({
    code: 422,
    message: ' "" is invalid: patch: Invalid value: "map[data:map[b:c] zz:1]": strict decoding error: unknown field "zz"',
  });
  expect((await ask('PATCH', `${core}/configmaps/c?fieldValidation=Warn`, { zz: 1 }, type)).warnings).toEqual([
    '299 - "unknown field \\"zz\\""',
  ]);
});
