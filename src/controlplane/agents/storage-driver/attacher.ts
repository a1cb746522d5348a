/** A driver's attacher: attaches, detaches, reports errors and retries. Models: the external-attacher sidecar. */
import { SIM } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../apiserver/kinds/index.ts';
import { onElapsed, defineController, exponentialDelayMs, idle, mergePatch, watchOnly, watch, type Outcome } from '../../runtime/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { attacherFinalizer } from '../../shared/index.ts';
import type { StorageDriver } from '../specs.ts';

interface Memory {
  readonly operation: 'attach' | 'detach';
  readonly doneAt: number;
  readonly failed: number;
}

const RETRY_MS = 1_000;
const MOST_MS = 300_000;

const said = (volume: PersistentVolume | undefined, name: string): string | undefined => volume?.metadata.annotations?.[`${SIM}/${name}`];

const metadataOf = (volume: PersistentVolume | undefined): Readonly<Record<string, string>> | undefined => {
  const text = said(volume, 'attach-metadata');
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>;
  } catch {
    return undefined;
  }
};

export const attacher = (driver: StorageDriver) =>
  defineController<'VolumeAttachment', Memory>({
    name: 'attacher',
    component: driver.name,
    reconciles: 'VolumeAttachment',
    writes: ['VolumeAttachment'],
    models: 'The external-attacher sidecar with a driver of fixed delays.',
    self: { enqueue: ({ key, object }) => (object.spec.attacher === driver.name ? key : undefined) },
    watches: [watch('PersistentVolume', watchOnly)],
    reconcile: onElapsed(({ self: attachment, cache, now, wall, memory }): Outcome<Memory> => {
      const finalizer = attacherFinalizer(driver.name);
      const finalizers = attachment.metadata.finalizers ?? [];
      const going = attachment.metadata.deletionTimestamp !== undefined;
      if (going && !finalizers.includes(finalizer)) return idle('its finalizer is removed');
      if (!going && attachment.status.attached) return { why: 'it is attached', writes: [], memory: null };
      const operation = going ? 'detach' : 'attach';
      const delayMs = going ? driver.detachDelayMs : driver.attachDelayMs;
      if (memory?.operation !== operation) {
        const hold =
          going || finalizers.includes(finalizer) ? [] : [mergePatch(attachment, { metadata: { finalizers: [...finalizers, finalizer] } })];
        const doneAt = now + delayMs;
        const begun = { operation, doneAt, failed: 0 } as const;
        return { why: `start to ${operation} it`, writes: hold, memory: begun, wakeAt: Math.max(doneAt, now + 1) };
      }
      if (now < memory.doneAt) return { why: `the ${operation} is in progress`, writes: [], wakeAt: memory.doneAt };
      const volume = cache.get('PersistentVolume', undefined, attachment.spec.source.persistentVolumeName ?? '');
      const failures = Number(said(volume, `${operation}-errors`) ?? driver.failures?.[operation] ?? 0);
      if (memory.failed < failures) {
        const error = { time: formatTime(wall), message: `rpc error: code = Internal desc = fake ${operation} failure` };
        const doneAt = now + exponentialDelayMs(memory.failed, RETRY_MS, MOST_MS) + delayMs;
        return {
          why: `the driver failed to ${operation}: attempt ${memory.failed + 1}`,
          writes: [mergePatch(attachment, { status: { [`${operation}Error`]: error } }, { subresource: 'status' })],
          memory: { operation, doneAt, failed: memory.failed + 1 },
          wakeAt: doneAt,
        };
      }
      const attachmentMetadata = going ? undefined : metadataOf(volume);
      const status = {
        attached: !going,
        attachError: null,
        detachError: null,
        ...(attachmentMetadata === undefined ? {} : { attachmentMetadata }),
      };
      const release = going ? [mergePatch(attachment, { metadata: { finalizers: finalizers.filter((name) => name !== finalizer) } })] : [];
      const writes = [mergePatch(attachment, { status }, { subresource: 'status' }), ...release];
      return { why: going ? 'it is detached' : 'it is attached', writes, memory: null };
    }),
    reconcileAbsent: () => ({ why: 'it is gone', writes: [], memory: null }),
  });
