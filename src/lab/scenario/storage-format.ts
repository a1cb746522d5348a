/** The part of the scenario format about storage drivers. */
import { choice, duration, flag, integer, labels, list, object, objectName, quantity, required, text, texts } from './field-helpers.ts';

export const storageDriver = object('A simulated storage driver.', {
  name: required(text('Its name, as in CSIDriver and StorageClass.provisioner.')),
  attachDelay: duration('How long an attachment takes.'),
  detachDelay: duration('How long a detachment takes.'),
  provisionDelay: duration('How long provisioning a volume takes.'),
  failures: object('The number of failures before the first success, per volume.', {
    attach: integer('Failing attachments.'),
    detach: integer('Failing detachments.'),
    provision: integer('Failing attempts to provision a volume.'),
  }),
  attachRequired: flag('false: its volumes need no attachment.'),
  topologyKeys: texts(
    'The keys of node labels that define the topology of its volumes: a volume is provisioned in the topology of the selected node.',
  ),
  mountOptions: texts('The supported mount options; absent: all. A volume with another option is not mounted.'),
  parameters: texts('The supported parameters of classes; absent: all. No volume is provisioned for a class with another parameter.'),
  expandDelay: duration('How long the expansion of a volume takes; absent: its volumes cannot be expanded.'),
  capacity: list(
    'Its capacity; it publishes the free capacity. Absent: it publishes none and always has enough.',
    object('The capacity of one topology segment.', {
      topology: labels('The labels of the nodes that reach it; absent: all nodes.'),
      size: required(quantity('The total capacity, such as 100Gi.')),
      maximumVolumeSize: quantity('The largest volume; absent: the free capacity.'),
    }),
  ),
  csiDriver: object('Other fields of its CSIDriver object: the data passed to a mount, and the supported volumes.', {
    podInfoOnMount: flag('A mount receives the name, namespace, uid and service account of the pod.'),
    requiresRepublish: flag('A mounted volume is published again every minute.'),
    fsGroupPolicy: choice(
      "When the ownership of a volume's files is changed to the group of the pod.",
      'ReadWriteOnceWithFSType',
      'File',
      'None',
    ),
    volumeLifecycleModes: list(
      'The volumes that it mounts: those of claims, inline volumes of pods. Absent: those of claims.',
      choice('A mode.', 'Persistent', 'Ephemeral'),
    ),
    tokenRequests: list(
      "Tokens of the pod's service account that a mount receives.",
      object('A token.', {
        audience: required(text('Its audience; empty: the API server.')),
        expirationSeconds: integer('Its lifetime in seconds; an hour if absent.'),
      }),
    ),
  }),
  volumesPerNode: integer('The allocatable count its CSINode entries state.'),
  storageClasses: list(
    'Classes it serves; created with the cluster.',
    object('A StorageClass.', {
      name: required(objectName('Its name.')),
      volumeBindingMode: choice('When claims are bound.', 'Immediate', 'WaitForFirstConsumer'),
      reclaimPolicy: choice('The reclaim policy of released volumes.', 'Delete', 'Retain'),
      allowVolumeExpansion: flag('Whether claims may be expanded.'),
      isDefault: flag('It is the default class, for claims without a class.'),
      parameters: labels('Parameters for the driver.'),
      mountOptions: texts('Mount options of its volumes.'),
    }),
  ),
});
