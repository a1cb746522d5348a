/** The operations of the OpenAPI documents, in short: which parameters, bodies and answers each has. */
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly type?: string;
  readonly schema?: { readonly type?: string };
}
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> }>
  >;
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': object;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const nameOf = (ref: string | undefined): string => ref?.split('.').at(-1) ?? '';
const TYPES: Readonly<Record<string, string>> = { string: '', integer: '#', boolean: '?' };

/** `limit#` is a number, `watch?` a flag; a path's parameters are in braces. */
const inShort = ({ name, in: where, schema }: Parameter): string =>
  where === 'path' ? `{${name}}` : `${name}${TYPES[schema?.type ?? ''] ?? '!'}`;

function rowsOf(paths: Paths, of: (path: string) => boolean): readonly string[] {
  return Object.entries(paths)
    .filter(([path]) => of(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses, 'x-kubernetes-action': action }]) => {
        const body = Object.entries(requestBody?.content ?? {}).map(
          ([type, { schema }]) => `${type.replace('application/', '')} ${nameOf(schema.$ref)}`,
        );
        const answers = Object.entries(responses).map(([code, { content = {} }]) =>
          `${code} ${[...new Set(Object.values(content).map(({ schema }) => nameOf(schema.$ref)))].join()}`.trim(),
        );
        return [
          `${method} ${path}`,
          `${operationId} (${action})`,
          parameters.map(inShort).join(' '),
          ...(requestBody === undefined ? [] : [`${requestBody.required ? 'body' : 'body?'} ${body.join(', ')}`]),
          answers.join(', '),
        ].join('; ');
      }),
    );
}

const LIST = 'allowWatchBookmarks? continue fieldSelector labelSelector limit#';
const FROM = 'resourceVersion resourceVersionMatch timeoutSeconds# watch?';

