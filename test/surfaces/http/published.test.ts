/** Discovery and OpenAPI are as recorded, for the modelled kinds. */
import { describe, expect, it } from 'vitest';
import { oracleJson, oracleLines } from '../../support/oracle.ts';
import { setup } from './setup.ts';

interface Row {
  readonly name: string;
  readonly kind: string;
  readonly storageVersionHash?: string;
}
interface Fact {
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly ref?: string;
  readonly items?: Fact;
  readonly additionalProperties?: Fact;
}
interface Definition {
  readonly properties?: Readonly<Record<string, Fact & { readonly $ref?: string }>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly object[];
}

const DOCUMENTS = [
  'api_v1',
  'apis_apps_v1',
  'apis_batch_v1',
  'apis_coordination.k8s.io_v1',
  'apis_discovery.k8s.io_v1',
  'apis_networking.k8s.io_v1',
  'apis_node.k8s.io_v1',
  'apis_rbac.authorization.k8s.io_v1',
  'apis_storage.k8s.io_v1',
  'apis_apiregistration.k8s.io_v1',
];

/** Types that documents share, without `io.k8s.`. */
const SHARED = [
  ...['ListMeta', 'Preconditions', 'StatusCause', 'StatusDetails', 'Status', 'DeleteOptions', 'Time', 'MicroTime'].map(
    (name) => `apimachinery.pkg.apis.meta.v1.${name}`,
  ),
  'apimachinery.pkg.api.resource.Quantity',
  'apimachinery.pkg.util.intstr.IntOrString',
  'api.batch.v1.JobList',
];
/** The members of a group, version and kind in one order. */
const ORDER = ['group', 'version', 'kind'];

describe('discovery', () => {
  for (const name of DOCUMENTS) {
    it(name, async () => {
      const { ask } = setup();
      const wanted = oracleJson(`v1.24/api/discovery/${name}.json`) as { readonly resources: readonly Row[] };
      const got = (await ask('GET', `/${name.replaceAll('_', '/')}`)).json as { readonly resources: readonly Row[] };
      // The stored version is not compared: some kinds were stored in an older version, some are not stored at all.
      const plain = (rows: readonly Row[]) => rows.map(({ storageVersionHash: _, ...row }) => row);
      expect({ ...got, resources: plain(got.resources) }).toEqual({ ...wanted, resources: plain(wanted.resources) });
    });
  }
});

describe('StorageVersionHash that is off', () => {
  it('removes the hashes from every row, of kinds and of other resources', async () => {
    const hashes = async (gates: Readonly<Record<string, boolean>>) => {
      const { ask } = setup(gates);
      const rows = await Promise.all(
        ['/api/v1', '/apis/batch/v1', '/apis/policy/v1beta1'].map(
          async (path) => ((await ask('GET', path)).json as { readonly resources: readonly Row[] }).resources,
        ),
      );
      return rows.map((each) => each.filter(({ storageVersionHash }) => storageVersionHash !== undefined).length > 0);
    };
    expect(await hashes({})).toEqual([true, true, true]);
    expect(await hashes({ StorageVersionHash: false })).toEqual([false, false, false]);
  });
});

