/** Where the specification and v1.24 differ about a StorageClass. Source: resource-api.md, "StorageClass". */
import type { Rule } from '../../vocabulary/index.ts';
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
];
