/**
 * Which object a question means: `Job/pi`, `job/default/pi`, `po/web-0`. Kinds go by any of their names; a wrong name is answered with the
 * nearest right one.
 */
import type { Kind } from '../../../apiserver/vocabulary/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { nearest } from '../../../grammar/values/index.ts';
import { DEFAULT_NAMESPACE } from '../../../lab/scenario/index.ts';
import type { Entry, ObjectName } from '../../../lab/trace/index.ts';
import { BadInput } from '../exit.ts';
import type { History } from './history.ts';

/** The kind of a name: `Job`, `job`, `jobs`, `po`. */
export function readKind(text: string, kinds: KindRegistry): Kind {
  const word = text.toLowerCase();
  const found = kinds
    .list()
    .find(
      ({ kind, singular, plural, shortNames }) =>
        kind === text || kind.toLowerCase() === word || singular === word || plural === word || shortNames.includes(word),
    );
  if (found !== undefined) return found;
  const near = nearest(
    text,
    kinds.list().map(({ kind }) => kind),
  );
  throw new BadInput(
    `there is no kind ${JSON.stringify(text)}${near === undefined ? '' : `; did you mean ${near}?`} (orchsim kinds lists them)`,
  );
}

/** An object by its name, whether there ever was one or not. */
export function nameTarget(text: string, { kinds }: Pick<History, 'kinds'>): ObjectName {
  const parts = text.split('/');
  const [kindText = '', second, third] = parts;
  if (second === undefined || second === '' || third === '' || parts.length > 3)
    throw new BadInput(`expected a target such as Job/pi or Pod/default/web-0, found ${JSON.stringify(text)}`);
  const { kind, namespaced } = readKind(kindText, kinds);
  if (!namespaced) return { kind, name: second };
  return third === undefined ? { kind, namespace: DEFAULT_NAMESPACE, name: second } : { kind, namespace: second, name: third };
}

/** An object that the history knows at some time. */
export function readTarget(text: string, history: History): ObjectName {
  const target = nameTarget(text, history);
  const { kind } = target;
  const known = keysOf(history, kind);
  if (known.has(keyOf(target))) return target;
  const near = nearest(keyOf(target), known);
  throw new BadInput(
    `there never was a ${kind} ${keyOf(target)}${near === undefined ? '' : `; did you mean ${kind}/${near.replace(`${DEFAULT_NAMESPACE}/`, '')}?`}`,
  );
}

const keyOf = ({ namespace, name }: ObjectName): string => (namespace === undefined ? name : `${namespace}/${name}`);
export const formatName = ({ kind, namespace, name }: ObjectName): string =>
  `${kind} ${namespace === undefined || namespace === DEFAULT_NAMESPACE ? name : `${namespace}/${name}`}`;

/** Whether there was such an object at any time. */
export const everWas = (name: ObjectName, history: History): boolean => keysOf(history, name.kind).has(keyOf(name));

function keysOf({ trace }: History, kind: string): ReadonlySet<string> {
  const keys = new Set<string>();
  const look = (entry: Entry): void => {
    if (entry.type === 'write' && entry.change.kind === kind) keys.add(entry.change.key);
  };
  trace.prologue.forEach(look);
  trace.entries.forEach(look);
  return keys;
}
