/** A driver's provisioner: creates volumes for claims and deletes released ones. Models: the external-provisioner sidecar. */
import type { ObjectByKind, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import type { FeatureGates, Names, ObjectInput } from '../../../apiserver/machinery/index.ts';
import { quote, unitsOf } from '../../../schema/values/index.ts';
import {
  onElapsed,
  create,
  defineController,
  exponentialDelayMs,
  idle,
  isOf,
  mergePatch,
  watchOnly,
  observing,
  record,
  remove,
  watch,
  write,
} from '../../runtime/index.ts';
import type { Outcome, Write } from '../../runtime/index.ts';
import { askForVolume } from '../../shared/index.ts';
import type { StorageDriver } from '../specs.ts';
import { chooseSegment, type Segment, type TrackedVolume } from './segments.ts';

type StorageClass = ObjectByKind['StorageClass'];

/** The sidecar's --retry-interval-start and --retry-interval-max. */
const RETRY_MS = 1_000;
const MOST_MS = 300_000;

/**
 * Volumes that the driver has created and not observed in the API yet, by name: two claims at one instant must not get the same capacity.
 */
type CreatedVolumes = Map<string, ProvisionedVolume>;

const needsPlaces = ({ topologyKeys, capacity }: StorageDriver): boolean => topologyKeys !== undefined || capacity !== undefined;

/** Without capacity the scheduler has to select another node. */
function giveBack(claim: PersistentVolumeClaim, names: Names): readonly Write[] {
  const key = names.key('volume', 'selected-node');
  return claim.metadata.annotations?.[key] === undefined ? [] : [mergePatch(claim, { metadata: { annotations: { [key]: null } } })];
}

/** Parameters with this prefix are for the sidecar, the others for the driver. */
const sidecarKey = (names: Names, name: string): string => `${names.group('csi.storage')}/${name}`;

const parametersFor = ({ parameters = {} }: StorageClass, names: Names): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(sidecarKey(names, ''))));

function unknownParameter({ parameters: known }: StorageDriver, storage: StorageClass, names: Names): string | undefined {
  const unknown = known === undefined ? undefined : Object.keys(parametersFor(storage, names)).find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `rpc error: code = InvalidArgument desc = unknown parameter ${quote(unknown)}`;
}

type ProvisionedVolume = ObjectInput & {
  readonly metadata: { readonly name: string };
  readonly spec: TrackedVolume['spec'] & Readonly<Record<string, unknown>>;
};

/** What keeps the object of a volume until its driver has deleted the volume: the gate HonorPVReclaimPolicy. */
const HONORS = 'HonorPVReclaimPolicy';
const holdOf = (names: Names): string => names.key('external-provisioner.volume', 'finalizer');

