/** The state of the decoding in progress, shared by all readers. Decoding is synchronous, so there is only one at a time. */
import { scratch } from '../../engine/index.ts';
import { cannotUnmarshal, jsonWord } from './decode-error.ts';

/** Reads one value. `depth` is the length of the field path to it. A mismatch is recorded in the walk, and the result is `undefined`. */
export type Read = (value: unknown, depth: number) => unknown;

export const walk = scratch({
  /** The first type mismatch. Go continues after a mismatch and reports the first one at the end. */
  mismatch: undefined as string | undefined,
  /** How many structs with a cache enclose the current value. */
  within: 0,
  /** The outermost structs with a cache, where they are to be stored. */
  lasting: undefined as Kept[] | undefined,
  /** The long lists of the value that is replaced, where it has any. */
  revised: undefined as Revised | undefined,
});

/** Long lists in a value that replaces a stored one. */
export interface Revised {
  /** Those of the stored value: their items are canonical and frozen. */
  readonly stored: readonly (readonly unknown[])[];
  /** Revisions of them: their items are frozen, or kept as lasting. */
  readonly lists: (readonly unknown[])[];
}

/** A canonical instance, its input, and the cache that it belongs to. */
export interface Kept {
  readonly seen: WeakMap<object, object>;
  readonly value: object;
  readonly result: object;
}

const path: string[] = scratch([]);
const structs: (string | undefined)[] = scratch([]);

/** Begins a decoding. `lasting` collects the instances to be stored. */
export function beginWalk(lasting?: Kept[], revised?: Revised): void {
  walk.mismatch = undefined;
  walk.lasting = lasting;
  walk.revised = revised;
  walk.within = 0;
  structs[0] = undefined;
}

/** Sets the current field and its Go struct at a depth. */
export function enterField(depth: number, struct: string, field: string): void {
  path[depth] = field;
  structs[depth + 1] = struct;
}

/** Records a mismatch, if it is the first, and returns undefined as the decoded value. */
export function refuse(value: unknown, depth: number, type: string, exact = false): undefined {
  walk.mismatch ??= cannotUnmarshal(jsonWord(value, exact), structs[depth], path.slice(0, depth), type);
  return undefined;
}

/** Freezes a plain value deeply and returns it. A value that is frozen already counts as deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freezeAll(value);
  return value;
}

/** Most members are texts, which need no call. */
function freezeAll(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) deepFreeze<unknown>(value[at]);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) freezeAll(member);
  }
}
