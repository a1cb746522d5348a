/**
 * What each field of an AgentConfiguration, and each flag that is the agent's alone, does in a run. A new setting without a line here fails
 * a test by its name.
 */
import * as no from './reasons.ts';
import { because, holds, type Standing } from './standing.ts';

const PROCESSES = 'lab/simulation/processes.test.ts';
const EVICTION = 'controlplane/agents/node/eviction.test.ts';
const STATIC = 'controlplane/agents/node/static-pods.test.ts';
const IMAGES = 'controlplane/agents/node/images.test.ts';
const REGISTRATION = 'controlplane/agents/node/configured.test.ts';
const INSIDE = 'controlplane/agents/node/inside.test.ts';
const CORES = 'controlplane/agents/node/cores.test.ts';
const CERTIFICATES = 'controlplane/agents/node/certificates.test.ts';
const ALONE = 'controlplane/agents/node/standalone.test.ts';
const READ = 'controlplane/config/agent.test.ts';
/** Shown where a scenario asks a process. */
const answered = (does: string, words: string): Standing => holds(does, 'lab/simulation/process-answers.test.ts', words);

export const AGENT_FIELD_STANDINGS: ReadonlyMap<string, Standing> = new Map<string, Standing>([
  [
    'nodeLeaseDurationSeconds',
    holds(
      "how long the node's lease lasts; it is renewed at a quarter of that: v1.24's rule, which gives the specification's 10 s for 40 s, and keeps shorter leases alive",
      PROCESSES,
      'decides how long a lease lasts',
    ),
  ],
  ['maxPods', holds('how many pods the node has room for', PROCESSES, 'maxPods: 5')],
  ['podsPerCore', holds('how many of them for each core', PROCESSES, 'podsPerCore: 2')],
  ['port', holds('the port that the node states', PROCESSES, '--port=11')],
  ['nodeStatusUpdateFrequency', holds('how often it looks at its status', PROCESSES, 'nodeStatusUpdateFrequency')],
  ['nodeStatusReportFrequency', holds('how often an unchanged status is posted', PROCESSES, 'nodeStatusReportFrequency')],
  ['registerNode', holds('whether it registers its node', PROCESSES, '--register-node=false')],
  ['registerWithTaints', holds('taints of the node that it registers', REGISTRATION, 'registerWithTaints')],
  ['providerID', holds('the id that the node has at its provider', REGISTRATION, 'providerID')],
  ['systemReserved', holds('what is kept back from what pods may have', REGISTRATION, 'systemReserved')],
  ['orchReserved', holds('what is kept back from what pods may have', REGISTRATION, 'orchReserved')],
  ['featureGates', holds('which gates this agent has on', READ, 'join feature gates of file and flags')],
  ['enableServer', answered('whether its server answers at all', 'enableServer: false')],
  ['readOnlyPort', answered('whether anybody may ask there', 'readOnlyPort: 10255')],
  ['healthzPort', answered('whether its health port answers', 'healthzPort: 0')],
  ['authentication.x509.clientCAFile', answered('whether client certificates say who somebody is', 'clientCAFile')],
  ['authentication.webhook.enabled', answered('whether tokens do', 'webhook: { enabled: false }')],
  ['authentication.anonymous.enabled', answered('whether somebody may be nobody', 'anonymous: { enabled: true }')],
  ['authorization.mode', answered('whether the API server is asked what he may', 'mode: AlwaysAllow')],
  ['authorization.webhook.cacheAuthorizedTTL', answered('how long a permission is believed', 'cacheAuthorizedTTL: 1m')],
  ['authorization.webhook.cacheUnauthorizedTTL', answered('how long a refusal is believed', 'cacheUnauthorizedTTL: 1m')],
  ...because(
    no.NO_SOCKETS,
    'address',
    'tlsCertFile',
    'tlsPrivateKeyFile',
    'tlsCipherSuites',
    'tlsMinVersion',
    'authentication.webhook.cacheTTL',
    'healthzBindAddress',
    'enableDebuggingHandlers',
  ),
  [
    'rotateCertificates',
    holds('whether it asks for its next client certificate in time, where a node has one', CERTIFICATES, 'rotateCertificates'),
  ],
  [
    'serverTLSBootstrap',
    holds('its server answers nobody before a signer has approved a certificate for it', CERTIFICATES, 'serverTLSBootstrap'),
  ],
  ['staticPodPath', holds('where the agent has pods from files', STATIC, 'staticPodPath')],
  ['staticPodURL', holds('where it asks for pods', STATIC, 'staticPodURL')],
  ['staticPodURLHeader', holds('the headers that it sends there', STATIC, 'staticPodURLHeader')],
  ['fileCheckFrequency', holds('how often it reads files', STATIC, 'fileCheckFrequency')],
  ['httpCheckFrequency', holds('how often it asks there', STATIC, 'httpCheckFrequency')],
  ['podCIDR', holds('the addresses of pods where the agent has no API server (--orchconfig=)', ALONE, 'podCIDR')],
  ['runOnce', holds('the agent begins the pods that there are, waits until they run, and ends', ALONE, 'runOnce: true')],
  ['syncFrequency', holds('how long it takes at most until it sees what others say of its pods', REGISTRATION, 'syncFrequency')],
  [
    'registryPullQPS',
    holds('how many pulls a second the agent asks for, where images have to be pulled', IMAGES, 'beyond registryPullQPS'),
  ],
  ['registryBurst', holds('how many of them at once', IMAGES, 'registryBurst')],
  ['serializeImagePulls', holds('whether pulls come one after another', IMAGES, 'with serializeImagePulls')],
  ['nodeStatusMaxImages', holds('how many images the node states', IMAGES, 'nodeStatusMaxImages at most')],
  ['imageMinimumGCAge', holds('how old an image must be to be cleared away', IMAGES, 'imageMinimumGCAge')],
  ['imageGCHighThresholdPercent', holds('how full the disk is when images are cleared away', IMAGES, 'imageGCHighThresholdPercent')],
  ['imageGCLowThresholdPercent', holds('how full it is when that ends', IMAGES, 'imageGCLowThresholdPercent')],
  ['orchAPIQPS', holds('requests a second of its client', REGISTRATION, 'orchAPIQPS')],
  ['orchAPIBurst', holds('how many of them at once', REGISTRATION, 'orchAPIBurst')],
  ['eventRecordQPS', holds('events a second', REGISTRATION, 'eventRecordQPS')],
  ['eventBurst', holds('how many of them at once', REGISTRATION, 'eventBurst')],
  ...because(no.OWN_ENCODING, 'contentType'),
  ...because(no.NO_METRICS, 'enableContentionProfiling'),
  ...because(no.NO_KERNEL, 'oomScoreAdj', 'maxOpenFiles', 'protectKernelDefaults', 'makeIPTablesUtilChains', 'failSwapOn'),
  ['clusterDNS', holds("the servers in a pod's resolver file", INSIDE, 'has the servers of clusterDNS')],
  ['clusterDomain', holds('the domains that are searched there before those of the node', INSIDE, 'the domains of clusterDomain')],
  ['resolvConf', holds("the node's own resolver file, for pods that want that", INSIDE, 'that resolvConf names')],
  ['podPidsLimit', holds('how many processes a pod uses at most, where usage is described', INSIDE, 'podPidsLimit')],
  ...because(no.NO_NETWORK, 'hairpinMode'),
  ...because(no.NO_STREAMS, 'streamingConnectionIdleTimeout'),
  ...because('usage is a function of time: nothing is gathered', 'volumeStatsAggPeriod'),
  ['evictionHard', holds('how little of something puts a pod out, where usage is described', EVICTION, 'evictionHard')],
  ['evictionSoft', holds('how little of something puts a pod out after a grace period', EVICTION, 'evictionSoft')],
  ['evictionSoftGracePeriod', holds('how long a soft threshold has to be met', EVICTION, 'evictionSoftGracePeriod')],
  [
    'evictionPressureTransitionPeriod',
    holds('how long a node says that it is short after it was', EVICTION, 'evictionPressureTransitionPeriod'),
  ],
  ['evictionMaxPodGracePeriod', holds('what a pod gets to end at a soft threshold', EVICTION, 'evictionMaxPodGracePeriod')],
  ['evictionMinimumReclaim', holds('how much more than a threshold has to come free', EVICTION, 'evictionMinimumReclaim')],
  ['enforceNodeAllocatable', holds('with pods, the memory that pods may have together is a threshold', EVICTION, 'enforceNodeAllocatable')],
  ...because('a simulated agent looks at its node every ten seconds and is told nothing in between', 'kernelMemcgNotification'),
  ...because(
    no.NO_CGROUPS,
    'agentCgroups',
    'systemCgroups',
    'cgroupRoot',
    'cgroupsPerQOS',
    'cgroupDriver',
    'qosReserved',
    'cpuCFSQuota',
    'cpuCFSQuotaPeriod',
    'systemReservedCgroup',
    'orchReservedCgroup',
  ),
  ['cpuManagerPolicy', holds('with static, which pods have processors for themselves', CORES, 'cpuManagerPolicy: static')],
  [
    'cpuManagerPolicyOptions',
    holds(
      'full-pcpus-only: whole cores, or the pod is turned away; distribute-cpus-across-numa: equal parts of several NUMA nodes',
      CORES,
      'with full-pcpus-only',
    ),
  ],
  ...because('processors are given and taken back as pods begin and end: there is nothing to be put right', 'cpuManagerReconcilePeriod'),
  ['memoryManagerPolicy', holds('with Static, which NUMA nodes the memory of a pod is on', CORES, 'memoryManagerPolicy: Static')],
  [
    'topologyManagerPolicy',
    holds('which pods are turned away because what they ask for does not lie together', CORES, 'topologyManagerPolicy'),
  ],
  ['topologyManagerScope', holds('whether that is judged for each container or for the pod', CORES, 'topologyManagerScope: pod')],
  ...because(no.NO_RUNTIME, 'runtimeRequestTimeout'),
  ...because(no.NO_LOGS, 'containerLogMaxSize', 'containerLogMaxFiles'),
  ['allowedUnsafeSysctls', holds('kernel parameters that pods may ask for', REGISTRATION, 'allowedUnsafeSysctls')],
  [
    'enableControllerAttachDetach',
    holds(
      "false: the attach-detach controller leaves the node's volumes alone, and volumes of drivers are not attached there at all: v1.24's agent cannot",
      'controlplane/agents/node/attaching.test.ts',
      'enableControllerAttachDetach: false',
    ),
  ],
]);

