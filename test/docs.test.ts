/**
 * `npm run docs`: the reference of the library's faces is whole: everything exported has a docstring, and everything that can be imported
 * stands in it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'orchsim-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: Readonly<Record<string, unknown>> };
/** `orchsim/testing` as a file's name. */
const faces = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => ['orchsim', ...path.split('/').slice(1)].join('-'));

const docs = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'src/docs.mjs'), ...args], { cwd: root, encoding: 'utf8' });

describe('npm run docs', () => {
  const out = join(folder, 'api');
  const { status, stderr } = docs('--out', out);

  it('finds a docstring on everything that a public face exports', () => {
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('writes a page for every face of the package', () => {
    expect(readdirSync(out).toSorted()).toEqual(faces.map((name) => `${name}.md`).toSorted());
  });

  it('tells everything that can be imported, with its type, what is said of it, and where it stands', async () => {
    for (const [face, module] of [
      ['orchsim', await import('../src/index.ts')],
      ['orchsim-internals', await import('../src/internals.ts')],
      ['orchsim-testing', await import('../src/testing.ts')],
      ['orchsim-fast-check', await import('../src/fast-check.ts')],
      ['orchsim-browser', await import('../src/browser.ts')],
    ] as const) {
      const page = readFileSync(join(out, `${face}.md`), 'utf8');
      for (const name of Object.keys(module)) {
        const [, reported = '', declaration = '', file = ''] =
          new RegExp(`^## ${name}\n\n(.+?)\n\n\`\`\`ts\n(.*?)\n\`\`\`\n\n(\\S+):\\d+$`, 'ms').exec(page) ?? [];
        expect(reported.length, `${face}: ${name}`).toBeGreaterThan(10);
        expect(declaration).toContain(name);
        expect(declaration).not.toMatch(/\.\.\. \d+ more|: any;$/);
        expect(existsSync(join(root, file))).toBe(true);
      }
    }
  });

  it('goes to a folder that git ignores, unless another is named', () => {
    expect(() => execFileSync('git', ['check-ignore', '-q', '.orchsim/api'], { cwd: root })).not.toThrow();
    expect(existsSync(join(root, 'docs'))).toBe(false);
  });

  it('names what lacks a docstring, with file and line, and exits with 1', () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'index.ts'), '/** A face. */\n/** Told. */\nexport const told = 1;\nexport const untold = 2;\n');
    writeFileSync(join(other, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ['index.ts'] }));
    const bad = docs('--from', join(other, 'tsconfig.json'), '--out', '-');
    expect(bad.status).toBe(1);
    expect(bad.stderr).toMatch(/index\.ts:4: untold is exported and has no docstring/);
    expect(bad.stderr).not.toContain('told is exported and has no docstring: say what comes back, units and errors\n/');
    expect(bad.stdout).toContain('## told\n\nTold.');
  });
});
