/**
 * The tests that show effects: by file below `test/` and title as it is written there, the names of what each shows. a test looks
 * each of them up.
 */

/** A test: its file below `test/`, and its title. */
export interface Shown {
  readonly file: string;
  readonly title: string;
}

type Tests = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Returns a look-up of the test of a name. */
function lookUp(tests: Tests): (name: string) => Shown {
  const byName = new Map(
    Object.entries(tests).flatMap(([file, titles]) =>
      Object.entries(titles).flatMap(([title, names]) => names.split('; ').map((name): [string, Shown] => [name, { file, title }])),
    ),
  );
  return (name) => byName.get(name) ?? { file: 'nowhere', title: name };
}

/** Of fields and flags of the agent, and of feature gates. */
export const shownOfAgent = lookUp({
  'lab/simulation/processes.test.ts': {
    'decides how long a lease lasts and how often it is renewed, node by node': 'nodeLeaseDurationSeconds',
    "is a node's own before that of all, its flags after those of all, and flags override files":
      'maxPods; podsPerCore; port; --node-labels',
    'decides how often an unchanged status is posted, and whether a node is registered at all':
      'nodeStatusUpdateFrequency; nodeStatusReportFrequency; registerNode',
    'are called by agents whose flags name both a configuration and a folder, unless AgentCredentialProviders is off':
      'featureGates; --image-credential-provider-bin-dir; --image-credential-provider-config; AgentCredentialProviders',
    'throttles containers at their limits, unless it is false': 'cpuCFSQuota',
    'MinDomainsInPodTopologySpread %s: with one domain of three that there should be, %i of two pods get a node':
      'MinDomainsInPodTopologySpread',
  },
  'controlplane/agents/node/configured.test.ts': {
    'takes taints, also those of registerWithTaints, and the providerID': 'registerWithTaints; providerID',
    'leaves out systemReserved and orchReserved, and hard thresholds that are set':
      'systemReserved; orchReserved; --experimental-allocatable-ignore-eviction',
    'that another client marked unready is corrected after syncFrequency': 'syncFrequency',
    'are throttled to orchAPIQPS after orchAPIBurst, except reports about the node': 'orchAPIQPS; orchAPIBurst',
    'are throttled to eventRecordQPS after eventBurst, events only': 'eventRecordQPS; eventBurst',
    'whose containers take longer to create than runtimeRequestTimeout does not start, and says so': 'runtimeRequestTimeout',
    'with unsafe sysctls is refused, unless allowedUnsafeSysctls has them': 'allowedUnsafeSysctls',
    'is under the name that --hostname-override gives, in lower case; faults name the machine': '--hostname-override',
  },
  'controlplane/agents/node/shutdown.test.ts': {
    'ends its pods first, the critical ones last': 'shutdownGracePeriod; shutdownGracePeriodCriticalPods',
    'needs the gate GracefulNodeShutdown': 'GracefulNodeShutdown',
  },
  'lab/simulation/process-answers.test.ts': {
    'of an agent decide: %s':
      'enableDebuggingHandlers; enableServer; authentication.webhook.enabled; authentication.anonymous.enabled; authorization.mode',
    'has other ports, which its settings open and close': 'readOnlyPort; healthzPort',
    'with flags alone allows everything; one with a file authorizes requests': 'authentication.x509.clientCAFile',
    'requests the sub-resource of its node for a path, and caches the answer for a while': 'authorization.webhook.cacheAuthorizedTTL',
    'set how long a refusal is cached: %s': 'authorization.webhook.cacheUnauthorizedTTL',
  },
  'controlplane/agents/node/certificates.test.ts': {
    'is renewed with rotateCertificates after 70 to 90 % of its validity': 'rotateCertificates',
    'answers no request before a signer has approved, and decides access after that': 'serverTLSBootstrap',
    'makes an agent wait for its first client certificate before it registers its node': '--bootstrap-orchconfig',
    'needs its gate': 'RotateAgentServerCertificate',
  },
  'controlplane/agents/node/static-pods.test.ts': {
    'of staticPodPath, a folder or a file, runs and has a mirror pod': 'staticPodPath',
    'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer':
      'staticPodURL; staticPodURLHeader; httpCheckFrequency',
    'is found after fileCheckFrequency, and ends with its file': 'fileCheckFrequency',
  },
  'controlplane/agents/node/standalone.test.ts': {
    'gives its pods addresses of podCIDR, which other agents ignore': 'podCIDR',
    'runOnce: true starts the existing pods, waits until they run, and exits; the containers stay': 'runOnce',
    'runs the pods of its files, and registers and reports nothing': '--orchconfig',
  },
  'controlplane/agents/node/image-pulls.test.ts': {
    'beyond the rate fails: a burst at once, then so many per second': 'registryPullQPS; registryBurst',
  },
  'controlplane/agents/node/images.test.ts': {
    'are serial with serializeImagePulls, parallel without': 'serializeImagePulls',
    'reports its images, the largest first, at most nodeStatusMaxImages': 'nodeStatusMaxImages',
    'stay until they have imageMinimumGCAge, and the failure is reported': 'imageMinimumGCAge',
    'are removed between imageGCHighThresholdPercent and imageGCLowThresholdPercent':
      'imageGCHighThresholdPercent; imageGCLowThresholdPercent',
  },
  'controlplane/agents/node/container-introspection.test.ts': {
    'has the servers of clusterDNS, the domains of clusterDomain before those of its node, and five dots': 'clusterDNS; clusterDomain',
    'that resolvConf names and the node does not have keeps a pod from starting': 'resolvConf',
    'limits the processes of a pod, so that its node gets no PID pressure': 'podPidsLimit',
  },
  'controlplane/agents/node/eviction.test.ts': {
    'of evictionHard evicts, at the next synchronization and without grace, the pod that most exceeds its request': 'evictionHard',
    'of evictionSoft must be met for evictionSoftGracePeriod': 'evictionSoft; evictionSoftGracePeriod',
    'keeps its condition until evictionPressureTransitionPeriod has passed, and gets no new pods': 'evictionPressureTransitionPeriod',
    'gives pods their own grace period, at most evictionMaxPodGracePeriod': 'evictionMaxPodGracePeriod',
    'evicts until evictionMinimumReclaim is available too': 'evictionMinimumReclaim',
    'of allocatable memory counts too, unless enforceNodeAllocatable leaves out pods': 'enforceNodeAllocatable',
  },
  'controlplane/agents/node/cores.test.ts': {
    'gives exclusive CPUs to containers of Guaranteed pods with whole CPU requests, whole cores first': 'cpuManagerPolicy',
    'with full-pcpus-only gives whole cores or nothing': 'cpuManagerPolicyOptions',
    'allocates from the fewest NUMA nodes, and a node that allocates alone is in no group': 'memoryManagerPolicy',
    'single-numa-node refuses what does not fit on one NUMA node, best-effort accepts any': 'topologyManagerPolicy',
    'decides for each container, or with topologyManagerScope: pod for the pod': 'topologyManagerScope',
    'accepts options whose gate is on: CPUManagerPolicyAlphaOptions, CPUManagerPolicyBetaOptions':
      'CPUManagerPolicyAlphaOptions; CPUManagerPolicyBetaOptions',
  },
  'controlplane/agents/node/attaching.test.ts': {
    'enableControllerAttachDetach: false keeps the controller away, and the agent says that it attaches nothing for drivers':
      'enableControllerAttachDetach',
  },
  'controlplane/config/agent.test.ts': {
    'rank flags over the file over defaults, and are reported': '--config',
    'of what needs the gate %s name it': 'CPUManager; CPUManagerPolicyOptions; MemoryManager',
    'of missing gates name the gate': 'CustomCPUCFSQuotaPeriod; QOSReserved; TopologyManager',
    'of flags that are deprecated or belong to the other runtime are warnings': 'DynamicKubeletConfig',
  },
  'surfaces/cli/config.test.ts': {
    'lists the flags of each process': '--help',
  },
  'controlplane/agents/node/dynamic-config.test.ts': {
    'goes by what it is assigned, as long as it is; one without it never looks': '--dynamic-config-dir',
  },
  'apiserver/kinds/validation/network-kinds.test.ts': {
    'AnyVolumeDataSource: a claim has only the older field, unless the stored one has the other': 'AnyVolumeDataSource',
    'RecoverVolumeExpansionFailure: a claim with a failed expansion cannot request less': 'RecoverVolumeExpansionFailure',
    'drop of slices: %s': 'EndpointSliceTerminatingCondition; TopologyAwareHints',
    'JobMutableNodeSchedulingDirectives: the template of a suspended Job is immutable': 'JobMutableNodeSchedulingDirectives',
    'MixedProtocolLBService: a balancer has ports of one protocol, unless it had several before': 'MixedProtocolLBService',
    'drop the ends of port ranges, unless the stored policy has some': 'NetworkPolicyEndPort',
    'NetworkPolicyStatus: a policy has no status': 'NetworkPolicyStatus',
    'PodSecurity: levels of a namespace are not validated': 'PodSecurity',
    'ServerSideFieldValidation: the option fieldValidation is ignored': 'ServerSideFieldValidation',
    'ServiceInternalTrafficPolicy: the policy has no default and is dropped, unless the stored Service has one':
      'ServiceInternalTrafficPolicy',
  },
  'apiserver/handlers/lists.test.ts': {
    'have no pages without APIListChunking, and no remaining count without RemainingItemCount': 'APIListChunking; RemainingItemCount',
  },
  'controlplane/config/gates.test.ts': {
    'switch by stage, except those set by name': 'AllAlpha; AllBeta',
  },
  'controlplane/controllers/cron-job/controller.test.ts': {
    'in a zone that does not exist; without the gate the zone does not matter': 'CronJobTimeZone',
  },
  'lab/simulation/gates.test.ts': {
    'CSIDriverRegistry: without it volumes are attached although their driver needs no attachment': 'CSIDriverRegistry',
    'NodeOutOfServiceVolumeDetach: the pods of a node that is out of service are deleted, and its volumes are detached at once':
      'NodeOutOfServiceVolumeDetach',
    'ReadWriteOncePod: such a claim is accepted, and serves one pod at a time': 'ReadWriteOncePod',
    'DaemonSetUpdateSurge: without it no second pod is created beside the first, and the field is dropped': 'DaemonSetUpdateSurge',
    'HPAScaleToZero lets an autoscaler scale to zero, HPAContainerMetrics lets it read one container':
      'HPAContainerMetrics; HPAScaleToZero',
    'JobReadyPods: without it the status of a Job has no count of ready pods': 'JobReadyPods',
    'LocalStorageCapacityIsolation: without it ephemeral storage is no resource of a node, and its limits are not enforced':
      'LocalStorageCapacityIsolation',
    'APIServerIdentity: the API server has a lease, and clears away those of servers that are gone': 'APIServerIdentity',
    'HonorPVReclaimPolicy: the object of a volume stays until its driver has deleted the volume': 'HonorPVReclaimPolicy',
  },
  'apiserver/handlers/gated-pods.test.ts': {
    'CSIInlineVolume: volumes, which have no source then': 'CSIInlineVolume',
    'ExpandedDNSConfig: no more than 6 domains of 256 characters, and with it 32 of 2048': 'ExpandedDNSConfig',
    '${gate}: new objects of kind ${kind}': 'IdentifyPodOS; ProbeTerminationGracePeriod; ProcMountType',
    'GRPCContainerProbe: probes of gRPC, which are probes of nothing then': 'GRPCContainerProbe',
    'AltOSHostProcessContainers: containers that are processes of their host': 'AltOSHostProcessContainers',
    'DownwardAPIHugePages: huge pages in variables and files': 'DownwardAPIHugePages',
    'ProfileConfinement: annotations of profiles': 'ProfileConfinement',
  },
  'controlplane/controllers/job/tracking.test.ts': {
    'removes the annotation from a Job when the gate is off': 'JobTrackingWithFinalizers',
  },
  'controlplane/controllers/replica-set/removal.test.ts': {
    'LogarithmicScaleDown: ages of one magnitude are equal, and without it the younger pod is deleted':
      'LogarithmicScaleDown; PodDeletionCost',
  },
  'controlplane/controllers/stateful-set/controller.test.ts': {
    'replaces one while its gate is off': 'MaxUnavailableStatefulSet',
    'is readiness while its gate is off': 'StatefulSetMinReadySeconds',
  },
  'surfaces/http/published.test.ts': {
    'of either version names no values of fields without the gate OpenAPIEnums': 'OpenAPIEnums',
    'of version 3 is neither served nor listed without the gate OpenAPIV3': 'OpenAPIV3',
    'removes the hashes from every row, of kinds and of other resources': 'StorageVersionHash',
  },
  'apiserver/decisions/endpoints.test.ts': {
    'are terminating but serving ones if none is ready, with ProxyTerminatingEndpoints': 'ProxyTerminatingEndpoints',
  },
  'apiserver/kinds/services.test.ts': {
    'are allocated above the first sixteen while any are free, with the gate ServiceIPStaticSubrange': 'ServiceIPStaticSubrange',
  },
  'controlplane/controllers/stateful-set/claims.test.ts': {
    'does nothing while the gate is off': 'StatefulSetAutoDeletePVC',
  },
  'controlplane/agents/scheduler/volumes.test.ts': {
    'prefer the volume that fits best, with VolumeCapacityPriority': 'VolumeCapacityPriority',
  },
});

