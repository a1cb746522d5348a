/** Differences between the specification and v1.24 about StorageClass. Source: resource-api.md, "StorageClass". */
import { notSupported, type Rule } from '../../machinery/index.ts';
import type { StorageClass } from './shape.ts';

export const storageClassSpecification: readonly Rule<StorageClass>[] = [
  {
    name: 'storage-class/immediate-by-its-other-name',
    kind: 'StorageClass',
    field: 'volumeBindingMode',
    statement: 'The mode of a class that names none is called VolumeBindingImmediate.',
    place: 'resource-api.md: StorageClass, volumeBindingMode',
    recorded: 'knows Immediate alone, and refuses the other spelling',
    does: 'the server takes VolumeBindingImmediate and stores Immediate, which clients know',
  },
  {
    name: 'storage-class/reclaim-policy-is-one',
    kind: 'StorageClass',
    field: 'reclaimPolicy',
    statement: 'What becomes of released volumes is one of the policies, Delete where nothing is said.',
    place: 'resource-api.md: StorageClass, reclaimPolicy',
    recorded: 'takes and keeps an empty text',
    check: ({ reclaimPolicy }) => (reclaimPolicy === '' ? [notSupported('reclaimPolicy', '', ['Delete', 'Retain'])] : []),
  },
];
