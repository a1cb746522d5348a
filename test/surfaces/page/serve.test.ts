/** The playground where a cluster is served: for browsers, behind the gate; programs get the API's paths as ever. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const built = existsSync(join(root, 'dist/page.html')) && existsSync(join(root, 'dist/orchsim.js'));
if (!built) console.log('test/surfaces/page/serve.test.ts skipped: dist/ is not built (npm run build)');

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const get = (port: number, headers: Readonly<Record<string, string>>, path = '/'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body }));
    })
      .on('error', reject)
      .end();
  });

describe.skipIf(!built)('serve at /', () => {
  let child: ChildProcess;
  let port = 0;
  beforeAll(async () => {
    child = spawn(process.execPath, [join(root, 'bin/orchsim.js'), 'serve', '--port', '0', '--json'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    port = await new Promise<number>((resolve) => {
      child.stdout?.once('data', (line: Buffer) => resolve((JSON.parse(line.toString()) as { readonly port: number }).port));
    });
  }, 60_000);
  afterAll(() => {
    child.kill();
  });

  it('is a page for a browser, and paths for a program', async () => {
    const page = await get(port, { accept: 'text/html,application/xhtml+xml' });
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain('Content-Security-Policy');
    expect(page.body).toContain('job/01-runs-to-completion');
    const paths = await get(port, { accept: 'application/json' });
    expect(JSON.parse(paths.body)).toHaveProperty('paths');
    expect((await get(port, { accept: 'text/html' }, '/api/v1/pods')).type).toContain('application/json');
  }, 60_000);

  it('stands behind the gate: neither other sites nor other names get it', async () => {
    expect((await get(port, { accept: 'text/html', host: 'evil.example' })).status).toBe(403);
    expect((await get(port, { accept: 'text/html', origin: 'http://evil.example' })).status).toBe(403);
  }, 60_000);
});
