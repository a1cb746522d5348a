/** A project made by `init`, on the package as it is published: its scenario runs, its test passes, its types are strict. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, ROOT } from './cli.ts';

/** The package unpacked among the project's other packages, which are those of this checkout. */
function installInto(project: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'orchsim'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.') && name !== 'orchsim') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', project], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).replace(/^[^[]*/s, ''),
  ) as readonly { readonly filename: string }[];
  execFileSync('tar', ['-xzf', packed[0]?.filename ?? '', '--strip-components=1', '-C', join(modules, 'orchsim')], { cwd: project });
}

describe('init', () => {
  it('writes a project that runs, passes its test and is strictly typed, from the packed package', { timeout: 240_000 }, async () => {
    const cwd = folderWith({});
    expect(await cli(['init', 'mine'], { cwd })).toMatchObject({ code: 0, err: '' });
    const project = join(cwd, 'mine');
    installInto(project);
    const node = (script: string, ...args: readonly string[]): string =>
      execFileSync(process.execPath, [join(project, 'node_modules', script), ...args], {
        cwd: project,
        encoding: 'utf8',
        env: { ...process.env, VITEST: '' },
      });
    expect(node('orchsim/bin/orchsim.js', 'run', 'scenarios')).toContain('✓ greeting');
    expect(node('vitest/vitest.mjs', 'run', '--root', project)).toMatch(/1 passed/);
    expect(node('typescript/bin/tsc')).toBe('');
    // Editors are told of the schema by the scenario's first line, and it knows the project's own kind.
    const [first = ''] = readFileSync(join(project, 'scenarios/greeting.yaml'), 'utf8').split('\n');
    const schema = readFileSync(join(project, 'scenarios', /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? ''), 'utf8');
    expect(schema).toBe(node('orchsim/bin/orchsim.js', 'schema', 'scenario'));
    expect(schema).toContain('"Greeting"');
  });

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
