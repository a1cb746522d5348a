/** Files of commands are written completely or not at all, and never over a file of a user. */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeWhole } from '../../../src/surfaces/cli/files.ts';
import { BREAKS, cli, folderWith, HOLDS, ROOT } from './cli.ts';

const PROGRAM = join(ROOT, 'bin/orchsim.js');

/** A command with a limit of so many blocks of 512 bytes for a file, like on a full disk. */
const cramped = (cwd: string, args: readonly string[], blocks = 4) =>
  spawnSync('sh', ['-c', `ulimit -f ${blocks}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args], { cwd, encoding: 'utf8' });

describe('a file', () => {
  it('is replaced as a whole, keeps its mode, and is reached through links', () => {
    const cwd = folderWith({ 'a.txt': 'before' });
    writeFileSync(join(cwd, 'b.txt'), 'before', { mode: 0o640 });
    symlinkSync('b.txt', join(cwd, 'link'));
    writeWhole({ option: '--out', path: 'a.txt', cwd }, 'after');
    writeWhole({ option: '--out', path: 'link', cwd }, 'after');
    writeWhole({ option: '--out', path: 'x/y/c.txt', cwd, mode: 0o600 }, 'after');
    for (const name of ['a.txt', 'b.txt', 'x/y/c.txt']) expect(readFileSync(join(cwd, name), 'utf8')).toBe('after');
    expect([statSync(join(cwd, 'b.txt')).mode & 0o777, statSync(join(cwd, 'x/y/c.txt')).mode & 0o777]).toEqual([0o640, 0o600]);
    expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(cwd).toSorted()).toEqual(['a.txt', 'b.txt', 'link', 'x']);
  });

  it('is made where a link leads that leads to nothing yet', () => {
    const cwd = folderWith({});
    symlinkSync('one', join(cwd, 'link'));
    symlinkSync('two', join(cwd, 'one'));
    writeWhole({ option: '--kubeconfig', path: 'link', cwd }, 'new');
    expect([readFileSync(join(cwd, 'two'), 'utf8'), lstatSync(join(cwd, 'link')).isSymbolicLink()]).toEqual(['new', true]);
    expect(readdirSync(cwd).toSorted()).toEqual(['link', 'one', 'two']);
  });

  it('is written beside what a run left that was ended by a signal, which goes when it is old and nobody writes to it', () => {
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const [old, fresh, alive, other] = [`.f.${ended}.tmp`, `.f.${ended + 1_000_000_000}.tmp`, `.f.${process.ppid}.tmp`, `.g.${ended}.tmp`];
    const cwd = folderWith({ [old]: '', [fresh]: '', [alive]: '', [other]: '' });
    const long = new Date(Date.now() - 3_600_000);
    for (const name of [old, alive, other]) utimesSync(join(cwd, name), long, long);
    writeWhole({ option: '--trace', path: 'f', cwd }, 'text');
    expect(readdirSync(cwd).toSorted()).toEqual([fresh, alive, other, 'f'].toSorted());
  });

  it.each([
    ['page', ['page', 'holds.yaml', '--out', 'f.html']],
    ['play', ['play', '--no-open', '--out', 'f.html']],
    ['run --page', ['run', 'holds.yaml', '--page', 'f.html']],
    ['run --page-on-failure', ['run', 'breaks.yaml', '--page-on-failure', 'pages']],
    ['run --trace', ['run', 'holds.yaml', '--trace', 'f.jsonl']],
    ['run --log', ['run', 'holds.yaml', '--log', 'f.jsonl', '--log-level', 'trace']],
    ['schema --install', ['schema', '--install']],
    ['init', ['init', 'mine']],
  ])('that does not fit is named, and no half of it is left: %s', (_, args) => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'breaks.yaml': BREAKS });
    const { status, stderr } = cramped(cwd, args);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^(?:--)?[a-z-]+: \S+ cannot be written: it would be larger than the system allows\n$/),
    ]);
    const left = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(left.map(({ name }) => name).toSorted()).toEqual(['breaks.yaml', 'holds.yaml']);
  });

  it('that exists is unchanged when its replacement does not fit', () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'f.jsonl': '{"trace":"orchsim/v1"}\n' });
    expect(cramped(cwd, ['run', 'holds.yaml', '--trace', 'f.jsonl']).status).toBe(2);
    expect(readFileSync(join(cwd, 'f.jsonl'), 'utf8')).toBe('{"trace":"orchsim/v1"}\n');
  });

  it.skipIf(!existsSync('/proc/self'))('in a folder that cannot be created is refused at once', async () => {
    const { code, err } = await cli(['init', '/proc/x']);
    expect([code, err]).toEqual([2, 'init: /proc/x/package.json cannot be written: no such file or folder\n']);
  });
});

describe('a file of a user', () => {
  it.each([
    ['--log', ['run', 'holds.yaml', '--log', 'mine']],
    ['--kubeconfig', ['serve', '--port', '0', '--kubeconfig', 'mine']],
    ['--report', ['search', 'holds.yaml', '--budget', '1', '--report', 'mine']],
    ['--as-job', ['search', 'holds.yaml', '--as-job', '2']],
    ['--out', ['page', 'holds.yaml', '--out', 'mine']],
    ['--out', ['play', '--no-open', '--out', 'mine']],
  ])('is left alone by %s of %j', async (option, args) => {
    const files = { mine: 'apiVersion: v1\n', 'search-holds.job.yaml': 'apiVersion: v1\n' };
    const cwd = folderWith({ 'holds.yaml': HOLDS, ...files });
    const { code, err } = await cli(args, { cwd, stop: AbortSignal.abort() });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^${option}: \\S+ exists and has other contents; --force overwrites it\n$`)),
    ]);
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(text);
    expect(readdirSync(cwd).toSorted()).toEqual(['holds.yaml', 'mine', 'search-holds.job.yaml']);
  });

  it('is overwritten only with --force; our own files always', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, mine: 'apiVersion: v1\n' });
    const serve = (...more: readonly string[]) =>
      cli(['serve', '--port', '0', '--kubeconfig', 'mine', ...more], { cwd, stop: AbortSignal.abort() });
    expect((await serve('--force')).code).toBe(0);
    expect((await serve()).code).toBe(0);
    expect(statSync(join(cwd, 'mine')).mode & 0o777).toBe(0o600);
    for (const more of [['--force'], []]) expect((await cli(['run', 'holds.yaml', '--log', 'log', ...more], { cwd })).code).toBe(0);
  });
});
