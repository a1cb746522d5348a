/** Drivers, classes, attachments, capacity, volumes and claims. Source: spec, storage objects. */
import type { Texts } from './texts.ts';

const SECRET = (what: string): string => `Secret that the driver gets ${what}.`;

export const STORAGE: Texts = {
  PersistentVolumeSpec: {
    '': 'The specification of a volume, with exactly one storage source.',
    capacity: 'Its size.',
    accessModes: 'Its access modes: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.',
    claimRef: 'The claim it is bound to or reserved for.',
    persistentVolumeReclaimPolicy: 'What happens after its claim is deleted: Retain, Delete or Recycle.',
    storageClassName: 'Its class; claims of this class may bind to it.',
    mountOptions: 'Its mount options.',
    volumeMode: 'Filesystem or Block.',
    nodeAffinity: 'Nodes from which it is accessible.',
    csi: 'Storage of a driver.',
    hostPath: 'A folder of the node, for tests.',
    local: 'A disk or folder of one node.',
    nfs: 'An NFS share.',
  },
  VolumeNodeAffinity: { '': 'Nodes from which a volume is accessible.', required: 'Required properties of the nodes.' },
  CSIPersistentVolumeSource: {
    '': 'Storage of a driver.',
    driver: 'The driver.',
    volumeHandle: "The volume's id at the driver.",
    readOnly: 'Whether it is read-only.',
    fsType: 'The file system.',
    volumeAttributes: 'Attributes set by the driver when it created the volume.',
    controllerPublishSecretRef: SECRET('to attach'),
    nodeStageSecretRef: SECRET('to stage'),
    nodePublishSecretRef: SECRET('to mount'),
    controllerExpandSecretRef: SECRET('to expand'),
  },
  PersistentVolumeClaimSpec: {
    '': 'The requested storage.',
    accessModes: 'The requested access modes.',
    selector: 'Volumes that may be bound.',
    resources: 'The size; requests.storage is the minimum.',
    volumeName: 'The volume it is bound to.',
    storageClassName: 'The class that provisions the volume; empty: no provisioning, absent: the default class.',
    volumeMode: 'Filesystem or Block.',
    dataSource: 'The source of its content: a snapshot or another claim.',
    dataSourceRef: 'The source of its content, of any kind.',
  },
};
