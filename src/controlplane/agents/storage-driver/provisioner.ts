/** A driver's provisioner: makes volumes for claims and deletes released ones. Models: the external-provisioner sidecar. */
import { create, defineController, exponentialDelayMs, idle, nobody, remove, watch, write, type Outcome } from '../../runtime/index.ts';
import type { StorageDriver } from '../specs.ts';

/** The sidecar's --retry-interval-start and --retry-interval-max. */
const RETRY_MS = 1_000;
const MOST_MS = 300_000;

export const provisioner = (driver: StorageDriver) =>
  defineController<'PersistentVolumeClaim', { readonly doneAt: number; readonly failed: number }>({
    name: 'provisioner',
    component: driver.name,
    reconciles: 'PersistentVolumeClaim',
    writes: ['PersistentVolume'],
    models: 'The external-provisioner sidecar with a driver of a fixed delay.',
    watches: [watch('StorageClass', nobody)],
    reconcile({ self: claim, cache, names, now, memory }): Outcome<{ readonly doneAt: number; readonly failed: number }> {
      if (claim.metadata.annotations?.[names.key('volume', 'storage-provisioner')] !== driver.name || claim.spec.volumeName !== undefined)
        return { why: 'nothing is asked of this driver', writes: [], memory: null };
      const storage = cache.get('StorageClass', undefined, claim.spec.storageClassName ?? '');
      if (storage === undefined) return idle('its class is gone');
      if (memory === undefined)
        return {
          why: 'it begins to provision',
          writes: [],
          memory: { doneAt: now + driver.provisionDelayMs, failed: 0 },
          wakeAt: Math.max(now + driver.provisionDelayMs, now + 1),
        };
      if (now < memory.doneAt) return { why: 'provisioning is under way', writes: [], wakeAt: memory.doneAt };
      if (memory.failed < (driver.failures?.provision ?? 0)) {
        const doneAt = now + exponentialDelayMs(memory.failed, RETRY_MS, MOST_MS) + driver.provisionDelayMs;
        return { why: 'the driver fails to provision', writes: [], memory: { doneAt, failed: memory.failed + 1 }, wakeAt: doneAt };
      }
      const name = `pvc-${claim.metadata.uid}`;
      const { namespace, uid, resourceVersion } = claim.metadata;
      return write(
        'the volume is made',
        create(
          {
            apiVersion: 'v1',
            kind: 'PersistentVolume',
            metadata: { name, annotations: { [names.key('pv', 'provisioned-by')]: driver.name } },
            spec: {
              capacity: { storage: claim.spec.resources.requests?.['storage'] },
              accessModes: claim.spec.accessModes,
              persistentVolumeReclaimPolicy: storage.reclaimPolicy,
              storageClassName: storage.metadata.name,
              claimRef: { kind: 'PersistentVolumeClaim', namespace, name: claim.metadata.name, uid, apiVersion: 'v1', resourceVersion },
              volumeMode: claim.spec.volumeMode,
              mountOptions: storage.mountOptions,
              csi: { driver: driver.name, volumeHandle: name },
            },
          },
          { tolerate: ['AlreadyExists'] },
        ),
      );
    },
    reconcileAbsent: () => ({ why: 'it is gone', writes: [], memory: null }),
  });

export const reclaimer = (driver: StorageDriver) =>
  defineController<'PersistentVolume'>({
    name: 'reclaimer',
    component: driver.name,
    reconciles: 'PersistentVolume',
    writes: ['PersistentVolume'],
    models: 'The external-provisioner sidecar: deletes what it made once it is released.',
    reconcile({ self: volume, names }): Outcome<never> {
      const mine = volume.metadata.annotations?.[names.key('pv', 'provisioned-by')] === driver.name;
      if (!mine || volume.status.phase !== 'Released' || volume.spec.persistentVolumeReclaimPolicy !== 'Delete')
        return idle("it is not this driver's to delete");
      return volume.metadata.deletionTimestamp === undefined
        ? write('its claim is gone and its policy is Delete', remove(volume))
        : idle('it is going');
    },
  });

/** What a driver's installation brings along: its classes, and a CSIDriver when it needs no attaching. */
export const installation = (driver: StorageDriver) =>
  defineController({
    name: 'installation',
    writes: ['StorageClass', 'CSIDriver'],
    models: 'What an administrator applies with a driver.',
    startKeys: () => ['install'],
    reconcile({ names }): Outcome<never> {
      const apiVersion = `${names.group('storage')}/v1`;
      const classes = driver.storageClasses.map(
        ({ name, volumeBindingMode, reclaimPolicy, allowVolumeExpansion, isDefault, parameters, mountOptions }) =>
          create(
            {
              apiVersion,
              kind: 'StorageClass',
              metadata: {
                name,
                ...(isDefault === true ? { annotations: { [names.key('storageclass', 'is-default-class')]: 'true' } } : {}),
              },
              provisioner: driver.name,
              ...(volumeBindingMode === undefined ? {} : { volumeBindingMode }),
              ...(reclaimPolicy === undefined ? {} : { reclaimPolicy }),
              ...(allowVolumeExpansion === undefined ? {} : { allowVolumeExpansion }),
              ...(parameters === undefined ? {} : { parameters }),
              ...(mountOptions === undefined ? {} : { mountOptions }),
            },
            { tolerate: ['AlreadyExists'] },
          ),
      );
      const described =
        driver.attachRequired === false
          ? [
              create(
                { apiVersion, kind: 'CSIDriver', metadata: { name: driver.name }, spec: { attachRequired: false } },
                { tolerate: ['AlreadyExists'] },
              ),
            ]
          : [];
      return write('it is installed with its classes', ...classes, ...described);
    },
  });
