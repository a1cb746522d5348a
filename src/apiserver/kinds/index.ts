/**
 * All kinds: a folder for each kind with its schema, validation, columns, descriptions, wire numbers and an example, and a line in
 * `all.ts`. `kindsFor(names)` is the registry. Kinds are independent of requests and storage: the server calls their hooks.
 */
export { availabilityOf, withAvailability } from './api-service/availability.ts';
export type { APIService } from './api-service/shape.ts';
export type { ConfigMap } from './config-map/shape.ts';
export type { ControllerRevision } from './controller-revision/shape.ts';
export type { CronJob } from './cron-job/shape.ts';
export type { CSIDriver } from './csi-driver/shape.ts';
export type { CSIStorageCapacity } from './csi-storage-capacity/shape.ts';
export type { DaemonSet, DaemonSetStatus } from './daemon-set/shape.ts';
export type { EndpointSlice } from './endpoint-slice/shape.ts';
export type { Deployment, DeploymentCondition, DeploymentStatus } from './deployment/shape.ts';
export type { Endpoints } from './endpoints/shape.ts';
export type { Event } from './event/shape.ts';
export type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  ScalerCondition,
  ScalerStatus,
  ScalingRules,
} from './horizontal-pod-autoscaler/shape.ts';
export type { IngressClass } from './ingress-class/shape.ts';
export type { Ingress, IngressBackend } from './ingress/shape.ts';
export type { Job, JobCondition, JobStatus } from './job/shape.ts';
export type { Lease } from './lease/shape.ts';
export type { LimitRange, LimitRangeItem } from './limit-range/shape.ts';
export type { Namespace } from './namespace/shape.ts';
export type { NetworkPolicy } from './network-policy/shape.ts';
export type { Node, NodeCondition, Taint } from './node/shape.ts';
export type { PersistentVolumeClaim } from './persistent-volume-claim/shape.ts';
export type { PersistentVolume } from './persistent-volume/shape.ts';
export type { PodDisruptionBudget } from './pod-disruption-budget/shape.ts';
export { qosClassOf } from './pod/qos.ts';
export { readPod } from './pod/read.ts';
export type { Pod } from './pod/shape.ts';
export { isOf, type ObjectNamed, type CustomObjects } from './object-types.ts';
export { type KindName, type KindRegistry, kindsFor, type ObjectByKind, type OwnKind } from './registry.ts';
export type { ReplicaSet, ReplicaSetStatus } from './replica-set/shape.ts';
export type { ResourceQuota } from './resource-quota/shape.ts';
export type { Role } from './role/shape.ts';
export type { ClusterRole } from './cluster-role/shape.ts';
export type { RoleBinding } from './role-binding/shape.ts';
export type { ClusterRoleBinding } from './cluster-role-binding/shape.ts';
export type { RuntimeClass } from './runtime-class/shape.ts';
export { clusterAddressErrors, familyOf, isHeadless, shownAddresses } from './service/families.ts';
export type { Service, ServicePort, ServiceSpec } from './service/shape.ts';
export { needsAddress, needsHealthCheck, needsNodePorts } from './service/strategy.ts';
export { specificationOf } from './specification.ts';
export type { StatefulSet, StatefulSetStatus } from './stateful-set/shape.ts';
export { isDefaultStorageClass } from './storage-class/columns.ts';
export { anotherOf, exampleOf } from './example-of.ts';
export type { VolumeAttachment } from './volume-attachment/shape.ts';
