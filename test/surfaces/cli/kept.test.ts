/** Short commands start from the code cache of the build, with the same output. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { about, answering, compiled, found, isAbout, isSoonOver, kept } from '../../../bin/kept.js';
import { folderWith, HOLDS } from './cli.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(ROOT, 'dist');

const CONTROLLER = `import { defineController, defineConfig, idle } from 'orchsim';
export default defineConfig({
  controllers: [defineController({ name: 'quiet', reconciles: 'ConfigMap', writes: [], reconcile: () => idle('nothing to do') })],
});
`;

function said(program: string, args: readonly string[], cwd: string): object {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, program), ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the code cache', () => {
  it('exists, and is of this Node', () => {
    const there = found(DIST);
    expect(there).toBeDefined();
    const made = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { kept, tune } from ${JSON.stringify(join(ROOT, 'bin/kept.js'))}; tune(); process.stdout.write(typeof kept(${JSON.stringify(DIST)}));`,
      ],
      { encoding: 'utf8' },
    );
    expect(made.stdout).toBe('function');
  });

  it('of another script, or a missing one, is not used', () => {
    const there = found(DIST);
    if (there === undefined) throw new Error('dist/ has no script');
    expect(compiled(there, Buffer.from('not code'))).toBeUndefined();
    const cwd = folderWith({ 'kept-AAAAAAAA.cjs': '(function () {})' });
    expect(kept(cwd)).toBeUndefined();
    expect(kept(folderWith({}))).toBeUndefined();
  });

  it.each([
    [['run', 'holds.yaml', '--with', 'mine.ts', '--format', 'json'], 0],
    [['why', 'Job/pi', 'holds.yaml'], 0],
    [['run', 'missing.yaml'], 2],
    [['run', '--help'], 0],
  ])('says the same: %j', (args, status) => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'mine.ts': CONTROLLER });
    const short = said('bin/orchsim.js', args, cwd);
    expect(short).toMatchObject({ status });
    expect(short).toEqual(said('dist/orchsim.js', args, cwd));
  });

  it('loads no part of Node that a plain run does not need', () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const listing = `process.on('exit', () => require('fs').writeSync(2, process.moduleLoadList.join('\\n')));`;
    const started = 'require(process.argv[1]);';
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--eval', listing + started, '--', join(ROOT, 'bin/orchsim.js'), 'run', 'holds.yaml'],
      {
        cwd,
        encoding: 'utf8',
      },
    );
    expect(stdout).toContain('holds');
    const loaded = stderr.split('\n').map((line) => line.replace(/^NativeModule /, ''));
    expect(loaded).toContain('vm');
    const rare = ['child_process', 'crypto', 'fs/promises', 'os', 'perf_hooks', 'worker_threads', 'zlib'];
    expect(loaded.filter((name) => rare.includes(name.replace(/^internal\//, '')) || name === 'internal/crypto/webcrypto')).toEqual([]);
  });

  it.each([[], ['-h'], ['--help', 'run'], ['--version']])('is not needed for what the program says about itself: %j %j', (...args) => {
    expect(typeof answering(DIST)).toBe('function');
    const short = said('bin/orchsim.js', args, ROOT);
    expect(short).toMatchObject({ status: 0, stderr: '' });
    expect(short).toEqual(said('dist/orchsim.js', args, ROOT));
  });

  it('is not needed because that script has no simulator', () => {
    expect(statSync(join(DIST, 'about.cjs')).size).toBeLessThan(200_000);
    for (const words of [[], ...about.map((word: string) => [word, 'run'])]) expect(isAbout(words), words.join(' ')).toBe(true);
    for (const words of [['run', '--help'], ['help'], ['--hlep']]) expect(isAbout(words), words.join(' ')).toBe(false);
    expect(answering(folderWith({}))).toBeUndefined();
  });

  it('is for short commands', () => {
    for (const words of [['run', 'x.yaml', '--seed', '7'], ['--help'], ['--version'], []])
      expect(isSoonOver(words), words.join(' ')).toBe(true);
    for (const words of [['run', 'x.yaml', '--seeds', '1..9'], ['run', '--seeds=9', 'x.yaml'], ['serve'], ['help']])
      expect(isSoonOver(words), words.join(' ')).toBe(false);
  });
});
