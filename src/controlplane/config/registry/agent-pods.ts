/** The effects of AgentConfiguration fields about pods: images, requests, resources of pods, evictions. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const EVICTION = 'controlplane/agents/node/eviction.test.ts';
const IMAGES = 'controlplane/agents/node/images.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const ENVIRONMENT = 'controlplane/agents/node/container-introspection.test.ts';
const CORES = 'controlplane/agents/node/cores.test.ts';

export const POD_FIELD_SUPPORT: readonly (readonly [name: string, supportStatus: SupportStatus])[] = [
  [
    'registryPullQPS',
    holds(
      'the number of image pulls per second, where images have to be pulled',
      IMAGES,
      'beyond registryPullQPS and registryBurst are refused, and retried',
    ),
  ],
  ['registryBurst', holds('the burst of image pulls', IMAGES, 'beyond registryPullQPS and registryBurst are refused, and retried')],
  [
    'serializeImagePulls',
    holds('whether images are pulled one after another', IMAGES, 'are serial with serializeImagePulls, parallel without'),
  ],
  [
    'nodeStatusMaxImages',
    holds('the number of images in the status of the node', IMAGES, 'reports its images, the largest first, at most nodeStatusMaxImages'),
  ],
  [
    'imageMinimumGCAge',
    holds('the minimum age of an image for its removal', IMAGES, 'stay until they have imageMinimumGCAge, and the failure is reported'),
  ],
  [
    'imageGCHighThresholdPercent',
    holds(
      'the disk usage that starts the removal of images',
      IMAGES,
      'are removed between imageGCHighThresholdPercent and imageGCLowThresholdPercent',
    ),
  ],
  [
    'imageGCLowThresholdPercent',
    holds(
      'the disk usage at which the removal ends',
      IMAGES,
      'are removed between imageGCHighThresholdPercent and imageGCLowThresholdPercent',
    ),
  ],
  [
    'orchAPIQPS',
    holds(
      "requests per second of the agent's client",
      REGISTRATION,
      'are throttled to orchAPIQPS after orchAPIBurst, except reports about the node',
    ),
  ],
  [
    'orchAPIBurst',
    holds(
      "the burst of requests of the agent's client",
      REGISTRATION,
      'are throttled to orchAPIQPS after orchAPIBurst, except reports about the node',
    ),
  ],
  ['eventRecordQPS', holds('events per second', REGISTRATION, 'are throttled to eventRecordQPS after eventBurst, events only')],
  ['eventBurst', holds('the burst of events', REGISTRATION, 'are throttled to eventRecordQPS after eventBurst, events only')],
  ...because(no.OWN_ENCODING, 'contentType'),
  ...because(no.NO_METRICS, 'enableContentionProfiling'),
  ...because(no.NO_KERNEL, 'oomScoreAdj', 'maxOpenFiles', 'protectKernelDefaults', 'makeIPTablesUtilChains', 'failSwapOn'),
  [
    'clusterDNS',
    holds(
      "the name servers in a pod's resolver file",
      ENVIRONMENT,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'clusterDomain',
    holds(
      'the search domains there, before those of the node',
      ENVIRONMENT,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'resolvConf',
    holds(
      "the node's resolver file, for pods with that DNS policy",
      ENVIRONMENT,
      'that resolvConf names and the node does not have keeps a pod from starting',
    ),
  ],
  [
    'podPidsLimit',
    holds(
      'the limit on processes of a pod, where usage is described',
      ENVIRONMENT,
      'limits the processes of a pod, so that its node gets no PID pressure',
    ),
  ],
  ...because(no.NO_NETWORK, 'hairpinMode'),
  ...because(no.NO_STREAMS, 'streamingConnectionIdleTimeout'),
  ...because('usage is a function of time: there is nothing to collect', 'volumeStatsAggPeriod'),
  [
    'evictionHard',
    holds(
      'the thresholds of immediate evictions, where usage is described',
      EVICTION,
      'of evictionHard evicts, at the next synchronization and without grace, the pod that most exceeds its request',
    ),
  ],
  [
    'evictionSoft',
    holds('the thresholds of evictions after a grace period', EVICTION, 'of evictionSoft must be met for evictionSoftGracePeriod'),
  ],
  [
    'evictionSoftGracePeriod',
    holds('how long a soft threshold must be met', EVICTION, 'of evictionSoft must be met for evictionSoftGracePeriod'),
  ],
  [
    'evictionPressureTransitionPeriod',
    holds(
      'how long a pressure condition remains after its threshold is no longer met',
      EVICTION,
      'keeps its condition until evictionPressureTransitionPeriod has passed, and gets no new pods',
    ),
  ],
  [
    'evictionMaxPodGracePeriod',
    holds(
      'the longest grace period of a pod that is evicted at a soft threshold',
      EVICTION,
      'gives pods their own grace period, at most evictionMaxPodGracePeriod',
    ),
  ],
  [
    'evictionMinimumReclaim',
    holds('how much evictions reclaim beyond a threshold', EVICTION, 'evicts until evictionMinimumReclaim is available too'),
  ],
  [
    'enforceNodeAllocatable',
    holds(
      'with pods, the allocatable memory is an eviction threshold',
      EVICTION,
      'of allocatable memory counts too, unless enforceNodeAllocatable leaves out pods',
    ),
  ],
  ...because('a simulated agent checks its node every ten seconds, without notifications in between', 'kernelMemcgNotification'),
  ...because(
    no.NO_CGROUPS,
    'agentCgroups',
    'systemCgroups',
    'cgroupRoot',
    'cgroupsPerQOS',
    'cgroupDriver',
    'qosReserved',
    'systemReservedCgroup',
    'orchReservedCgroup',
  ),
  [
    'cpuCFSQuota',
    holds('whether containers are throttled at their CPU limits', PROCESSES, 'throttles containers at their limits, unless it is false'),
  ],
  ...because('usage is an average, so a limit holds for any period', 'cpuCFSQuotaPeriod'),
  [
    'cpuManagerPolicy',
    holds(
      'with static, which containers have exclusive CPUs',
      CORES,
      'gives exclusive CPUs to containers of Guaranteed pods with whole CPU requests, whole cores first',
    ),
  ],
  [
    'cpuManagerPolicyOptions',
    holds(
      'full-pcpus-only: whole cores, or the pod is rejected; distribute-cpus-across-numa: equal parts of several NUMA nodes',
      CORES,
      'with full-pcpus-only gives whole cores or nothing',
    ),
  ],
  ...because('CPUs are assigned and released as pods start and end: there is nothing to reconcile', 'cpuManagerReconcilePeriod'),
  [
    'memoryManagerPolicy',
    holds(
      'with Static, the NUMA nodes of the memory of a pod',
      CORES,
      'allocates from the fewest NUMA nodes, and a node that allocates alone is in no group',
    ),
  ],
  [
    'topologyManagerPolicy',
    holds(
      'which pods are rejected because their resources are not on the same NUMA nodes',
      CORES,
      'single-numa-node refuses what does not fit on one NUMA node, best-effort accepts any',
    ),
  ],
  [
    'topologyManagerScope',
    holds(
      'whether topology is checked for each container or for the pod',
      CORES,
      'decides for each container, or with topologyManagerScope: pod for the pod',
    ),
  ],
  [
    'runtimeRequestTimeout',
    holds(
      'the timeout for the creation of containers; after it the agent reports the failure and tries again',
      REGISTRATION,
      'whose containers take longer to create than runtimeRequestTimeout does not start, and says so',
    ),
  ],
  ...because(no.NO_LOGS, 'containerLogMaxSize', 'containerLogMaxFiles'),
  [
    'allowedUnsafeSysctls',
    holds(
      'sysctls that pods may set besides the safe ones',
      REGISTRATION,
      'with unsafe sysctls is refused, unless allowedUnsafeSysctls has them',
    ),
  ],
  [
    'enableControllerAttachDetach',
    holds(
      "false: the attach-detach controller does not attach the node's volumes, and CSI volumes are not attached there at all: v1.24's agent cannot",
      'controlplane/agents/node/attaching.test.ts',
      'enableControllerAttachDetach: false keeps the controller away, and the agent says that it attaches nothing for drivers',
    ),
  ],
];
