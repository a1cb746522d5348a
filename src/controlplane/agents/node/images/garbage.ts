/**
 * Image garbage collection: above the high threshold of disk usage it removes unused images until usage is below the low threshold, least
 * recently used first, never those younger than the minimum age. Models: v1.24 pkg/kubelet/images/image_gc_manager.go, kubelet.go
 * StartGarbageCollection.
 */
import { compareText } from '../../../../schema/values/index.ts';
import { defineController, onElapsed, type Write } from '../../../runtime/index.ts';
import type { AgentSettings } from '../../specs.ts';
import type { ImageAction, Images, ImageStore, StoredImage } from './store.ts';

/** The period of the collection, milliseconds. */
const EVERY_MS = 300_000;

/** The disk of a machine, bytes. */
export interface Disk {
  readonly capacity: number;
  readonly used: number;
}

export interface Collected {
  readonly remove: readonly StoredImage[];
  readonly wanted: number;
  readonly freed: number;
}

/** The images to remove to free so many bytes; never one in use, or younger than `minAgeMs`. */
export function collect(images: Images, wanted: number, now: number, minAgeMs: number): Collected {
  const free = images
    .there(now)
    .filter(({ name }) => !images.isUsed(name))
    .sort((a, b) => (a.unusedSince ?? 0) - (b.unusedSince ?? 0) || a.readyAt - b.readyAt || compareText(a.name, b.name));
  const remove: StoredImage[] = [];
  let freed = 0;
  for (const image of free) {
    if (freed >= wanted) break;
    if (now - image.readyAt < minAgeMs) continue;
    remove.push(image);
    freed += image.sizeBytes;
  }
  return { remove, wanted, freed };
}

/** The bytes to free: none up to the high threshold, otherwise down to the low one. Percentages are whole numbers, as in upstream. */
function wantedBytes({ capacity, used }: Disk, { gcHighPercent, gcLowPercent }: NonNullable<AgentSettings['images']>): number {
  const available = Math.max(0, capacity - used);
  const usedPercent = 100 - Math.trunc((available * 100) / capacity);
  return usedPercent < gcHighPercent ? 0 : Math.trunc((capacity * (100 - gcLowPercent)) / 100) - available;
}

interface Options {
  readonly nodeName: string;
  readonly images: ImageStore;
  readonly settings: NonNullable<AgentSettings['images']>;
  disk(now: number): Disk;
}

/** The agent's controller for image garbage collection. */
export const imageGarbage = ({ nodeName, images, settings, disk }: Options) =>
  defineController<string, { readonly failed: boolean }, undefined, ImageAction>({
    name: 'image-garbage',
    component: ({ agentName }) => agentName,
    host: () => nodeName,
    writes: [],
    models: 'v1.24 pkg/kubelet/images image_gc_manager.go; simplified: one disk; the time of the last use of an image is exact.',
    startKeys: () => [nodeName],
    act: (action) => images.act(action),
    reconcile: onElapsed(({ now, memory }) => {
      const again = {
        wakeAt: now + EVERY_MS,
        background: true,
        recurs: { everyMs: EVERY_MS, does: 'checks the disk usage of images' },
      } as const;
      const there = disk(now);
      const wanted = wantedBytes(there, settings);
      if (wanted <= 0)
        return { why: 'disk usage is below the high threshold: no image is removed', writes: [], memory: { failed: false }, ...again };
      const { remove, freed } = collect(images, wanted, now, settings.gcMinAgeMs);
      const actions = remove.map(({ name }): ImageAction => ({ does: 'removeImage', image: name }));
      const why = `disk usage exceeds ${settings.gcHighPercent} %: remove ${remove.length} unused images, which frees ${freed} of ${wanted} bytes`;
      if (freed >= wanted) return { why, writes: [], actions, memory: { failed: false }, ...again };
      const message = `failed to garbage collect required amount of images. Wanted to free ${wanted} bytes, but freed ${freed} bytes`;
      const about = { kind: 'Node', metadata: { name: nodeName, uid: nodeName } };
      const event = (reason: string): Write => ({ op: 'event', event: { about, type: 'Warning', reason, message } });
      // The first failure may be caused by missing statistics: upstream reports it apart from repeated ones.
      const writes = [event('FreeDiskSpaceFailed'), ...(memory?.failed === true ? [event('ImageGCFailed')] : [])];
      return { why, writes, actions, memory: { failed: true }, ...again };
    }),
  });
