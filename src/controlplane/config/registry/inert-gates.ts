/** Gates without effect in the simulation, with reasons. */
import * as no from './reasons.ts';
import { because, type SupportStatus } from './support-status.ts';

export const INERT_GATES: ReadonlyMap<string, SupportStatus> = new Map([
  ...because('the feature is generally available: the gate is locked on', 'EndpointSliceNodeName', 'VolumeScheduling'),
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
    'only CSI drivers provide volumes: there are no in-tree plug-ins to migrate',
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
  ...because('device plug-ins and their API are not simulated', 'AgentPodResources', 'AgentPodResourcesGetAllocatable', 'DevicePlugins'),
  ...because(
    'the server answers every request at once: there are no queues, and no request is rejected for load',
    'APIPriorityAndFairness',
  ),
  ...because('responses are never compressed', 'APIResponseCompression'),
  ...because('the server has no StorageVersion resource', 'StorageVersionAPI'),
  ...because('schemas of custom resources have no validation expressions', 'CustomResourceValidationExpressions'),
  ...because('simulated volumes contain no files, so no file has an owner', 'DelegateFSGroupToCSIDriver'),
  ...because('simulated pods take no ephemeral containers', 'EphemeralContainers'),
  ...because(
    "v1.24's server accepts such probes either way; only agents read the gate, and no simulated container is probed",
    'GRPCContainerProbe',
  ),
  ...because('service accounts have no tokens in secrets', 'LegacyServiceAccountTokenNoAutoGeneration'),
  ...because(
    'the fields that it guards are validated the same with the gate on and off',
    'AltOSHostProcessContainers',
    'DownwardAPIHugePages',
    'ProfileConfinement',
  ),
  ...because(
    'there is one API server, which is not one of the simulated processes: it needs no identity, and renews no lease',
    'APIServerIdentity',
  ),
  ...because(
    'it needs shutdown periods, whose fields the specification does not have; without them v1.24 does nothing either',
    'GracefulNodeShutdown',
    'GracefulNodeShutdownBasedOnPodPriority',
  ),
  ...because(
    'a simulated driver has no volumes besides their objects, so none is left behind when a volume is deleted before its claim',
    'HonorPVReclaimPolicy',
  ),
]);
