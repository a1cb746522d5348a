/** `npm run docs`: the reference of the library is complete: every export has a docstring and an entry. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'orchsim-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly exports: Readonly<Record<string, unknown>> };
/** The file name of `orchsim/testing`. */
const faces = Object.keys(exports)
  .filter((path) => path !== './package.json')
  .map((path) => ['orchsim', ...path.split('/').slice(1)].join('-'));

const docs = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, 'src/build/docs.mjs'), ...args], { cwd: root, encoding: 'utf8' });

describe('npm run docs', () => {
  const out = join(folder, 'api');
  const { status, stderr } = docs('--out', out);

  it('finds a docstring on every export of an entry point', () => {
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  it('writes a page for every entry point of the package', () => {
    expect(readdirSync(out).toSorted()).toEqual(faces.map((name) => `${name}.md`).toSorted());
  });

  it('has every export, with its type, its docstring, and its place', async () => {
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

  it('writes to a folder that git ignores, unless another is named', () => {
    expect(() => execFileSync('git', ['check-ignore', '-q', '.orchsim/api'], { cwd: root })).not.toThrow();
    expect(existsSync(join(root, 'docs'))).toBe(false);
  });

  it('names exports without a docstring, with file and line, and exits with 1', () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'index.ts'), '/** A face. */\n/** Documented. */\nexport const one = 1;\nexport const bare = 2;\n');
    writeFileSync(join(other, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] }, files: ['index.ts'] }));
    const bad = docs('--from', join(other, 'tsconfig.json'), '--out', '-');
    expect(bad.status).toBe(1);
    expect(bad.stderr).toMatch(/index\.ts:4: bare is exported and has no docstring/);
    expect(bad.stderr).not.toContain('one is exported and has no docstring');
    expect(bad.stdout).toContain('## one\n\nDocumented.');
  });
});
