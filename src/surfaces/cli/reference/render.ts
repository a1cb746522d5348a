/** The reference of the scenario format as text: every mapping, every member with an example. */
import type { ReferenceField, ReferenceSection } from '../../../lab/scenario/index.ts';
import { type Palette, wrapLine } from '../../report/index.ts';
import { exampleOf } from './find.ts';

const INTRODUCTION =
  'A scenario file is YAML (or JSON), one document a scenario. Each field is described once, with an example as it stands in a file. ' +
  'x[] is an item of the list x, x.* any key of the mapping x. Durations: 500ms, 1h30m. Conditions (cel) are CEL.';

/** Returns the lines; `columns` is their maximum width. */
export function referenceLines(sections: readonly ReferenceSection[], palette: Palette, columns: number): readonly string[] {
  return [...wrapped(INTRODUCTION, columns), ...sections.flatMap((section) => ['', ...sectionLines(section, palette, columns)])];
}

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

/** Wraps a text; all lines have the same indentation. */
const wrapped = (text: string, columns: number, indent = ''): readonly string[] =>
  wrapLine(text, columns - indent.length).map((line) => indent + line.trimStart());
