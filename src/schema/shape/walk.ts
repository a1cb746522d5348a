/** The state of the reading in progress, and what readers of every form share. There is one reading at a time: it is synchronous. */
import { cannotUnmarshal, jsonWord } from './decode-error.ts';

/**
 * Reads one value. `depth` is the length of the field path that led here; a mismatch is noted in the walk and answered with `undefined`.
 */
export type Read = (value: unknown, depth: number) => unknown;

export const walk = {
  /** Go goes on after a type mismatch and reports the first one at the end. */
  mismatch: undefined as string | undefined,
  /** How many structs with a memory the reading is in. */
  within: 0,
  /** The outermost of those structs, where they are to be kept. */
  lasting: undefined as Kept[] | undefined,
};

/** A canonical instance, what it was made from, and the memory it belongs to. */
export interface Kept {
  readonly seen: WeakMap<object, object>;
  readonly value: object;
  readonly result: object;
}

const path: string[] = [];
const structs: (string | undefined)[] = [];

export function beginWalk(lasting?: Kept[]): void {
  walk.mismatch = undefined;
  walk.lasting = lasting;
  walk.within = 0;
  structs[0] = undefined;
}

/** From here on the reading is in this field of this Go struct. */
export function enterField(depth: number, struct: string, field: string): void {
  path[depth] = field;
  structs[depth + 1] = struct;
}

export function refuse(value: unknown, depth: number, type: string, exact = false): undefined {
  walk.mismatch ??= cannotUnmarshal(jsonWord(value, exact), structs[depth], path.slice(0, depth), type);
  return undefined;
}
