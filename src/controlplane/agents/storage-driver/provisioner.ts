/** A driver's provisioner: creates volumes for claims and deletes released ones. Models: the external-provisioner sidecar. */
import type { ObjectByKind, PersistentVolume, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import type { Names, ObjectInput } from '../../../apiserver/machinery/index.ts';
import { quote, unitsOf } from '../../../schema/values/index.ts';
import {
  onElapsed,
  create,
  defineController,
  exponentialDelayMs,
  idle,
  isOf,
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

function placeFor(
  driver: StorageDriver,
  { metadata, spec }: PersistentVolumeClaim,
  storage: StorageClass,
  cache: CacheView,
  names: Names,
  created: CreatedVolumes,
): ReturnType<typeof chooseSegment> {
  if (!needsPlaces(driver)) return { at: {} };
  return chooseSegment(
    driver,
    storage,
    metadata.annotations?.[names.key('volume', 'selected-node')],
    unitsOf(spec.resources.requests?.['storage'] ?? '0'),
    {
      nodes: () => cache.list('Node'),
      csiNode: (name) => cache.get('CSINode', undefined, name),
      volumes: () => [...cache.list('PersistentVolume'), ...created.values()],
    },
  );
}

/** Without capacity the scheduler has to select another node. */
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

/** Parameters with this prefix are for the sidecar, the others for the driver. */
const sidecarKey = (names: Names, name: string): string => names.key('csi.storage', name);

const parametersFor = ({ parameters = {} }: StorageClass, names: Names): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(sidecarKey(names, ''))));

function unknownParameter({ parameters: known }: StorageDriver, storage: StorageClass, names: Names): string | undefined {
  const unknown = known === undefined ? undefined : Object.keys(parametersFor(storage, names)).find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `rpc error: code = InvalidArgument desc = unknown parameter ${quote(unknown)}`;
}

/** A volume as the driver creates it. */
type ProvisionedVolume = ObjectInput & {
  readonly metadata: { readonly name: string };
  readonly spec: TrackedVolume['spec'] & Readonly<Record<string, unknown>>;
};

/** The volume for a claim, with the parameters of its class as attributes. */
function volumeFor(
  driver: StorageDriver,
  claim: PersistentVolumeClaim,
  storage: StorageClass,
  at: Segment,
  names: Names,
): ProvisionedVolume {
  const name = `pvc-${claim.metadata.uid}`;
  const { namespace, uid, resourceVersion } = claim.metadata;
  const attributes = parametersFor(storage, names);
  const fsType = storage.parameters?.[sidecarKey(names, 'fstype')];
  const near = Object.entries(at).map(([key, value]) => ({ key, operator: 'In', values: [value] }));
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [names.key('pv', 'provisioned-by')]: driver.name } },
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

/** The controller that creates volumes for claims. */
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
    reconcile: onElapsed(({ self: claim, cache, names, now, memory, state }): Outcome<Memory, ProvisionedVolume> => {
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
      const made = volumeFor(driver, claim, storage, placed.at, names);
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

/** The controller that deletes released volumes. */
export const reclaimer = (driver: StorageDriver) =>
  defineController<'PersistentVolume'>({
    name: 'reclaimer',
    component: driver.name,
    reconciles: 'PersistentVolume',
    writes: ['PersistentVolume'],
    models:
      'The external-provisioner sidecar: deletes the volumes that it provisioned once they are released. Reads the volume from the API server before it deletes it.',
    reconcile: ({ self: volume, names }) =>
      keptBy(driver, volume, names) ??
      write('its claim is gone and its policy is Delete: read it from the API server', askForVolume(volume)),
    // What it holds is lost with it: somebody may have taken its claimRef away, or changed its policy.
    resume: ({ names }, { object: volume }) =>
      isOf('PersistentVolume', volume)
        ? (keptBy(driver, volume, names) ?? write('its claim is gone and its policy is Delete', remove(volume)))
        : idle('it is gone'),
  });

/** Why a volume stays; undefined: the driver is to delete it. Models: shouldDelete of sig-storage-lib-external-provisioner. */
function keptBy(driver: StorageDriver, { metadata, spec, status }: PersistentVolume, names: Names): Outcome<never, never> | undefined {
  const mine = metadata.annotations?.[names.key('pv', 'provisioned-by')] === driver.name;
  if (!mine || status.phase !== 'Released' || spec.persistentVolumeReclaimPolicy !== 'Delete') return idle('another driver deletes it');
  return metadata.deletionTimestamp === undefined ? undefined : idle('it is being deleted');
}
