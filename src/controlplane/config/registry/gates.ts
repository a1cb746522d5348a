/**
 * The effect of each feature gate in the simulation. The specification gives names, stages and defaults, and few effects: the rest is
 * upstream's v1.24.
 */
import { INERT_GATES } from './inert-gates.ts';
import { holds, inert, type SupportStatus } from './support-status.ts';

const CONFIG = 'controlplane/config/agent.test.ts';
const NETWORK = 'apiserver/handlers/network-kinds.test.ts';
const PODS = 'apiserver/handlers/gated-pods.test.ts';
const SETS = 'controlplane/controllers/stateful-set/controller.test.ts';

const CORES = 'controlplane/agents/node/cores.test.ts';
const SWITCHED = 'lab/simulation/gates.test.ts';
const REMOVAL = 'controlplane/controllers/replica-set/removal.test.ts';

const OBEYED: ReadonlyMap<string, SupportStatus> = new Map<string, SupportStatus>(
  (
    [
      [
        'AgentCredentialProviders',
        'agents call credential providers',
        'lab/simulation/processes.test.ts',
        'are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off',
      ],
      [
        'AnyVolumeDataSource',
        'dataSourceRef of a claim',
        NETWORK,
        'AnyVolumeDataSource: a claim has only the older field, unless the stored one has the other',
      ],
      [
        'APIListChunking',
        'lists are returned in pages of the requested size',
        'apiserver/handlers/lists.test.ts',
        'have no pages without APIListChunking, and no remaining count without RemainingItemCount',
      ],
      [
        'AllAlpha',
        'all alpha gates that are not set by name',
        'controlplane/config/gates.test.ts',
        'switch by stage, except those set by name',
      ],
      [
        'AllBeta',
        'all beta gates that are not set by name',
        'controlplane/config/gates.test.ts',
        'switch by stage, except those set by name',
      ],
      ['CPUManager', 'the agent accepts a CPU manager policy', CONFIG, 'of what needs the gate %s name it'],
      [
        'CPUManagerPolicyAlphaOptions',
        'the agent accepts distribute-cpus-across-numa',
        CORES,
        'accepts options whose gate is on: CPUManagerPolicyAlphaOptions, CPUManagerPolicyBetaOptions',
      ],
      [
        'CPUManagerPolicyBetaOptions',
        'the agent accepts full-pcpus-only',
        CORES,
        'accepts options whose gate is on: CPUManagerPolicyAlphaOptions, CPUManagerPolicyBetaOptions',
      ],
      ['CPUManagerPolicyOptions', "the agent accepts options of its CPU manager's policy", CONFIG, 'of what needs the gate %s name it'],
      [
        'CronJobTimeZone',
        'spec.timeZone of a CronJob',
        'controlplane/controllers/cron-job/controller.test.ts',
        'in a zone that does not exist; without the gate the zone does not matter',
      ],
      [
        'CSIDriverRegistry',
        'attachRequired of a driver has an effect; in v1.24 the gate is locked on, and the specification says what the gate does',
        SWITCHED,
        'CSIDriverRegistry: without it volumes are attached although their driver needs no attachment',
      ],
      [
        'NodeOutOfServiceVolumeDetach',
        'early removal of pods and volumes on nodes that are out of service',
        SWITCHED,
        'NodeOutOfServiceVolumeDetach: the pods of a node that is out of service are deleted, and its volumes are detached at once',
      ],
      [
        'ReadWriteOncePod',
        'an access mode for one pod at a time',
        SWITCHED,
        'ReadWriteOncePod: such a claim is accepted, and serves one pod at a time',
      ],
      [
        'RecoverVolumeExpansionFailure',
        'a claim whose expansion failed may request less again',
        NETWORK,
        'RecoverVolumeExpansionFailure: a claim with a failed expansion cannot request less',
      ],
      ['CSIInlineVolume', 'inline CSI volumes of pods', PODS, 'CSIInlineVolume: volumes, which have no source then'],
      ['CustomCPUCFSQuotaPeriod', 'the agent accepts another quota period', CONFIG, 'of missing gates name the gate'],
      [
        'DaemonSetUpdateSurge',
        'maxSurge of a DaemonSet',
        SWITCHED,
        'DaemonSetUpdateSurge: without it no second pod is created beside the first, and the field is dropped',
      ],
      [
        'DynamicKubeletConfig',
        'the agent accepts --dynamic-config-dir',
        CONFIG,
        'of flags that are deprecated or belong to the other runtime are warnings',
      ],
      ['EndpointSliceTerminatingCondition', 'serving and terminating of endpoints', NETWORK, 'drop of slices: %s'],
      [
        'ExpandedDNSConfig',
        'up to 32 search domains of 2048 characters in a resolver file',
        PODS,
        'ExpandedDNSConfig: no more than 6 domains of 256 characters, and with it 32 of 2048',
      ],
      [
        'HPAContainerMetrics',
        'autoscalers use the metrics of one container',
        SWITCHED,
        'HPAScaleToZero lets an autoscaler scale to zero, HPAContainerMetrics lets it read one container',
      ],
      [
        'HPAScaleToZero',
        'autoscalers scale to zero',
        SWITCHED,
        'HPAScaleToZero lets an autoscaler scale to zero, HPAContainerMetrics lets it read one container',
      ],
      ['IdentifyPodOS', 'os of a pod', PODS, '${gate}: new objects of kind ${kind}'],
      [
        'JobMutableNodeSchedulingDirectives',
        'scheduling directives of a suspended Job can be changed',
        NETWORK,
        'JobMutableNodeSchedulingDirectives: the template of a suspended Job is immutable',
      ],
      ['JobReadyPods', 'status.ready of a Job', SWITCHED, 'JobReadyPods: without it the status of a Job has no count of ready pods'],
      [
        'JobTrackingWithFinalizers',
        'Jobs track their pods with finalizers',
        'controlplane/controllers/job/tracking.test.ts',
        'removes the annotation from a Job when the gate is off',
      ],
      [
        'LocalStorageCapacityIsolation',
        'ephemeral storage is a resource with limits, and emptyDir has sizeLimit',
        SWITCHED,
        'LocalStorageCapacityIsolation: without it ephemeral storage is no resource of a node, and its limits are not enforced',
      ],
      [
        'LogarithmicScaleDown',
        'scale-down treats pods of similar age as equal',
        REMOVAL,
        'LogarithmicScaleDown: ages of one magnitude are equal, and without it the younger pod is deleted',
      ],
      ['MaxUnavailableStatefulSet', 'maxUnavailable of a rolling update', SETS, 'replaces one while its gate is off'],
      ['MemoryManager', 'the agent accepts a memory manager policy', CONFIG, 'of what needs the gate %s name it'],
      [
        'MinDomainsInPodTopologySpread',
        'minDomains of a spread constraint',
        'lab/simulation/processes.test.ts',
        'MinDomainsInPodTopologySpread %s: with one domain of three that there should be, %i of two pods get a node',
      ],
      [
        'MixedProtocolLBService',
        'load balancers with ports of several protocols',
        NETWORK,
        'MixedProtocolLBService: a balancer has ports of one protocol, unless it had several before',
      ],
      ['NetworkPolicyEndPort', 'endPort of a NetworkPolicy', NETWORK, 'drop the ends of port ranges, unless the stored policy has some'],
      ['NetworkPolicyStatus', 'status of a NetworkPolicy', NETWORK, 'NetworkPolicyStatus: a policy has no status'],
      [
        'OpenAPIEnums',
        'enumerated values of fields in published documents',
        'surfaces/http/published.test.ts',
        'of either version names no values of fields without the gate OpenAPIEnums',
      ],
      [
        'OpenAPIV3',
        '/openapi/v3 and its documents',
        'surfaces/http/published.test.ts',
        'of version 3 is neither served nor listed without the gate OpenAPIV3',
      ],
      [
        'PodDeletionCost',
        'scale-down of a ReplicaSet deletes pods of lower deletion cost first',
        REMOVAL,
        'LogarithmicScaleDown: ages of one magnitude are equal, and without it the younger pod is deleted',
      ],
      [
        'PodSecurity',
        'the pod security levels of a namespace are validated',
        NETWORK,
        'PodSecurity: levels of a namespace are not validated',
      ],
      ['ProbeTerminationGracePeriod', 'terminationGracePeriodSeconds of a probe', PODS, '${gate}: new objects of kind ${kind}'],
      [
        'APIServerIdentity',
        'a lease of the API server, renewed every ten seconds; leases of others that ran out are cleared away',
        SWITCHED,
        'APIServerIdentity: the API server has a lease, and clears away those of servers that are gone',
      ],
      [
        'HonorPVReclaimPolicy',
        'the object of a volume stays until its driver has deleted the volume',
        SWITCHED,
        'HonorPVReclaimPolicy: the object of a volume stays until its driver has deleted the volume',
      ],
      [
        'GracefulNodeShutdown',
        'the agent takes shutdownGracePeriod',
        'controlplane/agents/node/shutdown.test.ts',
        'needs the gate GracefulNodeShutdown',
      ],
      ['GRPCContainerProbe', 'grpc of a probe', PODS, 'GRPCContainerProbe: probes of gRPC, which are probes of nothing then'],
      [
        'AltOSHostProcessContainers',
        'hostProcess of a security context',
        PODS,
        'AltOSHostProcessContainers: containers that are processes of their host',
      ],
      [
        'DownwardAPIHugePages',
        'huge pages in variables and files of a pod',
        PODS,
        'DownwardAPIHugePages: huge pages in variables and files',
      ],
      ['ProfileConfinement', 'profiles of containers', PODS, 'ProfileConfinement: annotations of profiles'],
      ['ProcMountType', 'procMount of a security context', PODS, '${gate}: new objects of kind ${kind}'],
      [
        'ProxyTerminatingEndpoints',
        'traffic goes to terminating endpoints that still serve, where no other endpoint is ready',
        'apiserver/decisions/endpoints.test.ts',
        'are terminating but serving ones if none is ready, with ProxyTerminatingEndpoints',
      ],
      ['QOSReserved', 'the agent accepts qosReserved', CONFIG, 'of missing gates name the gate'],
      [
        'RemainingItemCount',
        'pages of a list have remainingItemCount',
        'apiserver/handlers/lists.test.ts',
        'have no pages without APIListChunking, and no remaining count without RemainingItemCount',
      ],
      [
        'RotateAgentServerCertificate',
        'the agent accepts serverTLSBootstrap',
        'controlplane/agents/node/certificates.test.ts',
        'needs its gate',
      ],
      [
        'ServerSideFieldValidation',
        'fieldValidation of requests',
        NETWORK,
        'ServerSideFieldValidation: the option fieldValidation is ignored',
      ],
      [
        'ServiceInternalTrafficPolicy',
        'internalTrafficPolicy of a Service',
        NETWORK,
        'ServiceInternalTrafficPolicy: the policy has no default and is dropped, unless the stored Service has one',
      ],
      [
        'ServiceIPStaticSubrange',
        'the lowest service addresses are reserved for explicit requests',
        'apiserver/handlers/services.test.ts',
        'are allocated above the first sixteen while any are free, with the gate ServiceIPStaticSubrange',
      ],
      [
        'StatefulSetAutoDeletePVC',
        'persistentVolumeClaimRetentionPolicy',
        'controlplane/controllers/stateful-set/claims.test.ts',
        'does nothing while the gate is off',
      ],
      ['StatefulSetMinReadySeconds', 'minReadySeconds of a StatefulSet', SETS, 'is readiness while its gate is off'],
      [
        'StorageVersionHash',
        'hashes in lists of resources',
        'surfaces/http/published.test.ts',
        'removes the hashes from every row, of kinds and of other resources',
      ],
      ['TopologyAwareHints', 'hints of endpoint slices', NETWORK, 'drop of slices: %s'],
      ['TopologyManager', 'the agent accepts a topology manager policy', CONFIG, 'of missing gates name the gate'],
      [
        'VolumeCapacityPriority',
        'nodes whose free volumes fit the requested size best are preferred',
        'controlplane/agents/scheduler/volumes.test.ts',
        'prefer the volume that fits best, with VolumeCapacityPriority',
      ],
    ] as const
  ).map(([name, does, file, title]) => [name, holds(does, file, title)]),
);

const UNKNOWN = inert('its effect is not documented');

/** The support status of a gate. */
export const gateSupportStatus = (name: string): SupportStatus => OBEYED.get(name) ?? INERT_GATES.get(name) ?? UNKNOWN;

/** The gates of this table; a test compares them with all gates. */
export const reportedGates: readonly string[] = [...OBEYED.keys(), ...INERT_GATES.keys()];
