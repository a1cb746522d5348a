/** All explainers of blockers, one line each. */
export { attachment, claim, volumes } from './explainers/storage.ts';
export { autoscaler, deployment, replicaSet } from './explainers/deployment.ts';
export { cronJob, job } from './explainers/jobs.ts';
export { daemonSet, statefulSet } from './explainers/sets.ts';
export { deletion } from './explainers/deletion.ts';
export { key } from './explainers/key.ts';
export { lease, node, scheduling, starting } from './explainers/pods.ts';
export { unserved, warning } from './explainers/absence.ts';
