/** Files that `serve` is given, and the one it writes. */
import { closeSync, fchmodSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';

/** Throws BadInput, which says why. */
export function readFile(file: string, { cwd }: Pick<Io, 'cwd'>): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Only the owner reads what holds credentials; a file that others could read before is closed to them first. */
const OWNER_ONLY = 0o600;

/** Writes a file of credentials; throws BadInput, which says why. */
export function writeSecret(option: string, file: string, text: string, { cwd }: Pick<Io, 'cwd'>): void {
  try {
    // Not emptied by the opening: whoever may not write here has lost nothing.
    const opened = openSync(resolve(cwd, file), 'a', OWNER_ONLY);
    try {
      fchmodSync(opened, OWNER_ONLY);
      ftruncateSync(opened);
      writeSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new BadInput(`${option}: ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
