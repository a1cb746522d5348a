/** The specification of a PersistentVolume. Models: v1.24 core/v1 PersistentVolumeSpec; defaults of pkg/apis/core/v1. */
import { bool, def, filled, int32, list, map, obj, ptr, req, str, type Infer, field, oneOf } from '../../../schema/shape/index.ts';
import { resourceList } from './claims.ts';
import { objectReference } from './meta.ts';
import { nodeSelector } from './pod-spec.ts';
import { sharedSources } from './volumes.ts';

const secretReference = obj(
  'SecretReference',
  'A reference to a Secret.',
  { name: field(1, 'Its name.', str()), namespace: field(2, 'Its namespace.', str()) },
  { mapType: 'atomic' },
);
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
  gcePersistentDisk: field([2, 1], gcePersistentDisk),
  awsElasticBlockStore: field([2, 2], awsElasticBlockStore),
  hostPath: field([2, 3], 'A folder of the node, for tests.', hostPath),
  glusterfs: field(
    [2, 4],
    obj('GlusterfsPersistentVolumeSource', {
      endpoints: field(1, req(str())),
      path: field(2, req(str())),
      readOnly: field(3, bool),
      endpointsNamespace: field(4, ptr(str())),
    }),
  ),
  nfs: field([2, 5], 'An NFS share.', nfs),
  rbd: field(
    [2, 6],
    obj('RBDPersistentVolumeSource', {
      monitors: field(1, req(list(str()))),
      image: field(2, req(str())),
      fsType: field(3, str()),
      pool: field(4, filled(str(), 'rbd')),
      user: field(5, filled(str(), 'admin')),
      keyring: field(6, filled(str(), '/etc/ceph/keyring')),
      secretRef: field(7, secretReference),
      readOnly: field(8, bool),
    }),
  ),
  iscsi: field(
    [2, 7],
    obj('ISCSIPersistentVolumeSource', {
      targetPortal: field(1, req(str())),
      iqn: field(2, req(str())),
      lun: field(3, req(int32)),
      iscsiInterface: field(4, filled(str(), 'default')),
      fsType: field(5, str()),
      readOnly: field(6, bool),
      portals: field(7, list(str())),
      chapAuthDiscovery: field(8, bool),
      chapAuthSession: field(11, bool),
      secretRef: field(10, secretReference),
      initiatorName: field(12, ptr(str())),
    }),
  ),
  cinder: field(
    [2, 8],
    obj('CinderPersistentVolumeSource', {
      volumeID: field(1, req(str())),
      fsType: field(2, str()),
      readOnly: field(3, bool),
      secretRef: field(4, secretReference),
    }),
  ),
  cephfs: field(
    [2, 9],
    obj('CephFSPersistentVolumeSource', {
      monitors: field(1, req(list(str()))),
      path: field(2, str()),
      user: field(3, str()),
      secretFile: field(4, str()),
      secretRef: field(5, secretReference),
      readOnly: field(6, bool),
    }),
  ),
  fc: field([2, 10], fc),
  flocker: field([2, 11], flocker),
  flexVolume: field(
    [2, 12],
    obj('FlexPersistentVolumeSource', {
      driver: field(1, req(str())),
      fsType: field(2, str()),
      secretRef: field(3, secretReference),
      readOnly: field(4, bool),
      options: field(5, map(str())),
    }),
  ),
  azureFile: field(
    [2, 13],
    obj('AzureFilePersistentVolumeSource', {
      secretName: field(1, req(str())),
      shareName: field(2, req(str())),
      readOnly: field(3, bool),
      secretNamespace: field(4, ptr(str())),
    }),
  ),
  vsphereVolume: field([2, 14], vsphereVolume),
  quobyte: field([2, 15], quobyte),
  azureDisk: field([2, 16], azureDisk),
  photonPersistentDisk: field([2, 17], photonPersistentDisk),
  portworxVolume: field([2, 18], portworxVolume),
  scaleIO: field(
    [2, 19],
    obj('ScaleIOPersistentVolumeSource', {
      gateway: field(1, req(str())),
      system: field(2, req(str())),
      secretRef: field(3, req(secretReference)),
      sslEnabled: field(4, bool),
      protectionDomain: field(5, str()),
      storagePool: field(6, str()),
      storageMode: field(7, filled(str(), 'ThinProvisioned')),
      volumeName: field(8, str()),
      fsType: field(9, filled(str(), 'xfs')),
      readOnly: field(10, bool),
    }),
  ),
  local: field(
    [2, 20],
    'A disk or folder of one node.',
    obj('LocalVolumeSource', { path: field(1, req(str())), fsType: field(2, ptr(str())) }),
  ),
  storageos: field(
    [2, 21],
    obj('StorageOSPersistentVolumeSource', {
      volumeName: field(1, str()),
      volumeNamespace: field(2, str()),
      fsType: field(3, str()),
      readOnly: field(4, bool),
      secretRef: field(5, objectReference),
    }),
  ),
  csi: field(
    [2, 22],
    'Storage of a driver.',
    obj('CSIPersistentVolumeSource', 'Storage of a driver.', {
      driver: field(1, 'The driver.', req(str())),
      volumeHandle: field(2, "The volume's id at the driver.", req(str())),
      readOnly: field(3, 'Whether it is read-only.', bool),
      fsType: field(4, 'The file system.', str()),
      volumeAttributes: field(5, 'Attributes set by the driver when it created the volume.', map(str())),
      controllerPublishSecretRef: field(6, 'Secret that the driver gets to attach.', secretReference),
      nodeStageSecretRef: field(7, 'Secret that the driver gets to stage.', secretReference),
      nodePublishSecretRef: field(8, 'Secret that the driver gets to mount.', secretReference),
      controllerExpandSecretRef: field(9, 'Secret that the driver gets to expand.', secretReference),
    }),
  ),
} as const;

