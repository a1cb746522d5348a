/**
 * The fields of an AgentConfiguration with their defaults and the flags that override them, and the agent's flags: one for every field that has
 * one, and those without a field. The specification shows the fields up to `makeIPTablesUtilChains`, the flags up to
 * `--experimental-log-sanitization`; the rest is upstream's (v1.24 KubeletConfiguration), as far as flags or other fields refer to it.
 */
import type { FlagSpec } from './flags.ts';
import {
  group,
  inert,
  NO_CGROUPS,
  NO_CLOUD,
  NO_FILES,
  NO_KERNEL,
  NO_KEYS,
  NO_LOGS,
  NO_METRICS,
  NO_NETWORK,
  NO_PULLS,
  NO_RUNTIME,
  NO_SOCKETS,
  NO_STREAMS,
  OWN_ENCODING,
  setting,
  settingsOf,
  withFlags,
} from './settings.ts';
import type { Effective, Setting } from './settings.ts';

export const AGENT_API_VERSION = 'agent.config.orch.io/v1beta1';

const KEEP = { pointer: true } as const;
const PORT = { min: 1, max: 65_535 } as const;

export const AGENT_FIELDS = withFlags({
  enableServer: setting('bool', true, "whether the agent's server is open", KEEP),
  staticPodPath: setting('string', '', 'the folder or file of static pods', { flag: 'pod-manifest-path' }),
  syncFrequency: setting('duration', '1m0s', "the longest time until the agent corrects other clients' changes of its pods' status"),
  fileCheckFrequency: setting('duration', '20s', 'how often staticPodPath is read'),
  httpCheckFrequency: setting('duration', '20s', 'how often staticPodURL is requested'),
  staticPodURL: setting('string', '', 'the URL of static pods', { flag: 'manifest-url' }),
  staticPodURLHeader: setting('listMap', undefined, 'the headers of requests to staticPodURL', { flag: 'manifest-url-header' }),
  address: setting('ip', '0.0.0.0', NO_SOCKETS),
  port: setting('int32', 10250, 'the port in the status of the node', { ...PORT }),
  readOnlyPort: setting('int32', 0, 'whether the read-only port is open', { ...PORT, zeroDisables: true }),
  tlsCertFile: setting('string', '', NO_SOCKETS),
  tlsPrivateKeyFile: setting('string', '', NO_SOCKETS),
  tlsCipherSuites: setting('strings', undefined, NO_SOCKETS),
  tlsMinVersion: setting('string', '', NO_SOCKETS),
  rotateCertificates: setting('bool', false, 'whether the agent renews its client certificate in time, where its node has one'),
  serverTLSBootstrap: setting('bool', false, 'the server of the agent answers no request before a signer has approved its certificate', {
    flag: 'rotate-server-certificates',
  }),
  authentication: group({
    x509: group({ clientCAFile: setting('string', '', 'whether client certificates authenticate requests') }),
    webhook: group({
      enabled: setting('bool', true, 'whether tokens authenticate requests', {
        ...KEEP,
        flag: 'authentication-token-webhook',
        flagDefault: false,
      }),
      cacheTTL: setting('duration', '2m0s', NO_SOCKETS, { flag: 'authentication-token-webhook-cache-ttl' }),
    }),
    anonymous: group({
      enabled: setting('bool', false, 'whether anonymous requests are allowed', { ...KEEP, flag: 'anonymous-auth', flagDefault: true }),
    }),
  }),
  authorization: group({
    mode: setting('string', 'Webhook', 'whether the API server authorizes requests', {
      flag: 'authorization-mode',
      flagDefault: 'AlwaysAllow',
      among: ['AlwaysAllow', 'Webhook'],
    }),
    webhook: group({
      cacheAuthorizedTTL: setting('duration', '5m0s', 'how long an approval is cached', {
        flag: 'authorization-webhook-cache-authorized-ttl',
      }),
      cacheUnauthorizedTTL: setting('duration', '30s', 'how long a refusal is cached', {
        flag: 'authorization-webhook-cache-unauthorized-ttl',
      }),
    }),
  }),
  registryPullQPS: setting('int32', 5, 'the number of image pulls per second, where images have to be pulled', {
    ...KEEP,
    flag: 'registry-qps',
    min: 0,
  }),
  registryBurst: setting('int32', 10, 'the burst of image pulls', { min: 0 }),
  eventRecordQPS: setting('int32', 5, 'events per second', { ...KEEP, flag: 'event-qps', flagZeroIsDefault: true, min: 0 }),
  eventBurst: setting('int32', 10, 'the burst of events', { flagZeroIsDefault: true, min: 0 }),
  enableDebuggingHandlers: setting('bool', true, 'whether logs, exec, attach and port-forward are served', KEEP),
  enableContentionProfiling: setting('bool', false, NO_METRICS, { flag: 'contention-profiling' }),
  healthzPort: setting('int32', 10248, 'whether the health port is open', { ...KEEP, ...PORT, zeroDisables: true }),
  healthzBindAddress: setting('ip', '127.0.0.1', NO_SOCKETS),
  oomScoreAdj: setting('int32', -999, NO_KERNEL, { ...KEEP, min: -1000, max: 1000 }),
  clusterDomain: setting('string', '', 'the search domains there, before those of the node'),
  clusterDNS: setting('strings', undefined, "the name servers in a pod's resolver file"),
  streamingConnectionIdleTimeout: setting('duration', '4h0m0s', NO_STREAMS),
  nodeStatusUpdateFrequency: setting('duration', '10s', 'how often the agent computes the status of its node'),
  nodeStatusReportFrequency: setting('duration', '5m0s', 'how often an unchanged status is written', { flag: null }),
  nodeLeaseDurationSeconds: setting(
    'int32',
    40,
    "the duration of the node's lease; it is renewed at a quarter of that: v1.24's rule, which gives the specification's 10 s for 40 s, and renews shorter leases in time",
    { flag: null },
  ),
  imageMinimumGCAge: setting('duration', '2m0s', 'the minimum age of an image for its removal', { flag: 'minimum-image-ttl-duration' }),
  imageGCHighThresholdPercent: setting('int32', 85, 'the disk usage that starts the removal of images', {
    ...KEEP,
    flag: 'image-gc-high-threshold',
    min: 0,
    max: 100,
  }),
  imageGCLowThresholdPercent: setting('int32', 80, 'the disk usage at which the removal ends', {
    ...KEEP,
    flag: 'image-gc-low-threshold',
    min: 0,
    max: 100,
  }),
  volumeStatsAggPeriod: setting('duration', '1m0s', inert('usage is a function of time: there is nothing to collect')),
  agentCgroups: setting('string', '', NO_CGROUPS),
  systemCgroups: setting('string', '', NO_CGROUPS),
  cgroupRoot: setting('string', '', NO_CGROUPS),
  cgroupsPerQOS: setting('bool', true, NO_CGROUPS, KEEP),
  cgroupDriver: setting('string', 'cgroupfs', NO_CGROUPS, { among: ['cgroupfs', 'systemd'] }),
  cpuManagerPolicy: setting('string', 'None', 'with static, which containers have exclusive CPUs', {
    flagDefault: 'none',
    among: ['None', 'none', 'static'],
  }),
  cpuManagerPolicyOptions: setting(
    'stringMap',
    undefined,
    'full-pcpus-only: whole cores, or the pod is rejected; distribute-cpus-across-numa: equal parts of several NUMA nodes',
  ),
  cpuManagerReconcilePeriod: setting(
    'duration',
    '10s',
    inert('CPUs are assigned and released as pods start and end: there is nothing to reconcile'),
  ),
  memoryManagerPolicy: setting('string', 'none', 'with Static, the NUMA nodes of the memory of a pod', {
    among: ['None', 'none', 'Static'],
  }),
  topologyManagerPolicy: setting('string', 'none', 'which pods are rejected because their resources are not on the same NUMA nodes', {
    among: ['restricted', 'best-effort', 'none', 'single-numa-node'],
  }),
  topologyManagerScope: setting('string', 'container', 'whether topology is checked for each container or for the pod', {
    among: ['container', 'pod'],
  }),
  qosReserved: setting('stringMap', undefined, NO_CGROUPS),
  runtimeRequestTimeout: setting(
    'duration',
    '2m0s',
    'the timeout for the creation of containers; after it the agent reports the failure and tries again',
  ),
  hairpinMode: setting('string', 'promiscuous-bridge', NO_NETWORK, { among: ['promiscuous-bridge', 'hairpin-veth', 'none'] }),
  maxPods: setting('int32', 110, 'the pod capacity of the node', { min: 0 }),
  podCIDR: setting('string', '', 'the addresses of pods while the agent has no API server (--orchconfig=)'),
  podPidsLimit: setting('int64', -1, 'the limit on processes of a pod, where usage is described', { ...KEEP, flag: 'pod-max-pids' }),
  resolvConf: setting('string', '/etc/resolv.conf', "the node's resolver file, for pods with that DNS policy", KEEP),
  runOnce: setting('bool', false, 'the agent starts the pods of its files, waits until they run, and exits', { flag: 'runonce' }),
  cpuCFSQuota: setting('bool', true, 'whether containers are throttled at their CPU limits', KEEP),
  cpuCFSQuotaPeriod: setting('duration', '100ms', inert('usage is an average, so a limit holds for any period'), KEEP),
  nodeStatusMaxImages: setting('int32', 50, 'the number of images in the status of the node', KEEP),
  maxOpenFiles: setting('int64', 1_000_000, NO_KERNEL, { min: 0 }),
  contentType: setting('string', 'application/vnd.orch.protobuf', OWN_ENCODING, { flag: 'orch-api-content-type' }),
  orchAPIQPS: setting('int32', 5, "requests per second of the agent's client", { ...KEEP, flag: 'orch-api-qps', min: 0 }),
  orchAPIBurst: setting('int32', 10, "the burst of requests of the agent's client", { min: 0 }),
  serializeImagePulls: setting('bool', true, 'whether images are pulled one after another', KEEP),
  evictionHard: setting(
    'stringMap',
    { 'imagefs.available': '15%', 'memory.available': '100Mi', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%' },
    'the thresholds of immediate evictions, where usage is described',
    { flagSyntax: 'langle' },
  ),
  evictionSoft: setting('stringMap', undefined, 'the thresholds of evictions after a grace period', { flagSyntax: 'langle' }),
  evictionSoftGracePeriod: setting('stringMap', undefined, 'how long a soft threshold must be met'),
  evictionPressureTransitionPeriod: setting(
    'duration',
    '5m0s',
    'how long a pressure condition remains after its threshold is no longer met',
  ),
  evictionMaxPodGracePeriod: setting('int32', 0, 'the longest grace period of a pod that is evicted at a soft threshold'),
  evictionMinimumReclaim: setting('stringMap', undefined, 'how much evictions reclaim beyond a threshold'),
  podsPerCore: setting('int32', 0, 'the pod capacity for each core', { min: 0 }),
  enableControllerAttachDetach: setting(
    'bool',
    true,
    "false: the attach-detach controller does not attach the node's volumes, and CSI volumes are not attached there at all: v1.24's agent cannot",
    KEEP,
  ),
  protectKernelDefaults: setting('bool', false, NO_KERNEL),
  makeIPTablesUtilChains: setting('bool', true, NO_KERNEL, { ...KEEP, flag: 'make-iptables-util-chains' }),

  featureGates: setting('boolMap', undefined, 'feature gates of this agent'),
  failSwapOn: setting('bool', true, NO_KERNEL, KEEP),
  containerLogMaxSize: setting('string', '10Mi', NO_LOGS, { onlyWith: 'remote' }),
  containerLogMaxFiles: setting('int32', 5, NO_LOGS, { ...KEEP, onlyWith: 'remote' }),
  systemReserved: setting('stringMap', undefined, 'resources that are subtracted from allocatable'),
  orchReserved: setting('stringMap', undefined, 'resources that are subtracted from allocatable'),
  systemReservedCgroup: setting('string', '', NO_CGROUPS),
  orchReservedCgroup: setting('string', '', NO_CGROUPS),
  enforceNodeAllocatable: setting('strings', ['pods'], 'with pods, the allocatable memory is an eviction threshold', KEEP),
  allowedUnsafeSysctls: setting('strings', undefined, 'sysctls that pods may set besides the safe ones'),
  kernelMemcgNotification: setting(
    'bool',
    false,
    inert('a simulated agent checks its node every ten seconds, without notifications in between'),
    { flag: 'experimental-kernel-memcg-notification', deprecated: 'will be removed in 1.24 or later.' },
  ),
  registerNode: setting('bool', true, 'whether the agent registers its node', KEEP),
  registerWithTaints: setting('taints', undefined, 'taints of the node at its registration'),
  providerID: setting('string', '', 'the id of the node at its cloud provider'),
  shutdownGracePeriod: setting('duration', '0s', 'how long it holds a shutdown of its machine up, while its pods end', { flag: null }),
  shutdownGracePeriodCriticalPods: setting('duration', '0s', 'how much of that is for critical pods alone', { flag: null }),
});

export type AgentConfiguration = Effective<typeof AGENT_FIELDS>;

export const AGENT_SETTINGS: ReadonlyMap<string, Setting> = new Map(settingsOf(AGENT_FIELDS));

const IN_FILE = "This parameter should be set via the config file specified by the agent's --config flag.";
const REMOVED = 'will be removed in 1.24 or later.';
const LEGACY = { deprecated: 'will be removed along with the legacy runtime shim.', onlyWith: 'legacy' } as const;

export const AGENT_PROCESS_FLAGS: ReadonlyMap<string, Setting> = new Map<string, Setting>(
  Object.entries({
    'add-dir-header': setting('bool', false, NO_LOGS, { deprecated: IN_FILE }),
    alsologtostderr: setting('bool', false, NO_LOGS, { deprecated: IN_FILE }),
    'cloudvendor-container-registry-config': setting('string', '', NO_PULLS),
    'bootstrap-orchconfig': setting('string', '', 'the agent requests its first client certificate, and waits for it'),
    'cert-dir': setting('string', '/var/lib/agent/pki', NO_KEYS),
    'cloud-config': setting('string', '', NO_CLOUD, { deprecated: REMOVED }),
    'cloud-provider': setting('string', '', NO_CLOUD, { deprecated: REMOVED }),
    'cni-bin-dir': setting('string', '/opt/cni/bin', NO_RUNTIME, LEGACY),
    'cni-cache-dir': setting('string', '/var/lib/cni/cache', NO_RUNTIME, LEGACY),
    'cni-conf-dir': setting('string', '/etc/cni/net.d', NO_RUNTIME, LEGACY),
    config: setting('string', '', 'names the file, which flags override'),
    'container-runtime': setting('string', 'legacy', NO_RUNTIME, { among: ['legacy', 'remote'] }),
    'container-runtime-endpoint': setting('string', 'unix:///var/run/legacyshim.sock', NO_RUNTIME),
    'legacy-endpoint': setting('string', 'unix:///var/run/legacy.sock', NO_RUNTIME, LEGACY),
    'dynamic-config-dir': setting('string', '', 'whether the agent uses spec.configSource of its Node; needs its gate', {
      deprecated: `Feature DynamicKubeletConfig is deprecated in 1.22 and ${REMOVED}`,
    }),
    'exit-on-lock-contention': setting('bool', false, inert('a simulated node has one agent, so nothing contends for its lock')),
    'experimental-allocatable-ignore-eviction': setting('bool', false, 'hard eviction thresholds are not subtracted from allocatable', {
      deprecated: REMOVED,
    }),
    'experimental-check-node-capabilities-before-mount': setting('bool', false, NO_FILES, { deprecated: REMOVED }),
    'experimental-log-sanitization': setting('bool', false, NO_LOGS),
    help: setting('bool', false, 'lists the flags'),
    'hostname-override': setting('string', '', 'the name of the node at its registration'),
    'image-credential-provider-bin-dir': setting('string', '', 'the folder of the plug-ins: agents call them if it is given'),
    'image-credential-provider-config': setting('string', '', 'the configuration of the plug-ins: agents call them if it is given'),
    'node-ip': setting('string', '', inert('the simulator assigns addresses')),
    'node-labels': setting('stringMap', undefined, 'labels of the node at its registration'),
    orchconfig: setting('string', '', 'given as empty, the agent has no API server: it runs the pods of its files'),
    'root-dir': setting('string', '/var/lib/agent', NO_FILES),
    v: setting('int32', 0, NO_LOGS),
  }),
);

/** Every flag of the agent, by name. A flag of a field is deprecated in favour of the file, and may be removed later. */
export const AGENT_FLAGS: ReadonlyMap<string, FlagSpec> = new Map<string, FlagSpec>([
  ...[...AGENT_SETTINGS].flatMap(([, { flag, deprecated: removed, ...field }]): [string, FlagSpec][] => {
    const deprecated = removed === undefined ? IN_FILE : `${IN_FILE} It ${removed}`;
    return typeof flag === 'string' ? [[flag, { ...field, default: field.flagDefault ?? field.default, deprecated }]] : [];
  }),
  ...AGENT_PROCESS_FLAGS,
]);
