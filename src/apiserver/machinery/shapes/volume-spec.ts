/** The specification of a PersistentVolume. Models: v1.24 core/v1 PersistentVolumeSpec; defaults of pkg/apis/core/v1. */
import { bool, def, filled, int32, list, map, obj, ptr, req, str, type Infer } from '../../../schema/shape/index.ts';
import { resourceList } from './claims.ts';
import { objectReference } from './meta.ts';
import { nodeSelector } from './pod-spec.ts';
import { sharedSources } from './volumes.ts';

const secretReference = obj('SecretReference', { name: str(), namespace: str() }, { mapType: 'atomic' });
const {
  gcePersistentDisk,
  awsElasticBlockStore,
  hostPath,
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
  gcePersistentDisk,
  awsElasticBlockStore,
  hostPath,
  glusterfs: obj('GlusterfsPersistentVolumeSource', {
    endpoints: req(str()),
    path: req(str()),
    readOnly: bool,
    endpointsNamespace: ptr(str()),
  }),
  nfs,
  rbd: obj('RBDPersistentVolumeSource', {
    monitors: req(list(str())),
    image: req(str()),
    fsType: str(),
    pool: filled(str(), 'rbd'),
    user: filled(str(), 'admin'),
    keyring: filled(str(), '/etc/ceph/keyring'),
    secretRef: secretReference,
    readOnly: bool,
  }),
  iscsi: obj('ISCSIPersistentVolumeSource', {
    targetPortal: req(str()),
    iqn: req(str()),
    lun: req(int32),
    iscsiInterface: filled(str(), 'default'),
    fsType: str(),
    readOnly: bool,
    portals: list(str()),
    chapAuthDiscovery: bool,
    chapAuthSession: bool,
    secretRef: secretReference,
    initiatorName: ptr(str()),
  }),
  cinder: obj('CinderPersistentVolumeSource', { volumeID: req(str()), fsType: str(), readOnly: bool, secretRef: secretReference }),
  cephfs: obj('CephFSPersistentVolumeSource', {
    monitors: req(list(str())),
    path: str(),
    user: str(),
    secretFile: str(),
    secretRef: secretReference,
    readOnly: bool,
  }),
  fc,
  flocker,
  flexVolume: obj('FlexPersistentVolumeSource', {
    driver: req(str()),
    fsType: str(),
    secretRef: secretReference,
    readOnly: bool,
    options: map(str()),
  }),
  azureFile: obj('AzureFilePersistentVolumeSource', {
    secretName: req(str()),
    shareName: req(str()),
    readOnly: bool,
    secretNamespace: ptr(str()),
  }),
  vsphereVolume,
  quobyte,
  azureDisk,
  photonPersistentDisk,
  portworxVolume,
  scaleIO: obj('ScaleIOPersistentVolumeSource', {
    gateway: req(str()),
    system: req(str()),
    secretRef: req(secretReference),
    sslEnabled: bool,
    protectionDomain: str(),
    storagePool: str(),
    storageMode: filled(str(), 'ThinProvisioned'),
    volumeName: str(),
    fsType: filled(str(), 'xfs'),
    readOnly: bool,
  }),
  local: obj('LocalVolumeSource', { path: req(str()), fsType: ptr(str()) }),
  storageos: obj('StorageOSPersistentVolumeSource', {
    volumeName: str(),
    volumeNamespace: str(),
    fsType: str(),
    readOnly: bool,
    secretRef: objectReference,
  }),
  csi: obj('CSIPersistentVolumeSource', {
    driver: req(str()),
    volumeHandle: req(str()),
    readOnly: bool,
    fsType: str(),
    volumeAttributes: map(str()),
    controllerPublishSecretRef: secretReference,
    nodeStageSecretRef: secretReference,
    nodePublishSecretRef: secretReference,
    controllerExpandSecretRef: secretReference,
  }),
} as const;

/** Names of the sources, in published order. */
export const persistentSourceNames: readonly string[] = Object.keys(source);

const after = {
  accessModes: list(str('PersistentVolumeAccessMode')),
  claimRef: objectReference,
} as const;
const end = {
  storageClassName: str(),
  mountOptions: list(str()),
} as const;
const nodeAffinity = obj('VolumeNodeAffinity', { required: nodeSelector });

/** The spec in a PersistentVolume, with its defaults. */
export const volumeSpec = obj(
  'PersistentVolumeSpec',
  {
    capacity: resourceList,
    ...source,
    ...after,
    persistentVolumeReclaimPolicy: filled(str('PersistentVolumeReclaimPolicy'), 'Retain'),
    ...end,
    volumeMode: def(ptr(str('PersistentVolumeMode')), 'Filesystem'),
    nodeAffinity,
  },
  { memo: true },
);
export type PersistentVolumeSpec = Infer<typeof volumeSpec>;

/** The spec in a VolumeAttachment: sources have defaults, the volume has none. */
export const inlineVolumeSpec = obj(
  'PersistentVolumeSpec',
  {
    capacity: resourceList,
    ...source,
    ...after,
    persistentVolumeReclaimPolicy: str('PersistentVolumeReclaimPolicy'),
    ...end,
    volumeMode: ptr(str('PersistentVolumeMode')),
    nodeAffinity,
  },
  { memo: true },
);
