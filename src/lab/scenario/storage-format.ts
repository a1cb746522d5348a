/** The part of the scenario format about storage drivers. */
import { duration, flag, integer, labels, objectName, text, texts } from './field-helpers.ts';

export const storageDriver = {
  type: 'object',
  description: 'A simulated storage driver.',
  fields: {
    name: { ...text('Its name, as in CSIDriver and StorageClass.provisioner.'), required: true },
    attachDelay: duration('How long an attachment takes.'),
    detachDelay: duration('How long a detachment takes.'),
    provisionDelay: duration('How long making a volume takes.'),
    failures: {
      type: 'object',
      description: 'So many failures before the first success, per volume.',
      fields: {
        attach: integer('Failing attachments.'),
        detach: integer('Failing detachments.'),
        provision: integer('Failing attempts to make a volume.'),
      },
    },
    attachRequired: flag('false: its volumes need no attachment.'),
    topologyKeys: texts('The keys of node labels by which its volumes are near or far: what it provisions lies near the selected node.'),
    mountOptions: texts('The mount options it knows; absent: all. A volume with another one is not mounted.'),
    parameters: texts('The parameters of classes it knows; absent: all. A class with another one is not provisioned from.'),
    expandDelay: duration('How long a volume takes to grow; absent: its volumes do not grow.'),
    capacity: {
      type: 'list',
      description: 'How much room it has; it publishes what is left. Absent: it says nothing of that and always has enough.',
      items: {
        type: 'object',
        description: 'Room in one place.',
        fields: {
          topology: labels('The labels of the nodes that reach it; absent: all nodes.'),
          size: { type: 'quantity', required: true, description: 'All of it, such as 100Gi.' },
          maximumVolumeSize: { type: 'quantity', description: 'The largest volume; absent: what is left.' },
        },
      },
    },
    csiDriver: {
      type: 'object',
      description: 'What its CSIDriver object says besides: what a mount is told, and which volumes it mounts at all.',
      fields: {
        podInfoOnMount: flag('A mount is told the name, namespace, uid and account of the pod.'),
        requiresRepublish: flag('A volume that is mounted is published again every minute.'),
        fsGroupPolicy: {
          type: 'string',
          enum: ['ReadWriteOnceWithFSType', 'File', 'None'],
          description: "When a volume's files are given to the group of the pod.",
        },
        volumeLifecycleModes: {
          type: 'list',
          items: { type: 'string', enum: ['Persistent', 'Ephemeral'], description: 'A mode.' },
          description: 'Which volumes it mounts: those of claims, those written into pods. Absent: those of claims.',
        },
        tokenRequests: {
          type: 'list',
          description: "Tokens of the pod's account that a mount is given.",
          items: {
            type: 'object',
            description: 'A token.',
            fields: {
              audience: { ...text('Whom it is for; empty: the API server.'), required: true },
              expirationSeconds: integer('How long it lasts; an hour where absent.'),
            },
          },
        },
      },
    },
    volumesPerNode: integer('The allocatable count its CSINode entries state.'),
    storageClasses: {
      type: 'list',
      description: 'Classes it serves; created with the cluster.',
      items: {
        type: 'object',
        description: 'A StorageClass.',
        fields: {
          name: { ...objectName('Its name.'), required: true },
          volumeBindingMode: { type: 'string', enum: ['Immediate', 'WaitForFirstConsumer'], description: 'When claims are bound.' },
          reclaimPolicy: { type: 'string', enum: ['Delete', 'Retain'], description: 'What becomes of released volumes.' },
          allowVolumeExpansion: flag('Whether claims may grow.'),
          isDefault: flag('Serves claims without a class.'),
          parameters: labels('Parameters for the driver.'),
          mountOptions: texts('Mount options of its volumes.'),
        },
      },
    },
  },
} as const;
