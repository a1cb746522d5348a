/** PersistentVolumeClaims, as objects and as templates. Models: v1.24 core/v1 PersistentVolumeClaimSpec. */
import {
  always,
  amount,
  def,
  filled,
  list,
  map,
  mergeList,
  obj,
  ptr,
  req,
  str,
  time,
  type Infer,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { labelSelector, objectMeta, typedLocalObjectReference, typeMeta } from './meta.ts';

export const resourceList = map(amount, 'ResourceList');
export const resourceRequirements = obj('ResourceRequirements', 'What is needed and what may be had.', {
  limits: field(1, 'At most.', resourceList),
  requests: field(2, 'At least; what the scheduler counts. Absent: the limits.', resourceList),
});
export type ResourceRequirements = Infer<typeof resourceRequirements>;

export const claimSpec = obj(
  'PersistentVolumeClaimSpec',
  'What is asked for.',
  {
    accessModes: field(1, 'How it is to be mounted.', list(str('PersistentVolumeAccessMode'))),
    selector: field(4, 'Volumes that may be taken.', labelSelector),
    resources: field(2, 'How much; requests.storage is the least.', always(resourceRequirements)),
    volumeName: field(3, 'The volume it is bound to.', str()),
    storageClassName: field(5, 'The class that makes the volume; empty: none is made, absent: the default class.', ptr(str())),
    volumeMode: field(6, 'Filesystem or Block.', def(ptr(str('PersistentVolumeMode')), 'Filesystem')),
    dataSource: field(7, 'What the volume is filled with: a snapshot or another claim.', typedLocalObjectReference),
    dataSourceRef: field(8, 'The same, for any kind of source.', typedLocalObjectReference),
  },
  { memo: true },
);
export type PersistentVolumeClaimSpec = Infer<typeof claimSpec>;

/** The claim template of an ephemeral volume. */
export const claimTemplate = obj('PersistentVolumeClaimTemplate', 'What a claim is made of.', {
  metadata: field(1, 'Labels and annotations it gets.', always(objectMeta)),
  spec: field(2, 'What is asked for.', req(claimSpec)),
});

const claimCondition = obj('PersistentVolumeClaimCondition', 'What goes on with the claim.', {
  type: field(
    1,
    'What is judged: Resizing or FileSystemResizePending. One condition a type.',
    req(str('PersistentVolumeClaimConditionType')),
  ),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastProbeTime: field(3, 'When it was last looked at.', always(time)),
  lastTransitionTime: field(4, 'When the status last changed from one value to another.', always(time)),
  reason: field(5, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(6, 'Why, as a sentence, for people.', str()),
});

const claimStatus = obj('PersistentVolumeClaimStatus', 'What it got.', {
  phase: field(1, 'Pending, Bound or Lost.', oneOf(filled(str('PersistentVolumeClaimPhase'), 'Pending'), ['Bound', 'Lost', 'Pending'])),
  accessModes: field(2, 'How the volume can be mounted.', list(str('PersistentVolumeAccessMode'))),
  capacity: field(3, 'How much the volume holds.', resourceList),
  conditions: field(4, 'What goes on with it.', mergeList(claimCondition, 'type')),
  allocatedResources: field(5, 'What is being made of it while it grows.', resourceList),
  resizeStatus: field(6, 'How far growing is.', ptr(str('PersistentVolumeClaimResizeStatus'))),
});

/** A whole claim: a kind, and an item of a StatefulSet's templates. */
export const persistentVolumeClaim = obj('PersistentVolumeClaim', 'A request for storage; pods name the claim, not the volume.', {
  ...typeMeta,
  spec: field(2, always(claimSpec)),
  status: field(3, always(claimStatus)),
});

/** The claim template of a StatefulSet, which is always encoded with kind and version. */
export const claimTemplateInSet = obj(
  'PersistentVolumeClaim',
  'A request for storage; pods name the claim, not the volume.',
  {
    ...typeMeta,
    kind: filled(str(), 'PersistentVolumeClaim'),
    apiVersion: filled(str(), 'v1'),
    spec: field(2, always(claimSpec)),
    status: field(3, always(claimStatus)),
  },
  {
    memo: true,
    complete: (value) =>
      value['kind'] === 'PersistentVolumeClaim' && value['apiVersion'] === 'v1'
        ? undefined
        : { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
  },
);
