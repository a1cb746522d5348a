/** Files that `init` leaves unchanged. The written project is tested in `test/package.test.ts`, with the package. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchsimAt, projectFiles } from '../../../src/surfaces/cli/commands/init.ts';
import { cli, folderWith, ROOT } from './cli.ts';

describe('init', () => {
  it('changes no existing file', async () => {
    const cwd = folderWith({ 'greeter.ts': 'mine', 'package.json': '{}' });
    const { code, err } = await cli(['init'], { cwd });
    expect(code).toBe(2);
    expect(err.split('\n').filter((line) => line !== '')).toEqual(['greeter.ts: it exists already; init needs a folder without it']);
    expect(readdirSync(cwd).toSorted()).toEqual(['greeter.ts', 'package.json']);
  });

  it('writes the settings with which its files are compiled', async () => {
    const cwd = folderWith({});
    expect((await cli(['init'], { cwd })).code).toBe(0);
    const { compilerOptions } = JSON.parse(readFileSync(join(cwd, 'tsconfig.json'), 'utf8')) as { readonly compilerOptions: object };
    expect(compilerOptions).toMatchObject({ module: 'nodenext', strict: true, noEmit: true, allowImportingTsExtensions: true });
  });

  it('keeps the package and the types of a project, and says what it needs', async () => {
    const mine = { 'package.json': JSON.stringify({ devDependencies: { vitest: '4', orchsim: '1' } }), 'tsconfig.json': '{}' };
    const cwd = folderWith(mine);
    const { code, out } = await cli(['init'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('  = package.json is kept\n  = tsconfig.json is kept\n  + orchsim.config.ts\n');
    expect(out).toContain('now: npm install --save-dev @types/node fast-check typescript\n');
    for (const [name, text] of Object.entries(mine)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(text);
    expect(await cli(['run', '.'], { cwd })).toMatchObject({ code: 0 });
  });

  it('says which package of orchsim a project lacks, beside what else it needs', async () => {
    const needed = async (text: string): Promise<string | undefined> => {
      const cwd = folderWith({ 'my own/package.json': text });
      const { out } = await cli(['init', 'my own'], { cwd });
      return /now: cd 'my own' && (npm install.*)/.exec(out)?.[1]?.replace(/\S*\/\.\.\/\S+/, 'PATH');
    };
    const rest = '@types/node fast-check';
    expect(await needed('{"dependencies":{"typescript":"5"},"devDependencies":{"vitest":"4"}}')).toBe(
      `npm install --save-dev ${rest} PATH`,
    );
    expect(await needed('{}')).toBe(`npm install --save-dev ${rest} PATH typescript vitest`);
  });

  it('refuses a package that is no JSON object, before it writes anything', async () => {
    const cwd = folderWith({ 'mine/package.json': 'no JSON' });
    expect(await cli(['init', 'mine'], { cwd })).toEqual({
      code: 2,
      out: '',
      err: 'mine/package.json: it is no JSON object, and npm cannot install what the files need\n',
    });
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['package.json']);
  });

  it.each([
    ['/', 'my-controllers'],
    ['/My Project!', 'my-project-'],
    ['/a/b-2', 'b-2'],
  ])('names the package of %s %s', (root, name) => {
    expect(JSON.parse(projectFiles(root)['package.json'] ?? '')).toMatchObject({ name });
  });

  it('refuses a file', async () => {
    const cwd = folderWith({ mine: '' });
    expect(await cli(['init', 'mine'], { cwd })).toMatchObject({ code: 2, err: 'mine: it is a file; init writes into a folder\n' });
    expect(readdirSync(cwd)).toEqual(['mine']);
  });

  it('depends on orchsim from the same source, and puts the schema into a hidden folder', async () => {
    const cwd = folderWith({});
    expect((await cli(['init', 'mine'], { cwd })).code).toBe(0);
    const { devDependencies } = JSON.parse(readFileSync(join(cwd, 'mine/package.json'), 'utf8')) as {
      devDependencies: { orchsim: string };
    };
    const [, path = ''] = /^file:(.*)/.exec(devDependencies.orchsim) ?? [];
    expect(resolve(cwd, 'mine', path)).toBe(ROOT);
    expect(readdirSync(join(cwd, 'mine')).filter((name) => name.endsWith('.json'))).toEqual(['package.json', 'tsconfig.json']);
    expect(readFileSync(join(cwd, 'mine/scenarios/greeting.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.orchsim\/scenario\.schema\.json\n/,
    );
  });

  it.each([
    ['https://registry.npmjs.org/orchsim/-/orchsim-0.1.0.tgz', /^\^\d/],
    ['file:../orchsim-0.1.0.tgz', /^file:\.\.\/\.\.\/orchsim-0\.1\.0\.tgz$/],
    [undefined, /^file:\.\.\/node_modules\/orchsim$/],
  ])('of a package that came from %s says %s', (resolved, said) => {
    const cwd = folderWith({
      'user/node_modules/.package-lock.json': JSON.stringify({ packages: { 'node_modules/orchsim': { resolved } } }),
    });
    expect(orchsimAt(join(cwd, 'user/mine'), join(cwd, 'user/node_modules/orchsim'))).toMatch(said);
  });
});
