/** Differences between the specification and v1.24 about StorageClass. Source: resource-api.md, "StorageClass". */
import { notSupported, type Rule } from '../../machinery/index.ts';
import type { StorageClass } from './shape.ts';

export const storageClassSpecification: readonly Rule<StorageClass>[] = [
  {
    name: 'storage-class/immediate-by-its-other-name',
    kind: 'StorageClass',
    field: 'volumeBindingMode',
    statement: 'The default volumeBindingMode is called VolumeBindingImmediate.',
    place: 'resource-api.md: StorageClass, volumeBindingMode',
    recorded: 'accepts Immediate only, and refuses the other spelling',
    does: 'the server accepts VolumeBindingImmediate and stores Immediate, which clients expect',
  },
  {
    name: 'storage-class/reclaim-policy-is-one',
    kind: 'StorageClass',
    field: 'reclaimPolicy',
    statement: 'reclaimPolicy is one of the defined policies, and defaults to Delete.',
    place: 'resource-api.md: StorageClass, reclaimPolicy',
    recorded: 'accepts and keeps an empty string',
    check: ({ reclaimPolicy }) => (reclaimPolicy === '' ? [notSupported('reclaimPolicy', '', ['Delete', 'Retain'])] : []),
  },
];
