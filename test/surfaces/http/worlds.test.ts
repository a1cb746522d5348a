/** `/worlds/NAME`: clusters beside the first one, by the command that serves them; and the document of `/sim/v1`. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasKubectl } from '../../conformance/kubectl/stories.ts';
import { blocksOf } from '../../readme/document.ts';
import type { Call } from '../../../src/surfaces/http/call.ts';
import { createWorlds, type Session } from '../../../src/surfaces/http/index.ts';
import { simulatorDocument } from '../../../src/surfaces/http/sim/openapi.ts';
import type { WorldList } from '../../../src/surfaces/http/sim/routes.ts';
import { cli, folderWith, ROOT } from '../cli/cli.ts';
import { notBuilt } from './process/serving.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, any>;
}

const stopped = new AbortController();
let server = '';
let served: Promise<unknown>;

beforeAll(async () => {
  await new Promise<void>((started) => {
    served = cli(['serve', '--json', '--port', '0', '--domain', 'k8s.io', '--clock', 'manual'], {
      stop: stopped.signal,
      out(text) {
        server = (JSON.parse(text) as { readonly server: string }).server;
        started();
      },
    });
  });
});
afterAll(async () => {
  stopped.abort();
  await served;
});

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(server + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, any> };
}

const MAP = { metadata: { name: 'm' } };
const MAPS = '/api/v1/namespaces/default/configmaps';

describe('worlds', () => {
  it('have objects and a time of their own, and are reset, listed and deleted', async () => {
    const { status, body } = await ask('POST', '/sim/v1/worlds', { name: 'one' });
    expect({ status, body }).toMatchObject({ status: 201, body: { name: 'one', path: '/worlds/one' } });
    expect(body['kubeconfig']).toContain(`server: ${server}/worlds/one`);
    expect((await ask('POST', '/sim/v1/worlds', {})).body['name']).toBe('world-1');
    expect((await ask('POST', `/worlds/one${MAPS}`, MAP)).status).toBe(201);
    await ask('POST', '/worlds/one/sim/v1/advance', { by: '1h' });
    for (const other of ['', '/worlds/world-1']) {
      expect((await ask('GET', `${other}${MAPS}/m`)).status).toBe(404);
      expect((await ask('GET', `${other}/sim/v1/state`)).body['sinceStartSeconds']).toBe(0);
    }
    const { items } = (await ask('GET', '/sim/v1/worlds')).body;
    expect(items.map(({ name, now }: { name: string; now: string }) => [name, now.slice(11, 16)])).toEqual([
      ['one', '01:00'],
      ['world-1', '00:00'],
    ]);
    const before = performance.now();
    expect((await ask('POST', '/worlds/one/sim/v1/reset')).body).toMatchObject({ sinceStartSeconds: 0 });
    expect(performance.now() - before).toBeLessThan(5_000);
    expect((await ask('GET', `/worlds/one${MAPS}/m`)).status).toBe(404);
    expect((await ask('DELETE', '/sim/v1/worlds/one')).status).toBe(200);
    expect((await ask('DELETE', '/sim/v1/worlds/world-1')).status).toBe(200);
  });

  it('end the streams of one, and leave those of the others', async () => {
    await ask('POST', '/sim/v1/worlds', { name: 'a' });
    await ask('POST', '/sim/v1/worlds', { name: 'b' });
    const watch = (world: string) => fetch(`${server}${world}${MAPS}?watch=1`);
    const [first, a, b] = await Promise.all([watch(''), watch('/worlds/a'), watch('/worlds/b')]);
    await ask('DELETE', '/sim/v1/worlds/a');
    expect(await a.text()).not.toContain('"m"');
    await ask('POST', '/worlds/b/sim/v1/reset');
    await b.text();
    await ask('POST', MAPS, MAP);
    const { value } = await (first.body as ReadableStream<Uint8Array>).getReader().read();
    expect(Buffer.from(value ?? []).toString()).toContain('kube-root-ca');
    await ask('POST', '/sim/v1/reset');
    await ask('DELETE', '/sim/v1/worlds/b');
  });

  it.each([
    ['POST', '/sim/v1/worlds', { name: 'Nine Lives' }, 400, 'name: expected lower-case letters, digits and dashes'],
    ['POST', '/sim/v1/worlds', { nam: 'x' }, 400, 'unknown field "nam"; did you mean name?'],
    ['POST', '/sim/v1/worlds', { name: '__proto__' }, 400, 'name: expected'],
    ['POST', '/sim/v1/worlds/x', {}, 405, 'method'],
    ['GET', '/worlds/nine/api/v1/pods', undefined, 404, 'there is no world "nine"; did you mean nines?'],
    ['POST', '/sim/v1/worlds', { name: 'nines' }, 409, 'there is a world nines already'],
    ['POST', '/worlds/nines/sim/v1/worlds', { name: 'inner' }, 404, 'this world has no others in it'],
  ] as const)('refuse %s %s %j', async (method, path, body, status, message) => {
    if ((await ask('GET', '/sim/v1/worlds/nines')).status === 404) await ask('POST', '/sim/v1/worlds', { name: 'nines' });
    const answer = await ask(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body['message']).toContain(message);
  });

  it('take no body without a type from a page, as the first world', async () => {
    const { status } = await fetch(`${server}/worlds/nines/sim/v1/reset`, {
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(415);
  });

  it('are at most 32', () => {
    let list: WorldList | undefined;
    const cluster = { now: 0, server: { capacity: { used: 0 } } };
    const session = { current: { start: { cluster } }, stop: () => undefined } as unknown as Session;
    createWorlds({
      open(_, worlds) {
        list ??= worlds;
        return session;
      },
      kubeconfig: () => '',
    });
    const call = { http: { body: Buffer.from(''), headers: {} }, format: () => ({ media: 'json' }) } as unknown as Call;
    for (let nth = 0; nth < 32; nth++) list?.create(call);
    expect(() => list?.create(call)).toThrow('there are 32 worlds already: DELETE /sim/v1/worlds/NAME ends one');
  });

  it.skipIf(!hasKubectl())('are clusters for kubectl', { timeout: 60_000 }, async () => {
    const folder = folderWith({});
    writeFileSync(join(folder, 'config'), (await ask('POST', '/sim/v1/worlds', { name: 'k' })).body['kubeconfig'] as string);
    const kubectl = (...words: readonly string[]): Promise<string> =>
      new Promise((resolve) => {
        const env = { ...process.env, HOME: folder, KUBECONFIG: join(folder, 'config') };
        execFile('kubectl', [...words], { env }, (_, out, err) => resolve(out + err));
      });
    expect(await kubectl('create', 'configmap', 'm')).toBe('configmap/m created\n');
    expect(await kubectl('get', 'configmap', 'm', '-o', 'name')).toBe('configmap/m\n');
    expect((await ask('GET', `${MAPS}/m`)).status).toBe(404);
    await ask('DELETE', '/sim/v1/worlds/k');
    expect(await kubectl('get', 'configmap', 'm')).toContain('there is no world');
  });
});

describe('the document of /sim/v1', () => {
  const { paths, components } = simulatorDocument() as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, any>>>>;
    readonly components: object;
  };
  const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

  it('is served, and each of its answers is as it says', async () => {
    expect((await ask('GET', '/sim/v1/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(simulatorDocument())));
    const bodies: Readonly<Record<string, unknown>> = {
      '/sim/v1/advance': { by: '1s' },
      '/sim/v1/worlds': { name: 'described' },
      '/sim/v1/faults': { crash: 'scheduler' },
    };
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods)) {
        if (path === '/sim/v1/trace') continue;
        const at = path.replace('{name}', 'described').replace('{id}', '99');
        const { status, body } = await ask(method.toUpperCase(), at, method === 'post' ? bodies[path] : undefined);
        const said = responses[status];
        expect(said, `${method} ${path}: ${status} ${JSON.stringify(body)}`).toBeDefined();
        const schema = { ...said.content['application/json'].schema, components };
        const isValid = ajv.validate(schema, body);
        expect({ path, errors: isValid ? [] : ajv.errors }).toEqual({ path, errors: [] });
      }
  });

  it('has every path that there is', async () => {
    const { message } = (await ask('GET', '/sim/v1/nothing')).body;
    for (const [, method = '', path = ''] of String(message).matchAll(/([A-Z]+) (\/sim\/v1\/[\w.]+)/g)) {
      const known = Object.entries(paths).some(([each, methods]) => each.startsWith(path) && methods[method.toLowerCase()] !== undefined);
      expect({ method, path, known }).toEqual({ method, path, known: true });
    }
  });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.skipIf(!hasPython || notBuilt !== undefined)('the example in Python', () => {
  it('of the guide runs', { timeout: 60_000 }, () => {
    const guide = readFileSync(join(ROOT, 'src/guide/operators.md'), 'utf8');
    const [example] = blocksOf(guide).filter(({ language }) => language === 'python');
    const folder = folderWith({
      'test_jobs.py':
        example?.text.replace('"npx", "orchsim"', JSON.stringify([process.execPath, join(ROOT, 'bin/orchsim.js')]).slice(1, -1)) ?? '',
    });
    expect(execFileSync('python3', ['-m', 'unittest', '-q'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});
