/** Volume sources of pods. Models: v1.24 core/v1 VolumeSource; defaults of pkg/apis/core/v1. */
import {
  always,
  bool,
  def,
  filled,
  int32,
  int64,
  list,
  map,
  obj,
  ptr,
  quantity,
  req,
  str,
  type Infer,
} from '../../../schema/shape/index.ts';
import { claimTemplate } from './claims.ts';
import { localObjectReference } from './meta.ts';

export const objectFieldSelector = obj(
  'ObjectFieldSelector',
  { apiVersion: filled(str(), 'v1'), fieldPath: req(str()) },
  { mapType: 'atomic' },
);
export const resourceFieldSelector = obj(
  'ResourceFieldSelector',
  { containerName: str(), resource: req(str()), divisor: always(quantity) },
  { mapType: 'atomic' },
);

const keyToPath = obj('KeyToPath', { key: req(str()), path: req(str()), mode: ptr(int32) });
const items = list(keyToPath);
const defaultMode = def(ptr(int32), 420);
const downwardFile = obj('DownwardAPIVolumeFile', {
  path: req(str()),
  fieldRef: objectFieldSelector,
  resourceFieldRef: resourceFieldSelector,
  mode: ptr(int32),
});
const volumeProjection = obj('VolumeProjection', {
  secret: obj('SecretProjection', { name: str(), items, optional: ptr(bool) }),
  downwardAPI: obj('DownwardAPIProjection', { items: list(downwardFile) }),
  configMap: obj('ConfigMapProjection', { name: str(), items, optional: ptr(bool) }),
  serviceAccountToken: obj('ServiceAccountTokenProjection', {
    audience: str(),
    expirationSeconds: def(ptr(int64), 3600),
    path: req(str()),
  }),
});

/** Sources with the same fields in pods and PersistentVolumes. */
export const sharedSources = {
  hostPath: obj('HostPathVolumeSource', { path: req(str()), type: def(ptr(str('HostPathType')), '') }),
  gcePersistentDisk: obj('GCEPersistentDiskVolumeSource', { pdName: req(str()), fsType: str(), partition: int32, readOnly: bool }),
  awsElasticBlockStore: obj('AWSElasticBlockStoreVolumeSource', { volumeID: req(str()), fsType: str(), partition: int32, readOnly: bool }),
  nfs: obj('NFSVolumeSource', { server: req(str()), path: req(str()), readOnly: bool }),
  flocker: obj('FlockerVolumeSource', { datasetName: str(), datasetUUID: str() }),
  fc: obj('FCVolumeSource', { targetWWNs: list(str()), lun: ptr(int32), fsType: str(), readOnly: bool, wwids: list(str()) }),
  vsphereVolume: obj('VsphereVirtualDiskVolumeSource', {
    volumePath: req(str()),
    fsType: str(),
    storagePolicyName: str(),
    storagePolicyID: str(),
  }),
  quobyte: obj('QuobyteVolumeSource', {
    registry: req(str()),
    volume: req(str()),
    readOnly: bool,
    user: str(),
    group: str(),
    tenant: str(),
  }),
  azureDisk: obj('AzureDiskVolumeSource', {
    diskName: req(str()),
    diskURI: req(str()),
    cachingMode: def(ptr(str('AzureDataDiskCachingMode')), 'ReadWrite'),
    fsType: def(ptr(str()), 'ext4'),
    readOnly: def(ptr(bool), false),
    kind: def(ptr(str('AzureDataDiskKind')), 'Shared'),
  }),
  photonPersistentDisk: obj('PhotonPersistentDiskVolumeSource', { pdID: req(str()), fsType: str() }),
  portworxVolume: obj('PortworxVolumeSource', { volumeID: req(str()), fsType: str(), readOnly: bool }),
} as const;

const scaleIO = {
  gateway: req(str()),
  system: req(str()),
  secretRef: req(localObjectReference),
  sslEnabled: bool,
  protectionDomain: str(),
  storagePool: str(),
  storageMode: filled(str(), 'ThinProvisioned'),
  volumeName: str(),
  fsType: filled(str(), 'xfs'),
  readOnly: bool,
} as const;

