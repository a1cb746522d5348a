/** The one way by which commands write files: whole or not at all, and the message names the file. */
import { resolve } from 'node:path';
import { openWholeFile, writeWholeFile } from '../whole-file.ts';
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

/** A file that takes its name when it is closed. After a failure nothing more is written, and closing throws BadInput. */
interface PatientFile {
  write(text: string): void;
  close(): void;
}

/** Writes a whole file, with its parent folders. Throws BadInput and keeps the old file on failure. */
export function writeWhole(target: Target, text: string): void {
  try {
    writeWholeFile(resolve(target.cwd, target.path), text, target.mode);
  } catch (error) {
    throw unwritable(target, error);
  }
}

/** Opens it; throws BadInput where it cannot be written. */
export function openWhole(target: Target): PatientFile {
  try {
    return patient(target, openWholeFile(resolve(target.cwd, target.path), target.mode));
  } catch (error) {
    throw unwritable(target, error);
  }
}

function patient(target: Target, file: ReturnType<typeof openWholeFile>): PatientFile {
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
        file.write(text);
      });
    },
    close() {
      attempt(file.close);
      if (failed === undefined) return;
      file.discard();
      throw failed;
    },
  };
}

function unwritable({ option, path }: Target, error: unknown): BadInput {
  const reason = systemMessage(error);
  if (reason === undefined) throw error;
  return new BadInput(`${option}: ${path} cannot be written: ${reason}`);
}
