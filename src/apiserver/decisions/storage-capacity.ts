/**
 * Whether there is storage capacity for a volume of some size and class on a node. Drivers report capacity for each segment of the
 * topology. A segment without nodeTopology is not reachable from any node, an empty one from all nodes. The maximum volume size decides if
 * it is set, otherwise the remaining capacity; if neither is set, there is none. Models: v1.24
 * pkg/scheduler/framework/plugins/volumebinding capacitySufficient, nodeHasAccess.
 */
import { keyOf } from '../machinery/index.ts';
import type { CSIStorageCapacity } from '../kinds/index.ts';
import { compareQuantities, formatLabelSelector, labelMatcher, quantity, unitsOf, type Labels } from '../../schema/values/index.ts';

type Amounts = Pick<CSIStorageCapacity, 'capacity' | 'maximumVolumeSize'>;

/** Whether a segment has capacity for a volume of this size in bytes. */
export function isSufficient({ capacity, maximumVolumeSize }: Amounts, bytes: number): boolean {
  const limit = maximumVolumeSize ?? capacity;
  return limit !== undefined && unitsOf(limit) >= bytes;
}

export const isReachable = ({ nodeTopology }: Pick<CSIStorageCapacity, 'nodeTopology'>, labels: Labels | undefined): boolean =>
  nodeTopology !== undefined && labelMatcher(nodeTopology)(labels);

export interface CapacityQuestion {
  readonly storageClass: string;
  /** The size, as a quantity. */
  readonly size: string;
  /** Labels of the node of the pod. */
  readonly nodeLabels?: Labels | undefined;
}

/** Whether a node has capacity for a volume, and the reason. */
export interface CapacityDecision {
  readonly sufficient: boolean;
  readonly why: string;
  /** `namespace/name` of the objects with enough capacity. */
  readonly by: readonly string[];
}

function limitText({ capacity, maximumVolumeSize }: Amounts): string {
  if (maximumVolumeSize !== undefined) return `volumes of at most ${maximumVolumeSize}`;
  return capacity === undefined ? 'no capacity stated' : `${capacity} left`;
}

/** Decides from all CSIStorageCapacity objects. */
export function storageCapacity(
  { storageClass, size, nodeLabels }: CapacityQuestion,
  capacities: Iterable<CSIStorageCapacity>,
): CapacityDecision {
  const wanted = unitsOf(size);
  const ofClass = [...capacities].filter(({ storageClassName }) => storageClassName === storageClass);
  const within = ofClass.filter((one) => isReachable(one, nodeLabels));
  const enough = within.filter((one) => isSufficient(one, wanted));
  if (enough.length > 0)
    return { sufficient: true, why: enough.map((one) => `${keyOf(one)} has ${limitText(one)}`).join(', '), by: enough.map(keyOf) };
  if (ofClass.length === 0) return { sufficient: false, why: `no CSIStorageCapacity is for class ${storageClass}`, by: [] };
  if (within.length === 0)
    return {
      sufficient: false,
      why: `no segment of class ${storageClass} reaches the node: ${ofClass.map((one) => `${keyOf(one)} ${topologyText(one)}`).join(', ')}`,
      by: [],
    };
  const largest = within.toSorted((a, b) => compareQuantities(limitOf(b), limitOf(a)))[0];
  return {
    sufficient: false,
    why: `${size} of class ${storageClass} are requested; ${largest === undefined ? 'no segment has any' : `${keyOf(largest)}, the largest, has ${limitText(largest)}`}`,
    by: [],
  };
}

const topologyText = ({ nodeTopology }: CSIStorageCapacity): string =>
  nodeTopology === undefined ? 'has no nodeTopology' : `requires ${formatLabelSelector(nodeTopology)}`;
const limitOf = ({ capacity, maximumVolumeSize }: Amounts) => quantity(maximumVolumeSize ?? capacity ?? '0');
