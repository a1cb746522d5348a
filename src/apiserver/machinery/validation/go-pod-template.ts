/** A pod template as Go prints its internal struct, for the one error that prints it whole. Models: v1.24 pkg/apis/core PodTemplateSpec. */
import type { GoText, GoType } from '../../../schema/values/index.ts';
import type { PodTemplateSpec } from '../structs/pod-spec.ts';
import { flag, int, int64, listOf, mapOf, metaType, pointer, shown, struct, text, tolerationType } from './go-shapes.ts';

/** A pointer prints only its type. */
const to = (name: string): GoType => pointer({ type: 'struct', name, fields: [] });
const textPointer = (name: string): GoType => pointer({ type: 'string', name });
const amounts: GoType = { type: 'map', of: { type: 'quantity' }, name: 'core.ResourceList' };

const containerFields = {
  Name: text,
  Image: text,
  Command: listOf(text),
  Args: listOf(text),
  WorkingDir: text,
  Ports: listOf(struct('core.ContainerPort', { Name: text, HostPort: int, ContainerPort: int, Protocol: text, HostIP: text })),
  EnvFrom: listOf(
    struct('core.EnvFromSource', { Prefix: text, ConfigMapRef: to('core.ConfigMapEnvSource'), SecretRef: to('core.SecretEnvSource') }),
  ),
  Env: listOf(struct('core.EnvVar', { Name: text, Value: text, ValueFrom: to('core.EnvVarSource') })),
  Resources: struct('core.ResourceRequirements', { Limits: amounts, Requests: amounts }),
  VolumeMounts: listOf(
    struct('core.VolumeMount', {
      Name: text,
      ReadOnly: flag,
      MountPath: text,
      SubPath: text,
      MountPropagation: textPointer('core.MountPropagationMode'),
      SubPathExpr: text,
    }),
  ),
  VolumeDevices: listOf(struct('core.VolumeDevice', { Name: text, DevicePath: text })),
  LivenessProbe: to('core.Probe'),
  ReadinessProbe: to('core.Probe'),
  StartupProbe: to('core.Probe'),
  Lifecycle: to('core.Lifecycle'),
  TerminationMessagePath: text,
  TerminationMessagePolicy: text,
  ImagePullPolicy: text,
  SecurityContext: to('core.SecurityContext'),
  Stdin: flag,
  StdinOnce: flag,
  TTY: ['tty', flag],
} as const;
const container = struct('core.Container', containerFields);

const SOURCES: Readonly<Record<string, string>> = {
  HostPath: 'hostPath',
  EmptyDir: 'emptyDir',
  GCEPersistentDisk: 'gcePersistentDisk',
  AWSElasticBlockStore: 'awsElasticBlockStore',
  GitRepo: 'gitRepo',
  Secret: 'secret',
  NFS: 'nfs',
  ISCSI: 'iscsi',
  Glusterfs: 'glusterfs',
  PersistentVolumeClaim: 'persistentVolumeClaim',
  RBD: 'rbd',
  Quobyte: 'quobyte',
  FlexVolume: 'flexVolume',
  Cinder: 'cinder',
  CephFS: 'cephfs',
  Flocker: 'flocker',
  DownwardAPI: 'downwardAPI',
  FC: 'fc',
  AzureFile: 'azureFile',
  ConfigMap: 'configMap',
  VsphereVolume: 'vsphereVolume',
  AzureDisk: 'azureDisk',
  PhotonPersistentDisk: 'photonPersistentDisk',
  Projected: 'projected',
  PortworxVolume: 'portworxVolume',
  ScaleIO: 'scaleIO',
  StorageOS: 'storageos',
  CSI: 'csi',
  Ephemeral: 'ephemeral',
};
/** Sources whose Go type is not named after their field. */
const SOURCE_TYPES: Readonly<Record<string, string>> = {
  AzureDisk: 'AzureDiskVolumeSource',
  VsphereVolume: 'VsphereVirtualDiskVolumeSource',
  PortworxVolume: 'PortworxVolumeSource',
  FlexVolume: 'FlexVolumeSource',
  RBD: 'RBDVolumeSource',
};
const volumeSource = struct(
  'core.VolumeSource',
  Object.fromEntries(
    Object.entries(SOURCES).map(([go, json]) => [go, [json, to(`core.${SOURCE_TYPES[go] ?? `${go}VolumeSource`}`)] as const]),
  ),
);

const podSpec = struct('core.PodSpec', {
  Volumes: listOf(struct('core.Volume', { Name: text, VolumeSource: ['', volumeSource] })),
  InitContainers: listOf(container),
  Containers: listOf(container),
  EphemeralContainers: listOf(
    struct('core.EphemeralContainer', {
      EphemeralContainerCommon: ['', struct('core.EphemeralContainerCommon', containerFields)],
      TargetContainerName: text,
    }),
  ),
  RestartPolicy: text,
  TerminationGracePeriodSeconds: pointer(int64),
  ActiveDeadlineSeconds: pointer(int64),
  DNSPolicy: ['dnsPolicy', text],
  NodeSelector: mapOf(text),
  ServiceAccountName: text,
  AutomountServiceAccountToken: pointer(flag),
  NodeName: text,
  SecurityContext: to('core.PodSecurityContext'),
  ImagePullSecrets: listOf(struct('core.LocalObjectReference', { Name: text })),
  Hostname: text,
  Subdomain: text,
  SetHostnameAsFQDN: pointer(flag),
  Affinity: to('core.Affinity'),
  SchedulerName: text,
  Tolerations: listOf(tolerationType),
  HostAliases: listOf(struct('core.HostAlias', { IP: ['ip', text], Hostnames: listOf(text) })),
  PriorityClassName: text,
  Priority: pointer(int),
  PreemptionPolicy: textPointer('core.PreemptionPolicy'),
  DNSConfig: ['dnsConfig', to('core.PodDNSConfig')],
  ReadinessGates: listOf(struct('core.PodReadinessGate', { ConditionType: text })),
  RuntimeClassName: textPointer('string'),
  Overhead: amounts,
  EnableServiceLinks: pointer(flag),
  TopologySpreadConstraints: listOf(
    struct('core.TopologySpreadConstraint', {
      MaxSkew: int,
      TopologyKey: text,
      WhenUnsatisfiable: text,
      LabelSelector: to('v1.LabelSelector'),
      MinDomains: pointer(int),
    }),
  ),
  OS: ['os', to('core.PodOS')],
});

const template = struct('core.PodTemplateSpec', {
  ObjectMeta: ['metadata', metaType],
  Spec: podSpec,
});

/** Prints a pod template as Go does with `%#v`. */
export const shownTemplate = (value: PodTemplateSpec): GoText => shown(value, template);
