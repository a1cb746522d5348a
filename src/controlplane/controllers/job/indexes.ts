/**
 * Completion indexes as sorted intervals, the format of `status.completedIndexes`: `0-2,5,7-9`. Lists are immutable, so they may be shared
 * and frozen. Parsed texts are cached: a Job's next sync parses the long text that the previous one formatted. Models: v1.24
 * pkg/controller/job indexed_job_utils.go, including its leniency towards malformed texts.
 */
import { memo } from '../../../engine/index.ts';
import { atoi, bisect } from '../../../schema/values/index.ts';
import type { Interval, Intervals } from '../../shared/index.ts';

/** `1,3-5,7,8`: two adjacent indexes are written as two numbers, three or more as a range. */
export function formatIndexes(intervals: Intervals): string {
  let text = '';
  for (const { first, last } of intervals) {
    if (text !== '') text += ',';
    text += first;
    if (last > first) text += (last === first + 1 ? ',' : '-') + last;
  }
  return text;
}

export function countIndexes(intervals: Intervals): number {
  let count = 0;
  for (const { first, last } of intervals) count += last - first + 1;
  return count;
}

/** The intervals of a text, up to `completions`. Malformed parts are skipped; order and overlap are kept. */
export function parseIndexes(text: string, completions: number): Intervals {
  const intervals: Interval[] = [];
  for (const part of text.split(',')) {
    const [low = '', high] = part.split('-');
    const first = atoi(low).value;
    if (first !== undefined && first >= completions) break;
    const last = high === undefined ? first : atoi(high).value;
    if (first === undefined || last === undefined) continue;
    const end = Math.min(last, completions - 1);
    const previous = intervals.at(-1);
    if (previous !== undefined && previous.last === first - 1) intervals[intervals.length - 1] = { first: previous.first, last: end };
    else intervals.push({ first, last: end });
  }
  return intervals;
}

/** The intervals with further indexes, given in increasing order. */
export function mergeIndexes(intervals: Intervals, indexes: readonly number[]): Intervals {
  const merged: Interval[] = [];
  const add = (first: number, last: number): void => {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous.last + 1) merged.push({ first, last });
    else if (last > previous.last) merged[merged.length - 1] = { first: previous.first, last };
  };
  let at = 0;
  for (const interval of intervals) {
    for (let index = indexes[at]; index !== undefined && index <= interval.first; index = indexes[++at]) add(index, index);
    add(interval.first, interval.last);
  }
  for (let index = indexes[at]; index !== undefined; index = indexes[++at]) add(index, index);
  return merged;
}

/** Whether the index is in one of the intervals; sorted intervals only. */
export function hasIndex(intervals: Intervals, index: number): boolean {
  const found = intervals[bisect(intervals, ({ last }) => last < index)];
  return found !== undefined && found.first <= index;
}

/** The first `count` indexes below `completions` that are neither completed nor active. Visits intervals, not indexes. */
export function firstPendingIndexes(count: number, completed: Intervals, active: Intervals, completions: number): readonly number[] {
  const pending: number[] = [];
  let candidate = 0;
  let inCompleted = 0;
  let inActive = 0;
  while (pending.length < count && candidate < completions) {
    const done = completed[inCompleted];
    const busy = active[inActive];
    const next = done === undefined || (busy !== undefined && busy.first < done.first) ? busy : done;
    const free = Math.min(next?.first ?? completions, completions);
    while (candidate < free && pending.length < count) pending.push(candidate++);
    if (next === undefined) break;
    if (next === done) inCompleted++;
    else inActive++;
    candidate = Math.max(candidate, next.last + 1);
  }
  return pending;
}

/** The longest prefix that allows for the five random characters of a generated name. */
const MAX_PREFIX_LENGTH = 58;

/** `<job>-<index>-`, with the job's name truncated where the result would be too long. */
export function podGenerateNameWithIndex(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return jobName.slice(0, MAX_PREFIX_LENGTH - suffix.length) + suffix;
}

const MOST = 256;
const parsed = memo(new Map<string, Intervals>());

export function writeIndexes(intervals: Intervals): string {
  const text = formatIndexes(intervals);
  if (parsed.size >= MOST) parsed.clear();
  parsed.set(text, intervals);
  return text;
}

/** The intervals of a text, up to the number of completions. */
export function readIndexes(text: string, completions: number): Intervals {
  const known = parsed.get(text);
  if (known !== undefined && (known.at(-1)?.last ?? -1) < completions) return known;
  return parseIndexes(text, completions);
}
