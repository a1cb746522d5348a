/**
 * Fields of shared structs with a closed set of values, for completion in editors and for clients. Source: the enumerations of the
 * published v1.24 schema; validation is independent of them.
 */
import type { Values } from '../parts.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const EFFECTS = ['NoExecute', 'NoSchedule', 'PreferNoSchedule'];
const CONTAINER = { imagePullPolicy: ['Always', 'IfNotPresent', 'Never'], terminationMessagePolicy: ['FallbackToLogsOnError', 'File'] };

/** By struct and field; sorted. */
export const SHARED_VALUES: Values = {
  Container: CONTAINER,
  EphemeralContainer: CONTAINER,
  ContainerPort: { protocol: PROTOCOLS },
  HTTPGetAction: { scheme: ['HTTP', 'HTTPS'] },
  NodeSelectorRequirement: { operator: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] },
  PersistentVolumeSpec: { persistentVolumeReclaimPolicy: ['Delete', 'Recycle', 'Retain'] },
  PodSpec: { dnsPolicy: ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'], restartPolicy: ['Always', 'Never', 'OnFailure'] },
  PortStatus: { protocol: PROTOCOLS },
  SeccompProfile: { type: ['Localhost', 'RuntimeDefault', 'Unconfined'] },
  Toleration: { effect: EFFECTS, operator: ['Equal', 'Exists'] },
  TopologySpreadConstraint: { whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'] },
};
