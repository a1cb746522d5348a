/** The text of a template that is hashed: its fields as Go prints them, in the order of the structs of v1.24. */
import { expect, it } from 'vitest';
import { drawnUuid, safeLetters, templateHash } from '../../../src/controlplane/shared/index.ts';

const TEMPLATE = {
  metadata: { labels: { b: '2', a: '1' }, creationTimestamp: '2024-01-01T00:00:00Z' },
  spec: {
    containers: [
      {
        name: 'c',
        image: 'c:1',
        env: [{ name: 'E', valueFrom: { configMapKeyRef: { name: 'm', key: 'k' } } }],
        envFrom: [{ secretRef: { name: 's' } }],
        resources: { requests: { memory: '64Mi', cpu: '100m' } },
        livenessProbe: { httpGet: { port: 'http', path: '/', scheme: 'HTTP' }, periodSeconds: 3 },
        readinessProbe: { tcpSocket: { port: 81 } },
        ports: [{ containerPort: 80, hostIP: '1.2.3.4' }],
      },
    ],
    volumes: [
      { name: 'v', configMap: { name: 'm', defaultMode: 420 } },
      { name: 'w', rbd: { monitors: ['x', 'y'], image: 'i', readOnly: true } },
    ],
    hostIPC: true,
    serviceAccountName: 'x',
    serviceAccount: 'x',
    dnsPolicy: 'ClusterFirst',
  },
};
const TEXT = [
  '(v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) GenerateName:(string) Namespace:(string) SelfLink:(string)',
  'UID:(types.UID) ResourceVersion:(string) Generation:(int64)0 CreationTimestamp:(v1.Time){Time:(time.Time){wall:(uint64)0',
  'ext:(int64)2024-01-01T00:00:00Z loc:(*time.Location)<nil>}} DeletionTimestamp:(*v1.Time)<nil>',
  'DeletionGracePeriodSeconds:(*int64)<nil> Labels:(map[string]string)map[a:1 b:2] Annotations:(map[string]string)<nil>',
  'OwnerReferences:([]v1.OwnerReference)<nil> Finalizers:([]string)<nil> ZZZ_DeprecatedClusterName:(string)',
  'ManagedFields:([]v1.ManagedFieldsEntry)<nil>} Spec:(v1.PodSpec){Volumes:([]v1.Volume)[{Name:(string)v',
  'VolumeSource:(v1.VolumeSource){HostPath:(*v1.HostPathVolumeSource)<nil> EmptyDir:(*v1.EmptyDirVolumeSource)<nil>',
  'GCEPersistentDisk:(*v1.GCEPersistentDiskVolumeSource)<nil> AWSElasticBlockStore:(*v1.AWSElasticBlockStoreVolumeSource)<nil>',
  'GitRepo:(*v1.GitRepoVolumeSource)<nil> Secret:(*v1.SecretVolumeSource)<nil> NFS:(*v1.NFSVolumeSource)<nil>',
  'ISCSI:(*v1.ISCSIVolumeSource)<nil> Glusterfs:(*v1.GlusterfsVolumeSource)<nil>',
  'PersistentVolumeClaim:(*v1.PersistentVolumeClaimVolumeSource)<nil> RBD:(*v1.RBDVolumeSource)<nil>',
  'FlexVolume:(*v1.FlexVolumeSource)<nil> Cinder:(*v1.CinderVolumeSource)<nil> CephFS:(*v1.CephFSVolumeSource)<nil>',
  'Flocker:(*v1.FlockerVolumeSource)<nil> DownwardAPI:(*v1.DownwardAPIVolumeSource)<nil> FC:(*v1.FCVolumeSource)<nil>',
  'AzureFile:(*v1.AzureFileVolumeSource)<nil>',
  'ConfigMap:(*v1.ConfigMapVolumeSource){LocalObjectReference:(v1.LocalObjectReference){Name:(string)m}',
  'Items:([]v1.KeyToPath)<nil> DefaultMode:(*int32)420 Optional:(*bool)<nil>}',
  'VsphereVolume:(*v1.VsphereVirtualDiskVolumeSource)<nil> Quobyte:(*v1.QuobyteVolumeSource)<nil>',
  'AzureDisk:(*v1.AzureDiskVolumeSource)<nil> PhotonPersistentDisk:(*v1.PhotonPersistentDiskVolumeSource)<nil>',
  'Projected:(*v1.ProjectedVolumeSource)<nil> PortworxVolume:(*v1.PortworxVolumeSource)<nil>',
  'ScaleIO:(*v1.ScaleIOVolumeSource)<nil> StorageOS:(*v1.StorageOSVolumeSource)<nil> CSI:(*v1.CSIVolumeSource)<nil>',
  'Ephemeral:(*v1.EphemeralVolumeSource)<nil>}} {Name:(string)w',
  'VolumeSource:(v1.VolumeSource){HostPath:(*v1.HostPathVolumeSource)<nil> EmptyDir:(*v1.EmptyDirVolumeSource)<nil>',
  'GCEPersistentDisk:(*v1.GCEPersistentDiskVolumeSource)<nil> AWSElasticBlockStore:(*v1.AWSElasticBlockStoreVolumeSource)<nil>',
  'GitRepo:(*v1.GitRepoVolumeSource)<nil> Secret:(*v1.SecretVolumeSource)<nil> NFS:(*v1.NFSVolumeSource)<nil>',
  'ISCSI:(*v1.ISCSIVolumeSource)<nil> Glusterfs:(*v1.GlusterfsVolumeSource)<nil>',
  'PersistentVolumeClaim:(*v1.PersistentVolumeClaimVolumeSource)<nil> RBD:(*v1.RBDVolumeSource){CephMonitors:([]string)[x y]',
  'RBDImage:(string)i FSType:(string) RBDPool:(string) RadosUser:(string) Keyring:(string)',
  'SecretRef:(*v1.LocalObjectReference)<nil> ReadOnly:(bool)true} FlexVolume:(*v1.FlexVolumeSource)<nil>',
  'Cinder:(*v1.CinderVolumeSource)<nil> CephFS:(*v1.CephFSVolumeSource)<nil> Flocker:(*v1.FlockerVolumeSource)<nil>',
  'DownwardAPI:(*v1.DownwardAPIVolumeSource)<nil> FC:(*v1.FCVolumeSource)<nil> AzureFile:(*v1.AzureFileVolumeSource)<nil>',
  'ConfigMap:(*v1.ConfigMapVolumeSource)<nil> VsphereVolume:(*v1.VsphereVirtualDiskVolumeSource)<nil>',
  'Quobyte:(*v1.QuobyteVolumeSource)<nil> AzureDisk:(*v1.AzureDiskVolumeSource)<nil>',
  'PhotonPersistentDisk:(*v1.PhotonPersistentDiskVolumeSource)<nil> Projected:(*v1.ProjectedVolumeSource)<nil>',
  'PortworxVolume:(*v1.PortworxVolumeSource)<nil> ScaleIO:(*v1.ScaleIOVolumeSource)<nil>',
  'StorageOS:(*v1.StorageOSVolumeSource)<nil> CSI:(*v1.CSIVolumeSource)<nil> Ephemeral:(*v1.EphemeralVolumeSource)<nil>}}]',
  'InitContainers:([]v1.Container)<nil> Containers:([]v1.Container)[{Name:(string)c Image:(string)c:1 Command:([]string)<nil>',
  'Args:([]string)<nil> WorkingDir:(string) Ports:([]v1.ContainerPort)[{Name:(string) HostPort:(int32)0 ContainerPort:(int32)80',
  'Protocol:(v1.Protocol) HostIP:(string)1.2.3.4}] EnvFrom:([]v1.EnvFromSource)[{Prefix:(string)',
  'ConfigMapRef:(*v1.ConfigMapEnvSource)<nil>',
  'SecretRef:(*v1.SecretEnvSource){LocalObjectReference:(v1.LocalObjectReference){Name:(string)s} Optional:(*bool)<nil>}}]',
  'Env:([]v1.EnvVar)[{Name:(string)E Value:(string) ValueFrom:(*v1.EnvVarSource){FieldRef:(*v1.ObjectFieldSelector)<nil>',
  'ResourceFieldRef:(*v1.ResourceFieldSelector)<nil>',
  'ConfigMapKeyRef:(*v1.ConfigMapKeySelector){LocalObjectReference:(v1.LocalObjectReference){Name:(string)m} Key:(string)k',
  'Optional:(*bool)<nil>} SecretKeyRef:(*v1.SecretKeySelector)<nil>}}]',
  'Resources:(v1.ResourceRequirements){Limits:(v1.ResourceList)<nil>',
  'Requests:(v1.ResourceList)map[cpu:{i:(resource.int64Amount){value:(int64)100 scale:(resource.Scale)-3}',
  'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)100m Format:(resource.Format)DecimalSI}',
  'memory:{i:(resource.int64Amount){value:(int64)67108864 scale:(resource.Scale)0}',
  'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string) Format:(resource.Format)BinarySI}]}',
  'VolumeMounts:([]v1.VolumeMount)<nil> VolumeDevices:([]v1.VolumeDevice)<nil>',
  'LivenessProbe:(*v1.Probe){ProbeHandler:(v1.ProbeHandler){Exec:(*v1.ExecAction)<nil>',
  'HTTPGet:(*v1.HTTPGetAction){Path:(string)/ Port:(intstr.IntOrString){Type:(intstr.Type)1 IntVal:(int32)0',
  'StrVal:(string)http} Host:(string) Scheme:(v1.URIScheme)HTTP HTTPHeaders:([]v1.HTTPHeader)<nil>}',
  'TCPSocket:(*v1.TCPSocketAction)<nil> GRPC:(*v1.GRPCAction)<nil>} InitialDelaySeconds:(int32)0 TimeoutSeconds:(int32)0',
  'PeriodSeconds:(int32)3 SuccessThreshold:(int32)0 FailureThreshold:(int32)0 TerminationGracePeriodSeconds:(*int64)<nil>}',
  'ReadinessProbe:(*v1.Probe){ProbeHandler:(v1.ProbeHandler){Exec:(*v1.ExecAction)<nil> HTTPGet:(*v1.HTTPGetAction)<nil>',
  'TCPSocket:(*v1.TCPSocketAction){Port:(intstr.IntOrString){Type:(intstr.Type)0 IntVal:(int32)81 StrVal:(string)}',
  'Host:(string)} GRPC:(*v1.GRPCAction)<nil>} InitialDelaySeconds:(int32)0 TimeoutSeconds:(int32)0 PeriodSeconds:(int32)0',
  'SuccessThreshold:(int32)0 FailureThreshold:(int32)0 TerminationGracePeriodSeconds:(*int64)<nil>}',
  'StartupProbe:(*v1.Probe)<nil> Lifecycle:(*v1.Lifecycle)<nil> TerminationMessagePath:(string)',
  'TerminationMessagePolicy:(v1.TerminationMessagePolicy) ImagePullPolicy:(v1.PullPolicy)',
  'SecurityContext:(*v1.SecurityContext)<nil> Stdin:(bool)false StdinOnce:(bool)false TTY:(bool)false}]',
  'EphemeralContainers:([]v1.EphemeralContainer)<nil> RestartPolicy:(v1.RestartPolicy)',
  'TerminationGracePeriodSeconds:(*int64)<nil> ActiveDeadlineSeconds:(*int64)<nil> DNSPolicy:(v1.DNSPolicy)ClusterFirst',
  'NodeSelector:(map[string]string)<nil> ServiceAccountName:(string)x DeprecatedServiceAccount:(string)x',
  'AutomountServiceAccountToken:(*bool)<nil> NodeName:(string) HostNetwork:(bool)false HostPID:(bool)false HostIPC:(bool)true',
  'ShareProcessNamespace:(*bool)<nil> SecurityContext:(*v1.PodSecurityContext)<nil>',
  'ImagePullSecrets:([]v1.LocalObjectReference)<nil> Hostname:(string) Subdomain:(string) Affinity:(*v1.Affinity)<nil>',
  'SchedulerName:(string) Tolerations:([]v1.Toleration)<nil> HostAliases:([]v1.HostAlias)<nil> PriorityClassName:(string)',
  'Priority:(*int32)<nil> DNSConfig:(*v1.PodDNSConfig)<nil> ReadinessGates:([]v1.PodReadinessGate)<nil>',
  'RuntimeClassName:(*string)<nil> EnableServiceLinks:(*bool)<nil> PreemptionPolicy:(*v1.PreemptionPolicy)<nil>',
  'Overhead:(v1.ResourceList)<nil> TopologySpreadConstraints:([]v1.TopologySpreadConstraint)<nil>',
  'SetHostnameAsFQDN:(*bool)<nil> OS:(*v1.PodOS)<nil>}}',
].join(' ');

