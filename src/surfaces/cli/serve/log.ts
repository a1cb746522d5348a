/** The log of a server: a JSON line for each request at level info, errors at level error. Times are of the host. */
import { pino } from 'pino';
import type { ListenOptions } from '../../http/index.ts';
import { readWord, LOG_LEVELS } from '../options.ts';
import type { Io } from '../io.ts';

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
