/** The tables of the documents, from the registries. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../src/apiserver/machinery/index.ts';
import { controllers } from '../../src/controlplane/controllers/index.ts';
import { faults } from '../../src/lab/faults/index.ts';
import { invariants } from '../../src/lab/invariants/index.ts';
import { allRules, effectOf } from '../../src/surfaces/cli/commands/listings.ts';
import { commands } from '../../src/surfaces/cli/commands/index.ts';
import { BUGS } from '../lab/search/bugs/registry.ts';
import { readResults, resultsText } from '../lab/search/bugs/results.ts';
import { LAYERS } from '../layers/layers.ts';

const row = (...cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`;
const head = (...cells: readonly string[]): string => row(...cells) + row(...cells.map(() => '---'));
const code = (text: string): string => `\`${text}\``;
const list = (names: readonly string[]): string => names.join(', ');

/** `job/counts-never-shrink` and its like by what stands before the stroke. */
function invariantGroups(): readonly string[] {
  const groups = new Map<string, number>();
  for (const { name } of invariants) {
    const [group = name] = name.split('/');
    groups.set(group, (groups.get(group) ?? 0) + 1);
  }
  return [...groups].map(([group, size]) => `${group}/* (${size})`);
}

const root = join(import.meta.dirname, '../..');
const folders = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((a, b) => (a < b ? -1 : 1));

/** Commands that list a registry share a row. */
const LISTS: ReadonlySet<string> = new Set(['kinds', 'controllers', 'rules', 'faults', 'invariants']);

/** So do those that one calls once, or when one does not know what to call. */
const FIRST_HOUR: ReadonlySet<string> = new Set(['init', 'help', 'completion']);

/** And those that begin with what a real cluster has or gets. */
const REAL: ReadonlySet<string> = new Set(['what-if', 'rehearse', 'import']);

/** Commands of a set, in one cell. */
const together = (names: ReadonlySet<string>): string =>
  commands
    .filter(({ name }) => names.has(name))
    .map(({ name, takes }) => code(`${name} ${takes}`.trim()))
    .join(' · ');

const kinds = kindsFor(namesFor('orch.io'));

const NO_RESULT = 'not measured';

export const tables: Readonly<Record<string, () => string>> = {
  'known-bugs': () => {
    const results = readResults();
    return (
      head('bug', 'what misleads', 'found in run', 'faults left', 'mended', 'source') +
      BUGS.map(({ name, source, pattern, missed = 'the reason is not known' }) => {
        const result = results[name];
        if (result === undefined) return row(name, pattern, NO_RESULT, '', '', source);
        const { foundIn, choices, runs, alarms, mendedRuns } = result;
        return row(
          name,
          pattern,
          foundIn === undefined ? `not in ${runs}: ${missed}` : String(foundIn),
          choices === undefined ? '' : String(choices),
          alarms === 0 ? `quiet in ${mendedRuns}` : `${alarms} alarms in ${mendedRuns}`,
          source,
        );
      }).join('') +
      `\n${resultsText(results)}\n`
    );
  },
  commands: () =>
    head('`npx orchsim …`', 'does') +
    commands
      .filter(({ name }) => !LISTS.has(name) && !FIRST_HOUR.has(name) && !REAL.has(name))
      .map(({ name, takes, summary }) => row(code(`${name} ${takes}`.trim()), summary))
      .join('') +
    row(
      together(REAL),
      'a question to a cluster from its dump: drain, lose, scale, apply, delete, upgrade · a release from its manifests: install, roll, drain, roll back · an audit log or a watch, replayed',
    ) +
    row(together(FIRST_HOUR), 'a small project to begin with · the guide, topic by topic · completion in your shell') +
    row(together(LISTS), 'what there is, and what of upstream is modelled'),
  rules: () =>
    head('rule', 'field', 'says', 'specification', 'under `rules: specification`', 'v1.24') +
    allRules()
      .map((rule) =>
        row(code(rule.name), rule.field === '' ? '' : code(rule.field), rule.statement, rule.place, effectOf(rule), rule.recorded),
      )
      .join(''),
  contents: () =>
    [
      ['kinds', list(kinds.list().map(({ kind }) => kind))],
      ['controllers', list(controllers(kinds).map(({ name }) => name))],
      ['agents', list(folders('src/controlplane/agents'))],
      ['faults', list(faults.map(({ name }) => name))],
      ['invariants', list(invariantGroups())],
    ]
      .map(([what = '', which = '']) => `- ${what}: ${which}\n`)
      .join(''),
  modules: () =>
    head('layer', 'module', 'why it stands where it stands') +
    LAYERS.flatMap(({ name: layer, modules }) =>
      modules
        .filter(({ name }) => !name.endsWith('.d.ts') && existsSync(join(root, 'src', layer, name)))
        .map(({ name, why }, at) => row(at === 0 ? code(layer) : '', code(name), why)),
    ).join(''),
};
