/** Fields that an object has had in its life, for the word after `--field` that is none of them. */
import { didYouMean, nearest } from '../../../grammar/values/index.ts';
import { entryAt, writesOf, type ObjectName } from '../../../lab/trace/index.ts';
import type { History } from './history.ts';

/** The hint behind an error about a field: the nearest there ever was; nothing for one that there was, or where none is near. */
export function likelyField(object: ObjectName, field: string, { trace }: Pick<History, 'trace'>): string {
  const known = new Set<string>();
  for (const step of writesOf(trace, object)) {
    const entry = entryAt(trace, step);
    if (entry?.type === 'write') collect(entry.change.object, '', known);
  }
  if (known.has(field)) return '';
  // `active` for `status.active`: the last word may be right, and the way to it missing.
  const ends = [...known].filter((path) => path.endsWith(`.${field}`));
  return didYouMean(ends[0] ?? nearestPath(field, known) ?? field, known);
}

/** The nearest name at the place where the path stops being right. */
function nearestPath(field: string, known: ReadonlySet<string>): string | undefined {
  const words = field.split('.');
  const right = words.findIndex((_, at) => !known.has(words.slice(0, at + 1).join('.')));
  const parent = words
    .slice(0, right)
    .map((word) => `${word}.`)
    .join('');
  const names = [...known].filter((path) => path.startsWith(parent)).map((path) => path.slice(parent.length).split(/[.[]/, 1)[0] ?? '');
  const near = nearest(words[right] ?? '', names);
  return near === undefined ? undefined : `${parent}${near}`;
}

/** `status.conditions[0].type` and everything that holds it. */
function collect(value: unknown, path: string, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    into.add(here);
    collect(member, here, into);
  }
}
