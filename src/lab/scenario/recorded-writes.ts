/**
 * Recorded writes as a text of a scenario, a line for each: a log has a hundred thousand of them, and a list of mappings would take a minute to
 * write and to read.
 */
import { formatDurationMs, parseDurationMs, present } from '../../schema/values/index.ts';

/** A write of a real cluster, or of a run, without what is drawn: what happened to which object. */
export interface RecordedWrite {
  /** Milliseconds since the start. */
  readonly atMs: number;
  readonly of: string;
  readonly did: string;
  readonly by?: string;
  /** `FILE:LINE`. */
  readonly log?: string;
}

/** What a line is, for messages and descriptions. */
export const RECORDED_LINE = 'TIME  OBJECT  WHAT  AUTHOR  FILE:LINE';

const APART = /\t| {2,}/;
/** Names of a log may have any character; those that would end a column become a space. */
const inColumn = (text: string): string => (UNFIT.test(text) ? text.replaceAll(/[\s\p{C}]+/gu, ' ').trim() : text);
const UNFIT = /\s\s|[\p{C}\t\n\r\u0085\u2028\u2029]|^\s|\s$/u;

/** Returns the text of writes. Authors are needed where the place in a log is given. */
export const formatRecorded = (writes: readonly RecordedWrite[]): string =>
  writes
    .map(({ atMs, of, did, by, log }) => {
      const last = log === undefined ? (by === undefined ? [] : [by]) : [by ?? '?', log];
      return `${[formatDurationMs(atMs), of, did, ...last].map(inColumn).join('  ')}\n`;
    })
    .join('');

/** Reads the text of writes; `refuse` receives the number of each line that is none (from 1), and the line. */
export function parseRecorded(text: string, refuse: (nth: number, line: string) => void): readonly RecordedWrite[] {
  return text.split('\n').flatMap((line, index) => {
    const given = line.trim();
    if (given === '') return [];
    const [time = '', of, did, by, log, ...more] = given.split(APART);
    const { value: atMs } = parseDurationMs(time);
    if (atMs !== undefined && of !== undefined && did !== undefined && more.length === 0)
      return [{ atMs, of, did, ...present({ by: by === '?' ? undefined : by, log }) }];
    refuse(index + 1, given);
    return [];
  });
}
