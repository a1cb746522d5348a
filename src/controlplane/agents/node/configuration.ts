/**
 * What an agent's file and flags come to for its node: the settings that a simulated agent obeys, in its own units. A node's own file
 * stands in place of the one of all nodes, its own flags come after theirs, and flags override the file. Models: v1.24
 * cmd/kubelet/app/server.go.
 */
import { type AgentConfiguration, parseAgentConfig } from '../../config/index.ts';
import { resolveGates, type FeatureGates } from '../../../apiserver/vocabulary/index.ts';
import { isValidIp, milliUnitsOf, parseGoDuration } from '../../../grammar/values/index.ts';
import type { RequestRate } from '../../runtime/index.ts';
import type { AgentSettings, AgentStart, EvictionSettings, ImageSettings, NodeSpec } from '../specs.ts';
import { reservations } from './allocatable.ts';

/** Its hard thresholds. */
const DEFAULT_HARD = { 'imagefs.available': '15%', 'memory.available': '100Mi', 'nodefs.available': '10%', 'nodefs.inodesFree': '5%' };

/** What an agent does that nobody has configured. */
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

/** What an agent that is started like this obeys, or why it does not start. */
export interface Configured {
  readonly settings: AgentSettings;
  /** Its own gates; absent: those of the cluster. */
  readonly gates?: FeatureGates;
  readonly refusal?: string;
}

/** Which start a node's agent has. */
export const startOf = (spec: NodeSpec, ofAll: AgentStart): AgentStart => ({
  ...(spec.agent === undefined ? (ofAll.config === undefined ? {} : { config: ofAll.config }) : { config: spec.agent }),
  flags: [...(ofAll.flags ?? []), ...(spec.agentFlags ?? [])],
});

interface ReaderOptions {
  /** Those that the cluster sets for everybody. */
  readonly clusterGates: Readonly<Record<string, boolean>>;
  /** What an agent does that nobody has configured. */
  readonly otherwise: AgentSettings;
}

/** Reads a start. */
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
    ...named('requestRate', rateOf(is.orchAPIQPS, is.orchAPIBurst)),
    ...named('eventRate', rateOf(is.eventRecordQPS, is.eventBurst)),
    ...(linksProviders(flagged) && gates['AgentCredentialProviders'] === true ? { asksProviders: true } : {}),
  };
  const refusal = settings.cores?.cpus === true && settings.cores.reservedMilliCpu === 0 ? NOTHING_RESERVED : undefined;
  if (refusal !== undefined) return { settings: otherwise, refusal };
  return is.featureGates === undefined ? { settings } : { settings, gates };
}

/** Upstream refuses later, when it makes its manager of processors. */
const NOTHING_RESERVED =
  'failed to initialize cpu manager: the static policy requires systemReserved.cpu (--system-reserved) + orchReserved.cpu (--orch-reserved) to be greater than zero';

/** What gates alone decide. */
const gated = (gates: FeatureGates): Pick<AgentSettings, 'isolatesStorage' | 'expandsNames'> => ({
  isolatesStorage: gates['LocalStorageCapacityIsolation'] === true,
  expandsNames: gates['ExpandedDNSConfig'] === true,
});

const TOPOLOGIES = ['best-effort', 'restricted', 'single-numa-node'] as const;

/** What containers get for themselves, where any policy is set. */
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

/** What pods are given, where anything is said of that. Models: v1.24 cmd/kubelet/app (addresses that are none are left out). */
function givenSettings(is: AgentConfiguration, isSet: (path: string) => boolean): Pick<AgentSettings, 'given'> {
  if (!['clusterDNS', 'clusterDomain', 'resolvConf', 'podPidsLimit'].some(isSet)) return {};
  const servers = (is.clusterDNS ?? []).filter((address) => isValidIp(address).length === 0);
  const pids = is.podPidsLimit > 0 ? { pidsLimit: is.podPidsLimit } : {};
  return { given: { dns: { servers, domain: is.clusterDomain, file: is.resolvConf }, ...pids } };
}

/** Whether it holds a shutdown of its machine up. */
function shutdownSettings(is: AgentConfiguration, gates: FeatureGates): Pick<AgentSettings, 'shutdown'> {
  const totalMs = milliseconds(is.shutdownGracePeriod);
  const criticalMs = milliseconds(is.shutdownGracePeriodCriticalPods);
  return totalMs > 0 && gates['GracefulNodeShutdown'] === true ? { shutdown: { totalMs, criticalMs } } : {};
}

/** How it comes by certificates, where anything is said of that. */
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

/** A rate of nothing is none; a burst of nothing is what clients take then. Models: v1.24 client-go rest DefaultBurst. */
const rateOf = (qps: number, burst: number): RequestRate | undefined => (qps <= 0 ? undefined : { qps, burst: burst > 0 ? burst : 10 });
const named = (name: 'requestRate' | 'eventRate', rate: RequestRate | undefined): Pick<AgentSettings, 'requestRate' | 'eventRate'> =>
  rate === undefined ? {} : { [name]: rate };

/** Both have to be said: what is configured, and where the plug-ins are. */
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

/** How the node is registered. Models: v1.24 pkg/util/node GetHostname (an override is taken in lower case). */
function registrationSettings(is: AgentConfiguration, flagged: (name: string) => unknown): Partial<AgentSettings> {
  const override = flagged('hostname-override');
  const nodeName = typeof override === 'string' ? override.trim().toLowerCase() : '';
  const labels = flagged('node-labels') as AgentSettings['labels'];
  return {
    ...(nodeName === '' ? {} : { nodeName }),
    ...(labels === undefined ? {} : { labels }),
    ...(is.registerWithTaints === undefined ? {} : { taints: is.registerWithTaints }),
    ...(is.providerID === '' ? {} : { providerID: is.providerID }),
  };
}

/** The same for many nodes, whose starts are mostly the same objects: each is read once. */
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
