/**
 * README.md and src/README.md are correct: their commands run and print the shown output, their tables are those of the registries, their
 * paths exist.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { additions } from './additions/additions.ts';
import { blocksOf, commandsOf, filesOf, masked, tablesOf, withTables, withTexts, type Block } from './readme/document.ts';
import { programsIn } from './readme/programs.ts';
import { filtered, pipelineOf, wordsOf } from './readme/shell.ts';
import { tables } from './readme/tables.ts';
import { cli } from './surfaces/cli/cli.ts';

const root = join(import.meta.dirname, '..');
const updating = process.env['UPDATE_README'] !== undefined;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts, version } = JSON.parse(read('package.json')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly version: string;
};

/** Commands that are not run here, each with the test that runs it. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci': '.ci/run installs',
  'npm start': 'test/golden.test.ts runs the same scenarios',
  'npm i -D orchsim': 'test/package.test.ts installs the packed package into a project',
  'cd my-controllers': 'test/package.test.ts goes there',
  'npm install': 'test/package.test.ts installs the packed package into what init writes',
  'npx vitest run': 'test/package.test.ts runs the tests that init writes',
  'npm cit': '.ci/run does the same in two steps',
};

/** Maximum characters of a decision: a paragraph or two, and a table. */
const LONGEST_DECISION = 3000;

const folder = mkdtempSync(join(tmpdir(), 'orchsim-readme-'));
for (const name of ['scenarios', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
const programs = programsIn(folder, root);
afterAll(() => {
  programs.close();
  rmSync(folder, { recursive: true });
});

/** Commands that are run as programs, because they serve, or are not orchsim's. */
const isProgram = (text: string): boolean =>
  !Object.hasOwn(RUN_ELSEWHERE, text) && (text.endsWith(' &') || /^(?:kubectl|curl|node|npx (?!orchsim )\S+) /.test(text));

describe('README.md', () => {
  const document = read('README.md');
  const outputs = new Map<Block, string>();
  for (const { name, text } of filesOf(document)) writeFileSync(join(folder, name), text);

  const compare = (output: Block | undefined, printed: string): void => {
    if (output === undefined) return;
    outputs.set(output, printed);
    if (!updating)
      expect(masked(printed), `README.md:${output.line} shows something else: npm run update-readme, and read the diff`).toBe(
        masked(output.text),
      );
  };

  it.for(commandsOf(document).map((command) => [command.text, command] as const))('%s', async ([text, { output }], { skip }) => {
    if (isProgram(text)) {
      const lack = programs.lacks(text);
      if (lack !== undefined) return skip(lack);
      const { out, code } = await programs.run(text);
      expect(code, out).toBe(0);
      return compare(output, out);
    }
    if (!text.startsWith('npx orchsim ')) {
      expect(RUN_ELSEWHERE, `say in test/readme.test.ts what runs ${text}`).toHaveProperty([text]);
      const [, script = ''] = /^npm (?:run )?([\w-]+)/.exec(text) ?? [];
      expect(['', ...Object.keys(scripts), 'ci', 'cit', 'i', 'install']).toContain(script);
      return;
    }
    const { command, filters } = pipelineOf(text);
    const { out, err, code } = await cli(wordsOf(command).slice(2), { cwd: folder });
    expect(err).toBe('');
    expect(
      [0, 1],
      `${text} ends with exit code ${code}${code === 4 ? ' (after a change: npm run build, the fresh process runs what is built)' : ''}`,
    ).toContain(code);
    compare(output, filtered(out, filters));
  });

  it('has only blocks that are checked', () => {
    expect(blocksOf(document).filter(({ language }) => language !== '' && !['sh', 'text', 'yaml', 'js'].includes(language))).toEqual([]);
  });

  it('fits on a few screens', () => {
    expect(document.split('\n').length).toBeLessThanOrEqual(120);
    expect(Buffer.byteLength(document)).toBeLessThanOrEqual(12 * 1024);
    const paragraphs = document.replaceAll(/^```[^]*?^```$/gm, '').split('\n');
    expect(paragraphs.filter((text) => text.length > 500)).toEqual([]);
  });

  it.each(Object.entries(additions))('documents where to add %s', (_, { files, registry, line }) => {
    const [path = ''] = Object.keys(files);
    // Folders for additions with a folder; a line only if it is not obvious.
    const named = /\/(?:controllers|agents)\//.test(path) ? path.slice(0, path.lastIndexOf('/') + 1) : path;
    const contributing = read('.github/CONTRIBUTING.md');
    expect(contributing).toContain(`\`${named}\``);
    if (/kinds|agents/.test(registry)) expect(contributing).toContain(line);
  });

  it('is updated on request', () => {
    if (updating) writeFileSync(join(root, 'README.md'), withTables(withTexts(document, outputs), tables));
  });
});

const decisions = readdirSync(join(root, 'src/decisions')).map((name) => `src/decisions/${name}`);

describe.each(['README.md', 'src/README.md', '.github/CONTRIBUTING.md', ...decisions])('%s', (path) => {
  it('has the tables of the registries', () => {
    const document = read(path);
    if (updating) writeFileSync(join(root, path), withTables(document, tables));
    for (const [name, text] of tablesOf(read(path)))
      expect(text, `the table ${name}: npm run update-readme makes it`).toBe(tables[name]?.());
  });

  it('names files and folders that exist', () => {
    const named = [
      ...read(path).matchAll(
        /`((?:src|test|scenarios|bench|engine|grammar|apiserver|controlplane|lab|surfaces)\/[\w./-]*(?:\/|\.(?:tsx?|mjs|md|yaml)))`/g,
      ),
    ].map(([, name = '']) => name);
    // test/additions.test.ts makes these additions.
    const added = Object.values(additions).flatMap(({ files }) => Object.keys(files));
    const known = (name: string): boolean => added.some((each) => each === name || (name.endsWith('/') && each.startsWith(name)));
    expect(named.filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, 'src', name)) && !known(name))).toEqual([]);
  });
});

describe('the map', () => {
  it('fits on a few screens', () => {
    expect(Buffer.byteLength(read('src/README.md'))).toBeLessThanOrEqual(15 * 1024);
  });

  it.each(decisions)('%s is dated and short', (path) => {
    const [, date, text = ''] = /^# \S[^\n]+\n\n(\d{4}-\d\d-\d\d)\n\n([^]+)\n$/.exec(read(path)) ?? [];
    expect(path).toContain(`/${date ?? 'no date'}-`);
    expect(text.length).toBeLessThanOrEqual(LONGEST_DECISION);
  });
});

describe('package.json', () => {
  it('has the test command of continuous integration, which the README names', () => {
    expect(read('.ci/run')).toMatch(/^npm run test:all/m);
    expect(commandsOf(read('README.md')).map(({ text }) => text)).toContain('npm cit');
  });

  it('says its version', async () => {
    expect((await cli(['--version'])).out).toBe(`${version}\n`);
  });
});
