/** Files that are whole or not there: what is written, with which permissions, through links, and what is left of a write that ended halfway. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWholeFile, writeWholeFile } from '../../src/surfaces/whole-file.ts';
import { folderWith } from './cli/cli.ts';

const modeOf = (path: string): number => statSync(path).mode & 0o777;
/** The name of the temporary file of a process. */
const temporary = (name: string, pid: number | string = process.pid): string => `.${name}.${pid}.tmp`;
/** The number of a process that has ended. */
const ENDED = 2 ** 22 - 1;

describe('a file', () => {
  it('is written with the folders above it', () => {
    const cwd = folderWith({});
    writeWholeFile(join(cwd, 'a/b/c.txt'), 'text');
    expect(readFileSync(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('text');
    expect(readdirSync(join(cwd, 'a/b'))).toEqual(['c.txt']);
    // Also the file of a run, which is written as the run goes on.
    const opened = openWholeFile(join(cwd, 'd/e/f.txt'));
    opened.close();
    expect(readdirSync(join(cwd, 'd/e'))).toEqual(['f.txt']);
  });

  it('has its name when it is closed, and what was there stays until then', () => {
    const cwd = folderWith({ 'a.txt': 'old' });
    const file = openWholeFile(join(cwd, 'a.txt'));
    file.write('one ');
    file.write('two');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('old');
    expect(readdirSync(cwd).toSorted()).toEqual([temporary('a.txt'), 'a.txt']);
    file.close();
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one two');
    expect(readdirSync(cwd)).toEqual(['a.txt']);
  });

  it('that is discarded leaves nothing behind', () => {
    const cwd = folderWith({ 'a.txt': 'old' });
    const file = openWholeFile(join(cwd, 'a.txt'));
    file.write('new');
    file.discard();
    file.discard();
    expect([readFileSync(join(cwd, 'a.txt'), 'utf8'), readdirSync(cwd)]).toEqual(['old', ['a.txt']]);
  });

  it('that cannot be written is not there', () => {
    const cwd = folderWith({ 'a.txt': 'old' });
    expect(() => writeWholeFile(join(cwd, 'a.txt'), { toString: () => 'x' } as never)).toThrow(
      'The "data" argument must be of type string',
    );
    expect([readFileSync(join(cwd, 'a.txt'), 'utf8'), readdirSync(cwd)]).toEqual(['old', ['a.txt']]);
    expect(() => writeWholeFile(join(cwd, 'a.txt/b'), '')).toThrow(/ENOTDIR|EEXIST/);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('is closed, written or discarded', () => {
    const cwd = folderWith({});
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const end of ['close', 'discard'] as const) for (let nth = 0; nth < 5; nth++) openWholeFile(join(cwd, `${end}.txt`))[end]();
    expect(open()).toBeLessThan(before + 5);
  });

  it('keeps its permissions, unless others are asked for', () => {
    const cwd = folderWith({ 'a.txt': 'old', 'b.txt': 'old' });
    chmodSync(join(cwd, 'a.txt'), 0o640);
    writeWholeFile(join(cwd, 'a.txt'), 'new');
    expect(modeOf(join(cwd, 'a.txt'))).toBe(0o640);
    writeWholeFile(join(cwd, 'a.txt'), 'new', 0o600);
    writeWholeFile(join(cwd, 'new.txt'), 'new', 0o600);
    expect([modeOf(join(cwd, 'a.txt')), modeOf(join(cwd, 'new.txt'))]).toEqual([0o600, 0o600]);
  });

  it('behind links is written, and the links stay', () => {
    const cwd = folderWith({ 'in/a.txt': 'old' });
    for (const [link, to] of [
      ['there', 'in/a.txt'],
      ['twice', 'there'],
      ['nothing', 'in/new.txt'],
      ['chain', 'nothing'],
    ] as const)
      symlinkSync(to, join(cwd, link));
    writeWholeFile(join(cwd, 'twice'), 'new');
    expect(readFileSync(join(cwd, 'in/a.txt'), 'utf8')).toBe('new');
    writeWholeFile(join(cwd, 'chain'), 'new');
    expect(readFileSync(join(cwd, 'in/new.txt'), 'utf8')).toBe('new');
    for (const link of ['there', 'twice', 'nothing', 'chain']) expect(lstatSync(join(cwd, link)).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(cwd, 'in')).toSorted()).toEqual(['a.txt', 'new.txt']);
  });

  it.skipIf(process.platform === 'win32')('that is a pipe is written as it is', async () => {
    const cwd = folderWith({});
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    const reader = spawn('sh', ['-c', 'cat pipe > read'], { cwd, stdio: 'ignore' });
    try {
      writeWholeFile(join(cwd, 'pipe'), 'text');
      expect(statSync(join(cwd, 'pipe')).isFIFO()).toBe(true);
      await expect.poll(() => readFileSync(join(cwd, 'read'), 'utf8')).toBe('text');
      expect(readdirSync(cwd).toSorted()).toEqual(['pipe', 'read']);
    } finally {
      reader.kill();
    }
  });
});

describe('what processes have left beside a file', () => {
  /** Writes a file beside such a one of an age in seconds; returns what is left. */
  const leftOf = (name: string, seconds: number): readonly string[] => {
    const cwd = folderWith({ 'a.txt': 'old', [name]: 'half' });
    const at = Date.now() / 1_000 - seconds;
    utimesSync(join(cwd, name), at, at);
    writeWholeFile(join(cwd, 'a.txt'), 'new');
    return readdirSync(cwd).filter((each) => each !== 'a.txt');
  };

  it('is removed when they have ended long ago', () => {
    expect(leftOf(temporary('a.txt', ENDED), 700)).toEqual([]);
    // Another host that shares the folder may still write it.
    expect(leftOf(temporary('a.txt', ENDED), 500)).toEqual([temporary('a.txt', ENDED)]);
  });

  it.each([
    ['a process that runs', temporary('a.txt', process.ppid)],
    ['another file', temporary('b.txt', ENDED)],
    ['a user', '.a.txt.mine.tmp'],
    ['a user', `.a.txt.${ENDED}.tmp.old`],
    ['a user', `.a.txt.x${ENDED}.tmp`],
    ['a user', `x.a.txt.${ENDED}.tmp`],
  ])('stays where it is of %s: %s', (_, name) => {
    expect(leftOf(name, 700)).toEqual([name]);
  });

  it('is no reason to fail where the folder is new', () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, 'in'));
    writeFileSync(join(cwd, 'in/a.txt'), '');
    writeWholeFile(join(cwd, 'in/a.txt'), 'new');
    expect(readFileSync(join(cwd, 'in/a.txt'), 'utf8')).toBe('new');
  });
});
