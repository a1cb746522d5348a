/** The headlines of all kinds, one line for each kind. */
import type { Headline } from './contract.ts';
import { lease, node } from './nodes.ts';
import { pod } from './pod.ts';
import { attachment, claim, volume } from './storage.ts';
import { cronJob, daemonSet, deployment, job, replicaSet, statefulSet } from './work.ts';

export const HEADLINES: Readonly<Record<string, Headline>> = {
  Pod: pod,
  Job: job,
  StatefulSet: statefulSet,
  Deployment: deployment,
  ReplicaSet: replicaSet,
  DaemonSet: daemonSet,
  CronJob: cronJob,
  Lease: lease,
  Node: node,
  PersistentVolumeClaim: claim,
  PersistentVolume: volume,
  VolumeAttachment: attachment,
};
