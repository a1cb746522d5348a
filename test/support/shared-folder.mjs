// A folder for one run of the tests, for files that several of them use and only one must create: see `shared.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function setup({ provide }) {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-shared-'));
  provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
