/** Fields that an object has had in its life, for the word after `--field` that is none of them. */
import { compareText, didYouMean, nearest } from '../../../schema/values/index.ts';
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

/** The names of what a path holds; of nothing, those at the top. */
function membersOf(parent: string, known: ReadonlySet<string>): readonly string[] {
  const start = parent === '' ? '' : `${parent}.`;
  return [
    ...new Set([...known].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length).split(/[.[]/, 1)[0] ?? '')),
  ].sort(compareText);
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