export const AGENT_FLAG_STANDINGS: ReadonlyMap<string, Standing> = new Map<string, Standing>([
  ['config', holds('names the file, which flags override', READ, 'put flags over the file over defaults, and say so')],
  ['help', holds('lists the flags', 'surfaces/cli/config.test.ts', 'lists the flags of each process')],
  [
    'dynamic-config-dir',
    holds('is refused without its gate', READ, 'of flags that are deprecated or belong to the other runtime are warnings'),
  ],
  ...because(no.NO_LOGS, 'add-dir-header', 'alsologtostderr', 'experimental-log-sanitization', 'v'),
  ...because(no.NO_CLOUD, 'cloud-config', 'cloud-provider'),
  ...because(no.NO_PULLS, 'cloudvendor-container-registry-config'),
  [
    'image-credential-provider-bin-dir',
    holds('where the plug-ins are: agents that know it ask them', PROCESSES, '--image-credential-provider-bin-dir'),
  ],
  [
    'image-credential-provider-config',
    holds('which plug-ins there are: agents that know it ask them', PROCESSES, '--image-credential-provider-config'),
  ],
  ['bootstrap-orchconfig', holds('it asks for its first client certificate, and waits for it', CERTIFICATES, '--bootstrap-orchconfig')],
  ['orchconfig', holds('given as empty, the agent has no API server: it runs what its files say', ALONE, '--orchconfig=')],
  ...because(no.NO_KEYS, 'cert-dir'),
  ...because(
    no.NO_RUNTIME,
    'cni-bin-dir',
    'cni-cache-dir',
    'cni-conf-dir',
    'container-runtime',
    'container-runtime-endpoint',
    'legacy-endpoint',
  ),
  ...because('no second agent contends for a simulated node', 'exit-on-lock-contention'),
  [
    'experimental-allocatable-ignore-eviction',
    holds('hard thresholds keep nothing back', REGISTRATION, '--experimental-allocatable-ignore-eviction'),
  ],
  ...because(no.NO_FILES, 'experimental-check-node-capabilities-before-mount', 'root-dir'),
  ['hostname-override', holds('the name of the node that it registers', REGISTRATION, '--hostname-override')],
  ...because('the simulated world gives out addresses', 'node-ip'),
  ['node-labels', holds('labels of the node that it registers', PROCESSES, '--node-labels=a=b')],
]);
