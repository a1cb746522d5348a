import { describe, expect, it } from 'vitest';
import { jobNameFor, mostRecentScheduleTime } from '../../../../src/controlplane/controllers/cron-job/due.ts';
import { parseSchedule } from '../../../../src/schema/schedule/index.ts';
import { oracleLines } from '../../../support/oracle.ts';

interface Line {
  readonly id: string;
  readonly expr: string;
  readonly earliest: string;
  readonly now: string;
  readonly time: string | null;
  readonly missed: number;
  readonly tooMany: boolean;
  readonly jobNameSuffix?: string;
  readonly error?: string;
}

describe('the run that is due', () => {
  it('is the recorded one', () => {
    for (const { id, expr, earliest, now, time, missed, tooMany, jobNameSuffix, error } of oracleLines(
      'v1.24/api/cronmissed.jsonl',
    ) as unknown as readonly Line[]) {
      const parsed = parseSchedule(expr);
      if (parsed.error !== undefined) throw new Error(parsed.error);
      const due = mostRecentScheduleTime(parsed.schedule, Date.parse(earliest), Date.parse(now));
      if (due.error !== undefined) {
        expect([id, due.error]).toEqual([id, error]);
        continue;
      }
      const at = time === null ? undefined : Date.parse(time);
      expect({ id, ...due, tooMany: due.missed > 100 }).toEqual({ id, time: at, missed, tooMany });
      if (due.time !== undefined) expect(jobNameFor('x', due.time)).toBe(`x-${jobNameSuffix}`);
    }
  });
});

describe('a run that is due this very instant', () => {
  const at = (time: string): number => Date.parse(`2024-01-01T${time}Z`);
  const minutely = parseSchedule('* * * * *');
  const due = (now: string): unknown =>
    minutely.error === undefined ? mostRecentScheduleTime(minutely.schedule, at('00:00:30'), at(now)) : minutely.error;

  it('is the first, the second or a later one', () => {
    expect(due('00:00:59')).toMatchObject({ time: undefined, missed: 0 });
    expect(due('00:01:00')).toMatchObject({ time: at('00:01:00'), missed: 1 });
    expect(due('00:02:00')).toMatchObject({ time: at('00:02:00'), missed: 2 });
    expect(due('00:03:00')).toMatchObject({ time: at('00:03:00'), missed: 3 });
  });
});
