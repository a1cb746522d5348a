/**
 * The location of a driver's volumes, and the remaining capacity: provisioning uses up a segment, deletion frees it. Models: the
 * external-provisioner sidecar (topology.go, capacity) with a driver that tracks capacity; the external-provisioner sidecar, capacity
 * controller.
 */
import type { Node, ObjectByKind, CSIStorageCapacity, PersistentVolume } from '../../../apiserver/kinds/index.ts';
import { compareText, unitsOf } from '../../../schema/values/index.ts';
import type { StorageDriver, StorageSegment } from '../specs.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { create, defineController, idle, mergePatch, watchOnly, remove, watch, write } from '../../runtime/index.ts';
import type { CacheView, Outcome, Write } from '../../runtime/index.ts';

type StorageClass = ObjectByKind['StorageClass'];

/** A location: a value for each key of the driver's topology. */
export type Segment = Readonly<Record<string, string>>;

/** The fields of a volume that count. */
export interface TrackedVolume {
  readonly spec: Pick<PersistentVolume['spec'], 'capacity' | 'csi' | 'nodeAffinity'>;
}

/** The objects that the driver sees, and the volumes that it has created but not seen yet. */
interface Places {
  readonly cache: CacheView;
  readonly created?: readonly TrackedVolume[];
}

/** The segment of a node; undefined: its CSINode does not list the driver with keys that the node has. */
function segmentOf(driver: StorageDriver, node: Node | undefined, { cache }: Places): Segment | undefined {
  const { name, labels = {} } = node?.metadata ?? { name: '' };
  const keys = cache.get('CSINode', undefined, name)?.spec.drivers?.find((each) => each.name === driver.name)?.topologyKeys ?? [];
  if (keys.length === 0) return undefined;
  const entries = keys.map((key) => [key, labels[key]] as const);
  return entries.every(([, value]) => value !== undefined) ? (Object.fromEntries(entries) as Segment) : undefined;
}

const lies = (segment: Segment, within: Segment): boolean => Object.entries(within).every(([key, value]) => segment[key] === value);

/** The location of a volume, by its node affinity. */
const placeOf = ({ spec }: TrackedVolume): Segment => {
  const expressions = spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions ?? [];
  return Object.fromEntries(expressions.map(({ key, values = [] }) => [key, values[0] ?? '']));
};

function remainingCapacity(driver: StorageDriver, { topology, size }: StorageSegment, { cache, created = [] }: Places): number {
  let left = unitsOf(size);
  for (const volume of [...cache.list('PersistentVolume'), ...created])
    if (volume.spec.csi?.driver === driver.name && lies(placeOf(volume), topology))
      left -= unitsOf(volume.spec.capacity?.['storage'] ?? '0');
  return Math.max(0, left);
}

/** Whether a volume of so many bytes can be created in a segment. A driver without capacity settings has enough. */
function hasCapacity(driver: StorageDriver, at: Segment, bytes: number, places: Places): boolean {
  const { capacity } = driver;
  if (capacity === undefined) return true;
  return capacity.some(
    (each) =>
      lies(at, each.topology) &&
      bytes <= remainingCapacity(driver, each, places) &&
      (each.maximumVolumeSize === undefined || bytes <= unitsOf(each.maximumVolumeSize)),
  );
}

const allows = ({ allowedTopologies = [] }: StorageClass, at: Segment): boolean =>
  allowedTopologies.length === 0 ||
  allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => at[key] !== undefined && values.includes(at[key] ?? '')),
  );

