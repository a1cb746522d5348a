/**
 * What is done when a write of a sync was refused: an event, the remaining writes that upstream's parallel batches would have sent, the
 * status reached, and back-off. Models: v1.24 pkg/controller/job manageJob (slow start), pkg/controller/controller_utils.go RealPodControl.
 */
import type { Job, JobStatus } from '../../../apiserver/kinds/index.ts';
import type { Failure, Outcome, RecoverInput, Write } from '../../runtime/index.ts';
import { namespaceTerminates, refusedPod } from '../../shared/index.ts';
import { wakeAtDeadline, type JobMemory } from './observe.ts';

type StatusWrite = Extract<Write, { readonly op: 'update' }>;

export function recoverJob(input: RecoverInput<'Job', JobMemory>, failure: Failure): Outcome<JobMemory> | undefined {
  const { self: job, now, memory = {} } = input;
  const { op } = failure.write;
  if (job === undefined || (op !== 'create' && op !== 'delete')) return undefined;
  const outcome = op === 'create' ? afterRefusedCreate(job, memory, failure) : afterRefusedDelete(job, memory, failure);
  return wakeAtDeadline(job, job.status.startTime, now, outcome);
}

function afterRefusedCreate(job: Job, memory: JobMemory, failure: Failure): Outcome<JobMemory> {
  if (namespaceTerminates(failure.status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: [], backoff: 'keep' };
  const { dropped } = failure;
  const left = dropped.filter(({ op }) => op === 'create');
  const { why, event, batchMates, creates } = refusedPod(job, failure, memory.creating);
  return {
    why,
    writes: [event, ...batchMates, ...withActive(job, statusWriteOf(dropped), batchMates.length - left.length - 1)],
    memory: { ...memory, creating: creates },
    backoff: 'retry',
  };
}

function afterRefusedDelete(job: Job, memory: JobMemory, failure: Failure): Outcome<JobMemory> {
  const { dropped } = failure;
  const { why, event } = refusedPod(job, failure, undefined);
  const statusWrite = statusWriteOf(dropped);
  // A Job does not end while one of its pods would continue to run.
  const ends =
    memory.failing !== undefined ||
    plannedStatus(statusWrite)?.conditions?.some(({ type, status: is }) => type === 'Failed' && is === 'True') === true;
  const rest = ends ? [] : [...dropped.filter((write) => write !== statusWrite), ...withActive(job, statusWrite, 1)];
  return { why, writes: [event, ...rest], backoff: 'retry' };
}

const statusWriteOf = (writes: readonly Write[]): StatusWrite | undefined =>
  writes.find((write): write is StatusWrite => write.op === 'update' && write.subresource === 'status');
const plannedStatus = (write: StatusWrite | undefined): JobStatus | undefined => write?.object['status'] as JobStatus | undefined;

/** The planned status with another number of active pods, if that is a change. */
function withActive(job: Job, write: StatusWrite | undefined, by: number): readonly Write[] {
  const planned = plannedStatus(write);
  if (write === undefined || planned === undefined) return [];
  const { active: _, ...rest } = planned;
  const active = Math.max(0, (planned.active ?? 0) + by);
  const status: JobStatus = active === 0 ? rest : { ...rest, active };
  return sameProgress(job.status, status) ? [] : [{ ...write, object: { ...write.object, status } }];
}

/** As in upstream: a new start time alone is not written. */
const sameProgress = (a: JobStatus, b: JobStatus): boolean =>
  (a.active ?? 0) === (b.active ?? 0) &&
  (a.succeeded ?? 0) === (b.succeeded ?? 0) &&
  (a.failed ?? 0) === (b.failed ?? 0) &&
  a.ready === b.ready &&
  a.conditions === b.conditions &&
  (a.completedIndexes ?? '') === (b.completedIndexes ?? '') &&
  a.uncountedTerminatedPods === b.uncountedTerminatedPods;
