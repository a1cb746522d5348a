/**
 * Creates Jobs on a schedule, maintains the list of active ones, and deletes old ones. Models: v1.24.0 pkg/controller/cronjob, the second
 * controller. A sync reads the Jobs, starts the run that is due if its policy allows, deletes Jobs beyond the history limits and writes the
 * status once.
 */
import type { CronJob, Job, KindRegistry } from '../../../apiserver/kinds/index.ts';
import { create, defineController, idle, isOf, record, remove, watch, writeStatus } from '../../runtime/index.ts';
import type { Failure, Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { namespaceTerminates, present } from '../../shared/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { learn, NOTHING_KNOWN, observe, type Known, type Observed, beyondHistory, jobOf } from './jobs.ts';
import type { ControllerOptions } from '../options.ts';
import { dueRun, nextLook, rhythmOf, type ZoneOfProcess, afterChange, cronJobsOfJob } from './due.ts';

/** A sync that waits for a response continues with the CronJob as it was at its start, even if that changes meanwhile. */
type Memory =
  | { readonly step: 'asking'; readonly cronJob: CronJob; readonly known: Known }
  /** The status was written over this revision at this instant, in elapsed time. */
  | { readonly step: 'written'; readonly over: string; readonly at: number }
  | {
      readonly step: 'starting';
      readonly cronJob: CronJob;
      readonly run: number;
      readonly before: Observed;
      readonly status: CronJob['status'];
    };

type Input = Omit<ReconcileInput<CronJob, Memory, ZoneOfProcess>, 'self'>;

const createCronJob = (zone: string | undefined) =>
  defineController<'CronJob', Memory, ZoneOfProcess>({
    name: 'cron-job',
    component: 'cronjob-controller',
    reconciles: 'CronJob',
    writes: ['CronJob', 'Job'],
    watches: [watch('Job', cronJobsOfJob, { predicate: { owners: ['CronJob'] } })],
    self: { enqueue: afterChange },
    models:
      'Complete. Reads the API server for an active Job that the cache does not show, for a Job to be replaced, and for the CronJob before status.active changes. Jobs of an earlier CronJob of the same name are not its own; in a namespace that is being deleted no Job without a name is added to status.active. Upstream: pkg/controller/cronjob.',
    start: () => ({ zone }),
    reconcile(input) {
      const { self, memory, elapsed } = input;
      const isOnItsWay = memory?.step === 'written' && memory.over === self.metadata.resourceVersion && elapsed - memory.at < WATCH_MS;
      if (isOnItsWay) return { ...idle('waiting to observe its own status update'), ...wakeOf(nextLook(self, input), self, input) };
      return sync(input, self, NOTHING_KNOWN);
    },
    resume(input, { write, object }) {
      const { memory } = input;
      if (memory?.step === 'starting' && isOf('Job', object)) return noteRun(input, memory, object);
      if (memory?.step !== 'asking') return { memory: null, ...idle('no read was pending') };
      const known = learn(memory.known, write, object);
      return sync(input, known.live ?? memory.cronJob, known);
    },
    recover(input, failure) {
      const { self, memory } = input;
      if (memory?.step === 'starting') return giveUpRun(memory, failure, input);
      if (memory?.step === 'written' && failure.write.op === 'update')
        return { why: `the status could not be written: ${failure.status.message ?? ''}`, writes: [], memory: null, backoff: 'retry' };
      // A Job that could not be deleted is deleted by a later sync.
      if (failure.write.op !== 'delete' || self === undefined) return undefined;
      return {
        why: `${failure.write.name} could not be deleted; the other writes are made`,
        writes: failure.dropped,
        ...wakeOf(dueRun(self, input).wakeAt, self, input),
      };
    },
  });

export const cronJob = createCronJob(undefined);

export const cronJobIn = (_kinds: KindRegistry, { timeZone }: ControllerOptions): typeof cronJob =>
  timeZone === undefined ? cronJob : createCronJob(timeZone);

function sync(input: Input, cronJob: CronJob, known: Known): Outcome<Memory> {
  const jobs = input.cache.controlledBy('Job', cronJob);
  const observed = observe(cronJob, jobs, known);
  if ('read' in observed) return { why: observed.why, writes: [observed.read], memory: { step: 'asking', cronJob, known } };

  const due = dueRun(cronJob, input);
  const soFar = { ...observed, events: [...observed.events, ...due.events] };
  if (due.run === undefined) return finish(input, cronJob, statusOf(cronJob, observed), soFar, due.why, due.wakeAt);

  const job = jobOf(cronJob, due.run);
  const at = formatTime(due.run);
  const wait = (why: string, ...events: readonly Write[]): Outcome<Memory> =>
    finish(input, cronJob, statusOf(cronJob, observed), { ...soFar, events: [...soFar.events, ...events] }, why, due.wakeAt);
  if (observed.active.some(({ name }) => name === job.metadata.name) || cronJob.status.lastScheduleTime === at)
    return wait(`the run of ${at} has been started`);
  const { concurrencyPolicy } = cronJob.spec;
  if (concurrencyPolicy === 'Forbid' && observed.active.length > 0)
    return wait(
      `the run of ${at} is due, but ${namesOf(observed)} is still running and concurrencyPolicy is Forbid`,
      alreadyActive(cronJob),
    );

  const replaced = concurrencyPolicy === 'Replace' ? observed.active : [];
  return {
    why: sentence(
      observed,
      `the run of ${at} is due${due.missed > 1 ? `, the last of ${due.missed} not started` : ''}${replaced.length > 0 ? `; it replaces ${namesOf(observed)}` : ''}`,
    ),
    writes: [
      ...soFar.events,
      ...replaced.flatMap(({ name = '' }) => replace(cronJob, name)),
      create(job, { then: { about: cronJob, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created job {name}' }, resume: true }),
    ],
    memory: {
      step: 'starting',
      cronJob,
      run: due.run,
      before: observed,
      status: statusOf(cronJob, { ...observed, active: replaced.length > 0 ? [] : observed.active }),
    },
  };
}

/** The Job of a run was created: it is added to the list. A crash before this write leaves a Job that is not on the list. */
function noteRun(
  input: Input,
  { cronJob, run, status }: Extract<Memory, { step: 'starting' }>,
  { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }: Job,
): Outcome<Memory> {
  const reference = present({ kind, namespace, name, uid, apiVersion, resourceVersion });
  const started = { ...status, active: [...(status.active ?? []), reference], lastScheduleTime: formatTime(run) };
  const why = `${name} was created: add it to status.active`;
  return finish(input, cronJob, started, { notes: [], events: [] }, why, nextLook(cronJob, input));
}

/** The Job of a run could not be created, or one to replace could not be deleted: the key is retried with back-off. */
function giveUpRun(
  { cronJob, before, status }: Extract<Memory, { step: 'starting' }>,
  { write, status: failure, dropped }: Failure,
  input: Input,
): Outcome<Memory> {
  const { reason, message = '' } = failure;
  if (write.op !== 'create') {
    const left = new Set([write, ...dropped].flatMap((each) => (each.op === 'delete' ? [each.name] : [])));
    const running = before.active.filter(({ name = '' }) => left.has(name));
    const partly = statusOf(cronJob, running.length === before.active.length ? before : { ...before, active: running });
    return { why: `a running Job could not be replaced: ${message}`, writes: statusWrite(cronJob, partly), memory: null, backoff: 'retry' };
  }
  const writes = statusWrite(cronJob, status);
  if (namespaceTerminates(failure))
    return {
      why: 'its namespace is being deleted, so no Job can be created in it',
      writes,
      memory: null,
      ...wakeOf(nextLook(cronJob, input), cronJob, input),
    };
  if (reason === 'AlreadyExists')
    return { why: `${write.object.metadata.name} exists already: requeue`, writes, memory: null, backoff: 'retry' };
  return {
    why: `the Job could not be created: ${message}`,
    writes: [record(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${message}`), ...writes],
    memory: null,
    backoff: 'retry',
  };
}

/** The end of every sync that did not fail: old Jobs are deleted, and changes of the status are written. */
function finish(
  input: Input,
  cronJob: CronJob,
  status: CronJob['status'],
  { notes, events: reported }: Pick<Observed, 'notes' | 'events'>,
  why: string,
  wakeAt: number | undefined,
): Outcome<Memory> {
  const old = beyondHistory(cronJob, input.cache.controlledBy('Job', cronJob));
  const wait = wakeAt === undefined ? '' : `; requeue at ${formatTime(wakeAt)}`;
  return {
    why: `${sentence({ notes }, why)}${wait}`,
    writes: [...reported, ...old.map((job) => removeJob(cronJob, job)), ...statusWrite(cronJob, status)],
    memory: status === cronJob.status ? null : { step: 'written', over: cronJob.metadata.resourceVersion, at: input.elapsed },
    ...wakeOf(wakeAt, cronJob, input),
  };
}

/**
 * A change may take this long to appear in the cache, milliseconds. Upstream's cache is up to date in almost every case, because the
 * response and the watch event travel together.
 */
const WATCH_MS = 1000;

const alreadyActive = (cronJob: CronJob): Write =>
  record(cronJob, 'Normal', 'JobAlreadyActive', 'Not starting job because prior execution is running and concurrency policy is Forbid');

/** Where no run is to come, upstream leaves the failure count unchanged. */
function wakeOf(wakeAt: number | undefined, cronJob: CronJob, input: Input): Pick<Outcome, 'wakeAt' | 'recurs' | 'backoff'> {
  if (wakeAt === undefined) return { backoff: 'keep' };
  const recurs = rhythmOf(cronJob, input);
  return { wakeAt, ...(recurs === undefined ? {} : { recurs }) };
}
const namesOf = ({ active }: Pick<Observed, 'active'>): string => active.map(({ name }) => name).join(', ');
const sentence = ({ notes }: Pick<Observed, 'notes'>, why: string): string => [...notes, why].join('; ');

const deletion = (about: CronJob) =>
  ({
    then: { about, type: 'Normal', reason: 'SuccessfulDelete', message: 'Deleted job {name}' },
    otherwise: { about, type: 'Warning', reason: 'FailedDelete', message: 'Deleted job: {error}' },
  }) as const;
const removeJob = (about: CronJob, job: Job): Write => remove(job, { propagationPolicy: 'Background', tolerate: [], ...deletion(about) });

/** Replaces an active Job: upstream reads it once more before it deletes it. */
const replace = (about: CronJob, name: string): readonly Write[] => {
  const job = present({ kind: 'Job', name, namespace: about.metadata.namespace });
  return [
    { op: 'get', ...job, otherwise: { about, type: 'Warning', reason: 'FailedGet', message: 'Get job: {error}' } },
    { op: 'delete', ...job, propagationPolicy: 'Background', ...deletion(about) },
  ];
};

/** The status to write; the same object when nothing changes. */
function statusOf({ status }: CronJob, { active, lastSuccessfulTime }: Pick<Observed, 'active' | 'lastSuccessfulTime'>): CronJob['status'] {
  if (active === (status.active ?? active) && lastSuccessfulTime === status.lastSuccessfulTime) return status;
  const { active: _, ...rest } = status;
  return { ...(active.length === 0 ? {} : { active }), ...rest, ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }) };
}

const statusWrite = (cronJob: CronJob, status: CronJob['status']): readonly Write[] =>
  status === cronJob.status ? [] : [writeStatus(cronJob, status)];
