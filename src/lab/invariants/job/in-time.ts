/** Properties with a time limit: deadlines are enforced and times-to-live kept, with an extension for a controller that was down. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { type Invariant, type Violation, checking } from '../invariant.ts';
import { createObligations } from '../obligations.ts';
import { asJob, finishedBy, finishedSince, isDying, nameOf } from './reading.ts';

/** The time limit, milliseconds: longer than the back-off of a key after a dozen failures in a row. */
const PATIENCE_MS = 3_600_000;

interface InTime {
  readonly name: string;
  readonly description: string;
  /** Returns the instant by which it must have happened, milliseconds since the epoch; undefined: nothing is due. */
  dueAt(job: Job): number | undefined;
  /** The violation, as a clause. */
  readonly broken: string;
}

const inTime = ({ name, description, dueAt, broken }: InTime): Invariant => ({
  name,
  description,
  temporal: 'eventually',
  kinds: ['Job'],
  check: checking((exercised) => {
    const obligations = createObligations<Job>();
    const late = (job: Job): Violation => ({ message: `Job ${nameOf(job)}: ${broken}`, object: job });
    return {
      describe: () => obligations.describe(),
      onChange({ type, object }, { now }) {
        const job = asJob(object);
        if (job === undefined) return undefined;
        const { uid } = job.metadata;
        const due = type === 'DELETED' ? undefined : dueAt(job);
        if (due !== undefined) {
          obligations.make(uid, due + PATIENCE_MS, job);
          return undefined;
        }
        const obligation = obligations.settle(uid);
        if (obligation === undefined) return undefined;
        if (obligation.dueAt < now) return late(obligation.about);
        return exercised();
      },
      deadline: obligations.next,
      onTime({ now }) {
        const job = obligations.overdue(now);
        return job === undefined ? undefined : late(job);
      },
      /** In a settled cluster no controller will act any more. */
      onEnd(_facts, settled) {
        const [open] = settled ? obligations.open() : [];
        return open === undefined ? undefined : late(open.about);
      },
    };
  }),
});

const secondsAfter = (time: string, seconds: number): number => parseTime(time) + seconds * 1000;

export const jobDeadlineIsKept = inTime({
  name: 'job/deadline-is-kept',
  description: 'A Job that has been active for its activeDeadlineSeconds fails within an hour.',
  dueAt(job) {
    const { activeDeadlineSeconds, suspend } = job.spec;
    const { startTime } = job.status;
    return activeDeadlineSeconds === undefined ||
      startTime === undefined ||
      startTime === null ||
      suspend ||
      finishedBy(job) !== undefined ||
      isDying(job)
      ? undefined
      : secondsAfter(startTime, activeDeadlineSeconds);
  },
  broken: 'its activeDeadlineSeconds have passed, and it has not failed',
});

export const jobTtlIsKept = inTime({
  name: 'job/ttl-is-kept',
  description: 'A finished Job is deleted within an hour after its ttlSecondsAfterFinished.',
  dueAt(job) {
    const { ttlSecondsAfterFinished: ttl } = job.spec;
    const since = finishedSince(job);
    return ttl === undefined || since === undefined || isDying(job) ? undefined : secondsAfter(since, ttl);
  },
  broken: 'its ttlSecondsAfterFinished have passed since it finished, and it has not been deleted',
});
