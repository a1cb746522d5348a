/** Drivers, classes, attachments, capacity, volumes and claims. Source: spec, storage objects. */
import type { Texts } from './texts.ts';

const SECRET = (what: string): string => `Secret that the driver gets ${what}.`;

export const STORAGE: Texts = {
  PersistentVolumeSpec: {
    '': 'What it is and to whom it belongs. Exactly one of the members that name a kind of storage is there.',
    capacity: 'How much it holds.',
    accessModes: 'How it can be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.',
    claimRef: 'The claim it is bound to, or kept for.',
    persistentVolumeReclaimPolicy: 'What becomes of it when its claim goes: Retain, Delete or Recycle.',
    storageClassName: 'Its class; claims of this class may have it.',
    mountOptions: 'Options with which it is mounted.',
    volumeMode: 'Filesystem or Block.',
    nodeAffinity: 'Nodes from which it can be reached.',
    csi: 'Storage of a driver.',
    hostPath: 'A folder of the node; for tests.',
    local: 'A disk or folder of one node.',
    nfs: 'A share.',
  },
  VolumeNodeAffinity: { '': 'Nodes from which a volume can be reached.', required: 'What they must be like.' },
  CSIPersistentVolumeSource: {
    '': 'Storage of a driver.',
    driver: 'The driver.',
    volumeHandle: 'How the driver calls the volume.',
    readOnly: 'Whether it is published for reading only.',
    fsType: 'The file system.',
    volumeAttributes: 'What the driver said when it made the volume.',
    controllerPublishSecretRef: SECRET('to attach'),
    nodeStageSecretRef: SECRET('to stage'),
    nodePublishSecretRef: SECRET('to mount'),
    controllerExpandSecretRef: SECRET('to expand'),
  },
  PersistentVolumeClaimSpec: {
    '': 'What is asked for.',
    accessModes: 'How it is to be mounted.',
    selector: 'Volumes that may be taken.',
    resources: 'How much; requests.storage is the least.',
    volumeName: 'The volume it is bound to.',
    storageClassName: 'The class that makes the volume; empty: none is made, absent: the default class.',
    volumeMode: 'Filesystem or Block.',
    dataSource: 'What the volume is filled with: a snapshot or another claim.',
    dataSourceRef: 'The same, for any kind of source.',
  },
};
