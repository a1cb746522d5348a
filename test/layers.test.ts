/** The rules of the architecture, checked for every file under src. Tests of the checker are in test/layers/. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenBans, brokenCasts, brokenCircles, brokenFunctions, brokenImports, brokenSizes, silentModules } from './layers/check.ts';
import { brokenLastingState } from './layers/lasting.ts';
import type { SourceFile } from './layers/source.ts';

const root = join(import.meta.dirname, '..');
const files: readonly SourceFile[] = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.tsx?$/.test(path))
  .sort((a, b) => (a < b ? -1 : 1))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the architecture', () => {
  it('imports only downwards, and other modules only through their index.ts', () => {
    expect(brokenImports(files).join('\n')).toBe('');
  });

  it('has no files that import each other in a circle', () => {
    expect(brokenCircles(files).join('\n')).toBe('');
  });

  it('uses nothing of the host below the surfaces', () => {
    expect(brokenBans(files).join('\n')).toBe('');
  });

  it('keeps a file to one idea', () => {
    expect(brokenSizes(files).join('\n')).toBe('');
  });

  it('keeps functions short', () => {
    expect(brokenFunctions(files).join('\n')).toBe('');
  });

  it('has no type assertions, except where input is parsed', () => {
    expect(brokenCasts(files).join('\n')).toBe('');
  });

  it('adds no state of a world that is not data', async () => {
    expect((await brokenLastingState(files)).join('\n')).toBe('');
  });

  it('describes each module in its index.ts', () => {
    expect(silentModules(files).join('\n')).toBe('');
  });
});
