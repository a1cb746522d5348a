/** Parts of the guide that are generated from the registries, as Markdown. `<!-- table: NAME -->` in a topic marks the place. */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { faultKinds } from '../../../lab/choices/index.ts';
import { controllersWith, type Definitions, faultsWith, invariantsWith, kindsWith } from '../../../lab/definitions/index.ts';
import type { Fields } from '../../../lab/scenario/index.ts';
import { shellWord } from '../../report/index.ts';
import { allRules } from '../commands/rules.ts';
import { EXIT, EXIT_TEXTS } from '../exit.ts';
import { CONTROLLER } from '../init/files.ts';
import { course } from './course.ts';
import { fieldsAt, proseFields, STEP_STARTS, STEP_VERBS } from './verbs.ts';

const names = namesFor('orch.io');

/** By name. Each gets the definitions of the loaded plugins. */
export const insertions: Readonly<Record<string, (definitions: Definitions) => string>> = {
  'step-verbs': () => `- A step starts with one of ${STEP_STARTS}.\n- It does at most one of ${STEP_VERBS}.\n`,
  faults: (definitions) =>
    table(
      ['fault', 'parameters', 'effect'],
      faultsWith(definitions).map(({ name, parameters, description }) => [name, listed(parameters), description]),
    ),
  overlap: (definitions) =>
    table(
      ['fault', 'when it overlaps'],
      faultsWith(definitions).flatMap(({ name, overlap }) => (overlap === undefined ? [] : [[name, overlap]])),
    ),
  invariants: (definitions) =>
    table(
      ['invariant', 'holds', 'statement'],
      invariantsWith(definitions).map(({ name, temporal, description }) => [name, temporal, description]),
    ),
  'invariant-fields': () =>
    table(
      ['field', 'meaning'],
      fieldsAt('spec.invariants[]').map(({ name, description }) => [name, description]),
    ),
  'prose-fields': () =>
    table(
      ['field', 'meaning'],
      proseFields().map(({ name, description }) => [name, description]),
    ),
  course: lessons,
  choices: () =>
    table(
      ['fault', 'points', 'effect'],
      faultKinds.map(({ name, sorts, description }) => [name, sorts.join(', '), description]),
    ),
  controllers: (definitions) =>
    `These run: ${controllersWith(definitions)(kindsWith(names, definitions))
      .map(({ name }) => name)
      .join(', ')}; and the agents of nodes, the scheduler and the storage drivers.\n`,
  greeter: () => `\`\`\`ts\n${CONTROLLER}\`\`\`\n`,
  kinds: (definitions) =>
    `Objects are of these kinds: ${kindsWith(names, definitions)
      .list()
      .map(({ kind }) => kind)
      .join(', ')}.\n`,
  'exit-codes': () =>
    table(
      ['code', 'meaning'],
      (Object.keys(EXIT) as readonly (keyof typeof EXIT)[]).map((name) => [String(EXIT[name]), EXIT_TEXTS[name]]),
    ),
  rules: () =>
    table(
      ['rule', 'statement'],
      allRules().map(({ name, statement }) => [name, statement]),
    ),
};

const INSERTION = /(<!-- table: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g;

/** Returns the text of a topic with its generated parts. */
export const filled = (text: string, definitions: Definitions): string =>
  text.replace(INSERTION, (whole, head: string, name: string, end: string) => {
    const insertion = insertions[name];
    return insertion === undefined ? whole : `${head}${insertion(definitions)}${end}`;
  });

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escaped).join(' | ')} |\n`).join('');

const escaped = (cell: string): string => cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

const listed = (parameters: Fields): string =>
  Object.entries(parameters)
    .map(([name, { required }]) => (required === true ? name : `[${name}]`))
    .join(', ');

/** The shipped course; a step that has a question waits for a letter. */
function lessons(): string {
  const all = course();
  const [first] = all;
  if (first === undefined) return '';
  const begin = `A course of ${all.length} lessons is included. Each builds on those before it. \`play\` opens the first one in the browser. In a terminal, answer with a letter.`;
  const titles = table(
    ['lesson', 'title'],
    all.map(({ name, title }) => [name, title]),
  );
  return `${begin}\n\n${titles}\n\`\`\`sh\nnpx orchsim walk ${shellWord(first.path)}\n\`\`\`\n`;
}
