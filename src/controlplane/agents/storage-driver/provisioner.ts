/** A driver's provisioner: makes volumes for claims and deletes released ones. Models: the external-provisioner sidecar. */
import type { ObjectByKind, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import type { Names, ObjectInput } from '../../../apiserver/vocabulary/index.ts';
import { quote, unitsOf } from '../../../grammar/values/index.ts';
import {
  onElapsed,
  create,
  defineController,
  exponentialDelayMs,
  idle,
  watchOnly,
  observing,
  record,
  remove,
  watch,
  write,
  type CacheView,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import type { StorageDriver } from '../specs.ts';
import { choosePlace, type Segment, type VolumeInBooks } from './room.ts';

type StorageClass = ObjectByKind['StorageClass'];

/** The sidecar's --retry-interval-start and --retry-interval-max. */
const RETRY_MS = 1_000;
const MOST_MS = 300_000;

/** Volumes that the driver has made and not yet seen in the API, by name: two claims of one instant must not get the same room. */
type Books = Map<string, ProvisionedVolume>;

const needsPlaces = ({ topologyKeys, capacity }: StorageDriver): boolean => topologyKeys !== undefined || capacity !== undefined;

function placeFor(
  driver: StorageDriver,
  { metadata, spec }: PersistentVolumeClaim,
  storage: StorageClass,
  cache: CacheView,
  names: Names,
  books: Books,
): ReturnType<typeof choosePlace> {
  if (!needsPlaces(driver)) return { at: {} };
  return choosePlace(
    driver,
    storage,
    metadata.annotations?.[names.key('volume', 'selected-node')],
    unitsOf(spec.resources.requests?.['storage'] ?? '0'),
    {
      nodes: () => cache.list('Node'),
      csiNode: (name) => cache.get('CSINode', undefined, name),
      volumes: () => [...cache.list('PersistentVolume'), ...books.values()],
    },
  );
}

/** Where there is no room the scheduler is asked for another node. */
const giveBack = ({ metadata }: PersistentVolumeClaim, names: Names): readonly Write[] =>
  metadata.annotations?.[names.key('volume', 'selected-node')] === undefined
    ? []
    : [
        {
          op: 'patch',
          kind: 'PersistentVolumeClaim',
          namespace: metadata.namespace ?? 'default',
          name: metadata.name,
          patchType: 'merge',
          patch: { metadata: { annotations: { [names.key('volume', 'selected-node')]: null } } },
          tolerate: ['NotFound'],
        },
      ];

/** Parameters under this prefix are for the sidecar, the others for the driver. */
const sidecarKey = (names: Names, name: string): string => names.key('csi.storage', name);

const parametersFor = ({ parameters = {} }: StorageClass, names: Names): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(sidecarKey(names, ''))));

function unknownParameter({ parameters: known }: StorageDriver, storage: StorageClass, names: Names): string | undefined {
  const unknown = known === undefined ? undefined : Object.keys(parametersFor(storage, names)).find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `rpc error: code = InvalidArgument desc = unknown parameter ${quote(unknown)}`;
}

/** A volume as its driver sends it. */
type ProvisionedVolume = ObjectInput & {
  readonly metadata: { readonly name: string };
  readonly spec: VolumeInBooks['spec'] & Readonly<Record<string, unknown>>;
};

/** What keeps the object of a volume until its driver has deleted the volume: the gate HonorPVReclaimPolicy. */
const HONORS = 'HonorPVReclaimPolicy';
const holdOf = (names: Names): string => names.key('external-provisioner.volume', 'finalizer');

/** The volume that is made for a claim. What the class told the driver is what the driver tells of the volume. */
function volumeFor(
  driver: StorageDriver,
  claim: PersistentVolumeClaim,
  storage: StorageClass,
  at: Segment,
  names: Names,
  holds: boolean,
): ProvisionedVolume {
  const name = `pvc-${claim.metadata.uid}`;
  const { namespace, uid, resourceVersion } = claim.metadata;
  const attributes = parametersFor(storage, names);
  const fsType = storage.parameters?.[sidecarKey(names, 'fstype')];
  const near = Object.entries(at).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      annotations: { [names.key('pv', 'provisioned-by')]: driver.name },
      ...(holds && storage.reclaimPolicy === 'Delete' ? { finalizers: [holdOf(names)] } : {}),
    },
    spec: {
      capacity: { storage: claim.spec.resources.requests?.['storage'] ?? '0' },
      accessModes: claim.spec.accessModes,
      persistentVolumeReclaimPolicy: storage.reclaimPolicy,
      storageClassName: storage.metadata.name,
      claimRef: { kind: 'PersistentVolumeClaim', namespace, name: claim.metadata.name, uid, apiVersion: 'v1', resourceVersion },
      volumeMode: claim.spec.volumeMode,
      mountOptions: storage.mountOptions,
      csi: {
        driver: driver.name,
        volumeHandle: name,
        ...(fsType === undefined ? {} : { fsType }),
        ...(Object.keys(attributes).length === 0 ? {} : { volumeAttributes: attributes }),
      },
      ...(near.length === 0 ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: near }] } } }),
    },
  };
}

interface Memory {
  readonly doneAt: number;
  readonly failed: number;
}

