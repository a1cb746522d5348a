/** The OpenAPI document of `/sim/v1`, for generators of clients and for the guide. */
import { present, unlessEmpty } from '../../../schema/values/index.ts';

interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** Below `/sim/v1`. */
  readonly path: string;
  /** What it does, for the guide too. */
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The schemas of the body and of the answer. */
  readonly body?: string;
  readonly answer: string;
  /** 201, where it sets or creates something; absent: 200. */
  readonly status?: number;
  /** Codes of refusals, which are objects of kind Status, as those of the API. */
  readonly refusals?: Readonly<Record<number, string>>;
}

type More = Omit<Operation, 'method' | 'path' | 'summary' | 'answer'>;
const operation =
  (method: Operation['method']) =>
  (path: string, answer: string, summary: string, more: More = {}): Operation => ({ method, path, summary, answer, ...more });
const [get, post, remove] = [operation('get'), operation('post'), operation('delete')];

const OPERATIONS: readonly Operation[] = [
  get('/state', 'State', 'The time, the clock, the counts and the digest of a world.'),
  post('/advance', 'State', 'Advances the time, and answers when it is reached.', {
    body: 'Advance',
    refusals: {
      400: 'The body cannot be read, or the simulation stopped at a limit.',
      409: 'An advance is under way, or it was cancelled.',
    },
  }),
  remove('/advance', 'State', 'Cancels the current advance between two events.', { refusals: { 404: 'There is none.' } }),
  post('/reset', 'State', 'Begins the world again: its objects, its time and its streams end.'),
  post('/compact', 'State', 'Compacts the revisions until now: older lists and watches are answered 410.'),
  get('/faults', 'Faults', 'Lists the active faults.'),
  post('/faults', 'SetFault', 'Sets a fault, in the words of a scenario.', {
    body: 'Fault',
    status: 201,
    refusals: { 400: 'There is no such fault, process or client.' },
  }),
  remove('/faults', 'Faults', 'Ends all faults.'),
  remove('/faults/{id}', 'Faults', 'Ends one fault.', { refusals: { 404: 'It is not active.' } }),
  get('/inside', 'Inside', 'Pending events, and the keys of each process.'),
  get('/trace', 'Trace', 'The trace as JSON lines, or as server-sent events for clients that accept them.', {
    query: {
      from: 'The id of the first entry.',
      follow: 'false: the answer ends after the present entries.',
      whole: 'true: a file for why, diff, state and walk.',
      showSecrets: 'true: with the values of Secrets, for users that may list them.',
    },
    refusals: { 403: 'The user may not list Secrets.' },
  }),
  get('/worlds', 'Worlds', 'Lists the worlds beside the first one.'),
  post('/worlds', 'World', 'Creates a world, below /worlds/NAME: a cluster of its own, as the first one was at its start.', {
    body: 'NewWorld',
    status: 201,
    refusals: { 400: 'The name is not valid, or there are as many as there can be.', 409: 'There is one of this name.' },
  }),
  get('/worlds/{name}', 'World', 'A world, with its kubeconfig.', { refusals: { 404: 'It is not there.' } }),
  remove('/worlds/{name}', 'World', 'Ends a world and its streams.', { refusals: { 404: 'It is not there.' } }),
  get('/openapi.json', 'Document', 'This document.'),
];

/** What there is below `/sim/v1`: `POST /sim/v1/advance`, and what it does. */
export const simulatorOperations = (): readonly { readonly request: string; readonly summary: string }[] =>
  OPERATIONS.map(({ method, path, summary }) => ({ request: `${method.toUpperCase()} /sim/v1${path}`, summary }));

const text = (description: string) => ({ type: 'string', description });
const instant = (description: string) => ({ type: 'string', format: 'date-time', description });
const integer = (description: string) => ({ type: 'integer', format: 'int64', description });
const flag = (description: string) => ({ type: 'boolean', description });
const listOf = (items: object, description?: string) => present({ type: 'array', items, description });
const object = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) =>
  present({ type: 'object', properties, required: unlessEmpty(Object.keys(properties).filter((name) => !optional.includes(name))) });
const of = (schema: string) => ({ $ref: `#/components/schemas/${schema}` });
const open = (description: string) => ({ type: 'object', additionalProperties: true, description });

