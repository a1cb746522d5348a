/** PersistentVolumeClaims, as objects and as templates. Models: v1.24 core/v1 PersistentVolumeClaimSpec. */
import { always, amount, def, field, filled, list, map, mergeList, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import { labelSelector, objectMeta, typedLocalObjectReference, typeMeta, conditionType, conditionReason, lastProbeTime } from './meta.ts';

export const resourceList = map(amount, 'ResourceList');
export const resourceRequirements = obj('ResourceRequirements', 'Resource requests and limits.', {
  limits: field(1, 'Maximum amounts.', resourceList),
  requests: field(2, 'Minimum amounts, used by the scheduler. Absent: the limits.', resourceList),
});
export type ResourceRequirements = Infer<typeof resourceRequirements>;

export const claimSpec = obj(
  'PersistentVolumeClaimSpec',
  'The requested storage.',
  {
    accessModes: field(1, 'The requested access modes.', list(str('PersistentVolumeAccessMode'))),
    selector: field(4, 'Volumes that may be bound.', labelSelector, { format: 'label selector' }),
    resources: field(2, 'The size; requests.storage is the minimum.', always(resourceRequirements)),
    volumeName: field(3, 'The volume it is bound to.', str()),
    storageClassName: field(5, 'The class that provisions the volume; empty: no provisioning, absent: the default class.', ptr(str()), {
      empty: true,
      format: 'subdomain',
    }),
    volumeMode: field(6, 'Filesystem or Block.', def(ptr(str('PersistentVolumeMode')), 'Filesystem'), {
      among: ['Block', 'Filesystem'],
    }),
    dataSource: field(7, 'The source of its content: a snapshot or another claim.', typedLocalObjectReference),
    dataSourceRef: field(8, 'The source of its content, of any kind.', typedLocalObjectReference),
  },
  { memo: true },
);
export type PersistentVolumeClaimSpec = Infer<typeof claimSpec>;

export const claimTemplate = obj('PersistentVolumeClaimTemplate', 'The template of a claim.', {
  metadata: field(1, 'Labels and annotations of the claim.', always(objectMeta)),
  spec: field(2, 'The specification of the claim.', req(claimSpec)),
});

const claimCondition = obj('PersistentVolumeClaimCondition', 'A running operation on the claim.', {
  ...conditionType('Resizing or FileSystemResizePending', 'PersistentVolumeClaimConditionType'),
  lastProbeTime,
  ...conditionReason(4),
});

const claimStatus = obj('PersistentVolumeClaimStatus', 'The observed state.', {
  phase: field(1, 'Pending, Bound or Lost.', oneOf(filled(str('PersistentVolumeClaimPhase'), 'Pending'), ['Bound', 'Lost', 'Pending'])),
  accessModes: field(2, 'The access modes of the volume.', list(str('PersistentVolumeAccessMode'))),
  capacity: field(3, 'The size of the volume.', resourceList),
  conditions: field(4, 'Running operations.', mergeList(claimCondition, 'type')),
  allocatedResources: field(5, 'The requested size during an expansion.', resourceList),
  resizeStatus: field(6, 'The progress of an expansion.', ptr(str('PersistentVolumeClaimResizeStatus'))),
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
