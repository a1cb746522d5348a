/** How programs reach their world, and no other: a kubeconfig of their own, or what a pod has; and nothing is left of it, on Ctrl-C as well. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, folderWith, ROOT } from '../cli/cli.ts';
import { notBuilt } from '../http/process/serving.ts';
import { isRunning } from './processes.ts';

const GREETED = readFileSync(join(import.meta.dirname, 'greeted.yaml'), 'utf8');
const GREETER = [process.execPath, join(import.meta.dirname, 'operators/greeter.mjs')];
const OTHER = `apiVersion: v1\nkind: Config\ncurrent-context: other\nclusters: [{ name: other, cluster: { server: "https://10.0.0.1" } }]\n`;

// It runs on real time, which a busy machine takes from it.
it('an operator finds its cluster as in a pod; its files go with it', { timeout: 60_000, retry: 2 }, async () => {
  const cwd = folderWith({ 'greeted.yaml': GREETED, 'taken/token': 'of another' });
  const folder = `${cwd}/pod/var/run/secrets/kubernetes.io/serviceaccount`;
  const { code, out, err } = await cli(['drive', 'greeted.yaml', '--in-cluster', folder, '--', ...GREETER, '--pod', `${cwd}/pod`], { cwd });
  expect({ code, err }, out).toEqual({ code: 0, err: '' });
  expect(existsSync(`${cwd}/pod`)).toBe(false);
  const refused = await cli(['drive', 'greeted.yaml', '--in-cluster', 'taken', '--', ...GREETER], { cwd });
  expect(refused).toMatchObject({
    code: 2,
    err: expect.stringContaining('--in-cluster: taken/token is there already, and is not overwritten'),
  });
  const two = await cli(['drive', 'greeted.yaml', '--in-cluster', 'x', '--replicas', '2', '--', ...GREETER], { cwd });
  expect(two).toMatchObject({ code: 2, err: expect.stringContaining('a folder is of one program, and there are 2') });
});

it('the environment of a program has no way to another cluster, and a command that names one is refused', { timeout: 60_000 }, async () => {
  const cwd = folderWith({
    'greeted.yaml': GREETED.replaceAll(/^ {4}- (?:waitFor|at: 10s)[^]*?(?=^ {4}-|$(?![^]))/gm, ''),
    'other.yaml': OTHER,
  });
  const shows = `console.log('C=' + process.env.KUBECONFIG, 'S=' + process.env.KUBERNETES_SERVICE_HOST); setInterval(() => {}, 1000)`;
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] = join(cwd, 'other.yaml');
  try {
    const { out } = await cli(['drive', 'greeted.yaml', '--ready', 'started', '-v', '--', process.execPath, '-e', shows], { cwd });
    expect(out).toMatch(/C=\S+\/greeter\.kubeconfig S=undefined/);
  } finally {
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
  }
  for (const words of [['--kubeconfig', 'other.yaml'], ['--kubeconfig=other.yaml'], ['other.yaml'], ['-kubeconfig', '/nowhere']]) {
    const { code, err } = await cli(['drive', 'greeted.yaml', '--', ...GREETER, ...words], { cwd });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('this is a kubeconfig of another cluster') });
  }
});

it('a run without programs says that faults on clients need drive', async () => {
  const cwd = folderWith({ 'greeted.yaml': GREETED.replace('  steps:\n', '  steps:\n    - fault: { lag: greeter, by: 2s }\n') });
  const { out } = await cli(['run', 'greeted.yaml'], { cwd });
  expect(out).toContain(
    'greeted.yaml:12:7: faults on greeter change nothing here, because no program plays it: run orchsim drive PATH -- COMMAND',
  );
});

it.skipIf(notBuilt !== undefined).each([1, 2])('after Ctrl-C, %d times, nothing is left', { timeout: 60_000 }, async (times) => {
  const cwd = folderWith({ 'greeted.yaml': GREETED, 'tmp/.keep': '' });
  const STAYS = `process.on('SIGTERM', () => {}); console.log(process.argv[1], require('node:child_process').spawn('sleep', ['60']).pid, process.pid); setInterval(() => {}, 1000)`;
  const words = ['drive', 'greeted.yaml', '--realtime', '--ready', 'started', '--grace', times === 1 ? '100ms' : '30s', '-v'];
  const command = [process.execPath, '-e', STAYS, '{server}'];
  const child = spawn(process.execPath, [join(ROOT, 'bin/orchsim.js'), ...words, '--', ...command], {
    cwd,
    env: { ...process.env, TMPDIR: `${cwd}/tmp` },
  });
  let out = '';
  let printed = /(http\S+) (\d+) (\d+)/.exec(out);
  for await (const piece of child.stdout) {
    out += String(piece);
    printed = /(http\S+) (\d+) (\d+)/.exec(out);
    if (printed !== null) break;
  }
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  // The second comes while the program is given time to end.
  if (times === 2) await new Promise((go) => setTimeout(go, 300));
  if (times === 2) child.kill('SIGINT');
  expect((await ended)[0]).toBe(130);
  const [, server = '', ...pids] = printed ?? [];
  expect(pids).toHaveLength(2);
  for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(fetch(`${server}/readyz`)).rejects.toThrow('fetch failed');
  expect(readdirSync(`${cwd}/tmp`).filter((name) => name.startsWith('orchsim'))).toEqual([]);
});
