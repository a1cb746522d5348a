/** The rules of the architecture, held against every file under src. Its own tests are in test/layers/. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenBans, brokenCasts, brokenFunctions, brokenImports, brokenSizes, silentModules } from './layers/check.ts';
import type { SourceFile } from './layers/source.ts';

const root = join(import.meta.dirname, '..');
const files: readonly SourceFile[] = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.tsx?$/.test(path))
  .sort((a, b) => (a < b ? -1 : 1))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the architecture', () => {
  it('imports only downwards, and other modules only by their face', () => {
    expect(brokenImports(files).join('\n')).toBe('');
  });

  it('lets nothing of the host in below the surfaces', () => {
    expect(brokenBans(files).join('\n')).toBe('');
  });

  it('keeps a file to one idea', () => {
    expect(brokenSizes(files).join('\n')).toBe('');
  });

  it('keeps a function to what fits a head', () => {
    expect(brokenFunctions(files).join('\n')).toBe('');
  });

  it('takes nothing for what its type says it cannot be, but where input becomes typed', () => {
    expect(brokenCasts(files).join('\n')).toBe('');
  });

  it('says at each door what lives behind it', () => {
    expect(silentModules(files).join('\n')).toBe('');
  });
});