/** Names of the sources, in published order. */
export const persistentSourceNames: readonly string[] = Object.keys(source);

const after = {
  accessModes: field(
    3,
    'Its access modes: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.',
    list(str('PersistentVolumeAccessMode')),
  ),
  claimRef: field(4, 'The claim it is bound to or reserved for.', objectReference),
} as const;
const end = {
  storageClassName: field(6, 'Its class; claims of this class may bind to it.', str()),
  mountOptions: field(7, 'Its mount options.', list(str())),
} as const;
const nodeAffinity = obj('VolumeNodeAffinity', 'Nodes from which a volume is accessible.', {
  required: field(1, 'Required properties of the nodes.', nodeSelector),
});

/** The spec in a PersistentVolume, with its defaults. */
export const volumeSpec = obj(
  'PersistentVolumeSpec',
  'The specification of a volume, with exactly one storage source.',
  {
    capacity: field(1, 'Its size.', resourceList),
    ...source,
    ...after,
    persistentVolumeReclaimPolicy: field(
      5,
      'What happens after its claim is deleted: Retain, Delete or Recycle.',
      oneOf(filled(str('PersistentVolumeReclaimPolicy'), 'Retain'), ['Delete', 'Recycle', 'Retain']),
    ),
    ...end,
    volumeMode: field(8, 'Filesystem or Block.', def(ptr(str('PersistentVolumeMode')), 'Filesystem')),
    nodeAffinity: field(9, 'Nodes from which it is accessible.', nodeAffinity),
  },
  { memo: true },
);
export type PersistentVolumeSpec = Infer<typeof volumeSpec>;

/** The spec in a VolumeAttachment: sources have defaults, the volume has none. */
export const inlineVolumeSpec = obj(
  'PersistentVolumeSpec',
  'The specification of a volume, with exactly one storage source.',
  {
    capacity: field(1, 'Its size.', resourceList),
    ...source,
    ...after,
    persistentVolumeReclaimPolicy: field(
      5,
      'What happens after its claim is deleted: Retain, Delete or Recycle.',
      oneOf(str('PersistentVolumeReclaimPolicy'), ['Delete', 'Recycle', 'Retain']),
    ),
    ...end,
    volumeMode: field(8, 'Filesystem or Block.', ptr(str('PersistentVolumeMode'))),
    nodeAffinity: field(9, 'Nodes from which it is accessible.', nodeAffinity),
  },
  { memo: true },
);
