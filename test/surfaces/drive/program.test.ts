/** A program as a process: its lines, its end, signals, and whether it computes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  environmentOf,
  filledIn,
  foreignKubeconfig,
  writeConnection,
  writeServiceAccount,
} from '../../../src/surfaces/drive/connection.ts';
import { type Exit, exitText, startProgram } from '../../../src/surfaces/drive/program.ts';
import { folderWith } from '../cli/cli.ts';

/** Starts a shell command; resolves to what it printed and how it ended. */
function started(...command: readonly string[]) {
  const lines: string[] = [];
  let program: ReturnType<typeof startProgram> | undefined;
  const exit = new Promise<Exit>((onExit) => {
    program = startProgram({
      command,
      cwd: '/',
      env: { ...process.env, MARK: 'x' },
      onExit,
      onLine: (text, stream) => lines.push(`${stream}: ${text}`),
    });
  });
  if (program === undefined) throw new Error('it has not started');
  return { program, lines, exit };
}
const shell = (script: string) => started('sh', '-c', script);

describe('a program', () => {
  it('has its output by lines, and ends with a code', async () => {
    const { lines, exit, program } = shell(`printf 'one  \\ntwo\\n\\nlast'; echo $MARK >&2; exit 3`);
    expect(await exit).toEqual({ how: 'code', code: 3 });
    expect(lines.filter((line) => line.startsWith('out'))).toEqual(['out: one', 'out: two', 'out: ', 'out: last']);
    expect(lines.filter((line) => line.startsWith('err'))).toEqual(['err: x']);
    expect([program.hasEnded(), program.isRunnable()]).toEqual([true, false]);
    // After its end nothing is sent to anything.
    program.kill();
    program.suspend(true);
    expect(await program.stop(0)).toBe(true);
  });

  it('has lines that are cut where they are long', async () => {
    const { lines, exit } = shell(`head -c 20000 /dev/zero | tr '\\0' y; echo; head -c 20000 /dev/zero | tr '\\0' z`);
    await exit;
    expect(lines.map((line) => [line.length, line.at(-1)])).toEqual([
      [5 + 16_384, 'y'],
      [5 + 16_384, 'z'],
    ]);
  });

  it('that is not there does not start', async () => {
    const { exit, program } = started('./no-such-program');
    expect(await exit).toEqual({ how: 'failed', message: 'spawn ./no-such-program ENOENT' });
    expect([program.hasEnded(), program.isRunnable()]).toEqual([true, false]);
  });

  it('is asked to end, also where it is suspended, and killed where it does not', async () => {
    const asked = started('sleep', '60');
    asked.program.suspend(true);
    expect(await asked.program.stop(10_000)).toBe(true);
    expect(await asked.exit).toEqual({ how: 'signal', signal: 'SIGTERM' });
    const stays = shell(`trap '' TERM; echo stays; while :; do sleep 1; done`);
    await expect.poll(() => stays.lines).toEqual(['out: stays']);
    expect(await stays.program.stop(20)).toBe(false);
    expect(await stays.exit).toEqual({ how: 'signal', signal: 'SIGKILL' });
    const killed = started('sleep', '60');
    killed.program.kill();
    expect(await killed.exit).toEqual({ how: 'signal', signal: 'SIGKILL' });
  });

  it('computes, or a process that it started does', async () => {
    const busy = shell('sh -c "while :; do :; done" & wait');
    await expect.poll(() => busy.program.isRunnable(), { timeout: 10_000 }).toBe(true);
    busy.program.suspend(true);
    await expect.poll(() => busy.program.isRunnable(), { timeout: 10_000 }).toBe(false);
    busy.program.kill();
    await busy.exit;
  });

  it('ends in words', () => {
    expect(
      (
        [
          { how: 'code', code: 1 },
          { how: 'signal', signal: 'SIGSEGV' },
          { how: 'failed', message: 'no' },
        ] as const
      ).map(exitText),
    ).toEqual(['exit code 1', 'signal SIGSEGV', 'it could not be started: no']);
  });
});

