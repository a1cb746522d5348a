/** Parses targets of queries: `Job/pi`, `job/default/pi`, `po/web-0`. A kind has several names. Errors suggest the nearest right name. */
import { type Kind, storeKey } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { nearest, compareText, didYouMean } from '../../../schema/values/index.ts';
import { DEFAULT_NAMESPACE } from '../../../lab/scenario/index.ts';
import { type ObjectName, entryAt, writesOf } from '../../../lab/trace/index.ts';
import { BadInput, suggestion } from '../exit.ts';
import type { History } from './history.ts';

function findKind(text: string, kinds: KindRegistry): Kind | undefined {
  const word = text.toLowerCase();
  return kinds.list().find(({ kind, singular, plural, shortNames, groupPrefix }) => {
    const names = [kind.toLowerCase(), singular, plural, ...shortNames, `${plural}.${kinds.names.group(groupPrefix)}`];
    return kind === text || names.includes(word);
  });
}

/** Returns the kind of a name: `Job`, `job`, `jobs`, `jobs.batch.orch.io`, `po`. `besides`: other words that are valid in this place, for the suggestion. */
export function readKind(text: string, kinds: KindRegistry, besides: readonly string[] = []): Kind {
  const found = findKind(text, kinds);
  if (found !== undefined) return found;
  const near = nearest(text, besides) ?? nearestKind(text, kinds);
  throw new BadInput(`there is no kind ${JSON.stringify(text)}${suggestion(near)} (orchsim kinds lists them)`);
}

/** The kind with the nearest name. Short names are left out: two letters are near to anything. */
function nearestKind(text: string, kinds: KindRegistry): string | undefined {
  const names = new Map(
    kinds.list().flatMap(({ kind, singular, plural }) => [kind, singular, plural].map((name) => [name, kind] as const)),
  );
  const near = nearest(text, names.keys()) ?? nearest(text.toLowerCase(), names.keys());
  return near === undefined ? undefined : names.get(near);
}

/** Parses the name of an object, whether or not it ever existed. A kind alone means its only object, if there was exactly one. */
export function nameTarget(text: string, history: Pick<History, 'kinds' | 'trace'>): ObjectName {
  const { kinds } = history;
  const parts = text.split('/');
  const [kindText = '', second, third] = parts;
  const only = parts.length === 1 ? findKind(text, kinds) : undefined;
  if (only !== undefined) return theOnly(only, history);
  if (second === undefined || second === '' || third === '' || parts.length > 3)
    throw new BadInput(
      `expected a target such as Job/pi or Pod/default/web-0, found ${JSON.stringify(text)}${suggestion(nearestObject(text, history, () => true) ?? nearestKind(kindText, kinds))}`,
    );
  const { kind, namespaced } = readKind(kindText, kinds);
  if (!namespaced) return { kind, name: second };
  return third === undefined ? { kind, namespace: DEFAULT_NAMESPACE, name: second } : { kind, namespace: second, name: third };
}

const MOST_NAMED = 6;

function theOnly({ kind, namespaced }: Kind, history: Pick<History, 'trace'>): ObjectName {
  const keys = [...keysOf(history, kind)];
  const [key, ...more] = keys;
  if (key === undefined) throw new BadInput(`there never was a ${kind}`);
  if (more.length > 0) {
    const names = keys.slice(0, MOST_NAMED).map((each) => shownTarget(kind, each));
    const rest = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : '';
    throw new BadInput(`there were ${keys.length} of kind ${kind}: name one of ${names.join(', ')}${rest}`);
  }
  const [namespace = '', ...name] = key.split('/');
  return namespaced ? { kind, namespace, name: name.join('/') } : { kind, name: key };
}

/** Parses the name of an object that existed at some time. */
export function readTarget(text: string, history: History): ObjectName {
  const target = nameTarget(text, history);
  const { kind } = target;
  const known = keysOf(history, kind);
  if (known.has(keyOf(target))) return target;
  // First a right name under a wrong kind, or in another namespace; then the nearest name of the kind, in any namespace.
  const other =
    nearestObject(target.name, history, (name) => name === target.name) ??
    nearestOf(kind, target, known) ??
    nearestObject(target.name, history, () => true);
  throw new BadInput(`there never was a ${kind} ${keyOf(target)}${suggestion(other)}`);
}

/** Whether an object is in a namespace that there never was and that is near to one that there was: it is misspelt. */
export function isInMisspeltNamespace({ namespace }: ObjectName, history: History): boolean {
  const known = keysOf(history, 'Namespace');
  return namespace !== undefined && !known.has(namespace) && nearest(namespace, known) !== undefined;
}

function nearestOf(kind: string, target: ObjectName, known: ReadonlySet<string>): string | undefined {
  const byName = new Map([...known].map((key) => [key.slice(key.indexOf('/') + 1), key]));
  const near = nearest(keyOf(target), known) ?? byName.get(nearest(target.name, byName.keys()) ?? '');
  return near === undefined ? undefined : shownTarget(kind, near);
}

const shownTarget = (kind: string, key: string): string => `${kind}/${key.replace(`${DEFAULT_NAMESPACE}/`, '')}`;

/** The object with the nearest name. Events are left out: they are named after their objects. */
function nearestObject(word: string, { trace }: Pick<History, 'trace'>, good: (name: string) => boolean): string | undefined {
  const byName = new Map<string, string>();
  for (const entry of [...trace.entries, ...trace.prologue]) {
    if (entry.type !== 'write' || entry.change.kind === 'Event') continue;
    const { kind, key } = entry.change;
    const name = key.slice(key.indexOf('/') + 1);
    if (!byName.has(name)) byName.set(name, shownTarget(kind, key));
  }
  const near = nearest(word, [...byName.keys()].filter(good));
  return near === undefined ? undefined : byName.get(near);
}

const keyOf = ({ namespace, name }: ObjectName): string => storeKey(namespace, name);
export const formatName = ({ kind, namespace, name }: ObjectName): string =>
  `${kind} ${namespace === undefined || namespace === DEFAULT_NAMESPACE ? name : `${namespace}/${name}`}`;

export const everExisted = (name: ObjectName, history: History): boolean => keysOf(history, name.kind).has(keyOf(name));

const keysOf = ({ trace }: Pick<History, 'trace'>, kind: string): ReadonlySet<string> =>
  new Set(
    [...trace.prologue, ...trace.entries].flatMap((entry) =>
      entry.type === 'write' && entry.change.kind === kind ? [entry.change.key] : [],
    ),
  );

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
  const below = [...known].filter((path) => path.startsWith(start)).map((path) => path.slice(start.length).split(/[.[]/, 1)[0] ?? '');
  return [...new Set(below)].sort(compareText);
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
