/**
 * Who makes the runs of a search: so many threads, each given the next question when it has answered one; or, unless somebody may
 * interrupt, nobody but this one.
 */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { Worker } from 'node:worker_threads';
import type { Ground } from '../../../lab/search/index.ts';
import type { Own } from '../../plugins/index.ts';
import { builtProgram } from '../install.ts';
import { answer, type Answer, type Ask, type SearchData } from './task.ts';

export interface Hands {
  /** How many work at once. */
  readonly many: number;
  /** Never settles once they have been ended. */
  perform(ask: Ask): Promise<Answer>;
  end(): void;
}

/** This thread. */
export const ownHands = (ground: Ground, own: Own): Hands => ({
  many: 1,
  perform: (ask) => Promise.resolve(answer(ask, ground, own)),
  end: () => undefined,
});

interface Waiting {
  readonly ask: Ask;
  readonly settle: (answered: Answer) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Megabytes for what is new in a thread. What a run makes is garbage when it ends: with room for several runs most of it is never moved.
 * Threads that collect often also share the cores with the helpers that the engine has for collecting.
 */
const YOUNG_MB = 96;

/** So many threads. */
export function threadHands(many: number, ground: Ground, own: Own): Hands {
  const waiting: Waiting[] = [];
  const workerData: SearchData = { sources: own.sources, ground };
  const workers = new Map<Worker, Waiting | undefined>();
  const give = (worker: Worker): void => {
    const next = waiting.shift();
    workers.set(worker, next);
    if (next !== undefined) worker.postMessage(next.ask);
  };
  for (let nth = 0; nth < many; nth++) {
    const worker = new Worker(builtProgram('search-worker.js'), { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    workers.set(worker, undefined);
    worker.on('message', (answered: Answer) => {
      const asked = workers.get(worker);
      give(worker);
      asked?.settle(answered);
    });
    worker.on('error', (error) => workers.get(worker)?.refuse(error));
  }
  return {
    many,
    perform: (ask) =>
      new Promise((settle, refuse) => {
        waiting.push({ ask, settle, refuse });
        for (const [worker, busy] of workers)
          if (busy === undefined) {
            give(worker);
            break;
          }
      }),
    end() {
      for (const worker of workers.keys()) void worker.terminate();
    },
  };
}
