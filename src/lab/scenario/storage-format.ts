/** The part of the scenario format about storage drivers. */
import { duration, flag, integer, labels, objectName, text, texts } from './field-helpers.ts';

export const storageDriver = {
  type: 'object',
  description: 'A simulated storage driver.',
  fields: {
    name: { ...text('Its name, as in CSIDriver and StorageClass.provisioner.'), required: true },
    attachDelay: duration('How long an attachment takes.'),
    detachDelay: duration('How long a detachment takes.'),
    provisionDelay: duration('How long provisioning a volume takes.'),
    failures: {
      type: 'object',
      description: 'The number of failures before the first success, per volume.',
      fields: {
        attach: integer('Failing attachments.'),
        detach: integer('Failing detachments.'),
        provision: integer('Failing attempts to provision a volume.'),
      },
    },
    attachRequired: flag('false: its volumes need no attachment.'),
    topologyKeys: texts(
      'The keys of node labels that define the topology of its volumes: a volume is provisioned in the topology of the selected node.',
    ),
    mountOptions: texts('The supported mount options; absent: all. A volume with another option is not mounted.'),
    parameters: texts('The supported parameters of classes; absent: all. No volume is provisioned for a class with another parameter.'),
    expandDelay: duration('How long the expansion of a volume takes; absent: its volumes cannot be expanded.'),
    capacity: {
      type: 'list',
      description: 'Its capacity; it publishes the free capacity. Absent: it publishes none and always has enough.',
      items: {
        type: 'object',
        description: 'The capacity of one topology segment.',
        fields: {
          topology: labels('The labels of the nodes that reach it; absent: all nodes.'),
          size: { type: 'quantity', required: true, description: 'The total capacity, such as 100Gi.' },
          maximumVolumeSize: { type: 'quantity', description: 'The largest volume; absent: the free capacity.' },
        },
      },
    },
    csiDriver: {
      type: 'object',
      description: 'Other fields of its CSIDriver object: the data passed to a mount, and the supported volumes.',
      fields: {
        podInfoOnMount: flag('A mount receives the name, namespace, uid and service account of the pod.'),
        requiresRepublish: flag('A mounted volume is published again every minute.'),
        fsGroupPolicy: {
          type: 'string',
          enum: ['ReadWriteOnceWithFSType', 'File', 'None'],
          description: "When the ownership of a volume's files is changed to the group of the pod.",
        },
        volumeLifecycleModes: {
          type: 'list',
          items: { type: 'string', enum: ['Persistent', 'Ephemeral'], description: 'A mode.' },
          description: 'The volumes that it mounts: those of claims, inline volumes of pods. Absent: those of claims.',
        },
        tokenRequests: {
          type: 'list',
          description: "Tokens of the pod's service account that a mount receives.",
          items: {
            type: 'object',
            description: 'A token.',
            fields: {
              audience: { ...text('Its audience; empty: the API server.'), required: true },
              expirationSeconds: integer('Its lifetime in seconds; an hour if absent.'),
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
          reclaimPolicy: { type: 'string', enum: ['Delete', 'Retain'], description: 'The reclaim policy of released volumes.' },
          allowVolumeExpansion: flag('Whether claims may be expanded.'),
          isDefault: flag('It is the default class, for claims without a class.'),
          parameters: labels('Parameters for the driver.'),
          mountOptions: texts('Mount options of its volumes.'),
        },
      },
    },
  },
} as const;