/** The location of a new volume: the segment of the selected node, else any that its class allows with enough capacity. */
export function chooseSegment(
  driver: StorageDriver,
  storage: StorageClass,
  selected: string | undefined,
  bytes: number,
  places: Places,
): { readonly at: Segment } | { readonly failure: string; readonly exhausted?: true } {
  const nodes = [...places.cache.list('Node')].sort((a, b) => compareText(a.metadata.name, b.metadata.name));
  const node = nodes.find(({ metadata }) => metadata.name === selected);
  if ((driver.topologyKeys ?? []).length === 0)
    return hasCapacity(driver, node?.metadata.labels ?? {}, bytes, places) ? { at: {} } : EXHAUSTED;
  if (selected !== undefined) {
    const at = segmentOf(driver, node, places);
    if (at === undefined) return { failure: `error generating accessibility requirements: no topology key found on CSINode ${selected}` };
    if (!allows(storage, at))
      return {
        failure: `error generating accessibility requirements: selected node '"${selected}"' topology is not in allowed topologies`,
      };
    return hasCapacity(driver, at, bytes, places) ? { at } : EXHAUSTED;
  }
  const all = nodes.map((each) => segmentOf(driver, each, places)).filter((at): at is Segment => at !== undefined && allows(storage, at));
  const at = all.find((each) => hasCapacity(driver, each, bytes, places));
  if (at !== undefined) return { at };
  return all.length === 0 ? { failure: 'error generating accessibility requirements: no available topology found' } : EXHAUSTED;
}

const EXHAUSTED = {
  failure: 'rpc error: code = ResourceExhausted desc = there is no room for a volume of this size',
  exhausted: true,
} as const;

const managedBy = (names: Names): string => `${names.group('csi.storage')}/managed-by`;

const published = (driver: StorageDriver, storageClass: string, cache: CacheView, names: Names): readonly CSIStorageCapacity[] =>
  cache
    .list('CSIStorageCapacity')
    .filter(({ metadata, storageClassName }) => storageClassName === storageClass && metadata.labels?.[managedBy(names)] === driver.name);

/** The CSIStorageCapacity objects that a class of the driver should have. */
function wanted(driver: StorageDriver, { metadata }: StorageClass, cache: CacheView, names: Names) {
  return (driver.capacity ?? []).map((segment, i) => ({
    apiVersion: `${names.group('storage')}/v1`,
    kind: 'CSIStorageCapacity',
    metadata: {
      name: `csisc-${driver.name}-${metadata.name}-${i}`,
      namespace: names.systemNamespace,
      labels: { [managedBy(names)]: driver.name },
    },
    storageClassName: metadata.name,
    capacity: String(remainingCapacity(driver, segment, { cache })),
    ...(segment.maximumVolumeSize === undefined ? {} : { maximumVolumeSize: segment.maximumVolumeSize }),
    nodeTopology: Object.keys(segment.topology).length === 0 ? {} : { matchLabels: segment.topology },
  }));
}

export const capacityPublisher = (driver: StorageDriver) =>
  defineController<'StorageClass'>({
    name: 'capacity-publisher',
    component: driver.name,
    reconciles: 'StorageClass',
    writes: ['CSIStorageCapacity'],
    models: 'The external-provisioner sidecar: publishes the remaining capacity at once instead of every minute.',
    watches: [
      // A created or deleted volume changes the capacity of every class.
      watch('PersistentVolume', ({ object }, { cache }) =>
        object.spec.csi?.driver === driver.name
          ? cache.list('StorageClass').flatMap(({ metadata, provisioner }) => (provisioner === driver.name ? [metadata.name] : []))
          : undefined,
      ),
      watch('CSIStorageCapacity', watchOnly),
    ],
    reconcile({ self: storage, cache, names }): Outcome<never> {
      if (storage.provisioner !== driver.name) return idle('its StorageClass belongs to another driver');
      const there = new Map(published(driver, storage.metadata.name, cache, names).map((one) => [one.metadata.name, one]));
      const writes = wanted(driver, storage, cache, names).flatMap((object): readonly Write[] => {
        const before = there.get(object.metadata.name);
        if (before === undefined) return [create(object, { tolerate: ['AlreadyExists'] })];
        return before.capacity === object.capacity ? [] : [mergePatch(before, { capacity: object.capacity })];
      });
      return writes.length === 0 ? idle('its CSIStorageCapacity objects are up to date') : write('its capacity has changed', ...writes);
    },
    reconcileAbsent({ key, cache, names }) {
      const obsolete = published(driver, key, cache, names).map((one) => remove(one));
      return write(`the StorageClass is gone${obsolete.length === 0 ? '' : ': delete its CSIStorageCapacity objects'}`, ...obsolete);
    },
  });
