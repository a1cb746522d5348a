/** What fields of an AgentConfiguration do that are about pods: images, requests, what pods are given, what puts them out. */
import * as no from './reasons.ts';
import { because, holds, type SupportStatus } from './support-status.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const EVICTION = 'controlplane/agents/node/eviction.test.ts';
const IMAGES = 'controlplane/agents/node/images.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const INSIDE = 'controlplane/agents/node/inside.test.ts';
const CORES = 'controlplane/agents/node/cores.test.ts';

export const POD_STANDINGS: readonly (readonly [name: string, supportStatus: SupportStatus])[] = [
  [
    'registryPullQPS',
    holds(
      'how many pulls a second the agent asks for, where images have to be pulled',
      IMAGES,
      'beyond registryPullQPS and registryBurst are refused, and tried again',
    ),
  ],
  ['registryBurst', holds('how many of them at once', IMAGES, 'beyond registryPullQPS and registryBurst are refused, and tried again')],
  [
    'serializeImagePulls',
    holds('whether pulls come one after another', IMAGES, 'come one after another with serializeImagePulls, at once without'),
  ],
  [
    'nodeStatusMaxImages',
    holds('how many images the node states', IMAGES, 'states its images, the largest first, nodeStatusMaxImages at most'),
  ],
  [
    'imageMinimumGCAge',
    holds(
      'how old an image must be to be cleared away',
      IMAGES,
      'stay until they are as old as imageMinimumGCAge, and then the failure is told',
    ),
  ],
  [
    'imageGCHighThresholdPercent',
    holds(
      'how full the disk is when images are cleared away',
      IMAGES,
      'go between imageGCHighThresholdPercent and imageGCLowThresholdPercent',
    ),
  ],
  [
    'imageGCLowThresholdPercent',
    holds('how full it is when that ends', IMAGES, 'go between imageGCHighThresholdPercent and imageGCLowThresholdPercent'),
  ],
  [
    'orchAPIQPS',
    holds(
      'requests a second of its client',
      REGISTRATION,
      'are held back by orchAPIQPS after orchAPIBurst of them, and not what the agent says of its node',
    ),
  ],
  [
    'orchAPIBurst',
    holds(
      'how many of them at once',
      REGISTRATION,
      'are held back by orchAPIQPS after orchAPIBurst of them, and not what the agent says of its node',
    ),
  ],
  ['eventRecordQPS', holds('events a second', REGISTRATION, 'are held back by eventRecordQPS after eventBurst of them, events alone')],
  ['eventBurst', holds('how many of them at once', REGISTRATION, 'are held back by eventRecordQPS after eventBurst of them, events alone')],
  ...because(no.OWN_ENCODING, 'contentType'),
  ...because(no.NO_METRICS, 'enableContentionProfiling'),
  ...because(no.NO_KERNEL, 'oomScoreAdj', 'maxOpenFiles', 'protectKernelDefaults', 'makeIPTablesUtilChains', 'failSwapOn'),
  [
    'clusterDNS',
    holds(
      "the servers in a pod's resolver file",
      INSIDE,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'clusterDomain',
    holds(
      'the domains that are searched there before those of the node',
      INSIDE,
      'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots',
    ),
  ],
  [
    'resolvConf',
    holds(
      "the node's own resolver file, for pods that want that",
      INSIDE,
      'that resolvConf names and the node does not have keeps a pod from starting',
    ),
  ],
  [
    'podPidsLimit',
    holds(
      'how many processes a pod uses at most, where usage is described',
      INSIDE,
      'keeps a pod from having more processes, so that its node does not run short of them',
    ),
  ],
  ...because(no.NO_NETWORK, 'hairpinMode'),
  ...because(no.NO_STREAMS, 'streamingConnectionIdleTimeout'),
  ...because('usage is a function of time: nothing is gathered', 'volumeStatsAggPeriod'),
  [
    'evictionHard',
    holds(
      'how little of something puts a pod out, where usage is described',
      EVICTION,
      'of evictionHard puts out, at the next look, the pod that is furthest beyond its request, at once',
    ),
  ],
  [
    'evictionSoft',
    holds(
      'how little of something puts a pod out after a grace period',
      EVICTION,
      'of evictionSoft has to be met as long as evictionSoftGracePeriod says',
    ),
  ],
  [
    'evictionSoftGracePeriod',
    holds('how long a soft threshold has to be met', EVICTION, 'of evictionSoft has to be met as long as evictionSoftGracePeriod says'),
  ],
  [
    'evictionPressureTransitionPeriod',
    holds(
      'how long a node says that it is short after it was',
      EVICTION,
      'says so until evictionPressureTransitionPeriod has passed, and keeps new pods away',
    ),
  ],
  [
    'evictionMaxPodGracePeriod',
    holds('what a pod gets to end at a soft threshold', EVICTION, 'gives pods what they ask for, evictionMaxPodGracePeriod at most'),
  ],
  [
    'evictionMinimumReclaim',
    holds('how much more than a threshold has to come free', EVICTION, 'goes on until evictionMinimumReclaim is free too'),
  ],
  [
    'enforceNodeAllocatable',
    holds(
      'with pods, the memory that pods may have together is a threshold',
      EVICTION,
      'of the memory that pods may have together counts too, unless enforceNodeAllocatable leaves out pods',
    ),
  ],
  ...because('a simulated agent looks at its node every ten seconds and is told nothing in between', 'kernelMemcgNotification'),
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
    holds(
      'whether containers use no more of processors than their limits say',
      PROCESSES,
      'holds containers to their limits, unless it is false',
    ),
  ],
  ...because('a limit holds on the average of any period', 'cpuCFSQuotaPeriod'),
  [
    'cpuManagerPolicy',
    holds(
      'with static, which pods have processors for themselves',
      CORES,
      'gives containers of Guaranteed pods that ask for whole processors some of their own, whole cores first',
    ),
  ],
  [
    'cpuManagerPolicyOptions',
    holds(
      'full-pcpus-only: whole cores, or the pod is turned away; distribute-cpus-across-numa: equal parts of several NUMA nodes',
      CORES,
      'with full-pcpus-only gives whole cores or nothing',
    ),
  ],
  ...because('processors are given and taken back as pods begin and end: there is nothing to be put right', 'cpuManagerReconcilePeriod'),
  [
    'memoryManagerPolicy',
    holds(
      'with Static, which NUMA nodes the memory of a pod is on',
      CORES,
      'gives memory of the fewest NUMA nodes, and a node that serves alone serves in no group',
    ),
  ],
  [
    'topologyManagerPolicy',
    holds(
      'which pods are turned away because what they ask for does not lie together',
      CORES,
      'single-numa-node turns away what does not lie in one place, best-effort takes what there is',
    ),
  ],
  [
    'topologyManagerScope',
    holds(
      'whether that is judged for each container or for the pod',
      CORES,
      'judges the containers one by one, or with topologyManagerScope: pod together',
    ),
  ],
  [
    'runtimeRequestTimeout',
    holds(
      'how long it waits for containers to be created; then it gives up, says so and tries again',
      REGISTRATION,
      'whose containers take longer to create than runtimeRequestTimeout does not start, and says so',
    ),
  ],
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
      "false: the attach-detach controller leaves the node's volumes alone, and volumes of drivers are not attached there at all: v1.24's agent cannot",
      'controlplane/agents/node/attaching.test.ts',
      'enableControllerAttachDetach: false keeps the controller away, and the agent says that it attaches nothing for drivers',
    ),
  ],
];
