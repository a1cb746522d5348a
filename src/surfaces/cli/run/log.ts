/** A run as a structured log: a JSON line for each entry, with virtual time, so that the same seed gives the same bytes. */
import { pino } from 'pino';
import { isHeartbeat, type Entry } from '../../../lab/trace/index.ts';
import type { LogLevel } from '../options.ts';
import type { LineFile, Sink } from './sinks.ts';

interface LogLine {
  readonly level: LogLevel;
  readonly fields: object;
  readonly message: string;
}

/** Returns level and message of an entry. */
function logLineOf(entry: Entry): LogLine {
  switch (entry.type) {
    case 'write': {
      const {
        change: { type, kind, key, revision },
      } = entry;
      const by = entry.controller === undefined ? {} : { controller: entry.controller };
      return {
        level: isHeartbeat(entry.change) ? 'trace' : 'info',
        fields: { actor: entry.actor, ...by, kind, key, revision },
        message: `${type} ${kind} ${key}`,
      };
    }
    case 'refusal':
      return {
        level: 'warn',
        fields: { actor: entry.actor, code: entry.status.code, reason: entry.status.reason },
        message: `refused: ${entry.request}: ${entry.status.message ?? ''}`,
      };
    case 'delivery':
      return {
        level: 'trace',
        fields: { process: entry.process, kind: entry.kind, key: entry.key, revision: entry.revision },
        message: `${entry.process} sees ${entry.delta} ${entry.kind} ${entry.key}`,
      };
    case 'reconcile':
      return {
        level: 'debug',
        fields: { process: entry.process, controller: entry.controller, key: entry.key, writes: entry.writes, failures: entry.failures },
        message: entry.why,
      };
    case 'timer':
      return { level: 'trace', fields: { process: entry.process, controller: entry.controller, key: entry.key }, message: entry.because };
    case 'process':
      return {
        level: entry.what === 'crashed' || entry.what === 'refused' ? 'warn' : 'info',
        fields: { process: entry.process },
        message: `${entry.process} ${entry.what}${entry.refusal === undefined ? '' : `: ${entry.refusal}`}`,
      };
    case 'operation':
      return { level: 'info', fields: {}, message: entry.label };
    case 'fault':
      return { level: 'warn', fields: { fault: entry.fault }, message: entry.detail };
    case 'check':
      return { level: entry.held ? 'debug' : 'error', fields: { check: entry.name }, message: entry.detail };
    case 'note':
      return { level: 'info', fields: { note: true }, message: entry.text.trim() };
    default: {
      const never: never = entry;
      return never;
    }
  }
}

/** Logs a run to a file; `level` is the lowest that is written. */
export const logSink =
  (file: LineFile, level: LogLevel, scenario: string, seed: number): Sink =>
  (signals) => {
    let now = 0;
    const log = pino(
      {
        base: null,
        level,
        timestamp: () => `,"time":"${new Date(now).toISOString()}"`,
        formatters: { level: (label) => ({ level: label }) },
      },
      {
        write: (line: string) => {
          file.line(line.trimEnd());
        },
      },
    ).child({ scenario, seed });
    return signals.subscribe((signal) => {
      if (signal.type !== 'entry') return;
      now = signal.entry.at;
      const { level: as, fields, message } = logLineOf(signal.entry);
      log[as]({ step: signal.step, ...fields }, message);
    });
  };