const {
  hostPath,
  gcePersistentDisk,
  awsElasticBlockStore,
  nfs,
  flocker,
  fc,
  vsphereVolume,
  quobyte,
  azureDisk,
  photonPersistentDisk,
  portworxVolume,
} = sharedSources;

const source = {
  hostPath,
  emptyDir: obj('EmptyDirVolumeSource', { medium: str('StorageMedium'), sizeLimit: ptr(quantity) }),
  gcePersistentDisk,
  awsElasticBlockStore,
  gitRepo: obj('GitRepoVolumeSource', { repository: req(str()), revision: str(), directory: str() }),
  secret: obj('SecretVolumeSource', { secretName: str(), items, defaultMode, optional: ptr(bool) }),
  nfs,
  iscsi: obj('ISCSIVolumeSource', {
    targetPortal: req(str()),
    iqn: req(str()),
    lun: req(int32),
    iscsiInterface: filled(str(), 'default'),
    fsType: str(),
    readOnly: bool,
    portals: list(str()),
    chapAuthDiscovery: bool,
    chapAuthSession: bool,
    secretRef: localObjectReference,
    initiatorName: ptr(str()),
  }),
  glusterfs: obj('GlusterfsVolumeSource', { endpoints: req(str()), path: req(str()), readOnly: bool }),
  persistentVolumeClaim: obj('PersistentVolumeClaimVolumeSource', { claimName: req(str()), readOnly: bool }),
  rbd: obj('RBDVolumeSource', {
    monitors: req(list(str())),
    image: req(str()),
    fsType: str(),
    pool: filled(str(), 'rbd'),
    user: filled(str(), 'admin'),
    keyring: filled(str(), '/etc/ceph/keyring'),
    secretRef: localObjectReference,
    readOnly: bool,
  }),
  flexVolume: obj('FlexVolumeSource', {
    driver: req(str()),
    fsType: str(),
    secretRef: localObjectReference,
    readOnly: bool,
    options: map(str()),
  }),
  cinder: obj('CinderVolumeSource', { volumeID: req(str()), fsType: str(), readOnly: bool, secretRef: localObjectReference }),
  cephfs: obj('CephFSVolumeSource', {
    monitors: req(list(str())),
    path: str(),
    user: str(),
    secretFile: str(),
    secretRef: localObjectReference,
    readOnly: bool,
  }),
  flocker,
  downwardAPI: obj('DownwardAPIVolumeSource', { items: list(downwardFile), defaultMode }),
  fc,
  azureFile: obj('AzureFileVolumeSource', { secretName: req(str()), shareName: req(str()), readOnly: bool }),
  configMap: obj('ConfigMapVolumeSource', { name: str(), items, defaultMode, optional: ptr(bool) }),
  vsphereVolume,
  quobyte,
  azureDisk,
  photonPersistentDisk,
  projected: obj('ProjectedVolumeSource', { sources: always(list(volumeProjection)), defaultMode }),
  portworxVolume,
  scaleIO: obj('ScaleIOVolumeSource', scaleIO),
  storageos: obj('StorageOSVolumeSource', {
    volumeName: str(),
    volumeNamespace: str(),
    fsType: str(),
    readOnly: bool,
    secretRef: localObjectReference,
  }),
  csi: obj('CSIVolumeSource', {
    driver: req(str()),
    readOnly: ptr(bool),
    fsType: ptr(str()),
    volumeAttributes: map(str()),
    nodePublishSecretRef: localObjectReference,
  }),
  ephemeral: obj('EphemeralVolumeSource', { volumeClaimTemplate: claimTemplate }),
} as const;

/** Names of the sources, in published order. */
const volumeSourceNames: readonly string[] = Object.keys(source);

export const volume = obj(
  'Volume',
  { name: req(str()), ...source },
  {
    memo: true,
    complete(value) {
      for (const name of volumeSourceNames) if (value[name] !== undefined) return undefined;
      return { emptyDir: {} };
    },
  },
);
export type Volume = Infer<typeof volume>;