export const shownOfScheduler = lookUp({
  'controlplane/config/scheduler.test.ts': {
    'that are deprecated are ignored beside a configuration file': '--config',
    'accept only the previous minor version for hidden metrics, and warn of an unused cert-dir': '--logging-format',
  },
  'surfaces/cli/config.test.ts': {
    'lists the flags of each process': '--help',
  },
  'lab/simulation/processes.test.ts': {
    'hold no lock with --leader-elect=false, and otherwise the one that older flags name':
      '--leader-elect; --lock-object-name; --lock-object-namespace',
    'follow the flags: the lease duration, and the lock':
      '--leader-elect-lease-duration; --leader-elect-renew-deadline; --leader-elect-retry-period; --leader-elect-resource-name; --leader-elect-resource-namespace',
    'serve the pods that name them, with flags and gates of their own': '--feature-gates',
    'is, with --leader-elect-resource-lock=%s, an annotation of %s and the lease beside it, which agree': '--leader-elect-resource-lock',
    'are throttled by --orch-api-qps, after --orch-api-burst of them': '--orch-api-qps; --orch-api-burst',
    'are tried again after --pod-max-in-unschedulable-pods-duration': '--pod-max-in-unschedulable-pods-duration',
    'exit when their look-up fails with --authentication-tolerate-lookup-failure=false': '--authentication-tolerate-lookup-failure',
  },
  'lab/simulation/process-answers.test.ts': {
    'of profiles decide: %s': '--profiling',
    'answers its listed paths to any user, and nothing else without a kubeconfig':
      '--authentication-kubeconfig; --authorization-kubeconfig; --requestheader-allowed-names; --secure-port',
    'of a scheduler decide: %s':
      '--authentication-skip-lookup; --authorization-always-allow-paths; --client-ca-file; --requestheader-client-ca-file',
    '--authorization-webhook-cache-authorized-ttl sets how long a permission is cached': '--authorization-webhook-cache-authorized-ttl',
    'set how long a refusal is cached: %s': '--authorization-webhook-cache-unauthorized-ttl',
  },
});

