/** The document of `/sim/v1`, which generators of clients read: each operation and each schema, in short. */
import { expect, it } from 'vitest';
import { simulatorOperations } from '../../../src/surfaces/http/index.ts';
import { simulatorDocument } from '../../../src/surfaces/http/sim/openapi.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly minProperties?: number;
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Schema }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}
const document = simulatorDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** A schema in short: `integer<int64>`, `[string]`, `{ a: string, b?: integer }`, `a|b`, `#Name`; `…`: other members may be there. */
function short({
  $ref,
  type = '',
  format,
  enum: values,
  items,
  properties,
  required = [],
  additionalProperties,
  minProperties,
}: Schema): string {
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '#');
  if (values !== undefined) return `${type}(${values.join('|')})`;
  if (items !== undefined) return `${type === 'array' ? '' : type}[${short(items)}]`;
  const open = additionalProperties === true ? '…' : additionalProperties === false ? '!' : '';
  if (type !== 'object') return format === undefined ? type : `${type}<${format}>`;
  const members = Object.entries(properties ?? {}).map(([name, of]) => `${name}${required.includes(name) ? '' : '?'}: ${short(of)}`);
  return `{${[...members, ...(open === '' ? [] : [open])].join(', ')}}${minProperties === undefined ? '' : `>=${minProperties}`}`;
}

const inShort = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => `${type.replace('application/', '')} ${short(schema)}`)
    .join();

it('has an operation for each method of each path', () => {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody, responses }]) =>
      [
        `${method} ${path.replace('/sim/v1', '')}`,
        operationId,
        ...parameters.map((each) => `${each.in} ${each.name}${each.required === true ? '!' : ''}: ${short(each.schema)}`),
        ...(requestBody === undefined ? [] : [`body${requestBody.required ? '!' : ''} ${inShort(requestBody.content)}`]),
        ...Object.entries(responses).map(([code, { content }]) => `${code} ${inShort(content)}`),
      ].join('; '),
    ),
  );
  expect(rows).toEqual([
    'get /state; getState; 200 json #State',
    'post /advance; postAdvance; body! json #Advance; 200 json #State; 400 json #Status; 409 json #Status',
    'delete /advance; deleteAdvance; 200 json #State; 404 json #Status',
    'post /reset; postReset; 200 json #State',
    'post /compact; postCompact; 200 json #State',
    'get /faults; getFaults; 200 json #Faults',
    'post /faults; postFaults; body! json #Fault; 201 json #SetFault; 400 json #Status',
    'delete /faults; deleteFaults; 200 json #Faults',
    'delete /faults/{id}; deleteFaultsId; path id!: string; 200 json #Faults; 404 json #Status',
    'get /inside; getInside; 200 json #Inside',
    'get /trace; getTrace; query from: string; query follow: string; query whole: string; query showSecrets: string; 200 x-ndjson #Trace; 403 json #Status',
    'get /worlds; getWorlds; 200 json #Worlds',
    'post /worlds; postWorlds; body json #NewWorld; 201 json #World; 400 json #Status; 409 json #Status',
    'get /worlds/{name}; getWorldsName; path name!: string; 200 json #World; 404 json #Status',
    'delete /worlds/{name}; deleteWorldsName; path name!: string; 200 json #World; 404 json #Status',
    'get /openapi.json; getOpenapiJson; 200 json #Document',
  ]);
});

it('has the schemas of its bodies and answers', () => {
  expect(Object.entries(document.components.schemas).map(([name, schema]) => `${name} ${short(schema)}`)).toEqual([
    `State {${[
      'now: string<date-time>',
      'startedAt: string<date-time>',
      'sinceStartSeconds: number',
      'clock: string(manual|auto|realtime)',
      'speed?: number',
      'settled: boolean',
      'next?: string<date-time>',
      'advancingTo?: string<date-time>',
      'stuck?: string',
      'objects: {used: integer<int64>, limit: integer<int64>, refused?: integer<int64>, why?: string}',
      'resourceVersion: string',
      'steps: integer<int64>',
      'counters: {…}',
      'digest: string',
      'domain: string',
      'scenario?: string',
      'seed?: integer<int64>',
      'troubles: [string]',
    ].join(', ')}}`,
    'Advance {by?: string, to?: string<date-time>, until?: string(settled), !}>=1',
    'Fault {…}',
    'SetFault {id: integer<int64>, fault: #Fault, sinceStartSeconds: number, active: boolean, says: [string]}',
    'Faults {items: [#SetFault]}',
    'NewWorld {name?: string, !}',
    'World {name: string, path: string, now: string<date-time>, objects: integer<int64>, kubeconfig: string}',
    'Worlds {items: [#World]}',
    'Inside {…}',
    'Trace string',
    'Document {…}',
    'Status {kind: string, status?: string, message: string, reason?: string, code: integer<int64>}',
  ]);
});

it('is of OpenAPI 3, for the first world and for the others', () => {
  expect(document).toMatchObject({
    openapi: '3.0.3',
    info: { title: 'orchsim', version: 'v1' },
    servers: [{ url: '/' }, { url: '/worlds/{world}', variables: { world: { default: 'one' } } }],
  });
});

it('says what each request does, in the words of the guide', () => {
  const all = simulatorOperations();
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      request: `${method.toUpperCase()} ${path}`,
      summary: Object.values(responses)[0]?.description,
    })),
  );
  expect(all).toEqual(described);
  for (const { request, summary } of all) expect(summary, request).toMatch(/^[A-Z].*\.$/);
});
