/** Values that a field may have, where they are a closed set: editors complete them, clients show them. Source: the enumerations of the published v1.24 schema; what is refused is the rules' business. */

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];
const CONTAINER = { imagePullPolicy: ['Always', 'IfNotPresent', 'Never'], terminationMessagePolicy: ['FallbackToLogsOnError', 'File'] };

/** By struct and field; sorted. */
export const VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  StatefulSetSpec: { podManagementPolicy: ['OrderedReady', 'Parallel'] },
  StatefulSetUpdateStrategy: { type: ['OnDelete', 'RollingUpdate'] },
  CronJobSpec: { concurrencyPolicy: ['Allow', 'Forbid', 'Replace'] },
  Container: CONTAINER,
  EphemeralContainer: CONTAINER,
  ContainerPort: { protocol: PROTOCOLS },
  HTTPGetAction: { scheme: ['HTTP', 'HTTPS'] },
  NamespaceStatus: { phase: ['Active', 'Terminating'] },
  NodeSelectorRequirement: { operator: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] },
  NodeStatus: { phase: ['Pending', 'Running', 'Terminated'] },
  PersistentVolumeClaimStatus: { phase: ['Bound', 'Lost', 'Pending'] },
  PersistentVolumeSpec: { persistentVolumeReclaimPolicy: ['Delete', 'Recycle', 'Retain'] },
  PersistentVolumeStatus: { phase: ['Available', 'Bound', 'Failed', 'Pending', 'Released'] },
  PodSpec: { dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], restartPolicy: ['Always', 'Never', 'OnFailure'] },
  PodStatus: { phase: ['Failed', 'Pending', 'Running', 'Succeeded', 'Unknown'], qosClass: ['BestEffort', 'Burstable', 'Guaranteed'] },
  PortStatus: { protocol: PROTOCOLS },
  SeccompProfile: { type: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
  ServicePort: { protocol: PROTOCOLS },
  ServiceSpec: { externalTrafficPolicy: ['Cluster', 'Local'], sessionAffinity: ['ClientIP', 'None'], type: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
  Taint: { effect: EFFECTS },
  Toleration: { effect: EFFECTS, operator: ['Equal', 'Exists'] },
  TopologySpreadConstraint: { whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'] },
  /** Of Endpoints; slices leave it open. */
  'core.v1.EndpointPort': { protocol: PROTOCOLS },
  EndpointSlice: { addressType: ['FQDN', 'IPv4', 'IPv6'] },
};
