/**
 * Contradictory sentences of the specification about CSIStorageCapacity, and the one that is followed. Source: resource-api.md,
 * "CSIStorageCapacity".
 */
import type { Rule } from '../../machinery/index.ts';
import type { CSIStorageCapacity } from './shape.ts';

export const csiStorageCapacitySpecification: readonly Rule<CSIStorageCapacity>[] = [
  {
    name: 'csi-storage-capacity/largest-volume-counts-first',
    kind: 'CSIStorageCapacity',
    field: 'capacity, maximumVolumeSize',
    statement: 'No capacity is available where the capacity is unset or zero.',
    place: 'resource-api.md: CSIStorageCapacity',
    recorded: 'compares maximumVolumeSize where it is set, and ignores the capacity then',
    does: 'interpreted as the sentence about the scheduler says, in either mode: where maximumVolumeSize is unset, an unset or zero capacity means no capacity',
  },
];
