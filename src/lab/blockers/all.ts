/** All explainers of blockers, one line each. */
export { attachment } from './explainers/attachment.ts';
export { autoscaler } from './explainers/autoscaler.ts';
export { claim } from './explainers/claim.ts';
export { cronJob } from './explainers/cron-job.ts';
export { daemonSet } from './explainers/daemon-set.ts';
export { deletion } from './explainers/deletion.ts';
export { deployment, replicaSet } from './explainers/deployment.ts';
export { job } from './explainers/job.ts';
export { key } from './explainers/key.ts';
export { lease } from './explainers/lease.ts';
export { unserved } from './explainers/unserved.ts';
export { node } from './explainers/node.ts';
export { scheduling } from './explainers/scheduling.ts';
export { starting } from './explainers/starting.ts';
export { statefulSet } from './explainers/stateful-set.ts';
export { volumes } from './explainers/volumes.ts';
export { warning } from './explainers/warning.ts';
