/** The effects of AgentConfiguration fields about pods: images, requests, resources of pods, evictions. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const EVICTION = 'controlplane/agents/node/eviction.test.ts';
const IMAGES = 'controlplane/agents/node/images.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const INSIDE = 'controlplane/agents/node/inside.test.ts';
const CORES = 'controlplane/agents/node/cores.test.ts';

export const POD_FIELD_SUPPORT: readonly (readonly [name: string, supportStatus: SupportStatus])[] = [
  [
    'registryPullQPS',
    holds(
      'the number of image pulls per second, where images have to be pulled',
      IMAGES,
      'beyond registryPullQPS and registryBurst are refused, and tried again',
    ),
  ],
  ['registryBurst', holds('the burst of image pulls', IMAGES, 'beyond registryPullQPS and registryBurst are refused, and tried again')],
  [
    'serializeImagePulls',
    holds('whether images are pulled one after another', IMAGES, 'come one after another with serializeImagePulls, at once without'),
  ],
  [
    'nodeStatusMaxImages',
    holds('the number of images in the status of the node', IMAGES, 'states its images, the largest first, nodeStatusMaxImages at most'),
  ],
  [
    'imageMinimumGCAge',
    holds(
      'the minimum age of an image for its removal',
      IMAGES,
      'stay until they are as old as imageMinimumGCAge, and then the failure is told',
    ),
  ],
  [
    'imageGCHighThresholdPercent',
    holds(
      'the disk usage that starts the removal of images',
      IMAGES,
      'go between imageGCHighThresholdPercent and imageGCLowThresholdPercent',
    ),
  ],
  [
    'imageGCLowThresholdPercent',
    holds('the disk usage at which the removal ends', IMAGES, 'go between imageGCHighThresholdPercent and imageGCLowThresholdPercent'),
  ],
  [
    'orchAPIQPS',
    holds(
      "requests per second of the agent's client",
      REGISTRATION,
      'are held back by orchAPIQPS after orchAPIBurst of them, and not what the agent says of its node',
    ),
  ],
  [
    'orchAPIBurst',
    holds(
      "the burst of requests of the agent's client",
      REGISTRATION,
      'are held back by orchAPIQPS after orchAPIBurst of them, and not what the agent says of its node',
    ),
  ],
  ['eventRecordQPS', holds('events per second', REGISTRATION, 'are held back by eventRecordQPS after eventBurst of them, events alone')],
  ['eventBurst', holds('the burst of events', REGISTRATION, 'are held back by eventRecordQPS after eventBurst of them, events alone')],
  ...because(no.OWN_ENCODING, 'contentType'),
  ...because(no.NO_METRICS, 'enableContentionProfiling'),
  ...because(no.NO_KERNEL, 'oomScoreAdj', 'maxOpenFiles', 'protectKernelDefaults', 'makeIPTablesUtilChains', 'failSwapOn'),
  [
    'clusterDNS',
    holds(
      "the name servers in a pod's resolver file",
      INSIDE,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'clusterDomain',
    holds(
      'the search domains there, before those of the node',
      INSIDE,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'resolvConf',
    holds(
      "the node's resolver file, for pods with that DNS policy",
      INSIDE,
      'that resolvConf names and the node does not have keeps a pod from starting',
    ),
  ],
  [
    'podPidsLimit',
    holds(
      'the limit on processes of a pod, where usage is described',
      INSIDE,
      'keeps a pod from having more processes, so that its node does not run short of them',
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
      'of evictionHard puts out, at the next look, the pod that is furthest beyond its request, at once',
    ),
  ],
  [
    'evictionSoft',
    holds(
      'the thresholds of evictions after a grace period',
      EVICTION,
      'of evictionSoft has to be met as long as evictionSoftGracePeriod says',
    ),
  ],
  [
    'evictionSoftGracePeriod',
    holds('how long a soft threshold must be met', EVICTION, 'of evictionSoft has to be met as long as evictionSoftGracePeriod says'),
  ],
  [
    'evictionPressureTransitionPeriod',
    holds(
      'how long a pressure condition remains after its threshold is no longer met',
      EVICTION,
      'says so until evictionPressureTransitionPeriod has passed, and keeps new pods away',
    ),
  ],
  [
    'evictionMaxPodGracePeriod',
    holds(
      'the longest grace period of a pod that is evicted at a soft threshold',
      EVICTION,
      'gives pods what they ask for, evictionMaxPodGracePeriod at most',
    ),
  ],
  [
    'evictionMinimumReclaim',
    holds('how much evictions reclaim beyond a threshold', EVICTION, 'goes on until evictionMinimumReclaim is free too'),
  ],
  [
    'enforceNodeAllocatable',
    holds(
      'with pods, the allocatable memory is an eviction threshold',
      EVICTION,
      'of the memory that pods may have together counts too, unless enforceNodeAllocatable leaves out pods',
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
    holds('whether containers are throttled at their CPU limits', PROCESSES, 'holds containers to their limits, unless it is false'),
  ],
  ...because('usage is an average, so a limit holds for any period', 'cpuCFSQuotaPeriod'),
  [
    'cpuManagerPolicy',
    holds(
      'with static, which containers have exclusive CPUs',
      CORES,
      'gives containers of Guaranteed pods that ask for whole processors some of their own, whole cores first',
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
      'gives memory of the fewest NUMA nodes, and a node that serves alone serves in no group',
    ),
  ],
  [
    'topologyManagerPolicy',
    holds(
      'which pods are rejected because their resources are not on the same NUMA nodes',
      CORES,
      'single-numa-node turns away what does not lie in one place, best-effort takes what there is',
    ),
  ],
  [
    'topologyManagerScope',
    holds(
      'whether topology is checked for each container or for the pod',
      CORES,
      'judges the containers one by one, or with topologyManagerScope: pod together',
    ),
  ],
  ...because('the simulated node is its own container runtime: there are no requests that could time out', 'runtimeRequestTimeout'),
  ...because(no.NO_LOGS, 'containerLogMaxSize', 'containerLogMaxFiles'),
  [
    'allowedUnsafeSysctls',
    holds(
      'kernel parameters that pods may ask for',
      REGISTRATION,
      'that asks for unsafe sysctls is turned away, unless allowedUnsafeSysctls has them',
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
