/** Every kind there is: one line each, and one line for its type. */
import { controllerRevision, type ControllerRevision } from './kinds/controller-revision.ts';
import { event, type Event } from './kinds/event.ts';
import { job, type Job } from './kinds/job.ts';
import { lease, type Lease } from './kinds/lease.ts';
import { namespace, type Namespace } from './kinds/namespace.ts';
import { node, type Node } from './kinds/node.ts';
import { pod, type Pod } from './kinds/pod.ts';
import { statefulSet, type StatefulSet } from './kinds/stateful-set.ts';
import { cronJob, type CronJob } from './kinds/cron-job.ts';
import { volumeAttachment, type VolumeAttachment } from './kinds/volume-attachment.ts';
import { csiDriver, type CSIDriver } from './kinds/csi-driver.ts';
import { csiNode, type CSINode } from './kinds/csi-node.ts';
import { csiStorageCapacity, type CSIStorageCapacity } from './kinds/csi-storage-capacity.ts';
import { storageClass, type StorageClass } from './kinds/storage-class.ts';
import { runtimeClass, type RuntimeClass } from './kinds/runtime-class.ts';
import { persistentVolume, type PersistentVolume } from './kinds/persistent-volume.ts';
import { persistentVolumeClaim, type PersistentVolumeClaim } from './kinds/persistent-volume-claim.ts';
import { endpoints, type Endpoints } from './kinds/endpoints.ts';
import { endpointSlice, type EndpointSlice } from './kinds/endpoint-slice.ts';
import { service, type Service } from './kinds/service.ts';
import { configMap, type ConfigMap } from './kinds/config-map.ts';
import { secret, type Secret } from './kinds/secret.ts';
import { serviceAccount, type ServiceAccount } from './kinds/service-account.ts';
import { resourceQuota, type ResourceQuota } from './kinds/resource-quota.ts';
import { limitRange, type LimitRange } from './kinds/limit-range.ts';
import { podDisruptionBudget, type PodDisruptionBudget } from './kinds/pod-disruption-budget.ts';
import { ingress, type Ingress } from './kinds/ingress.ts';
import { ingressClass, type IngressClass } from './kinds/ingress-class.ts';
import { networkPolicy, type NetworkPolicy } from './kinds/network-policy.ts';
import { apiService, type APIService } from './kinds/api-service.ts';
import { priorityClass, type PriorityClass } from './kinds/priority-class.ts';
import { clusterRole, clusterRoleBinding, role, roleBinding, type ClusterRole, type ClusterRoleBinding, type Role, type RoleBinding } from './kinds/roles.ts';
import type { Kind } from './kind.ts';
import type { Names } from './names.ts';

export const allKinds = (names: Names): readonly Kind[] => [
  job,
  pod,
  node(names),
  namespace,
  lease,
  event,
  controllerRevision,
  statefulSet,
  cronJob,
  volumeAttachment,
  csiDriver,
  csiNode,
  csiStorageCapacity,
  storageClass,
  runtimeClass,
  persistentVolume,
  persistentVolumeClaim,
  endpoints,
  endpointSlice,
  service,
  configMap,
  secret,
  serviceAccount,
  resourceQuota,
  limitRange,
  podDisruptionBudget,
  ingress,
  ingressClass,
  networkPolicy,
  apiService,
  priorityClass,
  role,
  clusterRole,
  roleBinding(names),
  clusterRoleBinding(names),
];

/** The TypeScript type of each kind by its name. */
export interface ObjectByKind {
  readonly Job: Job;
  readonly Pod: Pod;
  readonly Node: Node;
  readonly Namespace: Namespace;
  readonly Lease: Lease;
  readonly Event: Event;
  readonly ControllerRevision: ControllerRevision;
  readonly StatefulSet: StatefulSet;
  readonly CronJob: CronJob;
  readonly VolumeAttachment: VolumeAttachment;
  readonly CSIDriver: CSIDriver;
  readonly CSINode: CSINode;
  readonly CSIStorageCapacity: CSIStorageCapacity;
  readonly StorageClass: StorageClass;
  readonly RuntimeClass: RuntimeClass;
  readonly PersistentVolume: PersistentVolume;
  readonly PersistentVolumeClaim: PersistentVolumeClaim;
  readonly Endpoints: Endpoints;
  readonly EndpointSlice: EndpointSlice;
  readonly Service: Service;
  readonly ConfigMap: ConfigMap;
  readonly Secret: Secret;
  readonly ServiceAccount: ServiceAccount;
  readonly ResourceQuota: ResourceQuota;
  readonly LimitRange: LimitRange;
  readonly PodDisruptionBudget: PodDisruptionBudget;
  readonly Ingress: Ingress;
  readonly IngressClass: IngressClass;
  readonly NetworkPolicy: NetworkPolicy;
  readonly APIService: APIService;
  readonly PriorityClass: PriorityClass;
  readonly Role: Role;
  readonly ClusterRole: ClusterRole;
  readonly RoleBinding: RoleBinding;
  readonly ClusterRoleBinding: ClusterRoleBinding;
}

export type KindName = keyof ObjectByKind;
