/** Drivers, classes, attachments, capacity, volumes and claims. Source: spec, storage objects. */
import { conditionTexts, LAST_PROBE, type Texts } from './texts.ts';

const SECRET = (what: string): string => `Secret that the driver gets ${what}.`;

export const STORAGE: Texts = {
  VolumeAttachment: { '': 'The wish that a volume be attached to a node; its deletion is the wish that it be detached.' },
  VolumeAttachmentSpec: { '': 'Which volume, where to, by whom.', attacher: 'The driver that has to do it.', source: 'The volume.', nodeName: 'The node.' },
  VolumeAttachmentSource: { '': 'The volume: one of its members.', persistentVolumeName: 'A PersistentVolume.', inlineVolumeSpec: 'A volume written in a pod, translated by the migration of old plug-ins.' },
  VolumeAttachmentStatus: {
    '': 'What the driver has done.', attached: 'Whether it is attached. Only whoever attaches says so.', attachmentMetadata: 'What the driver tells those who mount it; filled with the attachment.',
    attachError: 'Why the last try to attach failed.', detachError: 'Why the last try to detach failed.',
  },
  VolumeError: { '': 'A failed try.', time: 'When.', message: 'Why; may be logged, so nothing secret.' },
  CSIDriver: { '': 'A storage driver of the cluster and what it needs; named as the driver.' },
  CSIDriverSpec: {
    '': 'What the driver needs.',
    attachRequired: 'Whether volumes must be attached before they are mounted: then VolumeAttachments are made for them. Cannot be changed.',
    podInfoOnMount: 'Whether it is told name, namespace and uid of the pod when it mounts. Cannot be changed.',
    volumeLifecycleModes: 'Persistent (through claims), Ephemeral (inline, with the pod), or both; absent: Persistent. Cannot be changed.',
    storageCapacity: 'Whether the scheduler looks at the capacity that it reports.',
    fsGroupPolicy: 'Whether the group of files is changed when mounting: ReadWriteOnceWithFSType, File or None. Cannot be changed.',
    tokenRequests: 'Tokens of the pod\'s service account that it is given; audiences differ, and at most one is empty.',
    requiresRepublish: 'Whether mounted volumes are published again from time to time, to bring their contents up to date.',
  },
  TokenRequest: { '': 'A token that the driver wants.', audience: 'For whom it is; empty: for the API server.', expirationSeconds: 'How long it is good.' },
  CSINode: { '': 'The drivers of one node; named as the node, and written by its agent.' },
  CSINodeSpec: { '': 'The drivers of the node.', drivers: 'One entry a driver; may be empty.' },
  CSINodeDriver: { '': 'A driver on this node.', name: 'The driver.', nodeID: 'How the storage system calls the node.', topologyKeys: 'Labels of nodes by which the driver tells where volumes can be reached.', allocatable: 'What the node can take.' },
  VolumeNodeResources: { '': 'How many volumes a node can take.', count: 'Volumes of the driver that can be used on the node at a time; absent: no bound.' },
  CSIStorageCapacity: {
    '': 'What a driver has left for a class in one part of the cluster.', nodeTopology: 'Nodes from which the storage can be reached; absent: none, empty: all. Cannot be changed.',
    storageClassName: 'The class. Cannot be changed; where there is no such class any more, this object is out of date.',
    capacity: 'Bytes that are left; absent: not known, and so none.', maximumVolumeSize: 'The largest volume that can be made; where it is known it decides, and not capacity.',
  },
  StorageClass: {
    '': 'A way in which volumes are made for claims.', provisioner: 'Who makes them.', parameters: 'What it is told.', reclaimPolicy: 'What becomes of a volume when its claim goes: Delete or Retain.',
    mountOptions: 'Options with which its volumes are mounted; a wrong one is noticed when mounting.', allowVolumeExpansion: 'Whether claims may grow.',
    volumeBindingMode: 'Immediate: when the claim is made. WaitForFirstConsumer: when a pod that uses it is scheduled, and near that pod.',
    allowedTopologies: 'Where volumes may be made; empty: everywhere.',
  },
  TopologySelectorTerm: { '': 'A part of the cluster.', matchLabelExpressions: 'Requirements on labels; all must hold.' },
  TopologySelectorLabelRequirement: { '': 'A label and its values.', key: 'The label.', values: 'One of these.' },
  PersistentVolume: { '': 'A piece of storage of the cluster.' },
  PersistentVolumeSpec: {
    '': 'What it is and to whom it belongs. Exactly one of the members that name a kind of storage is there.',
    capacity: 'How much it holds.', accessModes: 'How it can be mounted: ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod.', claimRef: 'The claim it is bound to, or kept for.',
    persistentVolumeReclaimPolicy: 'What becomes of it when its claim goes: Retain, Delete or Recycle.', storageClassName: 'Its class; claims of this class may have it.', mountOptions: 'Options with which it is mounted.',
    volumeMode: 'Filesystem or Block.', nodeAffinity: 'Nodes from which it can be reached.', csi: 'Storage of a driver.', hostPath: 'A folder of the node; for tests.', local: 'A disk or folder of one node.', nfs: 'A share.',
  },
  PersistentVolumeStatus: { '': 'How it stands with the volume.', phase: 'Pending, Available, Bound, Released or Failed.', message: 'Why, for people.', reason: 'Why, for programs.' },
  VolumeNodeAffinity: { '': 'Nodes from which a volume can be reached.', required: 'What they must be like.' },
  CSIPersistentVolumeSource: {
    '': 'Storage of a driver.', driver: 'The driver.', volumeHandle: 'How the driver calls the volume.', readOnly: 'Whether it is published for reading only.', fsType: 'The file system.', volumeAttributes: 'What the driver said when it made the volume.',
    controllerPublishSecretRef: SECRET('to attach'), nodeStageSecretRef: SECRET('to stage'), nodePublishSecretRef: SECRET('to mount'), controllerExpandSecretRef: SECRET('to expand'),
  },
  PersistentVolumeClaim: { '': 'A request for storage; pods name the claim, not the volume.' },
  PersistentVolumeClaimSpec: {
    '': 'What is asked for.', accessModes: 'How it is to be mounted.', selector: 'Volumes that may be taken.', resources: 'How much; requests.storage is the least.', volumeName: 'The volume it is bound to.',
    storageClassName: 'The class that makes the volume; empty: none is made, absent: the default class.', volumeMode: 'Filesystem or Block.', dataSource: 'What the volume is filled with: a snapshot or another claim.', dataSourceRef: 'The same, for any kind of source.',
  },
  PersistentVolumeClaimStatus: { '': 'What it got.', phase: 'Pending, Bound or Lost.', accessModes: 'How the volume can be mounted.', capacity: 'How much the volume holds.', conditions: 'What goes on with it.', allocatedResources: 'What is being made of it while it grows.', resizeStatus: 'How far growing is.' },
  PersistentVolumeClaimCondition: { ...LAST_PROBE, ...conditionTexts('What goes on with the claim.', 'Resizing or FileSystemResizePending') },
};