export const shownOfStatement = lookUp({
  'lab/simulation/processes.test.ts': {
    'registers its node': 'registers its node',
    'serve the pods that name them, with flags and gates of their own': 'several schedulers',
  },
  'controlplane/agents/node/start.test.ts': {
    'are created, then run, a request later': 'keeps pods running; pods from the API server',
  },
  'controlplane/agents/node/foreign-containers.test.ts': {
    'are ignored, by evictions and by a restarted agent, until they end by themselves': 'pods of others',
  },
  'controlplane/agents/node/static-pods.test.ts': {
    'of staticPodPath, a folder or a file, runs and has a mirror pod': 'pods from files',
    'starts where staticPodURLHeader is accepted, at httpCheckFrequency, and stays when the URL does not answer': 'pods from a URL',
    'runs at once, has a mirror, and ends when it is withdrawn; a closed server accepts none': 'pods by submission',
  },
  'controlplane/agents/scheduler/scheduler.test.ts': {
    'binds, with an event': 'finds a node',
  },
  'controlplane/config/agent.test.ts': {
    'rank flags over the file over defaults, and are reported': 'flags over file',
    'differ for access where there is no file: what the flags say': 'no file',
    'of bounds are found all at once':
      'port, healthzPort; readOnlyPort; oomScoreAdj; imageGC…ThresholdPercent; registryPullQPS, registryBurst; maxPods; podsPerCore; nodeLeaseDurationSeconds; nodeStatusMaxImages',
    'of bounds name the setting: %j': 'eventRecordQPS, eventBurst; orchAPIBurst; maxOpenFiles; containerLogMaxFiles',
    'of missing gates name the gate': 'cpuCFSQuotaPeriod',
    'of the file as a whole': 'apiVersion of files',
    'of flags that are deprecated or belong to the other runtime are warnings': 'flags move to the file',
  },
  'controlplane/config/scheduler.test.ts': {
    'that are deprecated are ignored beside a configuration file': 'deprecated beside a file',
    'are refused with what was expected': '--leader-elect-renew-deadline',
    'have the defaults of the specification': '--orch-api-qps, --orch-api-burst',
  },
  'controlplane/config/credential-provider.test.ts': {
    'are read with the source of every value': 'apiVersion, kind; providers',
    'apply to the images they match, in order': 'combined',
  },
  'controlplane/config/credential-source.test.ts': {
    'are those of every provider that matches it; for the same key the earlier provider wins': 'the earlier wins',
  },
  'controlplane/config/outline.test.ts': {
    'are three, of which the read-only port is closed': 'agent, secured; agent, read-only; agent, health',
    'are one, or none': 'scheduler',
    'of a request: %s': 'scheduler, always allowed; scheduler, authorization; scheduler, tokens; scheduler, headers',
    'is anonymous and unrestricted without a file': 'agent, anonymous',
    'is reviewed by the API server with a file': 'agent, tokens; agent, certificates; agent, authorization',
    'is not authenticated at the read-only port': 'agent, read-only port',
    'say which version removes a flag, where that is known': 'removal',
  },
  'lab/simulation/process-answers.test.ts': {
    'of an agent decide: %s': 'debugging handlers',
  },
  'controlplane/agents/node/dynamic-config.test.ts': {
    'goes by the last known good configuration if the assigned one is invalid, and with its file without one': 'dynamic configuration',
  },
});
