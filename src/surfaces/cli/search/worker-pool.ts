/**
 * The workers of a search: threads that each take the next task when they have finished one; or this thread alone, where nothing can
 * interrupt.
 */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { Worker } from 'node:worker_threads';
import type { Ground } from '../../../lab/search/index.ts';
import type { Plugins } from '../../plugins/index.ts';
import { builtProgram } from '../install.ts';
import { answer, type Answer, type Ask, type SearchData } from './task.ts';

export interface Hands {
  /** How many work at once. */
  readonly many: number;
  /** Never settles after they have been ended. */
  perform(ask: Ask): Promise<Answer>;
  end(): void;
}

/** This thread. */
export const ownHands = (ground: Ground, plugins: Plugins): Hands => ({
  many: 1,
  perform: (ask) => Promise.resolve(answer(ask, ground, plugins)),
  end: () => undefined,
});

interface Waiting {
  readonly ask: Ask;
  readonly settle: (answered: Answer) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Megabytes of the young generation of a thread. The objects of a run are garbage when it ends: with space for several runs most of them are
 * never moved. Threads that collect often also share the cores with the collector's helper threads.
 */
const YOUNG_MB = 96;

/** So many threads. */
export function threadHands(many: number, ground: Ground, plugins: Plugins): Hands {
  const waiting: Waiting[] = [];
  const workerData: SearchData = { sources: plugins.sources, ground };
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
