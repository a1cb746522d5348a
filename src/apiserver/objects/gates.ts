/**
 * Feature gates: names, stages and effective states. One table serves every process and the API, the scenario checker, completion and
 * documentation. Models: v1.24 component-base featuregate; names and defaults as specified.
 */
import { memo } from '../../engine/index.ts';
import { didYouMean, compareText } from '../../schema/values/index.ts';

export type GateStage = 'alpha' | 'beta' | 'stable' | 'deprecated';

export interface Gate {
  readonly stage: GateStage;
  readonly default: boolean;
  /** Its state cannot be changed. */
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
 * Gates that the resource API names without a stage, so they are stable by now. The specification describes the effect of turning
 * CSIDriverRegistry off, so it can be; the others are locked on.
 */
const STABLE = list('CSIDriverRegistry');
const FOR_GOOD = list('EndpointSliceNodeName VolumeScheduling');

/** Only a flag of the agent names this gate. */
const DEPRECATED = list('DynamicKubeletConfig');

/** The names that switch all gates of a stage which are not set by name. */
const GROUPS: ReadonlyMap<string, GateStage> = new Map([
  ['AllAlpha', 'alpha'],
  ['AllBeta', 'beta'],
]);

const entries = (names: readonly string[], stage: GateStage, on: boolean): readonly (readonly [string, Gate])[] =>
  names.map((name) => [name, Object.freeze({ stage, default: on })] as const);

/** All gates by name, in byte order. */
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
  /** The effective state of every gate; frozen. */
  readonly gates: Readonly<Record<string, boolean>>;
  /** The name that set a state other than the default: the gate itself, `AllAlpha` or `AllBeta`. */
  readonly decidedBy: ReadonlyMap<string, string>;
  readonly errors: readonly { readonly gate: string; readonly message: string }[];
}

/** The last result: thousands of clusters of one search have equal gates, and share one object. */
const last = memo<{ known: { readonly text: string; readonly resolved: ResolvedGates } | undefined }>({ known: undefined });

/** Returns the defaults with overrides applied. An unknown name, or turning off a stable gate, is an error and changes nothing. */
export function resolveGates(overrides: Readonly<Record<string, boolean>> = {}): ResolvedGates {
  const text = Object.entries(overrides).join();
  if (last.known?.text !== text) last.known = { text, resolved: resolve(overrides) };
  return last.known.resolved;
}

function resolve(overrides: Readonly<Record<string, boolean>>): ResolvedGates {
  const errors: ResolvedGates['errors'][number][] = [];
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
