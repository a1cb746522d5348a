/** Volume sources of pods. Models: v1.24 core/v1 VolumeSource; defaults of pkg/apis/core/v1. */
import { always, bool, def, field, filled, int32, int64, list, map, obj, ptr, quantity, req, str } from '../../schema/shape/index.ts';
import type { Infer, Schema } from '../../schema/shape/index.ts';
import { claimTemplate } from './claims.ts';
import { localObjectReference } from './meta.ts';

export const objectFieldSelector = obj(
  'ObjectFieldSelector',
  { apiVersion: field(1, filled(str(), 'v1')), fieldPath: field(2, req(str())) },
  { mapType: 'atomic' },
);
export const resourceFieldSelector = obj(
  'ResourceFieldSelector',
  { containerName: field(1, str()), resource: field(2, req(str())), divisor: field(3, always(quantity)) },
  { mapType: 'atomic' },
);

const NEEDED = { needed: true } as const;
const MODE = { min: 0, max: 0o777, words: 'must be a number between 0 and 0777 (octal), both inclusive' } as const;
const PATH = { needed: true, format: 'file path' } as const;

export const keyToPath = obj('KeyToPath', {
  key: field(1, req(str()), NEEDED),
  path: field(2, req(str()), PATH),
  mode: field(3, ptr(int32), MODE),
});
const items = list(keyToPath);
const defaultMode = { ...def(ptr(int32), 420), ...MODE } as ReturnType<typeof ptr<typeof int32>>;
export const downwardFile = obj('DownwardAPIVolumeFile', {
  path: field(1, req(str()), PATH),
  fieldRef: field(2, objectFieldSelector),
  resourceFieldRef: field(3, resourceFieldSelector),
  mode: field(4, ptr(int32), MODE),
});
/** The validity of a token. */
export const TOKEN_SECONDS = {
  min: [600, 'may not specify a duration less than 10 minutes'],
  max: [4_294_967_296, 'may not specify a duration larger than 2^32 seconds'],
} as const;
const volumeProjection = obj('VolumeProjection', {
  secret: field(1, obj('SecretProjection', { name: field([1, 1], str()), items: field(2, items), optional: field(4, ptr(bool)) })),
  downwardAPI: field(2, obj('DownwardAPIProjection', { items: field(1, list(downwardFile)) })),
  configMap: field(3, obj('ConfigMapProjection', { name: field([1, 1], str()), items: field(2, items), optional: field(4, ptr(bool)) })),
  serviceAccountToken: field(
    4,
    obj('ServiceAccountTokenProjection', {
      audience: field(1, str()),
      expirationSeconds: field(2, def(ptr(int64), 3600), TOKEN_SECONDS),
      path: field(3, req(str())),
    }),
  ),
});

const partition = { ...int32, min: 0, max: 255, words: 'must be between 1 and 255, inclusive' } as typeof int32;

/** Sources with the same fields in pods and PersistentVolumes. */
export const sharedSources = {
  hostPath: obj('HostPathVolumeSource', {
    path: field(1, req(str()), { needed: true, format: 'no backsteps' }),
    type: field(2, def(ptr(str('HostPathType')), '')),
  }),
  gcePersistentDisk: obj('GCEPersistentDiskVolumeSource', {
    pdName: field(1, req(str()), NEEDED),
    fsType: field(2, str()),
    partition: field(3, partition),
    readOnly: field(4, bool),
  }),
  awsElasticBlockStore: obj('AWSElasticBlockStoreVolumeSource', {
    volumeID: field(1, req(str()), NEEDED),
    fsType: field(2, str()),
    partition: field(3, partition),
    readOnly: field(4, bool),
  }),
  nfs: obj('NFSVolumeSource', { server: field(1, req(str()), NEEDED), path: field(2, req(str()), NEEDED), readOnly: field(3, bool) }),
  flocker: obj('FlockerVolumeSource', { datasetName: field(1, str()), datasetUUID: field(2, str()) }),
  fc: obj('FCVolumeSource', {
    targetWWNs: field(1, list(str())),
    lun: field(2, ptr(int32)),
    fsType: field(3, str()),
    readOnly: field(4, bool),
    wwids: field(5, list(str())),
  }),
  vsphereVolume: obj('VsphereVirtualDiskVolumeSource', {
    volumePath: field(1, req(str()), NEEDED),
    fsType: field(2, str()),
    storagePolicyName: field(3, str()),
    storagePolicyID: field(4, str()),
  }),
  quobyte: obj('QuobyteVolumeSource', {
    registry: field(1, req(str())),
    volume: field(2, req(str())),
    readOnly: field(3, bool),
    user: field(4, str()),
    group: field(5, str()),
    tenant: field(6, str()),
  }),
  azureDisk: obj('AzureDiskVolumeSource', {
    diskName: field(1, req(str()), NEEDED),
    diskURI: field(2, req(str()), NEEDED),
    cachingMode: field(3, def(ptr(str('AzureDataDiskCachingMode')), 'ReadWrite'), { among: ['None', 'ReadOnly', 'ReadWrite'] }),
    fsType: field(4, def(ptr(str()), 'ext4')),
    readOnly: field(5, def(ptr(bool), false)),
    kind: field(6, def(ptr(str('AzureDataDiskKind')), 'Shared'), { among: ['Dedicated', 'Managed', 'Shared'] }),
  }),
  photonPersistentDisk: obj('PhotonPersistentDiskVolumeSource', { pdID: field(1, req(str()), NEEDED), fsType: field(2, str()) }),
  portworxVolume: obj('PortworxVolumeSource', {
    volumeID: field(1, req(str()), NEEDED),
    fsType: field(2, str()),
    readOnly: field(3, bool),
  }),
} as const;

