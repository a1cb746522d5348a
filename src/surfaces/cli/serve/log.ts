/** The logs of a server: a JSON line for each request, with times of the host; and the audit log, which grows with each request. */
import { pino } from 'pino';
import type { ListenOptions } from '../../http/index.ts';
import { readWord, LOG_LEVELS } from '../options.ts';
import type { Io } from '../io.ts';
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { createAuditLog } from '../../../lab/incident/index.ts';
import { onSystem, refuseOverwrite } from '../files.ts';

const LEVELS = [...LOG_LEVELS, 'silent'] as const;

/** Returns the listeners that log requests and internal errors, at this level or above. */
export function requestLog(given: string, { err }: Io): Pick<ListenOptions, 'onServed' | 'onFailure'> {
  const level = readWord('--log-level', given, LEVELS);
  const logger = pino({ base: null, level }, { write: err });
  return {
    onServed: ({ method, target, status, ms, agent }) =>
      logger.info({ method, target, status, ms: Math.round(ms * 10) / 10, agent }, 'request'),
    onFailure: (error) => logger.error(error instanceof Error ? { stack: error.stack } : { error }, 'a request caused an internal error'),
  };
}

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
