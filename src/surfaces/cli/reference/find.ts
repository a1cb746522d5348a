/** Finds the shortest example of each field in the example scenarios. */
import { formatFlow, readPlainYaml } from '../../../schema/yaml/index.ts';
import type { ReferenceField, ReferenceSection } from '../../../lab/scenario/index.ts';
import { exampleScenarios } from './examples/index.ts';

const MOST_VALUES = 100_000;

const documents: readonly unknown[] = Object.values(exampleScenarios)
  .flatMap((text) => text.split(/^---$/m))
  .map((text) => {
    const read = readPlainYaml(text, MOST_VALUES);
    if ('problem' in read) throw new Error(read.problem);
    return read.value;
  });

/** `restartAfter: 10s`, as it stands in an example; undefined: no example has the field. */
export function exampleOf({ name }: ReferenceField, { places, marked }: ReferenceSection): string | undefined {
  const values = documents
    .flatMap((document) => places.flatMap((place) => at(document, place === '' ? [] : place.split('.'))))
    .filter(isMapping)
    .filter((mapping) => Object.hasOwn(mapping, name) && (marked === undefined || Object.hasOwn(mapping, marked)))
    .map((mapping) => flow({ [name]: mapping[name] }));
  return values.reduce<string | undefined>((best, each) => (best === undefined || each.length < best.length ? each : best), undefined);
}

type Mapping = Readonly<Record<string, unknown>>;
const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null && !Array.isArray(value);

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