export const provisioner = (driver: StorageDriver) =>
  defineController<'PersistentVolumeClaim', Memory, Books, ProvisionedVolume>({
    name: 'provisioner',
    component: driver.name,
    reconciles: 'PersistentVolumeClaim',
    writes: ['PersistentVolume', 'PersistentVolumeClaim'],
    models: 'The external-provisioner sidecar with a driver of a fixed delay.',
    watches: [
      watch('StorageClass', watchOnly),
      // Only where it matters where a volume lies does the driver look at nodes, or at what there is already.
      ...(needsPlaces(driver) ? [watch('Node', watchOnly), watch('CSINode', watchOnly), watch('PersistentVolume', watchOnly)] : []),
    ],
    reconcile: onElapsed(({ self: claim, cache, names, gates, now, memory, state }): Outcome<Memory, ProvisionedVolume> => {
      if (claim.metadata.annotations?.[names.key('volume', 'storage-provisioner')] !== driver.name || claim.spec.volumeName !== undefined)
        return { why: 'it needs nothing from this driver', writes: [], memory: null };
      const storage = cache.get('StorageClass', undefined, claim.spec.storageClassName ?? '');
      if (storage === undefined) return idle('its StorageClass is gone');
      if (memory === undefined)
        return {
          why: 'start to provision',
          writes: [],
          memory: { doneAt: now + driver.provisionDelayMs, failed: 0 },
          wakeAt: Math.max(now + driver.provisionDelayMs, now + 1),
        };
      if (now < memory.doneAt) return { why: 'provisioning is in progress', writes: [], wakeAt: memory.doneAt };
      if (memory.failed < (driver.failures?.provision ?? 0)) {
        const doneAt = now + exponentialDelayMs(memory.failed, RETRY_MS, MOST_MS) + driver.provisionDelayMs;
        return { why: 'the driver fails to provision', writes: [], memory: { doneAt, failed: memory.failed + 1 }, wakeAt: doneAt };
      }
      const placed = placeFor(driver, claim, storage, cache, names, state);
      const refused = unknownParameter(driver, storage, names);
      const failure = refused ?? ('failure' in placed ? placed.failure : undefined);
      if (failure !== undefined || !('at' in placed)) {
        const doneAt = now + exponentialDelayMs(memory.failed, RETRY_MS, MOST_MS) + driver.provisionDelayMs;
        return {
          why: `it cannot be provisioned: ${failure ?? ''}`,
          writes: [
            record(
              claim,
              'Warning',
              'ProvisioningFailed',
              `failed to provision volume with StorageClass ${quote(storage.metadata.name)}: ${failure ?? ''}`,
            ),
            ...('exhausted' in placed ? giveBack(claim, names) : []),
          ],
          memory: { doneAt, failed: memory.failed + 1 },
          wakeAt: doneAt,
          background: true,
        };
      }
      const made = volumeFor(driver, claim, storage, placed.at, names, gates[HONORS] === true);
      return {
        ...write('the volume is provisioned', create(made, { tolerate: ['AlreadyExists'] })),
        ...(needsPlaces(driver) ? { actions: [made] } : {}),
      };
    }),
    start: () => new Map(),
    act: (made, { state }) => void state.set(made.metadata.name, made),
    observe: observing({ PersistentVolume: ({ key }, { state }) => void state.delete(key) }),
    reconcileAbsent: () => ({ why: 'it is gone', writes: [], memory: null }),
  });

type Volume = ObjectByKind['PersistentVolume'];

/** Puts the hold on a volume or takes it off, unless the volume has changed meanwhile. */
const withHold = ({ metadata: { name, resourceVersion, finalizers = [] } }: Volume, hold: string, held: boolean): Write => ({
  op: 'patch',
  kind: 'PersistentVolume',
  name,
  patchType: 'merge',
  patch: { metadata: { resourceVersion, finalizers: held ? [...finalizers, hold] : finalizers.filter((each) => each !== hold) } },
  tolerate: ['NotFound', 'Conflict'],
});

/** What becomes of a volume that its driver holds or is to hold; undefined: nothing of that. */
function held(volume: Volume, hold: string): Outcome<never> | undefined {
  const { metadata, spec, status } = volume;
  const isHeld = (metadata.finalizers ?? []).includes(hold);
  const deletes = spec.persistentVolumeReclaimPolicy === 'Delete';
  const isGoing = metadata.deletionTimestamp !== undefined;
  if (!isHeld)
    return deletes && !isGoing && status.phase !== 'Released' ? write('hold the volume', withHold(volume, hold, true)) : undefined;
  if (!deletes) return write('its policy is not Delete', withHold(volume, hold, false));
  if (status.phase !== 'Released') return undefined;
  const release = withHold(volume, hold, false);
  return isGoing
    ? write('the driver has deleted the volume', release)
    : { why: 'its claim is gone and its policy is Delete', writes: [release, remove(volume)] };
}

export const reclaimer = (driver: StorageDriver) =>
  defineController<'PersistentVolume'>({
    name: 'reclaimer',
    component: driver.name,
    reconciles: 'PersistentVolume',
    writes: ['PersistentVolume'],
    models: 'The external-provisioner sidecar: deletes the volumes that it provisioned once they are released.',
    reconcile({ self: volume, names, gates }): Outcome<never> {
      if (volume.metadata.annotations?.[names.key('pv', 'provisioned-by')] !== driver.name) return idle('another driver deletes it');
      const outcome = gates[HONORS] === true ? held(volume, holdOf(names)) : undefined;
      if (outcome !== undefined) return outcome;
      if (volume.status.phase !== 'Released' || volume.spec.persistentVolumeReclaimPolicy !== 'Delete')
        return idle('another driver deletes it');
      return volume.metadata.deletionTimestamp === undefined
        ? write('its claim is gone and its policy is Delete', remove(volume))
        : idle('it is being deleted');
    },
  });
