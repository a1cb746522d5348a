/**
 * The vocabulary: every kind's shape, type, defaults, rules and printed columns, one file a kind under `kinds/`, shapes they share
 * under `shapes/`, rules they share under `validation/`. `kindsFor(names)` is the registry; a kind is added with a file and a line.
 * Nothing here knows of requests or storage: the server asks a kind for its part and does the rest.
 */
export { ageOf, humanDuration } from './columns.ts';
export { defineKind, draftOf, type KindDefinition } from './define-kind.ts';
export type { Column, Draft, FeatureGates, Kind, KindContext } from './kind.ts';
export type { KindName, ObjectByKind } from './kinds.ts';
export { namesFor, SIM, type Domain, type Names } from './names.ts';
export { controllerOf, keyOf, splitKey, type ApiObject, type Condition, type ManagedFieldsEntry, type MicroTime, type ObjectInput, type ObjectMeta, type ObjectReference, type OwnerReference, type Time } from './object.ts';
export { kindsFor, type KindRegistry } from './registry.ts';
export type { Infer, Schema } from './schema.ts';
export { fieldText, fieldValues, structText } from './texts/index.ts';
export type { FieldError, FieldErrorType, Status, StatusCause, StatusDetails } from './status.ts';
export { brandOf, pathSegmentName, validateMeta, validateMetaUpdate } from './validation/object-meta.ts';
export { decode, DecodeError, deepFreeze, RawNumber } from '../schema/index.ts';

export type { ControllerRevision } from './kinds/controller-revision.ts';
export type { Event } from './kinds/event.ts';
export type { Job, JobCondition, JobSpec, JobStatus } from './kinds/job.ts';
export type { Lease } from './kinds/lease.ts';
export type { Namespace } from './kinds/namespace.ts';
export type { Node, NodeCondition, Taint } from './kinds/node.ts';
export { DYNAMIC_CONFIG } from './kinds/node-config-source.ts';
export type { Pod } from './kinds/pod.ts';
export type { Container } from './shapes/containers.ts';
export type { LabelSelector } from './shapes/meta.ts';
export type { Affinity, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm, PodAffinityTerm, PodSpec, PodTemplateSpec, Toleration, TopologySpreadConstraint } from './shapes/pod-spec.ts';
export type { ContainerState, ContainerStatus, PodCondition, PodStatus } from './shapes/pod-status.ts';
export type { APIService } from './kinds/api-service.ts';
export type { ConfigMap } from './kinds/config-map.ts';
export type { CronJob, CronJobSpec, CronJobStatus, JobTemplateSpec } from './kinds/cron-job.ts';
export type { CSIDriver } from './kinds/csi-driver.ts';
export type { CSINode } from './kinds/csi-node.ts';
export type { CSIStorageCapacity } from './kinds/csi-storage-capacity.ts';
export type { Endpoint, EndpointSlice } from './kinds/endpoint-slice.ts';
export type { Endpoints } from './kinds/endpoints.ts';
export type { Ingress, IngressBackend, IngressRule } from './kinds/ingress.ts';
export type { IngressClass } from './kinds/ingress-class.ts';
export type { LimitRange, LimitRangeItem } from './kinds/limit-range.ts';
export type { NetworkPolicy } from './kinds/network-policy.ts';
export type { PersistentVolume } from './kinds/persistent-volume.ts';
export type { PersistentVolumeClaim } from './kinds/persistent-volume-claim.ts';
export type { PodDisruptionBudget } from './kinds/pod-disruption-budget.ts';
export type { PriorityClass } from './kinds/priority-class.ts';
export type { ResourceQuota } from './kinds/resource-quota.ts';
export type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from './kinds/roles.ts';
export type { RuntimeClass } from './kinds/runtime-class.ts';
export type { Secret } from './kinds/secret.ts';
export type { Service, ServicePort, ServiceSpec } from './kinds/service.ts';
export { clusterAddressErrors, familyOf, isHeadless, shownAddresses } from './kinds/service-families.ts';
export { needsAddress, needsHealthCheck, needsNodePorts } from './kinds/service-strategy.ts';
export type { ServiceAccount } from './kinds/service-account.ts';
export type { StatefulSet, StatefulSetSpec, StatefulSetStatus } from './kinds/stateful-set.ts';
export { isDefaultStorageClass, type StorageClass } from './kinds/storage-class.ts';
export type { VolumeAttachment } from './kinds/volume-attachment.ts';
export type { PersistentVolumeClaimSpec } from './shapes/claims.ts';
export type { Volume } from './shapes/volumes.ts';
export type { PersistentVolumeSpec } from './shapes/volume-spec.ts';
export { qosClassOf } from './kinds/pod-qos.ts';
