/** Every controller of the controller manager: one folder and one line each. `garbageCollector` and its like are made for the kinds there are. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { Controller } from '../runtime/index.ts';
import { apiServiceAvailability } from './api-service/controller.ts';
import { clusterRoleAggregation } from './cluster-role-aggregation/controller.ts';
import { cronJob } from './cron-job/controller.ts';
import { disruption } from './disruption/controller.ts';
import { endpointsController } from './endpoints/controller.ts';
import { endpointSlices } from './endpoint-slice/controller.ts';
import { endpointSliceMirroring } from './endpoint-slice-mirroring/controller.ts';
import { garbageCollector } from './garbage-collector/controller.ts';
import { job } from './job/controller.ts';
import { jobOrphanPods } from './job/orphans.ts';
import { jobTtl } from './job-ttl/controller.ts';
import { namespaceLifecycle } from './namespace/controller.ts';
import { rootCertificates, serviceAccounts } from './namespace-defaults/controller.ts';
import { nodeLifecycle } from './node-lifecycle/controller.ts';
import { podGc } from './pod-gc/controller.ts';
import { statefulSet } from './stateful-set/controller.ts';
import { attachDetach } from './volume-attachment/controller.ts';
import { claimBinder } from './volume-binder/claim.ts';
import { volumeBinder } from './volume-binder/volume.ts';
import { claimProtection, volumeProtection } from './volume-protection/controller.ts';
import { resourceQuotas } from './resource-quota/controller.ts';
import { taintEviction } from './taint-eviction/controller.ts';

export { availabilityOf, withAvailability, type Availability, type Backing } from './api-service/availability.ts';
export { DEFAULT_ELECTION, type ElectionSettings } from './lease/rules.ts';
export { elector, type ElectorOptions, LEADER_ELECTION } from './lease/elector.ts';

/** Flags of the real controller manager that change what controllers do. */
export interface ControllerOptions {
  /** --terminated-pod-gc-threshold; default 12500, 0 switches it off. */
  readonly terminatedPodThreshold?: number;
}

export const controllers = (kinds: KindRegistry, { terminatedPodThreshold }: ControllerOptions = {}): readonly Controller[] => [
  job,
  jobOrphanPods,
  jobTtl,
  cronJob,
  statefulSet,
  garbageCollector(kinds),
  podGc(terminatedPodThreshold),
  endpointsController,
  endpointSlices,
  endpointSliceMirroring,
  namespaceLifecycle(kinds),
  serviceAccounts,
  rootCertificates,
  nodeLifecycle,
  resourceQuotas(kinds),
  taintEviction,
  claimBinder,
  volumeBinder,
  claimProtection,
  volumeProtection,
  attachDetach,
  apiServiceAvailability,
  clusterRoleAggregation,
  disruption(kinds),
];