/** Fields of sources that name a Secret: in the namespace of the pod, or in any for a PersistentVolume. */
export const sourcesWith = <const S extends Schema>(secret: S) =>
  ({
    iscsi: {
      targetPortal: field(1, req(str())),
      iqn: field(2, req(str())),
      lun: field(3, req(int32)),
      iscsiInterface: field(4, filled(str(), 'default')),
      fsType: field(5, str()),
      readOnly: field(6, bool),
      portals: field(7, list(str())),
      chapAuthDiscovery: field(8, bool),
      chapAuthSession: field(11, bool),
      secretRef: field(10, secret),
      initiatorName: field(12, ptr(str())),
    },
    rbd: {
      monitors: field(1, req(list(str())), NEEDED),
      image: field(2, req(str()), NEEDED),
      fsType: field(3, str()),
      pool: field(4, filled(str(), 'rbd')),
      user: field(5, filled(str(), 'admin')),
      keyring: field(6, filled(str(), '/etc/ceph/keyring')),
      secretRef: field(7, secret),
      readOnly: field(8, bool),
    },
    flexVolume: {
      driver: field(1, req(str()), NEEDED),
      fsType: field(2, str()),
      secretRef: field(3, secret),
      readOnly: field(4, bool),
      options: field(5, map(str())),
    },
    cinder: { volumeID: field(1, req(str()), NEEDED), fsType: field(2, str()), readOnly: field(3, bool), secretRef: field(4, secret) },
    cephfs: {
      monitors: field(1, req(list(str())), NEEDED),
      path: field(2, str()),
      user: field(3, str()),
      secretFile: field(4, str()),
      secretRef: field(5, secret),
      readOnly: field(6, bool),
    },
    scaleIO: {
      gateway: field(1, req(str()), NEEDED),
      system: field(2, req(str()), NEEDED),
      secretRef: field(3, req(secret)),
      sslEnabled: field(4, bool),
      protectionDomain: field(5, str()),
      storagePool: field(6, str()),
      storageMode: field(7, filled(str(), 'ThinProvisioned')),
      volumeName: field(8, str(), { needed: true }),
      fsType: field(9, filled(str(), 'xfs')),
      readOnly: field(10, bool),
    },
    glusterfs: { endpoints: field(1, req(str()), NEEDED), path: field(2, req(str()), NEEDED), readOnly: field(3, bool) },
    azureFile: { secretName: field(1, req(str()), NEEDED), shareName: field(2, req(str()), NEEDED), readOnly: field(3, bool) },
  }) as const;

/** The fields of a StorageOS volume, which names its Secret in another way. */
export const storageos = <const S extends Schema>(secret: S) =>
  ({
    volumeName: field(1, str(), { needed: true, format: 'label' }),
    volumeNamespace: field(2, str(), { format: 'label' }),
    fsType: field(3, str()),
    readOnly: field(4, bool),
    secretRef: field(5, secret),
  }) as const;

const ofPods = sourcesWith(localObjectReference);

