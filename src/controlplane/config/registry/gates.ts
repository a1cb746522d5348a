/**
 * What each feature gate switches here. The specification names them, their stages and their defaults, and hardly what they are for: the
 * rest is upstream's v1.24.
 */
import { GATES } from '../../../apiserver/vocabulary/index.ts';
import { holds, inert, type Standing } from './standing.ts';

const CONFIG = 'controlplane/config/agent.test.ts';
const NETWORK = 'apiserver/verbs/network-kinds.test.ts';
const PODS = 'apiserver/verbs/gated-pods.test.ts';
const SETS = 'controlplane/controllers/stateful-set/controller.test.ts';

const CORES = 'controlplane/agents/node/cores.test.ts';
const SWITCHED = 'lab/simulation/gates.test.ts';
const REMOVAL = 'controlplane/controllers/replica-set/removal.test.ts';

const OBEYED: ReadonlyMap<string, Standing> = new Map<string, Standing>(
  (
    [
      ['AgentCredentialProviders', 'agents ask credential providers', 'lab/simulation/processes.test.ts'],
      ['AnyVolumeDataSource', 'dataSourceRef of a claim', NETWORK],
      ['APIListChunking', 'lists come in pages of the size that is asked for', 'apiserver/verbs/lists.test.ts'],
      ['AllAlpha', 'every alpha gate that is not set by name', 'controlplane/config/gates.test.ts'],
      ['AllBeta', 'every beta gate that is not set by name', 'controlplane/config/gates.test.ts'],
      ['CPUManager', 'the agent takes a CPU manager policy', CONFIG],
      ['CPUManagerPolicyAlphaOptions', 'the agent takes distribute-cpus-across-numa', CORES],
      ['CPUManagerPolicyBetaOptions', 'the agent takes full-pcpus-only', CORES],
      ['CPUManagerPolicyOptions', "the agent takes options of its CPU manager's policy", CONFIG],
      ['CronJobTimeZone', 'spec.timeZone of a CronJob', 'controlplane/controllers/cron-job/controller.test.ts'],
      ['CSIInlineVolume', 'volumes of drivers that a pod describes itself', PODS],
      ['CustomCPUCFSQuotaPeriod', 'the agent takes another quota period', CONFIG],
      ['DaemonSetUpdateSurge', 'maxSurge of a DaemonSet', SWITCHED],
      ['DynamicKubeletConfig', 'the agent takes --dynamic-config-dir', CONFIG],
      ['EndpointSliceTerminatingCondition', 'serving and terminating of endpoints', NETWORK],
      ['HPAContainerMetrics', 'an autoscaler goes by one container', SWITCHED],
      ['HPAScaleToZero', 'an autoscaler goes down to nothing', SWITCHED],
      ['IdentifyPodOS', 'os of a pod', PODS],
      ['JobMutableNodeSchedulingDirectives', 'where pods of a suspended Job may go can be changed', NETWORK],
      ['JobReadyPods', 'status.ready of a Job', 'controlplane/controllers/job/tracking.test.ts'],
      ['JobTrackingWithFinalizers', 'a Job counts by finalizers of its pods', 'controlplane/controllers/job/tracking.test.ts'],
      ['LocalStorageCapacityIsolation', 'disks are a resource of nodes and limited, and sizeLimit of an emptyDir', SWITCHED],
      ['LogarithmicScaleDown', 'pods of about one age are alike when too many go', REMOVAL],
      ['MaxUnavailableStatefulSet', 'maxUnavailable of a rolling update', SETS],
      ['MemoryManager', 'the agent takes a memory manager policy', CONFIG],
      ['MinDomainsInPodTopologySpread', 'minDomains of a spread constraint', 'lab/simulation/processes.test.ts'],
      ['MixedProtocolLBService', 'a balancer with ports of several protocols', NETWORK],
      ['NetworkPolicyEndPort', 'endPort of a NetworkPolicy', NETWORK],
      ['NetworkPolicyStatus', 'status of a NetworkPolicy', NETWORK],
      ['OpenAPIEnums', 'values of fields in published documents', 'surfaces/http/published.test.ts'],
      ['OpenAPIV3', '/openapi/v3 and its documents', 'surfaces/http/published.test.ts'],
      ['PodDeletionCost', 'the cheaper pod of a ReplicaSet goes first', REMOVAL],
      ['PodSecurity', 'levels of security that a namespace sets are judged', NETWORK],
      ['ProbeTerminationGracePeriod', 'terminationGracePeriodSeconds of a probe', PODS],
      ['ProcMountType', 'procMount of a security context', PODS],
      ['QOSReserved', 'the agent takes qosReserved', CONFIG],
      ['RemainingItemCount', 'a page of a list says how many are left', 'apiserver/verbs/lists.test.ts'],
      ['RotateAgentServerCertificate', 'the agent takes serverTLSBootstrap', CONFIG],
      ['ServerSideFieldValidation', 'fieldValidation of requests', 'surfaces/http/refusals.test.ts'],
      ['ServiceInternalTrafficPolicy', 'internalTrafficPolicy of a Service', NETWORK],
      ['ServiceIPStaticSubrange', 'the lowest addresses of services are kept for who asks', 'apiserver/verbs/services.test.ts'],
      ['StatefulSetAutoDeletePVC', 'persistentVolumeClaimRetentionPolicy', 'controlplane/controllers/stateful-set/claims.test.ts'],
      ['StatefulSetMinReadySeconds', 'minReadySeconds of a StatefulSet', SETS],
      ['StorageVersionHash', 'hashes in lists of resources', 'surfaces/http/published.test.ts'],
      ['TopologyAwareHints', 'hints of endpoint slices', NETWORK],
      ['TopologyManager', 'the agent takes a topology manager policy', CONFIG],
    ] as const
  ).map(([name, does, file]) => [name, holds(does, file, name)]),
);

const LOCKED = inert('general: it is on for good, and cannot be set');
const UNUSED = inert('what it switches is not simulated');
/** How a gate stands. */
export const gateStanding = (name: string): Standing =>
  OBEYED.get(name) ?? (GATES.get(name)?.stage === 'stable' ? LOCKED : UNUSED);

/** Gates of this table; a test holds them against those there are. */
export const obeyedGates: readonly string[] = [...OBEYED.keys()];
