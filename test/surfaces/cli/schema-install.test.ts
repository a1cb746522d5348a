/** `schema --install`: a schema and a setting for editors, without changing other settings, and a line for other editors. */
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modeline } from '../../../src/surfaces/cli/editor.ts';
import { cli, folderWith, HOLDS } from './cli.ts';

const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');
const SETTINGS = '.vscode/settings.json';
const SCHEMAS = { './.orchsim/scenario.schema.json': ['scenarios/**/*.yaml', 'scenarios/**/*.yml', '*.scenario.yaml'] };

describe('schema --install', () => {
  it('writes the schema and the settings, and prints the line for others', async () => {
    const cwd = folderWith({});
    const { code, out, err } = await cli(['schema', '--install'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(read(cwd, '.orchsim/scenario.schema.json')).toBe((await cli(['schema', 'scenario'])).out);
    expect(JSON.parse(read(cwd, SETTINGS))).toEqual({ 'yaml.schemas': SCHEMAS });
    expect(out).toContain('\n    # yaml-language-server: $schema=./.orchsim/scenario.schema.json\n');
    const again = await cli(['schema', '--install'], { cwd });
    expect(again.out).toContain('= .orchsim/scenario.schema.json is up to date\n  = .vscode/settings.json is up to date\n');
  });

  it('keeps comments, layout and every other setting', async () => {
    const before = `{\n    // mine\n    "editor.tabSize": 4,\n    "yaml.schemas": {\n        "./other.json": "x.yaml", // theirs\n    },\n}\n`;
    const cwd = folderWith({ [SETTINGS]: before });
    expect(await cli(['schema', '--install'], { cwd })).toMatchObject({ code: 0, err: '' });
    const after = read(cwd, SETTINGS);
    const [head = '', tail = ''] = before.split('"x.yaml"');
    expect(after.startsWith(`${head}"x.yaml"`)).toBe(true);
    expect(tail).toContain('// theirs');
    for (const kept of ['// mine', '"editor.tabSize": 4', '// theirs', '"./other.json": "x.yaml"', '"./.orchsim/scenario.schema.json": ['])
      expect(after).toContain(kept);
    expect((await cli(['schema', '--install'], { cwd })).out).toContain('settings.json is up to date');
    expect(read(cwd, SETTINGS)).toBe(after);
  });

  it('leaves an existing entry for the schema unchanged', async () => {
    const mine = '{ "yaml.schemas": { "./.orchsim/scenario.schema.json": "*.mine.yaml" } }';
    const cwd = folderWith({ [SETTINGS]: mine });
    expect((await cli(['schema', '--install'], { cwd })).code).toBe(0);
    expect(read(cwd, SETTINGS)).toBe(mine);
  });

  it.each([
    [
      '{ "a": 1, ',
      /^\.vscode\/settings\.json:1:\d+: expected JSON with comments \(\w+\); correct it, or add this setting there: "yaml\.schemas": \{/,
    ],
    ['[]', /^\.vscode\/settings\.json:1:1: expected the settings to be a mapping, found array; correct it/],
    ['{\n "yaml.schemas": "x" }', /^\.vscode\/settings\.json:2:18: expected yaml\.schemas to be a mapping, found string; correct it/],
  ])('refuses settings that it cannot merge with, and writes nothing: %s', async (settings, message) => {
    const cwd = folderWith({ [SETTINGS]: settings });
    const { code, err, out } = await cli(['schema', '--install'], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(read(cwd, SETTINGS)).toBe(settings);
    expect(existsSync(join(cwd, '.orchsim/scenario.schema.json'))).toBe(false);
  });

  it('overwrites no file with other contents, unless forced', async () => {
    const cwd = folderWith({ '.orchsim/scenario.schema.json': '{}\n' });
    const { code, err } = await cli(['schema', '--install'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain(
      '.orchsim/scenario.schema.json: it exists and has other contents (an older schema, perhaps); --force overwrites it',
    );
    expect([read(cwd, '.orchsim/scenario.schema.json'), existsSync(join(cwd, '.vscode'))]).toEqual(['{}\n', false]);
    expect((await cli(['schema', '--install', '--force'], { cwd })).code).toBe(0);
    expect(read(cwd, '.orchsim/scenario.schema.json')).toContain('"title": "Scenario"');
  });

  it('includes kinds of plugins, is written to --to, and is only for scenarios', async () => {
    const cwd = folderWith({
      'kind.yaml':
        'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: { name: widgets.example.com }\nspec:\n  group: example.com\n  scope: Namespaced\n  names: { kind: Widget, plural: widgets }\n  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } } }]\n',
    });
    expect(await cli(['schema', '--install', '--to', 'deep/er', '--with', 'kind.yaml'], { cwd })).toMatchObject({ code: 0, err: '' });
    expect(read(cwd, 'deep/er/.orchsim/scenario.schema.json')).toContain('"Widget"');
    expect((await cli(['schema', 'Job', '--install'], { cwd })).err).toContain('--install: it is about scenario files, found "Job"');
  });

  it('reports what cannot be written', async ({ skip }) => {
    if (process.getuid?.() === 0) {
      const cwd = folderWith({ '.vscode': 'a file' });
      const { code, err } = await cli(['schema', '--install'], { cwd });
      expect({ code, schema: existsSync(join(cwd, '.orchsim/scenario.schema.json')) }).toEqual({ code: 2, schema: false });
      expect(err).toContain('.vscode');
      return skip('root may write everywhere');
    }
    const cwd = folderWith({});
    chmodSync(cwd, 0o500);
    const { code, err } = await cli(['schema', '--install'], { cwd });
    chmodSync(cwd, 0o700);
    expect(code).toBe(2);
    expect(err).toContain('scenario.schema.json: cannot be written: permission denied');
  });

  it('prints a line that a scenario may begin with', async () => {
    const cwd = folderWith({ 'a.yaml': `${modeline('./.orchsim/scenario.schema.json')}\n${HOLDS}` });
    expect((await cli(['run', 'a.yaml'], { cwd })).code).toBe(0);
  });

  it('is what the scenario of a project made by init begins with, and knows the kind of the project', async () => {
    const cwd = folderWith({});
    expect((await cli(['init', 'mine'], { cwd })).code).toBe(0);
    const [first = ''] = read(cwd, 'mine/scenarios/greeting.yaml').split('\n');
    const schema = read(cwd, join('mine/scenarios', /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? ''));
    expect(schema).toBe((await cli(['schema', 'scenario'], { cwd: join(cwd, 'mine'), plugins: { with: [], config: true } })).out);
    expect(schema).toContain('"Greeting"');
    const settings = await cli(['schema', '--install'], { cwd: join(cwd, 'mine') });
    expect(settings.out).toContain('= .orchsim/scenario.schema.json is up to date\n  + .vscode/settings.json\n');
  });
});
