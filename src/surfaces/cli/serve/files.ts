/** Files that `serve` is given, and the one it writes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadInput } from '../exit.ts';
import { systemSays } from '../files.ts';
import type { Io } from '../io.ts';
import { writeWhole } from '../write.ts';

/** Throws BadInput, which says why. */
export function readFile(file: string, { cwd }: Pick<Io, 'cwd'>): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: it cannot be read: ${systemSays(error) ?? String(error)}`);
  }
}

/** Only the owner reads what holds credentials; a file that others could read before is closed to them. */
const OWNER_ONLY = 0o600;
/** By this line the next call knows the file as its own. */
const MARK = '# Written by orchsim serve; the next one with this --kubeconfig replaces it.\n';

/** Writes a configuration with credentials; throws BadInput, which says why. */
export function writeKubeconfig(path: string, text: string, { cwd }: Pick<Io, 'cwd'>): void {
  writeWhole({ option: '--kubeconfig', path, cwd, mode: OWNER_ONLY }, `${MARK}${text}`);
}
