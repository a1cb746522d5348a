/**
 * Named streams of reproducible random numbers. Each consumer has its own stream, so that a new consumer does not shift the draws of
 * others. The generator is seedrandom's alea: seedrandom's default (ARC4) gives the seeds '1' and '11' the same sequence.
 */
import { openStream, type RandomStream } from './random-stream.ts';

export type { RandomStream };

export interface Random {
  /** The stream of a name, e.g. `agent/node-3`; the same object on every call. */
  stream(name: string): RandomStream;
  /**
   * The states of the streams that have been drawn from, by name: part of the hash of a state. The state of any other stream follows from
   * its name.
   */
  states(): Readonly<Record<string, unknown>>;
}

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
