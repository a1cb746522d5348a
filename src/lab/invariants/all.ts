/** All invariants, by the kind of object that they are about: one line for each file or folder, which exports one invariant or a list. */
export { jobInvariants } from './job/index.ts';
export { cronJobInvariants } from './cron-job/index.ts';
export { statefulSetInvariants } from './stateful-set/index.ts';
export { deploymentInvariants } from './deployment.ts';
export { replicaSetInvariants } from './replica-set.ts';
export { daemonSetInvariants } from './daemon-set.ts';
export { horizontalPodAutoscalerInvariants } from './horizontal-pod-autoscaler.ts';
export { leaseInvariants } from './lease.ts';
export { nodeInvariants } from './node.ts';
export { nodeAgentInvariants } from './node-agent.ts';
export { volumeAttachmentInvariants } from './volume-attachment.ts';
export { endpointInvariants } from './endpoints.ts';
export { generalInvariants } from './general.ts';
