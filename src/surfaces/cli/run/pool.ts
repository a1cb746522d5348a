/** Performs tasks in several threads. Results carry the index of their task, so the number of threads changes only the duration. */
/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origins, windows do */
import { fromEvent, Observable, of, takeUntil, type Subscriber } from 'rxjs';
import { Worker } from 'node:worker_threads';
import type { Sources } from '../../plugins/index.ts';
import { builtProgram } from '../install.ts';
import { timed, type Task } from './task.ts';

export interface Finished extends ReturnType<typeof timed> {
  readonly index: number;
}
export interface Chunk {
  readonly from: number;
  readonly tasks: readonly PostedTask[];
}

/** A task as plain data; its plugins are an index into those that the thread was started with. */
export interface PostedTask extends Omit<Task, 'plugins'> {
  readonly plugins: number;
}

export interface ThreadData {
  readonly sources: readonly Sources[];
}

/** The tasks in a message: enough to make messages cheap, few enough to share the work. A single thread gets one at a time. */
const chunkSize = (tasks: number, jobs: number): number => (jobs === 1 ? 1 : Math.max(1, Math.min(64, Math.ceil(tasks / (jobs * 8)))));

/**
 * Performs tasks, and emits results as they are ready, each with the index of its task. If the command can be interrupted, even one task
 * runs in a thread, because a run is synchronous; after an interruption no more results are emitted.
 */
export const performAll = (tasks: readonly Task[], jobs: number, interruption?: AbortSignal): Observable<Finished> => {
  const answers = new Observable<Finished>((subscriber) =>
    tasks.length <= 1 || (jobs <= 1 && interruption === undefined)
      ? here(tasks, subscriber)
      : onThreads(tasks, Math.min(jobs, tasks.length), subscriber),
  );
  return interruption === undefined ? answers : answers.pipe(takeUntil(aborted(interruption)));
};

const aborted = (signal: AbortSignal): Observable<unknown> => (signal.aborted ? of(signal) : fromEvent(signal, 'abort'));

function here(tasks: readonly Task[], subscriber: Subscriber<Finished>): void {
  for (const [index, task] of tasks.entries()) {
    if (subscriber.closed) return;
    subscriber.next({ index, ...timed(task) });
  }
  subscriber.complete();
}

function onThreads(tasks: readonly Task[], jobs: number, subscriber: Subscriber<Finished>): () => void {
  const size = chunkSize(tasks.length, jobs);
  const pluginSets = [...new Set(tasks.map(({ plugins }) => plugins))];
  const workerData: ThreadData = { sources: pluginSets.map(({ sources }) => sources) };
  const posted = ({ plugins, ...task }: Task): PostedTask => ({ ...task, plugins: pluginSets.indexOf(plugins) });
  let next = 0;
  let left = tasks.length;
  const workers: Worker[] = [];
  const stop = (): void => {
    for (const worker of workers) void worker.terminate();
  };
  const give = (worker: Worker): void => {
    if (next >= tasks.length) {
      worker.postMessage(undefined);
      return;
    }
    const chunk: Chunk = { from: next, tasks: tasks.slice(next, next + size).map(posted) };
    next += size;
    worker.postMessage(chunk);
  };
  for (let n = 0; n < jobs; n++) {
    const worker = new Worker(builtProgram('worker.js'), { workerData });
    workers.push(worker);
    worker.on('message', (answers: readonly Finished[]) => {
      for (const answer of answers) subscriber.next(answer);
      left -= answers.length;
      if (left === 0) subscriber.complete();
      else give(worker);
    });
    worker.on('error', (error) => {
      stop();
      subscriber.error(error);
    });
    give(worker);
  }
  return stop;
}
