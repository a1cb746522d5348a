/** Gates that change nothing here, each with its reason. */
import * as no from './reasons.ts';
import { because, type SupportStatus } from './support-status.ts';

export const INERT_GATES: ReadonlyMap<string, SupportStatus> = new Map([
  ...because('general: it is on for good, and cannot be set', 'EndpointSliceNodeName', 'VolumeScheduling'),
  ...because(no.NO_LOGS, 'ContextualLogging'),
  ...because(no.NO_METRICS, 'APIServerTracing', 'CSIVolumeHealth', 'DisableAcceleratorUsageMetrics', 'PodAndContainerStatsFromCRI'),
  ...because(no.NO_CGROUPS, 'LocalStorageCapacityIsolationFSQuotaMonitoring', 'MemoryQoS', 'SizeMemoryBackedVolumes'),
  ...because(
    no.NO_KERNEL,
    'AgentInUserNamespace',
    'AltOSDSR',
    'AltOSOverlay',
    'ExperimentalHostUserNamespaceDefaulting',
    'NodeSwap',
    'SeccompDefault',
  ),
  ...because(no.NO_CLOUD, 'DisableAgentCloudCredentialProviders', 'DisableCloudProviders'),
  ...because(
    'volumes of drivers alone are brought to nodes: nothing is migrated to them',
    'CSIMigration',
    'CSIMigrationCloudA',
    'CSIMigrationCloudBFile',
    'CSIMigrationCloudC',
    'CSIMigrationStorageA',
    'CSIMigrationStorageB',
    'CSIMigrationVirtA',
    'InTreePluginCloudAUnregister',
    'InTreePluginCloudBDiskUnregister',
    'InTreePluginCloudBFileUnregister',
    'InTreePluginCloudCUnregister',
    'InTreePluginCloudDUnregister',
    'InTreePluginStorageAUnregister',
    'InTreePluginStorageBUnregister',
    'InTreePluginVirtAUnregister',
  ),
  ...because('nobody but the agent knows what devices pods have', 'AgentPodResources', 'AgentPodResourcesGetAllocatable', 'DevicePlugins'),
  ...because('the server answers requests as they come: none waits its turn, none is turned away', 'APIPriorityAndFairness'),
  ...because('answers are sent as they are, whatever a client would take', 'APIResponseCompression'),
  ...because('it has no resource for versions of storage', 'StorageVersionAPI'),
  ...because('schemas of custom resources are not told of such rules', 'CustomResourceValidationExpressions'),
  ...because('a mount tells how files are owned, and there are none', 'DelegateFSGroupToCSIDriver'),
  ...because('simulated pods take no ephemeral containers', 'EphemeralContainers'),
  ...because('service accounts have no tokens in secrets', 'LegacyServiceAccountTokenNoAutoGeneration'),
  ...because(
    'there is one API server, which is no process among processes: there is nobody to tell it apart from, and nobody to renew a lease',
    'APIServerIdentity',
  ),
  ...because(
    'the periods that it needs are fields that the specification does not show, and nothing without them, in v1.24 too',
    'GracefulNodeShutdown',
    'GracefulNodeShutdownBasedOnPodPriority',
  ),
  ...because(
    'a driver of a simulated cluster keeps no books of its volumes: what there is of one is its object, so that none is left behind by an object that goes before its claim',
    'HonorPVReclaimPolicy',
  ),
]);
