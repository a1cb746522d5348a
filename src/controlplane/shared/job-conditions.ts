/** Whether a Job has ended, which all who look after Jobs ask. Models: v1.24 pkg/controller/job utils.go IsJobFinished. */
import type { Job, JobCondition } from '../../apiserver/kinds/index.ts';

/** The condition that says the Job has ended, if it has. */
export const finishedCondition = (job: Job): JobCondition | undefined =>
  job.status.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
