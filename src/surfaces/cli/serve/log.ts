/**
 * The log of a server: a JSON line a request at level info, what went wrong in here at level error. In the host's time: a log is for
 * whoever runs it.
 */
import { pino } from 'pino';
import type { ListenOptions } from '../../http/index.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { LOG_LEVELS } from '../run/log-levels.ts';

export interface RequestLog {
  readonly served: NonNullable<ListenOptions['onServed']>;
  readonly failed: NonNullable<ListenOptions['onFailure']>;
}

const LEVELS: readonly string[] = [...LOG_LEVELS, 'silent'];

export function requestLog(level: string, { err }: Io): RequestLog {
  if (!LEVELS.includes(level)) throw new BadInput(`--log-level: expected one of ${LEVELS.join(', ')}, found ${JSON.stringify(level)}`);
  const logger = pino({ base: null, level }, { write: err });
  return {
    served: ({ method, target, status, ms, agent }) => {
      logger.info({ method, target, status, ms: Math.round(ms * 10) / 10, agent }, 'request');
    },
    failed: (error) => {
      logger.error(error instanceof Error ? { stack: error.stack } : { error }, 'a request broke an assumption');
    },
  };
}
