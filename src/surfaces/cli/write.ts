/**
 * The one way by which commands write files: beside, then renamed. Whatever stops it halfway (a full disk, a signal) leaves what was there
 * before, and the message names the file.
 */
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BadInput } from './exit.ts';
import { systemSays } from './files.ts';

export interface Target {
  /** What names the file, for messages: an option, or a command. */
  readonly option: string;
  /** As it was given. */
  readonly path: string;
  readonly cwd: string;
  /** Who may read it; default: as before, or as the system has it. */
  readonly mode?: number;
}

/** A file that takes its name when it is closed. After a failure nothing more is written, and closing throws BadInput. */
export interface WholeFile {
  write(text: string): void;
  close(): void;
}

/** Writes all of a file, or throws BadInput and leaves what was there. Folders above it are made. */
export function writeWhole(target: Target, text: string): void {
  try {
    makeFolders(dirname(resolve(target.cwd, target.path)));
  } catch (error) {
    throw unwritable(target, error);
  }
  const file = openWhole(target);
  file.write(text);
  file.close();
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

/** Opens it; throws BadInput where it cannot be written. */
export function openWhole(target: Target): WholeFile {
  try {
    const { full, mode, beside } = placeOf(target);
    const opened = openSync(beside ?? full, beside === undefined ? 'w' : 'wx', mode);
    return begun(target, opened, full, beside);
  } catch (error) {
    throw unwritable(target, error);
  }
}

function begun(target: Target, opened: number, full: string, beside: string | undefined): WholeFile {
  let failed: BadInput | undefined;
  const attempt = (act: () => void): void => {
    try {
      if (failed === undefined) act();
    } catch (error) {
      failed = unwritable(target, error);
    }
  };
  return {
    write(text) {
      attempt(() => {
        writeFileSync(opened, text);
      });
    },
    close() {
      try {
        // A disk may say only now that it is full.
        closeSync(opened);
      } catch (error) {
        failed ??= unwritable(target, error);
      }
      attempt(() => {
        if (beside !== undefined) renameSync(beside, full);
      });
      if (failed === undefined) return;
      if (beside !== undefined) rmSync(beside, { force: true });
      throw failed;
    },
  };
}

/** Where it is written: what is no file of a disk (a pipe, /dev/null) is written as it is, and a link leads to what is replaced. */
function placeOf({ path, cwd, mode }: Target): { readonly full: string; readonly mode: number | undefined; readonly beside?: string } {
  const given = resolve(cwd, path);
  const stat = statSync(given, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { full: given, mode };
  const full = stat === undefined ? given : realpathSync(given);
  return {
    full,
    mode: mode ?? (stat === undefined ? undefined : stat.mode & 0o777),
    beside: join(dirname(full), `.${basename(full)}.${process.pid}.tmp`),
  };
}

function unwritable({ option, path }: Target, error: unknown): BadInput {
  const reason = systemSays(error);
  if (reason === undefined) throw error;
  return new BadInput(`${option}: ${path} cannot be written: ${reason}`);
}
