/** The lines of logs: of files and folders, packed ones and standard input, long and cut ones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BadInput } from '../../../../src/surfaces/cli/exit.ts';
import { eachLine, logFiles } from '../../../../src/surfaces/cli/import/lines.ts';
import { folderWith } from '../cli.ts';

/** The lines of files in a folder, with their places. */
async function linesOf(cwd: string, files: readonly string[], stdin?: () => string): Promise<readonly string[]> {
  const lines: string[] = [];
  await eachLine(files, (text, file, line) => lines.push(`${file}:${line}: ${text}`), { cwd, ...(stdin === undefined ? {} : { stdin }) });
  return lines;
}
async function saidOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
}

describe('the files', () => {
  it('are those that are named, each once, and the logs of folders by name', () => {
    const cwd = folderWith({
      'z.txt': '',
      'logs/b.log': '',
      'logs/a.json': '',
      'logs/c.jsonl': '',
      'logs/d.gz': '',
      'logs/e.txt': '',
      'logs/in/f.log': '',
    });
    const of = (name: string): string => join(cwd, 'logs', name);
    expect(logFiles(['z.txt', 'logs', '-', 'logs/b.log', './z.txt'], cwd)).toEqual([
      join(cwd, 'z.txt'),
      of('a.json'),
      of('b.log'),
      of('c.jsonl'),
      of('d.gz'),
      '-',
    ]);
  });

  it('are there, and not too many', async () => {
    const cwd = folderWith({ 'empty/a.txt': '', 'empty/b.log.txt': '', 'a.log': '' });
    expect(await saidOf(() => logFiles(['a.log', 'b.log'], cwd))).toBe('b.log: no such file or folder');
    expect(await saidOf(() => logFiles(['empty'], cwd))).toBe('empty: a folder without logs (.log, .json, .jsonl, .gz)');
    const many = (count: number) => Array.from({ length: count }, () => 'a.log');
    expect(logFiles(many(1_000), cwd)).toEqual([join(cwd, 'a.log')]);
    expect(await saidOf(() => logFiles(many(1_001), cwd))).toBe('1001 files, at most 1000 logs are read');
  });
});

describe('the lines', () => {
  it('have their file and number; the last may be without its end', async () => {
    const cwd = folderWith({ 'a.log': 'one\n\nthree\n', 'b.log': 'é\nlast', 'c.log': '', 'd.log': '\n' });
    const files = logFiles(['a.log', 'b.log', 'c.log', 'd.log'], cwd);
    expect(await linesOf(cwd, files)).toEqual(['a.log:1: one', 'a.log:2: ', 'a.log:3: three', 'b.log:1: é', 'b.log:2: last', 'd.log:1: ']);
  });

  it('are those of standard input', async () => {
    expect(await linesOf('/', ['-'], () => 'a\nb')).toEqual(['<stdin>:1: a', '<stdin>:2: b']);
    expect(await linesOf('/', ['-'])).toEqual([]);
  });

  it('go over the pieces that are read of a large file, where a character may be cut', async () => {
    const cwd = folderWith({});
    const line = `${'x'.repeat(999)}é`;
    const text = Array.from({ length: 2_200 }, () => line).join('\n');
    writeFileSync(join(cwd, 'large.log'), text);
    const lines = await linesOf(cwd, [join(cwd, 'large.log')]);
    expect(lines).toHaveLength(2_200);
    expect(new Set(lines.map((each, at) => each === `large.log:${at + 1}: ${line}`))).toEqual(new Set([true]));
  });

  it('are cut where they are longer than any line of a log', async () => {
    const most = 32 * 1024 * 1024;
    const lengths: number[] = [];
    const text = `${'x'.repeat(most)}\n${'y'.repeat(most + 2)}\nz`;
    await eachLine(['-'], (each) => lengths.push(each.length), { cwd: '/', stdin: () => text });
    expect(lengths).toEqual([most, 0, 1]);
  });
});

describe('a packed file', () => {
  it('is unpacked, and read as far as it goes where it is cut', async () => {
    const cwd = folderWith({});
    const packed = gzipSync(Array.from({ length: 20_000 }, (_, at) => `line ${at * 7919}`).join('\n'));
    writeFileSync(join(cwd, 'whole.gz'), packed);
    writeFileSync(join(cwd, 'cut.gz'), packed.subarray(0, packed.length / 2));
    const whole = await linesOf(cwd, [join(cwd, 'whole.gz')]);
    expect([whole.length, whole[0], whole.at(-1)]).toEqual([20_000, 'whole.gz:1: line 0', `whole.gz:20000: line ${19_999 * 7919}`]);
    const cut = await linesOf(cwd, [join(cwd, 'cut.gz')]);
    expect(cut.length).toBeGreaterThan(100);
    expect(cut.slice(0, -1)).toEqual(whole.slice(0, cut.length - 1).map((line) => line.replace('whole', 'cut')));
  });

  it('that is none is refused', async () => {
    const cwd = folderWith({ 'none.gz': 'text' });
    expect(await saidOf(() => linesOf(cwd, [join(cwd, 'none.gz')]))).toBe('none.gz: cannot be read: incorrect header check');
    expect(await saidOf(() => linesOf(cwd, [join(cwd, 'gone.log')]))).toBe('gone.log: cannot be read: no such file or folder');
  });
});
