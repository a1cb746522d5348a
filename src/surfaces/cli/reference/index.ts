/** The reference of the scenario format, from the table that reads files; an example is the shortest in `examples.yaml`. */
import { isMapping } from '../../../schema/values/index.ts';
import { formatFlow, readYaml } from '../../../schema/yaml/index.ts';
import type { ReferenceField, ReferenceSection } from '../../../lab/scenario/index.ts';
import { type Palette, wrapLine } from '../../report/index.ts';
import exampleScenarios from './examples.yaml';

export { exampleScenarios };

const INTRODUCTION =
  'A scenario file is YAML (or JSON), one document a scenario. Each field is described once, with an example as it stands in a file. ' +
  'x[] is an item of the list x, x.* any key of the mapping x. Durations: 500ms, 1h30m. Conditions (cel) are CEL.';

/** Returns the lines; `columns` is their maximum width. */
export const referenceLines = (sections: readonly ReferenceSection[], palette: Palette, columns: number): readonly string[] => [
  ...wrapped(INTRODUCTION, columns),
  ...sections.flatMap((section) => ['', ...sectionLines(section, palette, columns)]),
];

function sectionLines(section: ReferenceSection, palette: Palette, columns: number): readonly string[] {
  const { title, description, fields, elsewhere, rules } = section;
  return [
    palette.strong(title),
    ...wrapped([description, ...rules].join(' '), columns, '  ').map((line) => palette.dim(line)),
    ...fields.flatMap((field) => fieldLines(field, section, palette, columns)),
    ...[...elsewhere].flatMap(([home, names]) => wrapped(`${names.join(', ')}: as in ${home}`, columns, '    ')),
  ];
}

function fieldLines(field: ReferenceField, section: ReferenceSection, palette: Palette, columns: number): readonly string[] {
  const example = exampleOf(field, section) ?? `${field.name}: …`;
  const wants = [...(field.required ? ['required'] : []), ...(PLAIN.has(field.wants) ? [] : [field.wants])].join('; ');
  const says = wants === '' ? field.description : `${field.description} (${wants})`;
  return [...wrapped(example, columns, '    ').map((line) => palette.accent(line)), ...wrapped(says, columns, '        ')];
}

/** Value types that the example shows, so that the text does not name them. */
const PLAIN: ReadonlySet<string> = new Set(['a text', 'true or false', 'a mapping', 'a list']);

const wrapped = (text: string, columns: number, indent = ''): readonly string[] =>
  wrapLine(text, columns - indent.length).map((line) => indent + line.trimStart());

let documents: readonly unknown[] | undefined;

const readExamples = (): readonly unknown[] =>
  (documents ??= readYaml(exampleScenarios, 'examples.yaml').documents.map(({ plain }) => plain));

/** `restartAfter: 10s`, as it stands in an example; undefined: no example has the field. */
export function exampleOf({ name }: ReferenceField, { places, marked }: ReferenceSection): string | undefined {
  const values = readExamples()
    .flatMap((document) => places.flatMap((place) => at(document, place === '' ? [] : place.split('.'))))
    .filter(isMapping)
    .filter((mapping) => Object.hasOwn(mapping, name) && (marked === undefined || Object.hasOwn(mapping, marked)))
    .map((mapping) => flow({ [name]: mapping[name] }));
  return values.reduce<string | undefined>((best, each) => (best === undefined || each.length < best.length ? each : best), undefined);
}

type Mapping = Readonly<Record<string, unknown>>;

/** Returns every value at a path of the format: `[]` enters a list, or does nothing if the value is not a list; `*` is any key. */
function at(value: unknown, path: readonly string[]): readonly unknown[] {
  const [first, ...rest] = path;
  if (first === undefined) return [value];
  if (!isMapping(value)) return [];
  if (first === '*') return Object.values(value).flatMap((member) => at(member, rest));
  const [, name = '', list] = /^(.*?)(\[\])?$/.exec(first) ?? [];
  if (!Object.hasOwn(value, name)) return [];
  const member = value[name];
  const items: readonly unknown[] = list !== undefined && Array.isArray(member) ? member : [member];
  return items.flatMap((item) => at(item, rest));
}

/** A mapping on one line, without braces. */
const flow = (mapping: Mapping): string => formatFlow(mapping).replace(/^\{ /, '').replace(/ \}$/, '');