describe('the document of version 3', () => {
  it('has the operations of a kind in namespaces', async () => {
    const { ask } = setup();
    const { paths } = (await ask('GET', '/openapi/v3/apis/coordination.k8s.io/v1')).json as { readonly paths: Paths };
    const [root, one] = [
      '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases',
      '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}',
    ];
    const patches = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml']
      .map((type) => `${type} Lease`)
      .join(', ');
    expect(rowsOf(paths, () => true)).toEqual([
      `get ${root}; listNamespacedLeasecoordinationv1 (list); ${LIST} {namespace} pretty ${FROM}; 200 LeaseList, 401`,
      `post ${root}; postNamespacedLeasecoordinationv1 (post); dryRun fieldManager {namespace} pretty; body */* Lease; 200 Lease, 201 Lease, 202 Lease, 401`,
      `delete ${root}; deletecollectionLeasecoordinationv1 (deletecollection); continue dryRun fieldSelector gracePeriodSeconds# labelSelector limit# {namespace} orphanDependents? pretty propagationPolicy resourceVersion resourceVersionMatch timeoutSeconds#; body? */* DeleteOptions; 200 Status, 401`,
      `get /apis/coordination.k8s.io/v1/leases; listLeaseForAllNamespacescoordinationv1 (list); ${LIST} pretty ${FROM}; 200 LeaseList, 401`,
      `get ${one}; getLeasecoordinationv1 (get); {name} {namespace} pretty; 200 Lease, 401`,
      `put ${one}; putLeasecoordinationv1 (put); dryRun fieldManager {name} {namespace} pretty; body */* Lease; 200 Lease, 201 Lease, 401`,
      `patch ${one}; patchLeasecoordinationv1 (patch); dryRun fieldManager force? {name} {namespace} pretty; body ${patches}; 200 Lease, 201 Lease, 401`,
      `delete ${one}; deleteLeasecoordinationv1 (delete); dryRun gracePeriodSeconds# {name} {namespace} orphanDependents? pretty propagationPolicy; body? */* DeleteOptions; 200 Status, 202 Status, 401`,
    ]);
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      expect(operation['x-kubernetes-group-version-kind']).toEqual({ group: 'coordination.k8s.io', kind: 'Lease', version: 'v1' });
      for (const parameter of operation.parameters) expect(parameter.required, parameter.name).toBe(parameter.in === 'path');
    }
  });

  it('answers in every format, and streams in those that can be cut', async () => {
    const { paths } = (await setup().ask('GET', '/openapi/v3/api/v1')).json as { readonly paths: Paths };
    const typesOf = (path: string) => Object.keys(paths[path]?.['get']?.responses['200']?.content ?? {});
    const whole = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
    expect(typesOf('/api/v1/nodes/{name}')).toEqual(whole);
    expect(typesOf('/api/v1/nodes')).toEqual([
      ...whole,
      'application/json;stream=watch',
      'application/vnd.kubernetes.protobuf;stream=watch',
    ]);
  });

  it('has the status of a kind that has one, and no deletion of all namespaces', async () => {
    const { ask } = setup();
    const { paths } = (await ask('GET', '/openapi/v3/api/v1')).json as { readonly paths: Paths };
    const methods = (path: string): readonly string[] => Object.keys(paths[path] ?? {});
    expect([
      methods('/api/v1/namespaces'),
      methods('/api/v1/namespaces/{name}'),
      methods('/api/v1/namespaces/{name}/status'),
      methods('/api/v1/nodes'),
      methods('/api/v1/namespaces/{namespace}/configmaps/{name}/status'),
      methods('/api/v1/configmaps'),
    ]).toEqual([['get', 'post'], ['get', 'put', 'patch', 'delete'], ['get', 'put', 'patch'], ['get', 'post', 'delete'], [], ['get']]);
    expect(rowsOf(paths, (path) => path === '/api/v1/nodes/{name}/status').map((row) => row.split('; ').slice(1, 3))).toEqual([
      [expect.stringMatching(/^getNodeStatus\w* \(get\)$/), '{name} pretty'],
      [expect.stringMatching(/^putNodeStatus\w* \(put\)$/), 'dryRun fieldManager {name} pretty'],
      [expect.stringMatching(/^patchNodeStatus\w* \(patch\)$/), 'dryRun fieldManager force? {name} pretty'],
    ]);
  });

  it('has the parameter of field validation behind its gate', async () => {
    const parametersOf = async (gates: Readonly<Record<string, boolean>>) => {
      const { paths } = (await setup(gates).ask('GET', '/openapi/v3/apis/coordination.k8s.io/v1')).json as { readonly paths: Paths };
      const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
      return operations
        .filter(({ parameters }) => parameters.some(({ name }) => name === 'fieldValidation'))
        .map((operation) => operation['x-kubernetes-action']);
    };
    expect([await parametersOf({}), await parametersOf({ ServerSideFieldValidation: true })]).toEqual([[], ['post', 'put', 'patch']]);
  });
});

describe('the document of version 2', () => {
  it('has the same operations', async () => {
    const { ask } = setup();
    const [two, three] = [
      ((await ask('GET', '/openapi/v2')).json as { readonly paths: Paths }).paths,
      ((await ask('GET', '/openapi/v3/apis/coordination.k8s.io/v1')).json as { readonly paths: Paths }).paths,
    ];
    for (const [path, methods] of Object.entries(three)) {
      expect(Object.keys(two[path] ?? {}), path).toEqual(Object.keys(methods));
      for (const [method, { description, parameters }] of Object.entries(methods)) {
        const same = two[path]?.[method];
        expect(same?.description, `${method} ${path}`).toBe(description);
        const plain = (all: readonly Parameter[] = []) =>
          all
            .filter((each) => each.in !== 'body')
            .map(({ name, in: where, required, type, schema }) => ({ name, in: where, required, type: type ?? schema?.type }));
        expect(plain(same?.parameters), `${method} ${path}`).toEqual(plain(parameters));
      }
    }
  });
});
