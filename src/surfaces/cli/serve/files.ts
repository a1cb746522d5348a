/** The files that `serve` reads and writes. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { writeWhole } from '../write.ts';

/** Reads a file; throws BadInput with the reason. */
export function readFile(file: string, { cwd }: Pick<Io, 'cwd'>): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new BadInput(`${file}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Credentials are readable only for their owner; the mode of an existing file is changed. */
const OWNER_ONLY = 0o600;
/** The first line of the file: the next call recognises it and may replace it. */
const MARK = '# Written by orchsim serve; the next one with this --kubeconfig replaces it.\n';

/** Writes a kubeconfig; throws BadInput with the reason. */
export function writeKubeconfig(path: string, text: string, { cwd }: Pick<Io, 'cwd'>): void {
  writeWhole({ option: '--kubeconfig', path, cwd, mode: OWNER_ONLY }, `${MARK}${text}`);
}
