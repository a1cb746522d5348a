/** Fields that an object has had at any time, for the error about an unknown `--field`. */
import { compareText, didYouMean, nearest } from '../../../schema/values/index.ts';
import { entryAt, writesOf, type ObjectName } from '../../../lab/trace/index.ts';
import type { History } from './history.ts';

/** The suggestion after an error about a field: the nearest known field. Empty if the field existed or none is near. */
export function likelyField(object: ObjectName, field: string, { trace }: Pick<History, 'trace'>): string {
  const known = new Set<string>();
  for (const step of writesOf(trace, object)) {
    const entry = entryAt(trace, step);
    if (entry?.type === 'write') collect(entry.change.object, '', known);
  }
  if (known.has(field)) return '';
  // `active` for `status.active`: the last step is right, and the path to it is missing.
  const ends = [...known].filter((path) => path.endsWith(`.${field}`));
  if (ends.length > 0) return didYouMean(ends[0] ?? '', ends);
  const words = field.split('.');
  const right = words.findIndex((_, at) => !known.has(words.slice(0, at + 1).join('.')));
  const parent = words.slice(0, right).join('.');
  const names = membersOf(parent, known);
  const near = nearest(words[right] ?? '', names);
  if (near !== undefined) return didYouMean(parent === '' ? near : `${parent}.${near}`, known);
  return parent === '' ? '' : ` (${parent} has ${names.slice(0, MOST).join(', ')})`;
}

const MOST = 12;

/** The names of the members of a path; for an unknown path, those at the top. */
function membersOf(parent: string, known: ReadonlySet<string>): readonly string[] {
  const start = parent === '' ? '' : `${parent}.`;
  return [
    ...new Set([...known].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length).split(/[.[]/, 1)[0] ?? '')),
  ].sort(compareText);
}

/** Collects `status.conditions[0].type` and every prefix of it. */
function collect(value: unknown, path: string, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    into.add(here);
    collect(member, here, into);
  }
}
