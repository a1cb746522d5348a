/**
 * The settings of a simulated agent, from its file and flags, in its own units. A node's own file replaces that of all nodes, its own flags
 * come after theirs, and flags override the file. Models: v1.24 cmd/kubelet/app/server.go.
 */
import { type AgentConfiguration, parseAgentConfig } from '../../config/index.ts';
import { resolveGates, type FeatureGates } from '../../../apiserver/machinery/index.ts';
import { isValidIp, milliUnitsOf, parseGoDuration, present } from '../../../schema/values/index.ts';
import type { RequestRate } from '../../runtime/index.ts';
import type { AgentSettings, AgentStart, EvictionSettings, ImageSettings, NodeSpec } from '../specs.ts';
import { reservations } from './allocatable.ts';

const DEFAULT_HARD = { 'imagefs.available': '15%', 'memory.available': '100Mi', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%' };

export const DEFAULT_SETTINGS: AgentSettings = {
  leaseDurationSeconds: 40,
  statusUpdateMs: 10_000,
  statusReportMs: 300_000,
  registerNode: true,
  port: 10_250,
  images: { qps: 5, burst: 10, serial: true, mostReported: 50, gcHighPercent: 85, gcLowPercent: 80, gcMinAgeMs: 120_000 },
  eviction: {
    hard: DEFAULT_HARD,
    soft: {},
    softGraceMs: {},
    minReclaim: {},
    transitionMs: 300_000,
    maxPodGraceSeconds: 0,
    enforcesPods: true,
    reservedMemory: [],
  },
  sources: { path: '', fileMs: 20_000, url: '', httpMs: 20_000, headers: {}, listens: true },
  runtimeTimeoutMs: 120_000,
  syncMs: 60_000,
  throttles: true,
  isolatesStorage: true,
  expandsNames: false,
  allowedSysctls: [],
  reserved: reservations({ evictionHard: DEFAULT_HARD }),
  requestRate: { qps: 5, burst: 10 },
  eventRate: { qps: 5, burst: 10 },
};

const milliseconds = (duration: string): number => Number((parseGoDuration(duration).value ?? 0n) / 1_000_000n);

export interface Configured {
  readonly settings: AgentSettings;
  /** Gates of this agent; absent: those of the cluster. */
  readonly gates?: FeatureGates;
  readonly refusal?: string;
}

export const startOf = (spec: NodeSpec, ofAll: AgentStart): AgentStart => ({
  ...(spec.agent === undefined ? (ofAll.config === undefined ? {} : { config: ofAll.config }) : { config: spec.agent }),
  flags: [...(ofAll.flags ?? []), ...(spec.agentFlags ?? [])],
});

interface ReaderOptions {
  readonly clusterGates: Readonly<Record<string, boolean>>;
  readonly otherwise: AgentSettings;
}

function configured({ config, flags = [] }: AgentStart, { clusterGates, otherwise }: ReaderOptions): Configured {
  const ofCluster = resolveGates(clusterGates).gates;
  if (config === undefined && flags.length === 0) return { settings: { ...otherwise, ...gated(ofCluster) } };
  const { config: is, values, errors } = parseAgentConfig(config, { fragment: true, flags, gates: clusterGates });
  if (errors.length > 0) return { settings: otherwise, refusal: errors.map(({ message }) => message).join('; ') };
  const isSet = (path: string): boolean => values.some((value) => value.path === path && value.source !== 'default');
  const flagged = (name: string): unknown => values.find(({ path, source }) => path === `--${name}` && source === 'flag')?.value;
  const reserved = reservations(is, flagged('experimental-allocatable-ignore-eviction') !== true);
  const { gates } = resolveGates({ ...clusterGates, ...is.featureGates });
  const settings: AgentSettings = {
    ...registrationSettings(is, flagged),
    leaseDurationSeconds: is.nodeLeaseDurationSeconds,
    statusUpdateMs: milliseconds(is.nodeStatusUpdateFrequency),
    statusReportMs: milliseconds(is.nodeStatusReportFrequency),
    registerNode: is.registerNode,
    port: is.port,
    images: imageSettings(is),
    runtimeTimeoutMs: milliseconds(is.runtimeRequestTimeout),
    syncMs: milliseconds(is.syncFrequency),
    throttles: is.cpuCFSQuota,
    ...(String(flagged('dynamic-config-dir') ?? '') === '' ? {} : { followsSource: true }),
    ...gated(gates),
    allowedSysctls: is.allowedUnsafeSysctls ?? [],
    eviction: evictionSettings(is),
    sources: {
      path: is.staticPodPath,
      fileMs: milliseconds(is.fileCheckFrequency),
      url: is.staticPodURL,
      httpMs: milliseconds(is.httpCheckFrequency),
      headers: is.staticPodURLHeader ?? {},
      listens: is.enableServer,
    },
    ...(isSet('maxPods') ? { maxPods: is.maxPods } : {}),
    ...(is.podsPerCore > 0 ? { podsPerCore: is.podsPerCore } : {}),
    ...(reserved.length > 0 ? { reserved } : {}),
    ...(flagged('orchconfig') === '' ? { alone: { podCIDR: is.podCIDR } } : {}),
    ...(is.runOnce ? { runsOnce: true } : {}),
    ...(isSet('enableControllerAttachDetach') ? { attaches: is.enableControllerAttachDetach ? 'controller' : 'agent' } : {}),
    ...shutdownSettings(is, gates),
    ...coreSettings(is),
    ...givenSettings(is, isSet),
    ...certificateSettings(is, flagged, gates),
    ...present({ requestRate: rateOf(is.orchAPIQPS, is.orchAPIBurst), eventRate: rateOf(is.eventRecordQPS, is.eventBurst) }),
    ...(linksProviders(flagged) && gates['AgentCredentialProviders'] === true ? { asksProviders: true } : {}),
  };
  const refusal = settings.cores?.cpus === true && settings.cores.reservedMilliCpu === 0 ? NOTHING_RESERVED : undefined;
  if (refusal !== undefined) return { settings: otherwise, refusal };
  return is.featureGates === undefined ? { settings } : { settings, gates };
}

/** Upstream reports this later, when it creates its CPU manager. */
const NOTHING_RESERVED =
  'failed to initialize cpu manager: the static policy requires systemReserved.cpu (--system-reserved) + orchReserved.cpu (--orch-reserved) to be greater than zero';

const gated = (gates: FeatureGates): Pick<AgentSettings, 'isolatesStorage' | 'expandsNames'> => ({
  isolatesStorage: gates['LocalStorageCapacityIsolation'] === true,
  expandsNames: gates['ExpandedDNSConfig'] === true,
});

const TOPOLOGIES = ['best-effort', 'restricted', 'single-numa-node'] as const;

/** Settings of exclusive CPUs and memory, where a policy is set. */
function coreSettings(is: AgentConfiguration): Pick<AgentSettings, 'cores'> {
  const cpus = is.cpuManagerPolicy === 'static';
  const memory = is.memoryManagerPolicy === 'Static';
  if (!cpus && !memory) return {};
  const kept = (resource: string) => [is.systemReserved?.[resource], is.orchReserved?.[resource]].flatMap((amount) => amount ?? []);
  return {
    cores: {
      cpus,
      memory,
      topology: TOPOLOGIES.find((policy) => policy === is.topologyManagerPolicy) ?? 'none',
      scope: is.topologyManagerScope === 'pod' ? 'pod' : 'container',
      fullCoresOnly: is.cpuManagerPolicyOptions?.['full-pcpus-only'] === 'true',
      distributes: is.cpuManagerPolicyOptions?.['distribute-cpus-across-numa'] === 'true',
      reservedMilliCpu: kept('cpu').reduce((sum, amount) => sum + milliUnitsOf(amount), 0),
      reservedMemory: kept('memory'),
    },
  };
}

/** Settings of DNS and limits of pods, where any is given. Models: v1.24 cmd/kubelet/app (invalid addresses are left out). */
function givenSettings(is: AgentConfiguration, isSet: (path: string) => boolean): Pick<AgentSettings, 'given'> {
  if (!['clusterDNS', 'clusterDomain', 'resolvConf', 'podPidsLimit'].some(isSet)) return {};
  const servers = (is.clusterDNS ?? []).filter((address) => isValidIp(address).length === 0);
  const pids = is.podPidsLimit > 0 ? { pidsLimit: is.podPidsLimit } : {};
  return { given: { dns: { servers, domain: is.clusterDomain, file: is.resolvConf }, ...pids } };
}

function shutdownSettings(is: AgentConfiguration, gates: FeatureGates): Pick<AgentSettings, 'shutdown'> {
  const totalMs = milliseconds(is.shutdownGracePeriod);
  const criticalMs = milliseconds(is.shutdownGracePeriodCriticalPods);
  return totalMs > 0 && gates['GracefulNodeShutdown'] === true ? { shutdown: { totalMs, criticalMs } } : {};
}

function certificateSettings(
  is: AgentConfiguration,
  flagged: (name: string) => unknown,
  gates: FeatureGates,
): Pick<AgentSettings, 'certificates'> {
  const file = flagged('bootstrap-orchconfig');
  const bootstraps = typeof file === 'string' && file !== '';
  const serving = is.serverTLSBootstrap && gates['RotateAgentServerCertificate'] === true;
  return bootstraps || is.rotateCertificates || serving ? { certificates: { bootstraps, rotates: is.rotateCertificates, serving } } : {};
}

/** A rate of 0 means no limit; a burst of 0 means the client's default. Models: v1.24 client-go rest DefaultBurst. */
const rateOf = (qps: number, burst: number): RequestRate | undefined => (qps <= 0 ? undefined : { qps, burst: burst > 0 ? burst : 10 });

/** Both flags are needed: the configuration, and the folder of the plug-ins. */
const linksProviders = (flagged: (name: string) => unknown): boolean =>
  [flagged('image-credential-provider-config'), flagged('image-credential-provider-bin-dir')].every(
    (value) => typeof value === 'string' && value !== '',
  );

const imageSettings = (is: AgentConfiguration): ImageSettings => ({
  qps: is.registryPullQPS,
  burst: is.registryBurst,
  serial: is.serializeImagePulls,
  mostReported: is.nodeStatusMaxImages,
  gcHighPercent: is.imageGCHighThresholdPercent,
  gcLowPercent: is.imageGCLowThresholdPercent,
  gcMinAgeMs: milliseconds(is.imageMinimumGCAge),
});

const evictionSettings = (is: AgentConfiguration): EvictionSettings => ({
  hard: is.evictionHard,
  soft: is.evictionSoft ?? {},
  softGraceMs: Object.fromEntries(Object.entries(is.evictionSoftGracePeriod ?? {}).map(([signal, grace]) => [signal, milliseconds(grace)])),
  minReclaim: is.evictionMinimumReclaim ?? {},
  transitionMs: milliseconds(is.evictionPressureTransitionPeriod),
  maxPodGraceSeconds: is.evictionMaxPodGracePeriod,
  enforcesPods: is.enforceNodeAllocatable.includes('pods'),
  reservedMemory: [is.systemReserved?.['memory'], is.orchReserved?.['memory']].flatMap((amount) => amount ?? []),
});

/** Settings of the node's registration. Models: v1.24 pkg/util/node GetHostname (an override is converted to lower case). */
function registrationSettings(is: AgentConfiguration, flagged: (name: string) => unknown): Partial<AgentSettings> {
  const override = flagged('hostname-override');
  const nodeName = typeof override === 'string' ? override.trim().toLowerCase() : '';
  return present({
    nodeName: nodeName === '' ? undefined : nodeName,
    labels: flagged('node-labels') as AgentSettings['labels'],
    taints: is.registerWithTaints,
    providerID: is.providerID === '' ? undefined : is.providerID,
  });
}

/** The same for many nodes, which mostly share their start objects: each is parsed once. */
export function configurationReader(ofAll: AgentStart, options: ReaderOptions): (spec: NodeSpec) => Configured {
  const known: { readonly agent: unknown; readonly flags: unknown; readonly is: Configured }[] = [];
  return (spec) => {
    const found = known.find(({ agent, flags }) => agent === spec.agent && flags === spec.agentFlags);
    if (found !== undefined) return found.is;
    const is = configured(startOf(spec, ofAll), options);
    if (known.length < 100) known.push({ agent: spec.agent, flags: spec.agentFlags, is });
    return is;
  };
}
