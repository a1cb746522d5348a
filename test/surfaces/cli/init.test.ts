/** A project made by `init`, on the package as it is published: its scenario runs, its test passes, its types are strict. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli, folderWith, ROOT } from './cli.ts';

/** The package unpacked among the project's other packages, which are those of this checkout; fast-check in one of its versions. */
function installInto(project: string, tarball: string, fastCheck: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'orchsim'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && !/^(?:orchsim|fast-check(?:-3)?)$/.test(name))
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(join(ROOT, 'node_modules', fastCheck), join(modules, 'fast-check'));
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'orchsim')], { cwd: project });
}

describe('init', () => {
  const packed = mkdtempSync(join(tmpdir(), 'orchsim-packed-'));
  let tarball = '';
  beforeAll(() => {
    const [one] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', packed], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).replace(/^[^[]*/s, ''),
    ) as readonly { readonly filename: string }[];
    tarball = join(packed, one?.filename ?? '');
  }, 240_000);
  afterAll(() => rmSync(packed, { recursive: true }), 60_000);

  it.each([
    ['fast-check', '4.'],
    ['fast-check-3', '3.'],
  ])(
    'writes a project that runs, passes its tests and is strictly typed, from the packed package, with %s',
    async (fastCheck, major) => {
      const cwd = folderWith({});
      expect(await cli(['init', 'mine'], { cwd })).toMatchObject({ code: 0, err: '' });
      const project = join(cwd, 'mine');
      installInto(project, tarball, fastCheck);
      const node = (script: string, ...args: readonly string[]): string =>
        execFileSync(process.execPath, [join(project, 'node_modules', script), ...args], {
          cwd: project,
          encoding: 'utf8',
          env: { ...process.env, VITEST: '' },
        });
      const { version } = JSON.parse(readFileSync(join(project, 'node_modules/fast-check/package.json'), 'utf8')) as {
        readonly version: string;
      };
      expect(version.startsWith(major)).toBe(true);
      expect(readFileSync(join(project, 'tsconfig.json'), 'utf8')).toMatch(/"strict": true,\s+"skipLibCheck": false/);
      expect(node('orchsim/bin/orchsim.js', 'run', 'scenarios')).toContain('✓ greeting');
      expect(node('vitest/vitest.mjs', 'run', '--root', project)).toMatch(/2 passed/);
      expect(node('typescript/bin/tsc')).toBe('');
      // Editors are told of the schema by the scenario's first line, and it knows the project's own kind.
      const [first = ''] = readFileSync(join(project, 'scenarios/greeting.yaml'), 'utf8').split('\n');
      const schema = readFileSync(join(project, 'scenarios', /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? ''), 'utf8');
      expect(schema).toBe(node('orchsim/bin/orchsim.js', 'schema', 'scenario'));
      expect(schema).toContain('"Greeting"');
    },
    240_000,
  );

  it('touches nothing that is there', async () => {
    const cwd = folderWith({ 'greeter.ts': 'mine', 'package.json': '{}' });
    const { code, err } = await cli(['init'], { cwd });
    expect(code).toBe(2);
    expect(err.split('\n').filter((line) => line !== '')).toEqual([
      'package.json: it is there already; init writes into a folder without it',
      'greeter.ts: it is there already; init writes into a folder without it',
    ]);
    expect(readdirSync(cwd).toSorted()).toEqual(['greeter.ts', 'package.json']);
  });
});
