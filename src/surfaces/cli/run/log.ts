/** A run as a structured log: a JSON line for each entry, with virtual time, so that the same seed gives the same bytes. */
import { pino } from 'pino';
import { isHeartbeat, type Entry } from '../../../lab/trace/index.ts';
import type { LogLevel } from '../options.ts';
import type { LineFile, Sink } from './sinks.ts';

type LogLine = readonly [level: LogLevel, message: string, fields: object];

const LINES: { readonly [T in Entry['type']]: (entry: Extract<Entry, { readonly type: T }>) => LogLine } = {
  write({ actor, controller, change }) {
    const { type, kind, key, revision } = change;
    const by = controller === undefined ? {} : { controller };
    return [isHeartbeat(change) ? 'trace' : 'info', `${type} ${kind} ${key}`, { actor, ...by, kind, key, revision }];
  },
  refusal: ({ actor, request, status: { code, reason, message = '' } }) => [
    'warn',
    `refused: ${request}: ${message}`,
    { actor, code, reason },
  ],
  delivery: ({ process, delta, kind, key, revision }) => [
    'trace',
    `${process} sees ${delta} ${kind} ${key}`,
    { process, kind, key, revision },
  ],
  reconcile: ({ process, controller, key, writes, failures, why }) => ['debug', why, { process, controller, key, writes, failures }],
  timer: ({ process, controller, key, because }) => ['trace', because, { process, controller, key }],
  process: ({ process, what, refusal }) => [
    what === 'crashed' || what === 'refused' ? 'warn' : 'info',
    `${process} ${what}${refusal === undefined ? '' : `: ${refusal}`}`,
    { process },
  ],
  operation: ({ label }) => ['info', label, {}],
  fault: ({ fault, detail }) => ['warn', detail, { fault }],
  check: ({ held, name, detail }) => [held ? 'debug' : 'error', detail, { check: name }],
  note: ({ text }) => ['info', text.trim(), { note: true }],
};

/** Logs a run to a file; `level` is the lowest that is written. */
export function logSink(file: LineFile, level: LogLevel, scenario: string, seed: number): Sink {
  let now = 0;
  const timestamp = (): string => `,"time":"${new Date(now).toISOString()}"`;
  const log = pino(
    { base: null, level, timestamp, formatters: { level: (label) => ({ level: label }) } },
    { write: (line: string) => file.line(line.trimEnd()) },
  ).child({ scenario, seed });
  return (signal) => {
    if (signal.type !== 'entry') return;
    now = signal.entry.at;
    const line = LINES[signal.entry.type] as (entry: Entry) => LogLine;
    const [as, message, fields] = line(signal.entry);
    log[as]({ step: signal.step, ...fields }, message);
  };
}
