/** The specification of a PersistentVolume. Models: v1.24 core/v1 PersistentVolumeSpec; defaults of pkg/apis/core/v1. */
import { bool, def, field, filled, list, map, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';
import type { Facets, Infer, Schema } from '../../schema/shape/index.ts';
import { resourceList } from './claims.ts';
import { objectReference } from './meta.ts';
import { nodeSelector } from './pod-spec.ts';
import { sharedSources, sourcesWith, storageos } from './volumes.ts';

const secretWith = (facets: Facets) =>
  obj(
    'SecretReference',
    'A reference to a Secret.',
    { name: field(1, 'Its name.', str(), facets), namespace: field(2, 'Its namespace.', str(), facets) },
    { mapType: 'atomic' },
  );
const secretReference = secretWith({});
const driverSecret = secretWith({ needed: true, format: 'label' });
const ofVolumes = sourcesWith(secretReference);

const source = {
  gcePersistentDisk: field([2, 1], sharedSources.gcePersistentDisk),
  awsElasticBlockStore: field([2, 2], sharedSources.awsElasticBlockStore),
  hostPath: field([2, 3], 'A folder of the node, for tests.', sharedSources.hostPath),
  glusterfs: field([2, 4], obj('GlusterfsPersistentVolumeSource', { ...ofVolumes.glusterfs, endpointsNamespace: field(4, ptr(str())) })),
  nfs: field([2, 5], 'An NFS share.', sharedSources.nfs),
  rbd: field([2, 6], obj('RBDPersistentVolumeSource', ofVolumes.rbd)),
  iscsi: field([2, 7], obj('ISCSIPersistentVolumeSource', ofVolumes.iscsi)),
  cinder: field([2, 8], obj('CinderPersistentVolumeSource', ofVolumes.cinder)),
  cephfs: field([2, 9], obj('CephFSPersistentVolumeSource', ofVolumes.cephfs)),
  fc: field([2, 10], sharedSources.fc),
  flocker: field([2, 11], sharedSources.flocker),
  flexVolume: field([2, 12], obj('FlexPersistentVolumeSource', ofVolumes.flexVolume)),
  azureFile: field([2, 13], obj('AzureFilePersistentVolumeSource', { ...ofVolumes.azureFile, secretNamespace: field(4, ptr(str())) })),
  vsphereVolume: field([2, 14], sharedSources.vsphereVolume),
  quobyte: field([2, 15], sharedSources.quobyte),
  azureDisk: field([2, 16], sharedSources.azureDisk),
  photonPersistentDisk: field([2, 17], sharedSources.photonPersistentDisk),
  portworxVolume: field([2, 18], sharedSources.portworxVolume),
  scaleIO: field([2, 19], obj('ScaleIOPersistentVolumeSource', ofVolumes.scaleIO)),
  local: field(
    [2, 20],
    'A disk or folder of one node.',
    obj('LocalVolumeSource', {
      path: field(1, req(str()), { needed: true, format: 'no backsteps' }),
      fsType: field(2, ptr(str())),
    }),
  ),
  storageos: field([2, 21], obj('StorageOSPersistentVolumeSource', storageos(objectReference))),
  csi: field(
    [2, 22],
    'Storage of a driver.',
    obj(
      'CSIPersistentVolumeSource',
      'Storage of a driver.',
      {
        driver: field(1, 'The driver.', req(str()), { format: 'driver' }),
        volumeHandle: field(2, "The volume's id at the driver.", req(str()), { needed: true }),
        readOnly: field(3, 'Whether it is read-only.', bool),
        fsType: field(4, 'The file system.', str()),
        volumeAttributes: field(5, 'Attributes set by the driver when it created the volume.', map(str())),
        controllerPublishSecretRef: field(6, 'Secret that the driver gets to attach.', driverSecret),
        nodeStageSecretRef: field(7, 'Secret that the driver gets to stage.', secretReference),
        nodePublishSecretRef: field(8, 'Secret that the driver gets to mount.', driverSecret),
        controllerExpandSecretRef: field(9, 'Secret that the driver gets to expand.', driverSecret),
      },
      { order: ['driver', 'volumeHandle', 'controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef'] },
    ),
  ),
} as const;

/** Names of the sources, in published order. */
export const persistentSourceNames = Object.keys(source) as readonly (keyof typeof source)[];

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

const RECLAIM = ['Delete', 'Recycle', 'Retain'];
const reclaimPolicy = str('PersistentVolumeReclaimPolicy');
const volumeMode = ptr(str('PersistentVolumeMode'));

/** Returns the spec of a volume, with its reclaim policy and mode. */
const volumeSpecWith = <const R extends Schema, const M extends Schema>(policy: R, mode: M) =>
  obj(
    'PersistentVolumeSpec',
    'The specification of a volume, with exactly one storage source.',
    {
      capacity: field(1, 'Its size.', resourceList),
      ...source,
      ...after,
      persistentVolumeReclaimPolicy: field(
        5,
        'What happens after its claim is deleted: Retain, Delete or Recycle.',
        oneOf(policy, RECLAIM),
      ),
      ...end,
      volumeMode: field(8, 'Filesystem or Block.', mode),
      nodeAffinity: field(9, 'Nodes from which it is accessible.', nodeAffinity),
    },
    { memo: true },
  );

/** The spec in a PersistentVolume, with its defaults. */
export const volumeSpec = volumeSpecWith(filled(reclaimPolicy, 'Retain'), def(volumeMode, 'Filesystem'));
export type PersistentVolumeSpec = Infer<typeof volumeSpec>;

/** The spec in a VolumeAttachment: sources have defaults, the volume has none. */
export const inlineVolumeSpec = volumeSpecWith(reclaimPolicy, volumeMode);
