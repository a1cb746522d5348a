/**
 * Named streams of reproducible random numbers. Each consumer has its own stream, so that a new consumer does not shift the draws of
 * others. The generator is seedrandom's alea: seedrandom's default (ARC4) gives the seeds '1' and '11' the same sequence.
 */
import alea from 'seedrandom/lib/alea.js';

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

export interface Random {
  /** The stream of a name, e.g. `agent/node-3`; the same object on every call. */
  stream(name: string): RandomStream;
  /**
   * The states of the streams that have been drawn from, by name: part of the hash of a state. The state of any other stream follows from
   * its name.
   */
  states(): Readonly<Record<string, unknown>>;
}

/** A stream is seeded by its first draw: each controller of thousands of agents has a stream, and most are never drawn from. */
const openStream = (seed: string): RandomStream => {
  let generator: ReturnType<typeof alea> | undefined;
  const seeded = (): ReturnType<typeof alea> => (generator ??= alea(seed, { state: true }));
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
    state: () => seeded().state(),
    drawn: () => generator !== undefined,
  };
};

/** Returns the random source of one run. Equal seeds give equal streams. */
export function createRandom(seed: number | string): Random {
  const streams = new Map<string, RandomStream>();
  return {
    stream(name) {
      let stream = streams.get(name);
      if (stream === undefined) streams.set(name, (stream = openStream(`${seed}/${name}`)));
      return stream;
    },
    states: () => Object.fromEntries([...streams].filter(([, { drawn }]) => drawn()).map(([name, stream]) => [name, stream.state()])),
  };
}
