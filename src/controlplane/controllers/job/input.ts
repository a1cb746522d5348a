/** The input of the Job controller, and its memory between syncs, which is lost with the process. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import type { Verdict } from './conditions.ts';

export interface JobMemory {
  /** Creates of the outcome in flight, for the slow start. */
  readonly creating?: number;
  /** The verdict that is decided but not recorded yet, while pods with finalizers are counted. */
  readonly failing?: Verdict;
  /** The same for completion: pods that are still counted can no longer make the Job fail. */
  readonly completing?: true;
}

export type JobInput = ReconcileInput<Job, JobMemory>;

/** Whether the Job's pods are tracked with finalizers. */
export const isTracked = (job: Job, { gates, names }: Pick<JobInput, 'gates' | 'names'>): boolean =>
  gates['JobTrackingWithFinalizers'] === true && hasTrackingAnnotation(job, { names });
export const hasTrackingAnnotation = (job: Job, { names }: Pick<JobInput, 'names'>): boolean =>
  job.metadata.annotations?.[names.key('batch', 'job-tracking')] !== undefined;
export const isIndexed = (job: Job): boolean => job.spec.completionMode === 'Indexed';
export const isSuspended = (job: Job): boolean => job.spec.suspend;
