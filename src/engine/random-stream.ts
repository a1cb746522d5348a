/** One stream of reproducible random numbers. */
import alea from 'seedrandom/lib/alea.js';
import { hasWriteBarrier, isUnnoted, noteVariable, serial } from './undo/index.ts';

export interface RandomStream {
  /** A fraction in [0, 1). */
  fraction(): number;
  /** An integer in [0, bound). */
  below(bound: number): number;
  /** An integer in [min, max], both included. */
  between(min: number, max: number): number;
  /** One of the items; undefined when the list is empty. */
  pick<T>(items: readonly T[]): T | undefined;
  /** A text of this many lower-case hexadecimal digits. */
  hex(digits: number): string;
  /** A text of `length` letters of an alphabet. */
  text(length: number, alphabet: string): string;
  /** The state of the generator as plain data: equal states draw equally. */
  state(): unknown;
  /** Whether anything has been drawn from the stream. */
  drawn(): boolean;
}

interface State {
  readonly seed: string;
  /** Undefined: nothing has been drawn. */
  generator: ReturnType<typeof alea> | undefined;
  notedIn: number;
}

/** This module has no write barrier: a draw writes four numbers, and the state before the first draw of a step is enough to go back. */
function note(state: State): void {
  state.notedIn = serial;
  const exchange = (drawn: unknown): unknown => {
    const was = state.generator?.state();
    state.generator = drawn === undefined ? undefined : alea(state.seed, { state: drawn as object });
    return was;
  };
  noteVariable(exchange, state.generator?.state());
}

/** A stream is seeded by its first draw: each controller of thousands of agents has a stream, and most are never drawn from. */
export const openStream = (seed: string): RandomStream => {
  const state: State = { seed, generator: undefined, notedIn: -1 };
  const seeded = (): ReturnType<typeof alea> => {
    if (hasWriteBarrier && isUnnoted(state.notedIn)) note(state);
    return (state.generator ??= alea(seed, { state: true }));
  };
  const fraction = (): number => seeded()();
  const below = (bound: number): number => Math.floor(seeded()() * bound);
  return {
    fraction,
    below,
    between: (min, max) => min + below(max - min + 1),
    pick: (items) => items[below(items.length)],
    hex(digits) {
      const draw = seeded();
      let out = '';
      while (out.length < digits) out += (draw.int32() >>> 0).toString(16).padStart(8, '0');
      return out.slice(0, digits);
    },
    text(length, alphabet) {
      let out = '';
      for (let i = 0; i < length; i++) out += alphabet.charAt(below(alphabet.length));
      return out;
    },
    state: () => (state.generator ?? alea(seed, { state: true })).state(),
    drawn: () => state.generator !== undefined,
  };
};
