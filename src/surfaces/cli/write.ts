/**
 * Writes files atomically: a temporary file beside the target is renamed. After a failure (a full disk, a signal) the old file is
 * unchanged, and the message names it.
 */
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BadInput } from './exit.ts';
import { systemMessage } from './files.ts';

export interface Target {
  /** The option or command that names the file, for messages. */
  readonly option: string;
  /** The path as given. */
  readonly path: string;
  readonly cwd: string;
  /** Permissions of the file; default: as before, or those of the system. */
  readonly mode?: number;
}

/** A file that gets its name when it is closed. After a failure nothing more is written, and `close` throws BadInput. */
export interface WholeFile {
  write(text: string): void;
  close(): void;
}

/** Writes a whole file, with its parent folders. Throws BadInput and keeps the old file on failure. */
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

/** Creates folders one by one: where the system reports a parent as missing (/proc), Node's recursive call never ends. */
function makeFolders(full: string): void {
  if (existsSync(full)) return;
  makeFolders(dirname(full));
  try {
    mkdirSync(full);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(full)) throw error;
  }
}

/** Opens a file; throws BadInput if it cannot be written. */
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
        // A full disk may be reported only on closing.
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

/** The path that is written: a pipe or device is written directly, and a link is resolved to its target. */
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
  const reason = systemMessage(error);
  if (reason === undefined) throw error;
  return new BadInput(`${option}: ${path} cannot be written: ${reason}`);
}
