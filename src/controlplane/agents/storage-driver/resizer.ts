/**
 * A driver's resizer: expands the volume of a claim that requests more than its capacity. Models: the external-resizer sidecar with a
 * driver whose volumes need no expansion on the node (no NodeExpansionRequired).
 */
import type { PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import { formatTime, unitsOf } from '../../../schema/values/index.ts';
import { onElapsed, defineController, idle, mergePatch, record, watch, type Outcome, type Write } from '../../runtime/index.ts';
import type { StorageDriver } from '../specs.ts';

interface Memory {
  readonly wanted: string;
  readonly doneAt: number;
}

const statusPatch = (claim: PersistentVolumeClaim, status: Readonly<Record<string, unknown>>): Write =>
  mergePatch(claim, { status }, { subresource: 'status' });

export const resizer = (driver: StorageDriver, expandDelayMs: number) =>
  defineController<'PersistentVolumeClaim', Memory>({
    name: 'resizer',
    component: `external-resizer ${driver.name}`,
    reconciles: 'PersistentVolumeClaim',
    writes: ['PersistentVolumeClaim', 'PersistentVolume'],
    models: 'The external-resizer sidecar with a driver of a fixed delay; the node needs no resize.',
    watches: [
      watch('PersistentVolume', ({ object: { spec } }) =>
        spec.csi?.driver === driver.name && spec.claimRef !== undefined
          ? `${spec.claimRef.namespace ?? 'default'}/${spec.claimRef.name ?? ''}`
          : undefined,
      ),
    ],
    reconcile: onElapsed(({ self: claim, cache, now, wall, memory }): Outcome<Memory> => {
      const volume = cache.get('PersistentVolume', undefined, claim.spec.volumeName ?? '');
      if (claim.status.phase !== 'Bound' || volume?.spec.csi?.driver !== driver.name)
        return { why: 'it needs nothing from this driver', writes: [], memory: null };
      const wanted = claim.spec.resources.requests?.['storage'] ?? '0';
      const has = claim.status.capacity?.['storage'] ?? '0';
      if (unitsOf(wanted) <= unitsOf(has)) return { why: 'it has the requested size', writes: [], memory: null };
      if (memory?.wanted !== wanted) {
        const doneAt = now + expandDelayMs;
        const condition = { type: 'Resizing', status: 'True', lastProbeTime: null, lastTransitionTime: formatTime(wall) };
        return {
          why: `resize its volume from ${has} to ${wanted}`,
          writes: [
            statusPatch(claim, { conditions: [condition] }),
            record(claim, 'Normal', 'Resizing', `External resizer is resizing volume ${volume.metadata.name}`),
          ],
          memory: { wanted, doneAt },
          wakeAt: Math.max(doneAt, now + 1),
        };
      }
      if (now < memory.doneAt) return { why: 'its volume is being resized', writes: [], wakeAt: memory.doneAt };
      return {
        why: `its volume was resized to ${wanted}`,
        writes: [
          mergePatch(volume, { spec: { capacity: { storage: wanted } } }, { tolerate: [] }),
          statusPatch(claim, { capacity: { storage: wanted }, conditions: null }),
          record(claim, 'Normal', 'VolumeResizeSuccessful', 'Resize volume succeeded'),
        ],
        memory: null,
      };
    }),
    reconcileAbsent: () => idle('it is gone'),
  });
