/** The workers of a search: threads that each take the next task; or this thread alone, if no interruption has to be handled. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { findingsOf, make, type Catch, type Draw, type Finding, type Ground, type Judge, type Outcome } from '../../../lab/search/index.ts';
import type { Plugins, Sources } from '../../plugins/index.ts';
import { Worker } from 'node:worker_threads';
import { builtProgram } from '../install.ts';
import { trialsFor } from '../moments.ts';

export type WorkerTask = { readonly kind: 'make'; readonly draws: readonly Draw[] } | { readonly kind: 'shrink'; readonly caught: Catch };

export type TaskResult =
  | { readonly kind: 'make'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'shrink'; readonly findings: readonly Finding[] };

export interface SearchData {
  readonly sources: Sources;
  readonly ground: Ground;
  readonly judge: Judge;
}

/** What the runs of a search are made of. */
export interface SearchMaterial extends Omit<SearchData, 'sources'> {
  readonly plugins: Plugins;
}

export function performTask(task: WorkerTask, { ground, plugins, judge }: SearchMaterial): TaskResult {
  const making = { with: plugins.definitions, judge };
  return task.kind === 'make'
    ? { kind: 'make', outcomes: task.draws.map((draw) => make(ground, draw, making)) }
    : { kind: 'shrink', findings: findingsOf(ground, task.caught, making, trialsFor(plugins.definitions)) };
}

export type WorkerPool = ReturnType<typeof inlinePool>;

export const inlinePool = (material: SearchMaterial) => ({
  many: 1,
  /** Returns the result of a task; after `end` the promise never settles. */
  perform: (task: WorkerTask): Promise<TaskResult> => Promise.resolve(performTask(task, material)),
  end: (): void => undefined,
});

interface Waiting {
  readonly task: WorkerTask;
  readonly settle: (result: TaskResult) => void;
  readonly refuse: (error: unknown) => void;
}

/** Megabytes of the young generation of a thread: space for several runs, whose objects are garbage when they end, so few are moved. */
const YOUNG_MB = 96;

export function threadPool(many: number, { ground, plugins, judge }: SearchMaterial): WorkerPool {
  const waiting: Waiting[] = [];
  const workerData: SearchData = { sources: plugins.sources, ground, judge };
  const workers = new Map<Worker, Waiting | undefined>();
  const give = (worker: Worker): void => {
    const next = waiting.shift();
    workers.set(worker, next);
    if (next !== undefined) worker.postMessage(next.task);
  };
  for (let nth = 0; nth < many; nth++) {
    const worker = new Worker(builtProgram('search-worker.js'), { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    workers.set(worker, undefined);
    worker.on('message', (result: TaskResult) => {
      const waitingTask = workers.get(worker);
      give(worker);
      waitingTask?.settle(result);
    });
    worker.on('error', (error) => workers.get(worker)?.refuse(error));
  }
  return {
    many,
    perform: (task) =>
      new Promise((settle, refuse) => {
        waiting.push({ task, settle, refuse });
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
