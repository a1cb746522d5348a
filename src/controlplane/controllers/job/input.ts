/** What the Job controller is given and what it remembers between syncs, lost with the process. */
import type { Job } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import type { Verdict } from './conditions.ts';

export interface JobMemory {
  /** Creates of the outcome being carried out, for the slow start. */
  readonly creating?: number;
  /** Decided but not yet recorded, while pods with finalizers are being counted. */
  readonly failing?: Verdict;
  /** The same for completion: what its last pods still count as no longer makes it fail. */
  readonly completing?: true;
}

export type JobInput = ReconcileInput<Job, JobMemory>;

/** Whether the Job's pods are counted by finalizers. */
export const isTracked = (job: Job, { gates, names }: Pick<JobInput, 'gates' | 'names'>): boolean =>
  gates['JobTrackingWithFinalizers'] === true && hasTrackingAnnotation(job, { names });
export const hasTrackingAnnotation = (job: Job, { names }: Pick<JobInput, 'names'>): boolean =>
  job.metadata.annotations?.[names.key('batch', 'job-tracking')] !== undefined;
export const isIndexed = (job: Job): boolean => job.spec.completionMode === 'Indexed';
export const isSuspended = (job: Job): boolean => job.spec.suspend;