/** The volume for a claim, with the parameters of its class as attributes. */
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
  defineController<'PersistentVolumeClaim', Memory, CreatedVolumes, ProvisionedVolume>({
    name: 'provisioner',
    component: driver.name,
    reconciles: 'PersistentVolumeClaim',
    writes: ['PersistentVolume', 'PersistentVolumeClaim'],
    models: 'The external-provisioner sidecar with a driver of a fixed delay.',
    watches: [
      watch('StorageClass', watchOnly),
      // The driver reads nodes and existing volumes only where topology or capacity matters.
      ...(needsPlaces(driver) ? [watch('Node', watchOnly), watch('CSINode', watchOnly), watch('PersistentVolume', watchOnly)] : []),
    ],
    reconcile: onElapsed(({ self: claim, cache, names, gates, now, memory, state }): Outcome<Memory, ProvisionedVolume> => {
      if (claim.metadata.annotations?.[names.key('volume', 'storage-provisioner')] !== driver.name || claim.spec.volumeName !== undefined)
        return { why: 'it needs nothing from this driver', writes: [], memory: null };
      const storage = cache.get('StorageClass', undefined, claim.spec.storageClassName ?? '');
      if (storage === undefined) return idle('its StorageClass is gone');
      if (memory === undefined) {
        const doneAt = now + driver.provisionDelayMs;
        return { why: 'start to provision', writes: [], memory: { doneAt, failed: 0 }, wakeAt: Math.max(doneAt, now + 1) };
      }
      if (now < memory.doneAt) return { why: 'provisioning is in progress', writes: [], wakeAt: memory.doneAt };
      const doneAt = now + exponentialDelayMs(memory.failed, RETRY_MS, MOST_MS) + driver.provisionDelayMs;
      const again = { memory: { doneAt, failed: memory.failed + 1 }, wakeAt: doneAt };
      if (memory.failed < (driver.failures?.provision ?? 0)) return { why: 'the driver fails to provision', writes: [], ...again };
      const selected = claim.metadata.annotations?.[names.key('volume', 'selected-node')];
      const bytes = unitsOf(claim.spec.resources.requests?.['storage'] ?? '0');
      const placed: ReturnType<typeof chooseSegment> = needsPlaces(driver)
        ? chooseSegment(driver, storage, selected, bytes, { cache, created: [...state.values()] })
        : { at: {} };
      const refused = unknownParameter(driver, storage, names);
      const failure = refused ?? ('failure' in placed ? placed.failure : undefined);
      if (failure !== undefined || !('at' in placed)) {
        const message = `failed to provision volume with StorageClass ${quote(storage.metadata.name)}: ${failure ?? ''}`;
        const release = 'exhausted' in placed ? giveBack(claim, names) : [];
        return {
          why: `it cannot be provisioned: ${failure ?? ''}`,
          writes: [record(claim, 'Warning', 'ProvisioningFailed', message), ...release],
          ...again,
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
function withHold(volume: Volume, hold: string, held: boolean): Write {
  const { resourceVersion, finalizers: before = [] } = volume.metadata;
  const finalizers = held ? [...before, hold] : before.filter((each) => each !== hold);
  return mergePatch(volume, { metadata: { resourceVersion, finalizers } }, { tolerate: ['NotFound', 'Conflict'] });
}

/**
 * The outcome for a volume that its driver holds or is to hold; undefined: the hold asks for nothing. `live`: the volume was just read from
 * the API server, so it may be deleted.
 */
function held(volume: Volume, hold: string, live: boolean): Outcome<never> | undefined {
  const { metadata, spec, status } = volume;
  const isHeld = (metadata.finalizers ?? []).includes(hold);
  const deletes = spec.persistentVolumeReclaimPolicy === 'Delete';
  const isGoing = metadata.deletionTimestamp !== undefined;
  if (!isHeld)
    return deletes && !isGoing && status.phase !== 'Released' ? write('hold the volume', withHold(volume, hold, true)) : undefined;
  if (!deletes) return write('its policy is not Delete', withHold(volume, hold, false));
  if (status.phase !== 'Released') return undefined;
  const release = withHold(volume, hold, false);
  if (isGoing) return write('the driver has deleted the volume', release);
  return live ? { why: RECLAIMED, writes: [release, remove(volume)] } : readFirst(volume);
}

const RECLAIMED = 'its claim is gone and its policy is Delete';
const readFirst = (volume: Volume): Outcome<never> => write(`${RECLAIMED}: read it from the API server`, askForVolume(volume));

export const reclaimer = (driver: StorageDriver) =>
  defineController<'PersistentVolume'>({
    name: 'reclaimer',
    component: driver.name,
    reconciles: 'PersistentVolume',
    writes: ['PersistentVolume'],
    models:
      'The external-provisioner sidecar: deletes the volumes that it provisioned once they are released. Reads the volume from the API server before it deletes it.',
    reconcile: ({ self: volume, names, gates }) => decide(driver, volume, { names, gates, live: false }),
    // A deletion loses the data: the claimRef may have been removed meanwhile, or the policy changed.
    resume: ({ names, gates }, { object: volume }) =>
      isOf('PersistentVolume', volume) ? decide(driver, volume, { names, gates, live: true }) : idle('it is gone'),
  });

function decide(
  driver: StorageDriver,
  volume: Volume,
  { names, gates, live }: { readonly names: Names; readonly gates: FeatureGates; readonly live: boolean },
): Outcome<never> {
  const { metadata, spec, status } = volume;
  if (metadata.annotations?.[names.key('pv', 'provisioned-by')] !== driver.name) return idle('another driver deletes it');
  const outcome = gates[HONORS] === true ? held(volume, holdOf(names), live) : undefined;
  if (outcome !== undefined) return outcome;
  // Models: shouldDelete of sig-storage-lib-external-provisioner.
  if (status.phase !== 'Released' || spec.persistentVolumeReclaimPolicy !== 'Delete') return idle('another driver deletes it');
  if (metadata.deletionTimestamp !== undefined) return idle('it is being deleted');
  return live ? write(RECLAIMED, remove(volume)) : readFirst(volume);
}
