/**
 * Publishes the capacity of a driver for each of its classes, by segment, and deletes it with the class. Models: the external-provisioner
 * sidecar, capacity controller.
 */
import type { CSIStorageCapacity, ObjectByKind } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { create, defineController, idle, watchOnly, remove, watch, type CacheView, type Outcome, type Write } from '../../runtime/index.ts';
import type { StorageDriver } from '../specs.ts';
import { remainingCapacity } from './segments.ts';

type StorageClass = ObjectByKind['StorageClass'];

/** The label that names the managing driver. */
const managedBy = (names: Names): string => names.key('csi.storage', 'managed-by');

const published = (driver: StorageDriver, storageClass: string, cache: CacheView, names: Names): readonly CSIStorageCapacity[] =>
  cache
    .list('CSIStorageCapacity')
    .filter(({ metadata, storageClassName }) => storageClassName === storageClass && metadata.labels?.[managedBy(names)] === driver.name);

/** The CSIStorageCapacity objects that a class of the driver should have. */
function wanted(driver: StorageDriver, { metadata }: StorageClass, cache: CacheView, names: Names) {
  const places = {
    nodes: () => [],
    csiNode: () => undefined,
    volumes: () => cache.list('PersistentVolume'),
  };
  return (driver.capacity ?? []).map((segment, i) => ({
    apiVersion: `${names.group('storage')}/v1`,
    kind: 'CSIStorageCapacity',
    metadata: {
      name: `csisc-${driver.name}-${metadata.name}-${i}`,
      namespace: names.systemNamespace,
      labels: { [managedBy(names)]: driver.name },
    },
    storageClassName: metadata.name,
    capacity: String(remainingCapacity(driver, segment, places)),
    ...(segment.maximumVolumeSize === undefined ? {} : { maximumVolumeSize: segment.maximumVolumeSize }),
    nodeTopology: Object.keys(segment.topology).length === 0 ? {} : { matchLabels: segment.topology },
  }));
}

/** The controller of a driver's CSIStorageCapacity objects. */
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
        if (before.capacity === object.capacity) return [];
        const { name, namespace } = object.metadata;
        const patch = { capacity: object.capacity };
        return [{ op: 'patch', kind: 'CSIStorageCapacity', name, namespace, patchType: 'merge', patch, tolerate: ['NotFound'] }];
      });
      return writes.length === 0 ? idle('its CSIStorageCapacity objects are up to date') : { why: 'its capacity has changed', writes };
    },
    reconcileAbsent({ key, cache, names }) {
      const obsolete = published(driver, key, cache, names);
      return obsolete.length === 0
        ? idle('the StorageClass is gone')
        : { why: 'the StorageClass is gone: delete its CSIStorageCapacity objects', writes: obsolete.map((one) => remove(one)) };
    },
  });
