/** Runs again when a file that was read changes. Problems of files are reported, and the next change is awaited. */
import { watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import { debounceTime, defer, filter, fromEvent, ignoreElements, map, merge, NEVER, Observable, repeat, take, takeUntil } from 'rxjs';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { readScenarios } from '../load.ts';

/** Editors write a file in several steps: a burst of changes ends after so many milliseconds without one. */
const QUIET = 100;

/** Emits after each burst of changes. Folders are watched, because editors replace files, which ends a watch on the file. */
const changesOf = (files: readonly string[]): Observable<void> =>
  new Observable<string>((subscriber) => {
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const watchers: FSWatcher[] = folders.flatMap((folder) => {
      try {
        return [watch(folder, (_, name) => subscriber.next(join(folder, name ?? '')))];
      } catch {
        return [];
      }
    });
    return () => {
      for (const watcher of watchers) watcher.close();
    };
  }).pipe(
    filter((path) => files.includes(path) || /\.(?:ya?ml|json)$/.test(path)),
    debounceTime(QUIET),
    map(() => undefined),
  );

export async function watchRuns(
  paths: readonly string[],
  io: Io,
  run: (read: ReturnType<typeof readScenarios>) => Promise<number>,
): Promise<void> {
  const stopped = io.stop === undefined ? NEVER : fromEvent(io.stop, 'abort');
  // The watch starts before the run, so that a change during the run is not missed.
  const round = defer(() => {
    const read = readScenarios(paths, io);
    const act = async (): Promise<void> => {
      try {
        if (read.problems.length > 0 || read.scenarios.length === 0) throw new BadInput([...read.problems, ...read.skipped]);
        for (const line of read.skipped) io.err(`${line}\n`);
        await run(read);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        for (const line of error.lines) io.err(`${line}\n`);
      }
      io.err(`${io.palette.dim('waiting for changes; Ctrl-C ends')}\n`);
    };
    return merge(changesOf(read.files), defer(act).pipe(ignoreElements())).pipe(take(1));
  });
  await round.pipe(repeat(), takeUntil(stopped)).forEach(() => undefined);
}