/** The 32-bit FNV-1a hash of bytes. */
const fnv = (bytes: Iterable<number>): number => {
  let hash = 2_166_136_261n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 16_777_619n) % 2n ** 32n;
  return Number(hash);
};
const hashOf = (...after: readonly number[]): string => safeLetters(String(fnv([...new TextEncoder().encode(TEXT), ...after])));

it('a template is hashed as the text that Go prints', () => {
  expect(templateHash(structuredClone(TEMPLATE) as never, undefined)).toBe(hashOf());
});

it('collisions are added as eight bytes, the lowest first', () => {
  expect(templateHash(TEMPLATE as never, 0)).toBe(hashOf(0, 0, 0, 0, 0, 0, 0, 0));
  expect(templateHash(TEMPLATE as never, 259)).toBe(hashOf(3, 1, 0, 0, 0, 0, 0, 0));
});

it('digits become letters that form no words', () => {
  expect(safeLetters('0123456789')).toBe('456789bcdf');
});

it('a drawn uuid is of version 4', () => {
  const draws = (digit: string) => drawnUuid((digits) => digit.repeat(digits));
  expect(['0', '1', '6', 'f'].map(draws)).toEqual([
    '00000000-0000-4000-8000-000000000000',
    '11111111-1111-4111-9111-111111111111',
    '66666666-6666-4666-a666-666666666666',
    'ffffffff-ffff-4fff-bfff-ffffffffffff',
  ]);
});
