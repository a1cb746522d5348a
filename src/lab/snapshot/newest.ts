/** The newest instant of which objects speak: the moment at which they were dumped, as near as it is known. */
import { isMapping, parseTime, readTime } from '../../schema/values/index.ts';

/** Times of what has happened. Times of what will (a deletion's end, an expiry) are no others. */
const PAST: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'time',
  'lastTransitionTime',
  'lastHeartbeatTime',
  'lastProbeTime',
  'lastUpdateTime',
  'startTime',
  'startedAt',
  'finishedAt',
  'completionTime',
  'renewTime',
  'acquireTime',
  'firstTimestamp',
  'lastTimestamp',
  'eventTime',
  'lastObservedTime',
  'lastScheduleTime',
  'lastSuccessfulTime',
  'lastScaleTime',
]);

const DEPTH = 32;

/** Returns the newest past instant in values, milliseconds since the epoch, rounded up to a second; undefined: there is none. */
export function newestIn(values: Iterable<unknown>): number | undefined {
  let newest = '';
  const visit = (value: unknown, depth: number): void => {
    if (depth > DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') visit(item, depth + 1);
      return;
    }
    if (!isMapping(value)) return;
    for (const key in value) {
      const member = value[key];
      if (typeof member === 'object') {
        // The fields in managedFields are names only.
        if (key !== 'fieldsV1' && member !== null) visit(member, depth + 1);
      } else if (typeof member === 'string' && PAST.has(key) && member > newest && isTime(member)) newest = member;
    }
  };
  for (const value of values) visit(value, 0);
  if (newest === '') return undefined;
  return Math.ceil(parseTime(newest) / 1000) * 1000;
}

/** Times of the API are in UTC, so that their texts compare as they do. */
const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && readTime(text).error === undefined;
