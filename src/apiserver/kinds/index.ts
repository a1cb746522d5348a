/**
 * All kinds: a file for each kind (a folder for the largest) with its schema, rules and columns, and a line in `all.ts`. `kindsFor(names)` is the registry. Kinds are independent of requests and storage: the server calls their hooks.
 */
export { type APIService, availabilityOf, CUSTOM_PRIORITIES, localAvailability, withAvailability } from './api-service.ts';
export * from './certificate-signing-request/index.ts';
export type { ConfigMap } from './config-map.ts';
export type { ControllerRevision } from './controller-revision.ts';
export type { CustomResourceDefinition, DefinitionVersion } from './custom-resource-definition/shape.ts';
export { isEstablished, settled as settledDefinition } from './custom-resource-definition/conditions.ts';
export type { CronJob } from './cron-job.ts';
export type { CSIDriver } from './csi-driver.ts';
export type { CSIStorageCapacity } from './csi-storage-capacity.ts';
export type { DaemonSet, DaemonSetStatus } from './daemon-set.ts';
export type { EndpointSlice } from './endpoint-slice.ts';
export type { Deployment, DeploymentCondition, DeploymentStatus } from './deployment.ts';
export type { Endpoints } from './endpoints.ts';
export type { Event } from './event.ts';
export type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  ScalerCondition,
  ScalerStatus,
  ScalingRules,
} from './horizontal-pod-autoscaler/shape.ts';
export type { IngressClass } from './ingress-class.ts';
export type { Ingress, IngressBackend } from './ingress.ts';
export type { Job, JobCondition, JobStatus } from './job/shape.ts';
export type { Lease } from './lease.ts';
export type { LimitRangeItem } from './limit-range.ts';
export type { Namespace } from './namespace.ts';
export type { NetworkPolicy } from './network-policy.ts';
export type { Node, NodeCondition, Taint } from './node/shape.ts';
export type { PersistentVolumeClaim } from './persistent-volume-claim.ts';
export type { PersistentVolume } from './persistent-volume.ts';
export type { PodDisruptionBudget } from './pod-disruption-budget.ts';
export { readPod } from './pod/read.ts';
export { type Pod, qosClassOf } from './pod/shape.ts';
export * from './registry.ts';
export type { ReplicaSet, ReplicaSetStatus } from './replica-set.ts';
export type { ResourceQuota } from './resource-quota.ts';
export type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from './roles.ts';
export type { RuntimeClass } from './runtime-class.ts';
export { clusterAddressErrors, familyOf, isHeadless, shownAddresses } from './service/families.ts';
export { needsAddress, needsHealthCheck, needsNodePorts } from './service/shape.ts';
export type { Service, ServicePort, ServiceSpec } from './service/shape.ts';
export type { StatefulSet, StatefulSetStatus } from './stateful-set/shape.ts';
export { isDefaultStorageClass } from './storage-class.ts';
export type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration, Webhook } from './webhooks.ts';
export type { VolumeAttachment } from './volume-attachment.ts';
