/** Parts of the guide that are generated from the registries, as Markdown. `<!-- table: NAME -->` in a topic marks the place. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { faultKinds } from '../../../lab/choices/index.ts';
import { controllersWith, type Definitions, faultsWith, invariantsWith, kindsWith } from '../../../lab/definitions/index.ts';
import { type Fields, type ReferenceField, referenceSections } from '../../../lab/scenario/index.ts';
import { simulatorOperations } from '../../http/index.ts';
import { shellWord } from '../../report/index.ts';
import { allRules } from '../commands/listings.ts';
import { EXIT, EXIT_TEXTS } from '../exit.ts';
import controller from '../init/greeter.ts.txt';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedScenarios } from '../install.ts';
import { readScenarios } from '../load.ts';

const names = namesFor('orch.io');

/** By name. Each gets the definitions of the loaded plugins. */
export const insertions: Readonly<Record<string, (definitions: Definitions) => string>> = {
  'step-verbs': () => `- A step starts with one of ${STEP_STARTS}.\n- It does at most one of ${STEP_VERBS}.\n`,
  faults: (definitions) =>
    table(['fault', 'parameters', 'effect'], faultsWith(definitions), ({ name, parameters, description }) => [
      name,
      listed(parameters),
      description,
    ]),
  overlap: (definitions) =>
    table(['fault', 'when it overlaps'], faultsWith(definitions).filter(overlaps), ({ name, overlap = '' }) => [name, overlap]),
  invariants: (definitions) =>
    table(['invariant', 'holds', 'statement'], invariantsWith(definitions), ({ name, temporal, description }) => [
      name,
      temporal,
      description,
    ]),
  'invariant-fields': () => fieldTable(fieldsAt('spec.invariants[]')),
  'prose-fields': () => fieldTable(proseFields()),
  course: lessons,
  choices: () => table(['fault', 'points', 'effect'], faultKinds, ({ name, sorts, description }) => [name, sorts.join(', '), description]),
  controllers: (definitions) =>
    `These run: ${controllersWith(definitions)(kindsWith(names, definitions))
      .map(({ name }) => name)
      .join(', ')}; and the agents of nodes, the scheduler and the storage drivers.\n`,
  greeter: () => `\`\`\`ts\n${controller}\`\`\`\n`,
  kinds: (definitions) =>
    `Objects are of these kinds: ${kindsWith(names, definitions)
      .list()
      .map(({ kind }) => kind)
      .join(', ')}.\n`,
  'exit-codes': () =>
    table(['code', 'meaning'], Object.keys(EXIT) as readonly (keyof typeof EXIT)[], (name) => [String(EXIT[name]), EXIT_TEXTS[name]]),
  simulator: () => table(['request', 'effect'], simulatorOperations(), ({ request, summary }) => [`\`${request}\``, summary]),
  rules: () => table(['rule', 'statement'], allRules(), ({ name, statement }) => [name, statement]),
};

const INSERTION = /(<!-- table: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g;

/** Returns the text of a topic with its generated parts. */
export const filled = (text: string, definitions: Definitions): string =>
  text.replace(INSERTION, (whole, head: string, name: string, end: string) => {
    const insertion = insertions[name];
    return insertion === undefined ? whole : `${head}${insertion(definitions)}${end}`;
  });

const overlaps = ({ overlap }: { readonly overlap?: string }): boolean => overlap !== undefined;
const fieldTable = (fields: readonly ReferenceField[]): string =>
  table(['field', 'meaning'], fields, ({ name, description }) => [name, description]);
const table = <T>(head: readonly string[], items: readonly T[], row: (item: T) => readonly string[]): string =>
  [head, head.map(() => '---'), ...items.map(row)].map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`).join('');

const escaped = (cell: string): string => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

const listed = (parameters: Fields): string =>
  Object.entries(parameters)
    .map(([name, { needed }]) => (needed === true ? name : `[${name}]`))
    .join(', ');

/** The shipped course; a step that has a question waits for a letter. */
function lessons(): string {
  const all = course();
  const [first] = all;
  if (first === undefined) return '';
  const begin = `A course of ${all.length} lessons is included. Each builds on those before it. \`play\` opens the first one in the browser. In a terminal, answer with a letter.`;
  const titles = table(['lesson', 'title'], all, ({ name, title }) => [name, title]);
  return `${begin}\n\n${titles}\n\`\`\`sh\nnpx orchsim walk ${shellWord(first.path)}\n\`\`\`\n`;
}

/** The lessons: name (`01-wanted-and-found`), title, and the absolute path of the file. */
function course() {
  const folder = join(fileURLToPath(shippedScenarios()), 'lessons');
  return readScenarios([folder], { cwd: folder }).scenarios.map(({ scenario: { name, title = name }, file }) => ({
    path: join(folder, basename(file)),
    name: basename(file).replace(/\.ya?ml$/, ''),
    title,
  }));
}

const sections = referenceSections();

const fieldsAt = (path: string): readonly ReferenceField[] => sections.find(({ title }) => title === path)?.fields ?? [];

const STARTS: ReadonlySet<string> = new Set(['at', 'after', 'when']);
/** Fields that the topic lessons describes, or that check instead of acting. */
const REPORTED: ReadonlySet<string> = new Set(['before', 'note', 'about', 'assert', 'ask', 'look', 'try']);

const ASKED: ReadonlySet<string> = new Set(['as', 'code']);

const proseFields = (): readonly ReferenceField[] => fieldsAt('spec.steps[]').filter(({ name }) => REPORTED.has(name));

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const STEP_STARTS = quoted([...STARTS]);
const STEP_VERBS = quoted(
  fieldsAt('spec.steps[]')
    .map(({ name }) => name)
    .filter((name) => !STARTS.has(name) && !REPORTED.has(name) && !ASKED.has(name) && name !== 'expect'),
);