const source = {
  hostPath: field([2, 1], 'A folder of the node.', sharedSources.hostPath),
  emptyDir: field(
    [2, 2],
    'A folder that exists as long as the pod.',
    obj('EmptyDirVolumeSource', {
      medium: field(1, str('StorageMedium')),
      sizeLimit: field(2, ptr(quantity), { since: 'LocalStorageCapacityIsolation' }),
    }),
  ),
  gcePersistentDisk: field([2, 3], sharedSources.gcePersistentDisk),
  awsElasticBlockStore: field([2, 4], sharedSources.awsElasticBlockStore),
  gitRepo: field(
    [2, 5],
    obj('GitRepoVolumeSource', {
      repository: field(1, req(str()), NEEDED),
      revision: field(2, str()),
      directory: field(3, str(), { format: 'descending path' }),
    }),
  ),
  secret: field(
    [2, 6],
    'A Secret.',
    obj(
      'SecretVolumeSource',
      {
        secretName: field(1, str(), NEEDED),
        items: field(2, items),
        defaultMode: field(3, defaultMode),
        optional: field(4, ptr(bool)),
      },
      { order: ['secretName', 'defaultMode', 'items'] },
    ),
  ),
  nfs: field([2, 7], 'An NFS share.', sharedSources.nfs),
  iscsi: field([2, 8], obj('ISCSIVolumeSource', ofPods.iscsi)),
  glusterfs: field([2, 9], obj('GlusterfsVolumeSource', ofPods.glusterfs)),
  persistentVolumeClaim: field(
    [2, 10],
    'A claim.',
    obj('PersistentVolumeClaimVolumeSource', 'A claim.', {
      claimName: field(1, 'Its name, in the same namespace.', req(str()), NEEDED),
      readOnly: field(2, 'Whether it is read-only.', bool),
    }),
  ),
  rbd: field([2, 11], obj('RBDVolumeSource', ofPods.rbd)),
  flexVolume: field([2, 12], obj('FlexVolumeSource', ofPods.flexVolume)),
  cinder: field([2, 13], obj('CinderVolumeSource', ofPods.cinder)),
  cephfs: field([2, 14], obj('CephFSVolumeSource', ofPods.cephfs)),
  flocker: field([2, 15], sharedSources.flocker),
  downwardAPI: field(
    [2, 16],
    'Fields of the pod.',
    obj('DownwardAPIVolumeSource', { items: field(1, list(downwardFile)), defaultMode: field(2, defaultMode) }),
  ),
  fc: field([2, 17], sharedSources.fc),
  azureFile: field([2, 18], obj('AzureFileVolumeSource', ofPods.azureFile)),
  configMap: field(
    [2, 19],
    'A ConfigMap.',
    obj(
      'ConfigMapVolumeSource',
      {
        name: field([1, 1], str(), NEEDED),
        items: field(2, items),
        defaultMode: field(3, defaultMode),
        optional: field(4, ptr(bool)),
      },
      { order: ['name', 'defaultMode', 'items'] },
    ),
  ),
  vsphereVolume: field([2, 20], sharedSources.vsphereVolume),
  quobyte: field([2, 21], sharedSources.quobyte),
  azureDisk: field([2, 22], sharedSources.azureDisk),
  photonPersistentDisk: field([2, 23], sharedSources.photonPersistentDisk),
  projected: field(
    [2, 26],
    'Several sources in one folder.',
    obj('ProjectedVolumeSource', { sources: field(1, always(list(volumeProjection))), defaultMode: field(2, defaultMode) }),
  ),
  portworxVolume: field([2, 24], sharedSources.portworxVolume),
  scaleIO: field([2, 25], obj('ScaleIOVolumeSource', ofPods.scaleIO)),
  storageos: field([2, 27], obj('StorageOSVolumeSource', storageos(localObjectReference))),
  csi: field(
    [2, 28],
    'Storage of a driver, inline.',
    obj('CSIVolumeSource', {
      driver: field(1, req(str()), { format: 'driver' }),
      readOnly: field(2, ptr(bool)),
      fsType: field(3, ptr(str())),
      volumeAttributes: field(4, map(str())),
      nodePublishSecretRef: field(5, localObjectReference),
    }),
    { since: 'CSIInlineVolume' },
  ),
  ephemeral: field(
    [2, 29],
    'A claim that exists as long as the pod.',
    obj('EphemeralVolumeSource', 'A claim that exists as long as the pod.', {
      volumeClaimTemplate: field(1, 'The template of the claim; its name is POD-VOLUME.', claimTemplate),
    }),
  ),
} as const;

/** Names of the sources, in published order. */
const volumeSourceNames: readonly string[] = Object.keys(source);

export const volume = obj(
  'Volume',
  'A volume: exactly one of its members besides the name.',
  { name: field(1, 'The name for mounts.', req(str()), { needed: true, format: 'label' }), ...source },
  {
    memo: true,
    complete(value) {
      for (const name of volumeSourceNames) if (value[name] !== undefined) return undefined;
      return { emptyDir: {} };
    },
  },
);
export type Volume = Infer<typeof volume>;
