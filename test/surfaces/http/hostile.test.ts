/** Mutated requests: no crash, no internal error, no change after an error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setup } from './setup.ts';

const JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', labels: { a: 'b' } },
  spec: {
    completions: 3,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: 'b' }] }] } },
  },
};
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
/** Recorded 500s: the real server's responses to mistakes of clients. */
const RECORDED_500 =
  /resourceVersion: Invalid value|ParseUint|does not contain declared merge key|unknown patch type|setElementOrder|failed to create typed patch object|resourceVersion should not be set/;

const weird = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    '',
    ' ',
    '\u0000',
    '../..',
    '*',
    '{{',
    'null',
    '9'.repeat(400),
    '-1',
    '1e999',
    'true',
  ),
  fc.double(),
  fc.bigInt().map(String),
  fc.constant(null),
  fc.boolean(),
  fc.constant([]),
  fc.constant({}),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty')), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  }),
);

function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]))];
}
const PLACES = placesOf(JOB).slice(1);

function mutated(at: number, by: unknown): unknown {
  const made = structuredClone(JOB) as unknown as Record<string, unknown>;
  const path = PLACES[at % PLACES.length] ?? [];
  let here = made;
  for (const key of path.slice(0, -1)) here = here[key] as Record<string, unknown>;
  here[path.at(-1) ?? ''] = by;
  return made;
}

const TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', ''];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

describe('hostile requests', () => {
  const check = async (method: string, target: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<void> => {
    const { ask, store, backend } = world;
    const before = [store.revision, JSON.stringify(store.get('Job', 'default/kept'))];
    const { status, text } = await ask(method, target, body, headers);
    if (status >= 400) expect([store.revision, JSON.stringify(store.get('Job', 'default/kept'))]).toEqual(before);
    if (status === 500) expect(text).toMatch(RECORDED_500);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    backend.handle({ verb: 'delete', kind: 'Job', namespace: 'default', name: 'j', propagationPolicy: 'Background' });
  };
  const world = setup({ ServerSideFieldValidation: true });
  world.backend.handle({ verb: 'create', kind: 'Job', namespace: 'default', body: { ...JOB, metadata: { name: 'kept' } } });

  it('mutated objects', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), weird, fc.constantFrom(...TYPES), async (at, by, type) =>
        check('POST', JOBS, mutated(at, by), { 'content-type': type }),
      ),
      { numRuns: 400, seed: 1 },
    );
  });

  it('broken texts', async () => {
    const text = JSON.stringify(JOB);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: text.length }),
        fc.nat({ max: 5 }),
        fc.string({ unit: 'binary', maxLength: 4 }),
        fc.constantFrom(...TYPES),
        async (at, cut, insert, type) => check('POST', JOBS, text.slice(0, at) + insert + text.slice(at + cut), { 'content-type': type }),
      ),
      { numRuns: 400, seed: 2 },
    );
  });

  it('patches', async () => {
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        path: fc.constantFrom(
          '/spec',
          '/spec/completions',
          '/metadata/name',
          '',
          '/',
          '/spec/template/spec/containers/0',
          '/spec/template/spec/containers/-',
          '/__proto__/polluted',
          '/~2',
        ),
        from: fc.constantFrom('/spec', '/x'),
        value: weird,
      },
      { requiredKeys: [] },
    );
    const patch = fc.oneof(
      fc.array(operation, { maxLength: 4 }),
      weird,
      fc.record({ spec: weird }),
      fc.record({ metadata: weird, $patch: fc.constantFrom('replace', 'delete', 'x') }, { requiredKeys: [] }),
      fc.constant(JSON.parse('{"__proto__":{"polluted":1}}') as unknown),
    );
    await fc.assert(
      fc.asyncProperty(patch, fc.constantFrom(...PATCHES), async (body, type) =>
        check('PATCH', `${JOBS}/kept?fieldManager=m&dryRun=All`, body === undefined ? 'undefined' : JSON.stringify(body), {
          'content-type': type,
        }),
      ),
      { numRuns: 600, seed: 3 },
    );
  });

  it('queries and paths', async () => {
    const name = fc.constantFrom(
      'limit',
      'continue',
      'labelSelector',
      'fieldSelector',
      'resourceVersion',
      'resourceVersionMatch',
      'timeoutSeconds',
      'dryRun',
      'pretty',
      'force',
      'fieldManager',
      'fieldValidation',
      'gracePeriodSeconds',
      'propagationPolicy',
      'includeObject',
      'export',
      'timeout',
    );
    const query = fc
      .array(
        fc.tuple(
          name,
          fc.oneof(
            fc.string({ unit: 'binary', maxLength: 20 }),
            fc.constantFrom('%zz', '-1', '0', '9'.repeat(30), 'a in (', '!!', 'metadata.name=x', '1s', 'true'),
          ),
        ),
        { maxLength: 5 },
      )
      .map((pairs) =>
        pairs
          .map(([key, value]) => `${key}=${value.startsWith('%') ? value : encodeURIComponent(value.replace(/[\ud800-\udfff]/g, ''))}`)
          .join('&'),
      );
    const path = fc.constantFrom(
      JOBS,
      `${JOBS}/kept`,
      `${JOBS}/kept/status`,
      `${JOBS}/kept/nope`,
      '/api/v1/pods',
      '/apis/batch/v1/watch/jobs',
      '/api/v1/namespaces//pods',
      '/apis/batch/v1/../v1/jobs',
      '//',
      '/api',
      '/apis/',
      '/sim/v1/state',
      '/openapi/v3/../v2',
      '/%zz',
      '/api/v1/namespaces/%00/pods',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'NOPE'),
        path,
        query,
        async (method, at, search) => {
          if (/watch/.test(at + search)) return;
          await check(
            method,
            `${at}?${search}${method === 'GET' ? '' : '&dryRun=All'}`,
            method === 'GET' || method === 'DELETE' ? undefined : JOB,
            {},
          );
        },
      ),
      { numRuns: 600, seed: 4 },
    );
  });

  it('depth', async () => {
    const { ask } = world;
    expect((await ask('POST', JOBS, '['.repeat(200_000))).status).toBe(400);
    expect((await ask('POST', JOBS, `{"spec":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`)).status).toBeLessThan(500);
    expect((await ask('POST', JOBS, `${'- '.repeat(50_000)}x`, { 'content-type': 'application/yaml' })).status).toBe(400);
    expect(
      (await ask('POST', JOBS, '{"metadata":{"name":"dup","name":"dup2","__proto__":{"polluted":1}},"apiVersion":"batch/v1","kind":"Job"}'))
        .status,
    ).toBe(422);
  });
});
