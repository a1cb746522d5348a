/**
 * Feature gates: which there are, at what stage, and what is on. One table for every process and for the API; the scenario checker,
 * completion and documentation read it. Models: v1.24 component-base featuregate; names and defaults as specified.
 */
import { didYouMean, compareText } from '../../schema/values/index.ts';

export type GateStage = 'alpha' | 'beta' | 'stable' | 'deprecated';

export interface Gate {
  readonly stage: GateStage;
  readonly default: boolean;
  /** It cannot be set. */
  readonly isLocked?: true;
}

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

const ALPHA = list(`
  APIServerIdentity APIServerTracing CPUManagerPolicyAlphaOptions CSIMigrationStorageA CSIMigrationStorageB CSIVolumeHealth ContextualLogging CronJobTimeZone
  CustomCPUCFSQuotaPeriod CustomResourceValidationExpressions DisableCloudProviders DisableAgentCloudCredentialProviders ExpandedDNSConfig AgentInUserNamespace
  HPAContainerMetrics HPAScaleToZero HonorPVReclaimPolicy InTreePluginCloudAUnregister InTreePluginCloudBDiskUnregister InTreePluginCloudBFileUnregister
  InTreePluginCloudCUnregister InTreePluginCloudDUnregister InTreePluginStorageAUnregister InTreePluginStorageBUnregister InTreePluginVirtAUnregister
  LocalStorageCapacityIsolationFSQuotaMonitoring MaxUnavailableStatefulSet MemoryQoS MinDomainsInPodTopologySpread NetworkPolicyStatus NodeOutOfServiceVolumeDetach
  NodeSwap PodAndContainerStatsFromCRI ProcMountType ProxyTerminatingEndpoints QOSReserved ReadWriteOncePod RecoverVolumeExpansionFailure SeccompDefault
  ServerSideFieldValidation ServiceIPStaticSubrange StatefulSetAutoDeletePVC StorageVersionAPI VolumeCapacityPriority AltOSDSR`);

const BETA_ON = list(`
  APIListChunking APIPriorityAndFairness APIResponseCompression AnyVolumeDataSource ProfileConfinement CPUManager CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
  CSIInlineVolume CSIMigration CSIMigrationCloudA CSIMigrationCloudBFile CSIMigrationCloudC DaemonSetUpdateSurge DelegateFSGroupToCSIDriver DevicePlugins
  DisableAcceleratorUsageMetrics DownwardAPIHugePages EndpointSliceTerminatingCondition EphemeralContainers GRPCContainerProbe GracefulNodeShutdown
  GracefulNodeShutdownBasedOnPodPriority IdentifyPodOS JobMutableNodeSchedulingDirectives JobReadyPods AgentCredentialProviders AgentPodResources
  AgentPodResourcesGetAllocatable LegacyServiceAccountTokenNoAutoGeneration LocalStorageCapacityIsolation LogarithmicScaleDown MemoryManager MixedProtocolLBService
  NetworkPolicyEndPort OpenAPIEnums OpenAPIV3 PodDeletionCost PodSecurity RemainingItemCount RotateAgentServerCertificate ServiceInternalTrafficPolicy
  SizeMemoryBackedVolumes StatefulSetMinReadySeconds StorageVersionHash TopologyAwareHints TopologyManager AltOSOverlay AltOSHostProcessContainers`);

const BETA_OFF = list('CSIMigrationVirtA ExperimentalHostUserNamespaceDefaulting JobTrackingWithFinalizers ProbeTerminationGracePeriod');

/**
 * Named by the resource API without a stage: general by now. It says what comes of CSIDriverRegistry being off, so that can be had; the
 * others are on for good.
 */
const STABLE = list('CSIDriverRegistry');
const FOR_GOOD = list('EndpointSliceNodeName VolumeScheduling');

/** Named by an agent flag alone. */
const DEPRECATED = list('DynamicKubeletConfig');

/** Switch all gates of a stage that are not set by name. */
const GROUPS: ReadonlyMap<string, GateStage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

const entries = (names: readonly string[], stage: GateStage, on: boolean): readonly (readonly [string, Gate])[] =>
  names.map((name) => [name, Object.freeze({ stage, default: on })] as const);

/** Every gate by name, in byte order. */
export const GATES: ReadonlyMap<string, Gate> = new Map(
  [
    ...entries([...ALPHA, 'AllAlpha'], 'alpha', false),
    ...entries(BETA_ON, 'beta', true),
    ...entries([...BETA_OFF, 'AllBeta'], 'beta', false),
    ...entries(STABLE, 'stable', true),
    ...entries(FOR_GOOD, 'stable', true).map(([name, gate]) => [name, Object.freeze({ ...gate, isLocked: true })] as const),
    ...entries(DEPRECATED, 'deprecated', false),
  ].sort(([a], [b]) => compareText(a, b)),
);

export interface ResolvedGates {
  /** Every gate's effective state; frozen. */
  readonly gates: Readonly<Record<string, boolean>>;
  /** The name that decided where it is not the default: the gate itself, `AllAlpha` or `AllBeta`. */
  readonly decidedBy: ReadonlyMap<string, string>;
  readonly errors: readonly GateError[];
}

export interface GateError {
  readonly gate: string;
  readonly message: string;
}

/** What was resolved last: thousands of clusters of one search have the same gates, and shall have them in one object. */
let last: { readonly text: string; readonly resolved: ResolvedGates } | undefined;

/** The defaults with overrides applied; a name nobody knows or a stable gate switched off is an error and changes nothing. */
export function resolveGates(overrides: Readonly<Record<string, boolean>> = {}): ResolvedGates {
  const text = Object.entries(overrides).join();
  if (last?.text !== text) last = { text, resolved: resolve(overrides) };
  return last.resolved;
}

function resolve(overrides: Readonly<Record<string, boolean>>): ResolvedGates {
  const errors: GateError[] = [];
  const decidedBy = new Map<string, string>();
  const gates: Record<string, boolean> = {};
  for (const [name, gate] of GATES) gates[name] = gate.default;
  for (const [name, on] of Object.entries(overrides)) {
    const gate = GATES.get(name);
    if (gate === undefined) errors.push({ gate: name, message: `unrecognized feature gate: ${name}${didYouMean(name, GATES.keys())}` });
    else if (gate.isLocked === true && on !== gate.default)
      errors.push({ gate: name, message: `cannot set feature gate ${name} to ${on}, feature is locked to ${gate.default}` });
    else {
      gates[name] = on;
      decidedBy.set(name, name);
    }
  }
  for (const [group, stage] of GROUPS) {
    if (!decidedBy.has(group)) continue;
    for (const [name, gate] of GATES) {
      if (gate.stage !== stage || decidedBy.has(name)) continue;
      gates[name] = gates[group] ?? gate.default;
      decidedBy.set(name, group);
    }
  }
  return { gates: Object.freeze(gates), decidedBy, errors };
}
