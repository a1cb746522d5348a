/** PersistentVolumeClaims, as objects and as templates. Models: v1.24 core/v1 PersistentVolumeClaimSpec. */
import { always, amount, def, filled, list, map, mergeList, obj, ptr, req, str, time, type Infer } from '../../../schema/shape/index.ts';
import { labelSelector, objectMeta, typedLocalObjectReference, typeMeta } from './meta.ts';

export const resourceList = map(amount, 'ResourceList');
export const resourceRequirements = obj('ResourceRequirements', { limits: resourceList, requests: resourceList });
export type ResourceRequirements = Infer<typeof resourceRequirements>;

export const claimSpec = obj(
  'PersistentVolumeClaimSpec',
  {
    accessModes: list(str('PersistentVolumeAccessMode')),
    selector: labelSelector,
    resources: always(resourceRequirements),
    volumeName: str(),
    storageClassName: ptr(str()),
    volumeMode: def(ptr(str('PersistentVolumeMode')), 'Filesystem'),
    dataSource: typedLocalObjectReference,
    dataSourceRef: typedLocalObjectReference,
  },
  { memo: true },
);
export type PersistentVolumeClaimSpec = Infer<typeof claimSpec>;

/** The claim template of an ephemeral volume. */
export const claimTemplate = obj('PersistentVolumeClaimTemplate', { metadata: always(objectMeta), spec: req(claimSpec) });

const claimCondition = obj('PersistentVolumeClaimCondition', {
  type: req(str('PersistentVolumeClaimConditionType')),
  status: req(str('ConditionStatus')),
  lastProbeTime: always(time),
  lastTransitionTime: always(time),
  reason: str(),
  message: str(),
});

const claimStatus = obj('PersistentVolumeClaimStatus', {
  phase: filled(str('PersistentVolumeClaimPhase'), 'Pending'),
  accessModes: list(str('PersistentVolumeAccessMode')),
  capacity: resourceList,
  conditions: mergeList(claimCondition, 'type'),
  allocatedResources: resourceList,
  resizeStatus: ptr(str('PersistentVolumeClaimResizeStatus')),
});

/** A whole claim: a kind, and an item of a StatefulSet's templates. */
export const persistentVolumeClaim = obj('PersistentVolumeClaim', { ...typeMeta, spec: always(claimSpec), status: always(claimStatus) });

/** The claim template of a StatefulSet, which is always encoded with kind and version. */
export const claimTemplateInSet = obj(
  'PersistentVolumeClaim',
  {
    ...typeMeta,
    kind: filled(str(), 'PersistentVolumeClaim'),
    apiVersion: filled(str(), 'v1'),
    spec: always(claimSpec),
    status: always(claimStatus),
  },
  {
    memo: true,
    complete: (value) =>
      value['kind'] === 'PersistentVolumeClaim' && value['apiVersion'] === 'v1'
        ? undefined
        : { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
  },
);