const SCHEMAS = {
  State: object(
    {
      now: instant('The virtual time.'),
      startedAt: instant('The start of the world.'),
      sinceStartSeconds: { type: 'number', description: 'Virtual seconds since then.' },
      clock: { type: 'string', enum: ['manual', 'auto', 'realtime'] },
      speed: { type: 'number', description: 'Of a realtime clock.' },
      settled: flag('Whether only renewals of leases are pending.'),
      next: instant('When the next event happens; absent: nothing is pending.'),
      advancingTo: instant('The target of the current advance.'),
      stuck: text('The limit at which time stopped for good.'),
      objects: object(
        { used: integer('Stored objects.'), limit: integer('At most.'), refused: integer('Creations beyond it.'), why: text('') },
        ['refused', 'why'],
      ),
      resourceVersion: text('The last one.'),
      steps: integer('Events so far.'),
      counters: open('Writes, deliveries, decisions and refusals.'),
      digest: text('Of everything that has happened.'),
      domain: text('orch.io or k8s.io.'),
      scenario: text('Its name.'),
      seed: integer(''),
      troubles: listOf({ type: 'string' }, 'Problems during the scenario.'),
    },
    ['speed', 'next', 'advancingTo', 'stuck', 'scenario', 'seed'],
  ),
  Advance: {
    type: 'object',
    properties: {
      by: text('A duration such as 30s or 1h30m.'),
      to: instant('The time to reach.'),
      until: { type: 'string', enum: ['settled'], description: 'Until nothing but renewals of leases is pending; by is the limit then.' },
    },
    additionalProperties: false,
    minProperties: 1,
  },
  Fault: open('A fault with its subject and parameters, such as {"lag":"my-operator","by":"3s"}.'),
  SetFault: object({
    id: integer('Names it for DELETE.'),
    fault: of('Fault'),
    sinceStartSeconds: { type: 'number' },
    active: flag('Whether it still applies.'),
    says: listOf({ type: 'string' }, 'What it does.'),
  }),
  Faults: object({ items: listOf(of('SetFault')) }),
  NewWorld: { ...object({ name: text('A label of DNS; absent: the next free world-N.') }, ['name']), additionalProperties: false },
  World: object({
    name: text(''),
    path: text('Of its API on this server, such as /worlds/one; its /sim/v1 is below that.'),
    now: instant('Its virtual time.'),
    objects: integer('Stored objects.'),
    kubeconfig: text('The text of a kubeconfig for it.'),
  }),
  Worlds: object({ items: listOf(of('World')) }),
  Inside: open('Processes, their work queues and caches, and pending events.'),
  Trace: { type: 'string', description: 'A JSON object for each line.' },
  Document: open('OpenAPI 3.0.'),
  Status: object(
    { kind: text('Status'), status: text('Failure'), message: text('What was expected.'), reason: text(''), code: integer('') },
    ['status', 'reason'],
  ),
};

const content = (schema: string) => ({ [schema === 'Trace' ? 'application/x-ndjson' : 'application/json']: { schema: of(schema) } });

const described = ({ method, path, summary, query = {}, body, answer, status = 200, refusals = {} }: Operation) => ({
  operationId: `${method}${path.replaceAll(/[/{.](\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
  summary,
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(query).map(([name, description]) => ({ name, in: 'query', description, schema: { type: 'string' } })),
  ],
  ...(body === undefined ? {} : { requestBody: { required: body !== 'NewWorld', content: content(body) } }),
  responses: {
    [status]: { description: summary, content: content(answer) },
    ...Object.fromEntries(Object.entries(refusals).map(([code, description]) => [code, { description, content: content('Status') }])),
  },
});

/** Returns the document. The same paths are below `/worlds/NAME`, except those of worlds. */
export function simulatorDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of OPERATIONS) (paths[`/sim/v1${operation.path}`] ??= {})[operation.method] = described(operation);
  return {
    openapi: '3.0.3',
    info: { title: 'orchsim', version: 'v1', description: 'The clock, the faults, the trace and the worlds of a served cluster.' },
    servers: [{ url: '/' }, { url: '/worlds/{world}', variables: { world: { default: 'one' } } }],
    paths,
    components: { schemas: SCHEMAS },
  };
}
