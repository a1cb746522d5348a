/**
 * Clears away images that nobody uses when the disk is full beyond the high threshold, until it is below the low one: those first that were
 * used longest ago, none that came too lately. Models: v1.24 pkg/kubelet/images/image_gc_manager.go, kubelet.go StartGarbageCollection.
 */
import { compareText } from '../../../../schema/values/index.ts';
import { defineController, onElapsed, type Write } from '../../../runtime/index.ts';
import type { AgentSettings } from '../../specs.ts';
import type { ImageAction, Images, ImageStore, StoredImage } from './store.ts';

/** How often it looks. */
const EVERY_MS = 300_000;

/** Disk of a machine, bytes. */
export interface Disk {
  readonly capacity: number;
  readonly used: number;
}

export interface Collected {
  readonly remove: readonly StoredImage[];
  readonly wanted: number;
  readonly freed: number;
}

/** Which images go to free so much; those that are used or younger than `minAgeMs` never do. */
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

/**
 * What is to be freed: nothing up to the high threshold, else so much that the low one holds. Percentages are whole, as upstream counts
 * them.
 */
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

/** The agent's part that clears images away. */
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
      // The first failure may be one of statistics that are not there yet: it is told apart from those that repeat.
      const writes = [event('FreeDiskSpaceFailed'), ...(memory?.failed === true ? [event('ImageGCFailed')] : [])];
      return { why, writes, actions, memory: { failed: true }, ...again };
    }),
  });
