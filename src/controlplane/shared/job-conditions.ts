/** Whether a Job has finished. Models: v1.24 pkg/controller/job utils.go IsJobFinished. */
import type { Job, JobCondition } from '../../apiserver/kinds/index.ts';

/** The condition that says that the Job has finished, if it has. */
export const finishedCondition = (job: Job): JobCondition | undefined =>
  job.status.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
