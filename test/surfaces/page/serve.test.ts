/** The page of a served cluster: live, for browsers, behind gate and guard; programs get the paths of the API. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choose, closePages, launch, ready } from './chromium.ts';

const root = join(import.meta.dirname, '../../..');
const built = existsSync(join(root, 'dist/page.html')) && existsSync(join(root, 'dist/orchsim.js'));
if (!built) console.log('test/surfaces/page/serve.test.ts skipped: dist/ is not built (npm run build)');

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly policy: string | string[] | undefined;
  readonly body: string;
}

const get = (port: number, headers: Readonly<Record<string, string>>, path = '/'): Promise<Reply> =>
  new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          policy: response.headers['content-security-policy'],
          type: response.headers['content-type'] ?? '',
          body,
        }),
      );
    })
      .on('error', reject)
      .end();
  });

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

async function served(...args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [join(root, 'bin/orchsim.js'), 'serve', '--port', '0', '--json', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve) => {
    child.stdout?.once('data', (line: Buffer) => resolve((JSON.parse(line.toString()) as { readonly port: number }).port));
  });
  return { child, port };
}

describe.skipIf(!built)('serve at /', () => {
  let server: Server | undefined;
  let port = 0;
  beforeAll(async () => {
    server = await served();
    ({ port } = server);
  }, 60_000);
  afterAll(() => {
    server?.child.kill();
  });

  it('is a page for browsers, and a list of paths for programs', async () => {
    const page = await get(port, { accept: 'text/html,application/xhtml+xml' });
    expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(page.body) ?? [];
    expect(policy).toContain("default-src 'none'");
    expect(page.policy).toBe(`${policy}; frame-ancestors 'none'`);
    expect(page.body).toContain('"live":"');
    const paths = await get(port, { accept: 'application/json' });
    expect(JSON.parse(paths.body)).toHaveProperty('paths');
    expect((await get(port, { accept: 'text/html' }, '/api/v1/pods')).type).toContain('application/json');
  }, 60_000);

  it('is behind the gate: neither other sites nor other host names get it', async () => {
    expect((await get(port, { accept: 'text/html', host: 'evil.example' })).status).toBe(403);
    expect((await get(port, { accept: 'text/html', origin: 'http://evil.example' })).status).toBe(403);
  }, 60_000);
});

const KUBECTL = '/usr/bin/kubectl';
const live = ready && existsSync(KUBECTL);
if (ready && !live) console.log('test/surfaces/page/serve.test.ts skipped beside kubectl: there is no /usr/bin/kubectl');

describe.skipIf(!live)('a served cluster in a browser, beside kubectl', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-live-'));
  const servers: Server[] = [];
  let browser: Browser;
  const start = async (...args: readonly string[]): Promise<{ readonly port: number; kubectl(...args: readonly string[]): string }> => {
    const config = join(folder, `config-${servers.length}`);
    const server = await served('--domain', 'k8s.io', '--kubeconfig', config, ...args);
    servers.push(server);
    return {
      port: server.port,
      kubectl: (...words) =>
        execFileSync(KUBECTL, ['--kubeconfig', config, ...words], { encoding: 'utf8', cwd: folder, env: { HOME: folder } }),
    };
  };
  beforeAll(async () => {
    browser = await launch();
  }, 60_000);
  afterAll(async () => {
    await closePages(browser);
    for (const { child } of servers) child.kill();
    rmSync(folder, { recursive: true });
  });

  const seen = (page: Page, name: RegExp): Promise<void> => page.getByRole('button', { name }).first().waitFor({ timeout: 20_000 });

  it('shows changes by kubectl immediately, and advances time', async () => {
    const { port, kubectl } = await start('--clock', 'manual');
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const complaints: string[] = [];
    const asked = new Set<string>();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.add(new URL(request.url()).host));
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByText('● live').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('region', { name: /^node-/ }).count()).toBe(3);
    kubectl('create', 'job', 'pi', '--image=pi');
    await page.getByRole('button', { name: '+10 s', exact: true }).click();
    await seen(page, /^Job pi: /);
    await seen(page, /^Pod pi-/);
    await page.getByRole('button', { name: '+1 min', exact: true }).click();
    await seen(page, /^Pod pi-.*, Succeeded$/);
    await page.getByText('1m10s', { exact: true }).first().waitFor({ timeout: 20_000 });
    // Pending events come from the server, once the cursor rests.
    await page
      .getByText(/^Only heartbeats are pending|^now$|^\+\d/)
      .first()
      .waitFor();
    // A reader at an earlier step is not moved while the cluster continues.
    await page.keyboard.press('Home');
    kubectl('create', 'configmap', 'late');
    await page.waitForFunction(() => {
      const { model } = globalThis.orchsimPage.state;
      return (
        JSON.stringify(model.value?.trace.entries.at(-1)).includes('late') ||
        JSON.stringify(model.value?.trace.entries.slice(-5)).includes('late')
      );
    });
    expect(await page.evaluate(() => globalThis.orchsimPage.state.step.value)).toBe(0);
    await page.getByRole('button', { name: 'To the present' }).click();
    await seen(page, /^Job pi: /);
    // After a reset the cluster is followed from its start.
    await page.evaluate(() => fetch('/sim/v1/reset', { method: 'POST' }));
    await page.waitForFunction(() => {
      const { model } = globalThis.orchsimPage.state;
      return model.value !== undefined && !JSON.stringify(model.value.trace.entries).includes('late');
    });
    expect(await page.getByRole('button', { name: /^Job pi/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
    expect([...asked].filter((host) => host !== '')).toEqual([`127.0.0.1:${port}`]);
    // Shipped scenarios can be opened too.
    await choose(page, 'job/15-crash-between-writes');
    await page.getByText('held ·').waitFor({ timeout: 20_000 });
    await page.close();
  }, 120_000);

  it('provides a trace for the terminal commands', async () => {
    const { port, kubectl } = await start('--clock', 'manual');
    kubectl('create', 'job', 'pi', '--image=pi');
    await fetch(`http://127.0.0.1:${port}/sim/v1/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"30s"}',
    });
    const file = join(folder, 'trace.jsonl');
    writeFileSync(file, await (await fetch(`http://127.0.0.1:${port}/sim/v1/trace?whole=true&follow=false`)).text());
    const state = execFileSync(process.execPath, [join(root, 'bin/orchsim.js'), 'state', 'Job/pi', file], { encoding: 'utf8' });
    expect(state).toContain('succeeded: 1');
    const all = execFileSync(process.execPath, [join(root, 'bin/orchsim.js'), 'state', file], { encoding: 'utf8' });
    expect(all).toContain('node-2');
    expect(readFileSync(file, 'utf8').split('\n', 1)[0]).toContain('"trace":"orchsim/v1"');
  }, 60_000);

  it('shows nothing with --auth before a login', async () => {
    const auth = join(folder, 'tokens.csv');
    writeFileSync(auth, 'open-sesame,root,1,"system:masters"\n');
    const { port } = await start('--auth', auth, '--tls', 'off');
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.getByRole('heading', { name: 'Log in' }).waitFor({ timeout: 20_000 });
    expect(await page.evaluate(() => globalThis.orchsimPage.state.model.value)).toBe(undefined);
    expect(await page.locator('body').innerText()).not.toContain('node-');
    await page.getByLabel(/A token/).fill('wrong');
    await page.getByLabel(/A token/).press('Enter');
    await page.getByText('The token is not accepted.').waitFor();
    await page.getByLabel(/A token/).fill('open-sesame');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('● live').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('region', { name: /^node-/ }).count()).toBe(3);
    await page.close();
  }, 60_000);
});
