/** Invariants of Jobs: how many pods they have and which, their counts, and how they finish, and in time. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { type Answer, checking, type Invariant, type Violation } from '../invariant.ts';
import { betweenRevisions, finishedBy, finishedSince } from './reading.ts';
import { createObligations } from '../obligations.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { asJob, atRest, isActive, isDying, nameOf, podsOf } from '../forms.ts';
import {
  jobCompletedIndexesOnlyGrow,
  jobCompleteMeansDone,
  jobCountsNeverShrink,
  jobNoSuccessIsLost,
  jobPodsCountedOnce,
} from './counting.ts';
import { jobActiveWithinParallelism, jobOnePodPerIndex, jobPodsAreOwned } from './pods.ts';

const jobFinishedIsFinal = betweenRevisions(
  'job/finished-is-final',
  'A Job that is Complete or Failed stays so and starts nothing again.',
  (before, after) => {
    const was = finishedBy(before);
    if (was === undefined) return undefined;
    const is = finishedBy(after);
    if (is !== was) return `it was ${was} and is now ${is ?? 'unfinished'}`;
    const { active = 0 } = after.status;
    return active <= (before.status.active ?? 0) || `it is ${was}, yet status.active rose to ${active}`;
  },
);

/** A property of each remaining Job in a settled cluster, with its number of active pods. */
const whenSettled = (name: string, description: string, judge: (job: Job, active: number) => Answer): Invariant =>
  atRest('Job', name, description, (job, facts) => judge(job, podsOf(job, facts).filter(isActive).length));

const jobStatusTellsTheTruth = whenSettled(
  'job/status-tells-the-truth',
  "When everything has settled, an unfinished Job's status.active is the number of its active pods, and a finished Job has none.",
  (job, active) => {
    const finished = finishedBy(job);
    const said = finished === undefined ? (job.status.active ?? 0) : 0;
    const what = finished === undefined ? `has status.active ${said}` : `is ${finished}`;
    return active === said || `${what}, but ${active} of its pods are active`;
  },
);

const jobNeverStuck = whenSettled(
  'job/never-stuck',
  'When everything has settled, a Job that is neither finished, suspended nor at parallelism 0 has an active pod.',
  (job, active) => {
    if (finishedBy(job) !== undefined) return true;
    if (job.spec.suspend || job.spec.parallelism === 0) return undefined;
    return active > 0 || 'is unfinished, has no active pod, and nothing will happen any more';
  },
);

const jobSuspendedRests = whenSettled(
  'job/suspended-rests',
  'When everything has settled, a suspended Job has the condition Suspended and no active pod.',
  (job, active) => {
    if (!job.spec.suspend || finishedBy(job) !== undefined) return undefined;
    if (active > 0) return `is suspended, but ${active} of its pods are active`;
    const isSaid = job.status.conditions?.some(({ type, status }) => type === 'Suspended' && status === 'True') === true;
    return isSaid || 'is suspended, but has no condition Suspended';
  },
);

/** A `sometimes` property of two successive revisions of a Job; its count is the number of occurrences. */
const sometimes = (name: string, description: string, sees: (before: Job, after: Job) => boolean): Invariant => ({
  ...betweenRevisions(name, description, sees),
  temporal: 'sometimes',
});

const jobGetsOverFailures = sometimes(
  'job/gets-over-failures',
  'Some Job completes although pods of it failed.',
  (before, after) => finishedBy(before) === undefined && finishedBy(after) === 'Complete' && (after.status.failed ?? 0) > 0,
);

const jobRunsInParallel = sometimes(
  'job/runs-in-parallel',
  'Some Job has as many active pods as its parallelism allows, and more than one.',
  (before, after) => {
    const { parallelism = 1 } = after.spec;
    return parallelism > 1 && after.status.active === parallelism && before.status.active !== parallelism;
  },
);

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

const jobDeadlineIsKept = inTime({
  name: 'job/deadline-is-kept',
  description: 'A Job that has been active for its activeDeadlineSeconds fails within an hour.',
  dueAt(job) {
    const { activeDeadlineSeconds, suspend } = job.spec;
    const { startTime } = job.status;
    if (activeDeadlineSeconds === undefined || startTime === undefined || startTime === null) return undefined;
    return suspend || finishedBy(job) !== undefined || isDying(job) ? undefined : secondsAfter(startTime, activeDeadlineSeconds);
  },
  broken: 'its activeDeadlineSeconds have passed, and it has not failed',
});

const jobTtlIsKept = inTime({
  name: 'job/ttl-is-kept',
  description: 'A finished Job is deleted within an hour after its ttlSecondsAfterFinished.',
  dueAt(job) {
    const { ttlSecondsAfterFinished: ttl } = job.spec;
    const since = finishedSince(job);
    return ttl === undefined || since === undefined || isDying(job) ? undefined : secondsAfter(since, ttl);
  },
  broken: 'its ttlSecondsAfterFinished have passed since it finished, and it has not been deleted',
});

export const jobInvariants: readonly Invariant[] = [
  jobCountsNeverShrink,
  jobPodsCountedOnce,
  jobCompletedIndexesOnlyGrow,
  jobCompleteMeansDone,
  jobFinishedIsFinal,
  jobActiveWithinParallelism,
  jobOnePodPerIndex,
  jobPodsAreOwned,
  jobDeadlineIsKept,
  jobTtlIsKept,
  jobStatusTellsTheTruth,
  jobNeverStuck,
  jobSuspendedRests,
  jobGetsOverFailures,
  jobRunsInParallel,
  jobNoSuccessIsLost,
];
