import { describe, expect, it } from 'vitest';
import { jobNameFor, mostRecentScheduleTime } from '../../../../src/controlplane/controllers/cron-job/missed.ts';
import { parseSchedule } from '../../../../src/grammar/schedule/index.ts';
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
      expect({ id, ...due }).toEqual({ id, time: at, missed, tooMany });
      if (due.time !== undefined) expect(jobNameFor('x', due.time)).toBe(`x-${jobNameSuffix}`);
    }
  });
});