describe('OpenAPI', () => {
  const { definitions } = oracleJson('v1.24/api/discovery/schema-facts.json') as {
    readonly definitions: Readonly<Record<string, Definition>>;
  };

  it('names its definitions as published, with the same references', async () => {
    const { ask } = setup();
    const document = (await ask('GET', '/openapi/v2')).json as { readonly definitions: Readonly<Record<string, Definition>> };
    const wrong: string[] = [];
    for (const [name, definition] of Object.entries(document.definitions)) {
      const wanted = definitions[name];
      if (wanted === undefined) continue;
      for (const [field, fact] of Object.entries(wanted.properties ?? {})) {
        const got = definition.properties?.[field];
        const ref = got?.$ref?.replace('#/definitions/', '');
        if (JSON.stringify(fact.enum) !== JSON.stringify(got?.enum))
          wrong.push(`${name}.${field}: ${JSON.stringify(got?.enum) ?? 'any value'}, published ${JSON.stringify(fact.enum) ?? 'any'}`);
        if (fact.ref !== undefined && fact.ref !== ref && !fact.ref.endsWith('.FieldsV1'))
          wrong.push(`${name}.${field}: ${ref ?? 'nothing'}, published ${fact.ref}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(document.definitions).filter((name) => definitions[name] !== undefined).length).toBeGreaterThan(150);
  });

  it('has whole definitions of the types that every document shares', async () => {
    const { ask } = setup();
    const document = (await ask('GET', '/openapi/v2')).json as { readonly definitions: Readonly<Record<string, Definition>> };
    const GROUPS = 'x-kubernetes-group-version-kind';
    const facts = (definition: unknown) => {
      const plain = (key: string, value: unknown) => (key === GROUPS || key === 'description' ? undefined : value);
      const text = JSON.stringify(definition, plain).replaceAll('"$ref":"#/definitions/', '"ref":"');
      return JSON.parse(text) as unknown;
    };
    const groupsOf = (definition: Definition | undefined) => (definition?.[GROUPS] ?? []).map((each) => JSON.stringify(each, ORDER));
    for (const name of SHARED) {
      const [got, wanted] = [document.definitions[`io.k8s.${name}`], definitions[`io.k8s.${name}`]];
      expect(facts(got), name).toEqual(facts(wanted));
      // Groups of DeleteOptions are those that exist here.
      expect(groupsOf(wanted), name).toEqual(expect.arrayContaining(groupsOf(got)));
      expect(groupsOf(got).length > 0, name).toBe(groupsOf(wanted).length > 0);
    }
  });

  it('of version 3 says the same types, and those of values that have several', async () => {
    const { ask } = setup();
    const schemas = async (path: string) =>
      ((await ask('GET', path)).json as { readonly components: { readonly schemas: Readonly<Record<string, object>> } }).components.schemas;
    const [core, apps] = [await schemas('/openapi/v3/api/v1'), await schemas('/openapi/v3/apis/apps/v1')];
    const INT_OR_STRING = { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] };
    for (const each of [core, apps]) {
      expect(each['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual(INT_OR_STRING);
      expect(each['io.k8s.apimachinery.pkg.api.resource.Quantity']).toEqual({ oneOf: [{ type: 'string' }, { type: 'number' }] });
      expect(each['io.k8s.apimachinery.pkg.apis.meta.v1.Time']).toEqual({ type: 'string', format: 'date-time' });
      expect(each['io.k8s.apimachinery.pkg.apis.meta.v1.StatusDetails']).toEqual({
        type: 'object',
        properties: {
          causes: { type: 'array', items: { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.StatusCause' } },
          group: { type: 'string' },
          kind: { type: 'string' },
          name: { type: 'string' },
          retryAfterSeconds: { type: 'integer', format: 'int32' },
          uid: { type: 'string' },
        },
      });
    }
  });

  it('of version 3 is neither served nor listed without the gate OpenAPIV3', async () => {
    const seen = async (gates: Readonly<Record<string, boolean>>) => {
      const { ask } = setup(gates);
      const { paths } = (await ask('GET', '/')).json as { readonly paths: readonly string[] };
      return [
        (await ask('GET', '/openapi/v3')).status,
        (await ask('GET', '/openapi/v3/apis/batch/v1')).status,
        paths.includes('/openapi/v3'),
      ];
    };
    expect(await seen({})).toEqual([200, 200, true]);
    expect(await seen({ OpenAPIV3: false })).toEqual([404, 404, false]);
  });

  it('of either version names no values of fields without the gate OpenAPIEnums', async () => {
    const seen = async (gates: Readonly<Record<string, boolean>>) => {
      const { ask } = setup(gates);
      const texts = await Promise.all(
        ['/openapi/v2', '/openapi/v3/api/v1'].map(async (path) => JSON.stringify((await ask('GET', path)).json)),
      );
      return texts.map((text) => text.includes('"enum":['));
    };
    expect(await seen({})).toEqual([true, true]);
    expect(await seen({ OpenAPIEnums: false })).toEqual([false, false]);
  });

  it('of version 3 is self-contained', async () => {
    const { ask } = setup();
    const index = (await ask('GET', '/openapi/v3')).json as {
      readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
    };
    expect(Object.keys(index.paths)).toContain('apis/batch/v1');
    for (const { serverRelativeURL } of Object.values(index.paths)) {
      const text = (await ask('GET', serverRelativeURL)).text;
      const document = JSON.parse(text) as { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } };
      for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
        expect(document.components.schemas).toHaveProperty([name ?? '']);
    }
  });
});

describe('protobuf', () => {
  const bodies = oracleLines('v1.24/kubectl/kubectl.jsonl')
    .flatMap(
      (line) =>
        line['requests'] as readonly {
          readonly method: string;
          readonly path: string;
          readonly contentType?: string;
          readonly body?: string;
          readonly code: number;
        }[],
    )
    .filter(
      ({ contentType, body, path }) =>
        contentType?.includes('protobuf') === true &&
        body?.startsWith('base64:') === true &&
        !/authentication|authorization|token/.test(path),
    );

  it('of kubectl is read: creations succeed or fail as recorded', async () => {
    expect(bodies.length).toBeGreaterThan(25);
    for (const { path, body = '', code } of bodies) {
      const { api, backend } = setup();
      const namespace = /\/namespaces\/([^/?]+)\//.exec(path)?.[1];
      if (namespace !== undefined)
        backend.handle({ verb: 'create', kind: 'Namespace', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } } });
      const reply = await api({
        method: 'POST',
        target: path,
        headers: {
          'content-type': 'application/vnd.kubernetes.protobuf',
          accept: 'application/vnd.kubernetes.protobuf,application/json',
          'user-agent': 'kubectl',
        },
        body: Buffer.from(body.slice('base64:'.length), 'base64'),
      });
      // The other objects of the recorded cluster do not exist here.
      if (code !== 404 && code !== 409) expect([path, reply.status]).toEqual([path, code]);
    }
  });

  it('that is malformed is refused', async () => {
    const { api } = setup();
    for (const bytes of [
      [1, 2, 3],
      [0x6b, 0x38, 0x73, 0, 0xff, 0xff, 0xff],
      [0x6b, 0x38, 0x73, 0, 0x12, 0x50],
    ]) {
      const reply = await api({
        method: 'POST',
        target: '/api/v1/namespaces',
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body: Uint8Array.from(bytes),
      });
      expect(reply.status).toBe(400);
    }
  });
});