describe('the connection of a program', () => {
  const server = 'https://127.0.0.1:6443';

  it('is a kubeconfig that only its owner reads, and what its words stand for', () => {
    const folder = folderWith({});
    const connection = writeConnection(folder, 'op', 'secret', server, 'CA');
    expect(connection).toEqual({ name: 'op', token: 'secret', server, kubeconfig: join(folder, 'op.kubeconfig') });
    expect(readFileSync(connection.kubeconfig, 'utf8')).toContain('token: secret');
    const words = ['--kubeconfig={kubeconfig}', '{server}/{name}', '{token}{token}', '{serviceaccount}', '{other}', 'plain'];
    expect(filledIn(words, { ...connection, serviceAccount: '/sa' })).toEqual([
      `--kubeconfig=${connection.kubeconfig}`,
      `${server}/op`,
      'secretsecret',
      '/sa',
      '{other}',
      'plain',
    ]);
    expect(filledIn(['{serviceaccount}'], connection)).toEqual(['']);
  });

  it('is the whole environment of this process but for other clusters', () => {
    const names = ['KUBECONFIG', 'KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'] as const;
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = 'other';
    try {
      const { KUBECONFIG: _, KUBERNETES_SERVICE_HOST: __, KUBERNETES_SERVICE_PORT: ___, ...rest } = process.env;
      const connection = { name: 'op', token: 't', server, kubeconfig: '/run/op.kubeconfig' };
      const common = { ...rest, OWN: '1', ORCHSIM_CLIENT: 'op' };
      expect(environmentOf(connection, { OWN: '1' })).toEqual({ ...common, KUBECONFIG: '/run/op.kubeconfig' });
      expect(environmentOf({ ...connection, serviceAccount: '/sa' }, { OWN: '1' })).toEqual({
        ...common,
        HOME: '/run',
        KUBERNETES_SERVICE_HOST: '127.0.0.1',
        KUBERNETES_SERVICE_PORT: '6443',
      });
    } finally {
      for (const [at, name] of names.entries()) {
        if (before[at] === undefined) delete process.env[name];
        else process.env[name] = before[at];
      }
    }
  });

  it('may be what a pod has, which goes with it; a folder that was there stays', () => {
    const cwd = folderWith({ 'there/mine': '' });
    for (const [folder, left] of [
      [join(cwd, 'there'), true],
      [join(cwd, 'a/b/c'), false],
    ] as const) {
      const remove = writeServiceAccount(folder, 'secret', 'CA');
      expect(['token', 'ca.crt', 'namespace'].map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['secret', 'CA', 'default']);
      remove();
      expect(() => readFileSync(join(folder, 'token'))).toThrow('ENOENT');
      expect(folderExists(folder)).toBe(left);
    }
    expect(folderExists(join(cwd, 'a'))).toBe(false);
  });

  const CONFIG = 'apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: []\n';
  const cwd = (): string =>
    folderWith({
      'config.yaml': CONFIG,
      'json.json': '{\n"kind": "Config",\n"clusters": [],\n"current-context": "c"}',
      'other.yaml': 'kind: ConfigMap\nclusters: []\ncurrent-context: c\n',
      large: `${CONFIG}${' '.repeat(256 * 1024)}`,
    });
  it.each([
    ['op', undefined],
    ['op --kubeconfig {kubeconfig}', undefined],
    ['op --kubeconfig={kubeconfig}', undefined],
    ['KUBECONFIG={kubeconfig} op', undefined],
    ['op --kubeconfig x', '--kubeconfig x'],
    ['op -kubeconfig x', '-kubeconfig x'],
    ['op --kubeconfig', '--kubeconfig '],
    ['op --kubeconfig=x', '--kubeconfig=x'],
    ['env KUBECONFIG=x op', 'KUBECONFIG=x'],
    ['op config.yaml', 'config.yaml'],
    ['op --config=config.yaml', '--config=config.yaml'],
    ['op json.json', 'json.json'],
    ['op other.yaml', undefined],
    ['op large', undefined],
    ['op nowhere', undefined],
    // The program itself is no file that is handed on.
    ['config.yaml', undefined],
  ])('in %j names another cluster by %j', (line, word) => {
    expect(foreignKubeconfig(line.split(' '), cwd())).toBe(word);
  });
});

function folderExists(folder: string): boolean {
  try {
    readFileSync(folder);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EISDIR';
  }
}
