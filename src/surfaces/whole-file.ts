/**
 * Files that are whole or not there: written beside their place, then renamed. Whatever stops a write halfway (a full disk, a signal) leaves
 * what was there before. Errors are the system's own.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Writes all of a file, or throws and leaves what was there. */
export function writeWholeFile(path: string, text: string, mode?: number): void {
  const file = openWholeFile(path, mode);
  try {
    file.write(text);
    file.close();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Folders above the file are made. `mode`: who may read it; default: as before, or as the system has it. */
export function openWholeFile(path: string, mode?: number) {
  makeFolders(dirname(path));
  const { full, beside, ...place } = placeOf(path, mode);
  if (beside !== undefined) removeAbandoned(full);
  const opened = openSync(beside ?? full, beside === undefined ? 'w' : 'wx', place.mode);
  let open = true;
  const shut = (): void => {
    if (open) closeSync(opened);
    open = false;
  };
  return {
    write: (text: string) => writeFileSync(opened, text),
    /** Gives the file its name. After an error it is to be discarded. */
    close() {
      // A disk may say only now that it is full.
      shut();
      if (beside !== undefined) renameSync(beside, full);
    },
    /** Leaves nothing behind. */
    discard() {
      try {
        shut();
      } finally {
        if (beside !== undefined) rmSync(beside, { force: true });
      }
    },
  };
}

/** One by one: where the system refuses the last as if another above were missing (/proc), Node's recursive call never ends. */
function makeFolders(full: string): void {
  if (existsSync(full)) return;
  makeFolders(dirname(full));
  try {
    mkdirSync(full);
  } catch (error) {
    // Somebody else may have been quicker.
    if (!existsSync(full)) throw error;
  }
}

/** Where it is written: what is no file of a disk (a pipe, /dev/null) is written as it is, and a link leads to what is replaced. */
function placeOf(given: string, mode: number | undefined) {
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { full: given, mode, beside: undefined };
  const full = stat === undefined ? linkedFrom(given) : realpathSync(given);
  return {
    full,
    mode: mode ?? (stat === undefined ? undefined : stat.mode & 0o777),
    beside: join(dirname(full), `.${basename(full)}.${process.pid}.tmp`),
  };
}

/** Where a link leads that leads to nothing yet; any other path itself. */
function linkedFrom(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  return link?.isSymbolicLink() === true ? linkedFrom(resolve(dirname(path), readlinkSync(path))) : path;
}

/** The age after which no process writes to a temporary file any more, on this host or another one that shares the folder. */
const ABANDONED_MS = 600_000;

/** Removes what processes left beside a file that were ended by a signal. */
function removeAbandoned(full: string): void {
  const [folder, start] = [dirname(full), `.${basename(full)}.`];
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = name.startsWith(start) ? /^(\d+)\.tmp$/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const { mtimeMs = Infinity } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
