/** How Jobs finish, and invariants of Jobs in a settled cluster. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { type Facts, type Invariant, type Violation, checking } from '../invariant.ts';
import { asJob, asPod, betweenRevisions, finishedBy, isActive, isDying, nameOf } from './reading.ts';

export const jobFinishedIsFinal = betweenRevisions(
  { name: 'job/finished-is-final', description: 'A Job that is Complete or Failed stays so and starts nothing again.' },
  (before, after) => {
    const was = finishedBy(before);
    if (was === undefined) return undefined;
    const is = finishedBy(after);
    if (is !== was) return `it was ${was} and is now ${is ?? 'unfinished'}`;
    if ((after.status.active ?? 0) > (before.status.active ?? 0))
      return `it is ${was}, yet status.active rose to ${after.status.active ?? 0}`;
    return true;
  },
);

/** A property of each remaining Job in a settled cluster; `judge` returns undefined where it was not exercised. */
const whenSettled = (name: string, description: string, judge: (job: Job, active: number) => true | undefined | string): Invariant => ({
  name,
  description,
  temporal: 'stable',
  kinds: ['Job'],
  check: checking((exercised) => ({
    describe: () => undefined,
    onEnd(facts: Facts, settled: boolean): Violation | undefined {
      if (!settled) return undefined;
      for (const object of facts.list('Job')) {
        const job = asJob(object);
        if (job === undefined || isDying(job)) continue;
        let active = 0;
        for (const pod of facts.by('Pod', 'controllerUid', job.metadata.uid)) if (isActive(asPod(pod))) active++;
        const held = judge(job, active);
        if (held === true) exercised();
        if (typeof held === 'string') return { message: `Job ${nameOf(job)} ${held}`, object: job };
      }
      return undefined;
    },
  })),
});

export const jobStatusTellsTheTruth = whenSettled(
  'job/status-tells-the-truth',
  "When everything has settled, an unfinished Job's status.active is the number of its active pods, and a finished Job has none.",
  (job, active) => {
    const finished = finishedBy(job);
    const said = finished === undefined ? (job.status.active ?? 0) : 0;
    return active === said
      ? true
      : `${finished === undefined ? `has status.active ${said}` : `is ${finished}`}, but ${active} of its pods are active`;
  },
);

export const jobNeverStuck = whenSettled(
  'job/never-stuck',
  'When everything has settled, a Job that is neither finished, suspended nor at parallelism 0 has an active pod.',
  (job, active) => {
    if (finishedBy(job) !== undefined) return true;
    if (job.spec.suspend || job.spec.parallelism === 0) return undefined;
    return active > 0 ? true : 'is unfinished, has no active pod, and nothing will happen any more';
  },
);

export const jobSuspendedRests = whenSettled(
  'job/suspended-rests',
  'When everything has settled, a suspended Job has the condition Suspended and no active pod.',
  (job, active) => {
    if (!job.spec.suspend || finishedBy(job) !== undefined) return undefined;
    if (active > 0) return `is suspended, but ${active} of its pods are active`;
    return job.status.conditions?.some(({ type, status }) => type === 'Suspended' && status === 'True') === true
      ? true
      : 'is suspended, but has no condition Suspended';
  },
);

/** A `sometimes` property of two successive revisions of a Job; its count is the number of occurrences. */
const sometimes = (name: string, description: string, sees: (before: Job, after: Job) => boolean): Invariant => ({
  name,
  description,
  temporal: 'sometimes',
  kinds: ['Job'],
  check: checking((exercised) => ({
    describe: () => undefined,
    onChange({ previous, object }) {
      const before = asJob(previous);
      const after = asJob(object);
      if (before !== undefined && after !== undefined && sees(before, after)) return exercised();
    },
  })),
});

export const jobGetsOverFailures = sometimes(
  'job/gets-over-failures',
  'Some Job completes although pods of it failed.',
  (before, after) => finishedBy(before) === undefined && finishedBy(after) === 'Complete' && (after.status.failed ?? 0) > 0,
);

export const jobRunsInParallel = sometimes(
  'job/runs-in-parallel',
  'Some Job has as many active pods as its parallelism allows, and more than one.',
  (before, after) => {
    const { parallelism = 1 } = after.spec;
    return parallelism > 1 && after.status.active === parallelism && before.status.active !== parallelism;
  },
);
