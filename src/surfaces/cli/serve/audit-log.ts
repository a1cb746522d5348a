/** The audit log of a served cluster: a file that grows with each request, for whoever follows it. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { createAuditLog } from '../../../lab/incident/index.ts';
import { onSystem, refuseOverwrite } from '../files.ts';
import type { Io } from '../io.ts';

/** Opens the file. Throws BadInput where it cannot be written. */
export function openAuditLog(path: string, force: boolean, { cwd, err }: Pick<Io, 'cwd' | 'err'>) {
  if (!force) refuseOverwrite(path, '--audit-log', cwd);
  const file = onSystem(`--audit-log: ${path} cannot be written`, () => openSync(resolve(cwd, path), 'w'));
  const state = { failed: false, isTaken: false };
  const line = (text: string): void => {
    if (state.failed) return;
    try {
      writeSync(file, `${text}\n`);
    } catch (error) {
      state.failed = true;
      err(`--audit-log: ${path} cannot be written any more: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };
  // Further worlds, and the first one after a reset, are other clusters: their lines would not fit.
  const observing = (startAt: number): ReturnType<typeof createAuditLog> => {
    if (state.isTaken) return () => undefined;
    state.isTaken = true;
    return createAuditLog({ startAt, line });
  };
  return { observing, close: () => closeSync(file) };
}
