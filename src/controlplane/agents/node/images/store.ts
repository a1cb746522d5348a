/**
 * The images on a machine, present or being pulled: physical state, so they outlive an agent. Decisions read `Images`; only actions change
 * them. The registry of all nodes has images by name, pull durations and pull errors. Garbage collection, above the high threshold of disk
 * usage, removes unused images until usage is below the low one, least recently used first, never those younger than the minimum age.
 * Models: v1.24 pkg/kubelet/images/image_gc_manager.go, kubelet.go StartGarbageCollection.
 */
import type { AgentConfiguration } from '../../../config/index.ts';
import type { ImageSpec, Credential, NodeSpec } from '../../specs.ts';
import { milliseconds } from '../configuration.ts';
import { addTo, compareText, unitsOf } from '../../../../schema/values/index.ts';
import { withTag } from '../../../shared/index.ts';
import { defineController, onElapsed, record } from '../../../runtime/index.ts';

interface StoredImage {
  readonly name: string;
  readonly sizeBytes: number;
  /** When its pull ends, or ended; milliseconds since the epoch. */
  readonly readyAt: number;
  /** When the last container that used it was removed; undefined: it was never used, or is in use now. */
  readonly unusedSince: number | undefined;
}

export type ImageAction =
  /** A pull is requested; `image` is on the machine when it ends, unless it fails. */
  | { readonly does: 'pull'; readonly image: ImageSpec; readonly endsAt: number; readonly fails: boolean }
  /** Containers of a pod use an image from now on. */
  | { readonly does: 'useImage'; readonly uid: string; readonly image: string }
  | { readonly does: 'removeImage'; readonly image: string };

export class ImageStore {
  queueEndsAt = -Infinity;
  private readonly images = new Map<string, StoredImage>();
  private readonly users = new Map<string, Set<string>>();

  constructor(preloaded: readonly ImageSpec[], startAt: number) {
    for (const { name, sizeBytes } of preloaded) this.put({ name: withTag(name), sizeBytes, readyAt: startAt, unusedSince: undefined });
  }

  get(image: string): StoredImage | undefined {
    return this.images.get(withTag(image));
  }

  /** All images that are present at an instant, in the order in which they were pulled. */
  there(now: number): readonly StoredImage[] {
    return [...this.images.values()].filter(({ readyAt }) => readyAt <= now);
  }

  isUsed(image: string): boolean {
    return this.users.has(withTag(image));
  }

  act(action: ImageAction): void {
    if (action.does === 'removeImage') {
      this.images.delete(withTag(action.image));
    } else if (action.does === 'useImage') {
      addTo(this.users, withTag(action.image), action.uid);
      const image = this.get(action.image);
      if (image !== undefined) this.put({ ...image, unusedSince: undefined });
    } else {
      this.queueEndsAt = Math.max(this.queueEndsAt, action.endsAt);
      const name = withTag(action.image.name);
      const before = this.images.get(name);
      if (!action.fails && (before === undefined || before.readyAt > action.endsAt))
        this.put({ name, sizeBytes: action.image.sizeBytes, readyAt: action.endsAt, unusedSince: undefined });
    }
  }

  /** All containers of a pod were removed from the machine. */
  release(uid: string, at: number): void {
    for (const [name, of] of this.users) {
      if (!of.delete(uid)) continue;
      const image = this.images.get(name);
      if (of.size === 0) this.users.delete(name);
      if (of.size === 0 && image !== undefined) this.put({ ...image, unusedSince: at });
    }
  }

  describe(): unknown {
    return [this.images, this.users, this.queueEndsAt];
  }

  private put(image: StoredImage): void {
    this.images.set(image.name, image);
  }
}

/** The read-only view of a machine's images. */
export type Images = Readonly<Pick<ImageStore, 'get' | 'there' | 'isUsed' | 'queueEndsAt'>>;

const failed = (code: string, image: string, why: string): string =>
  `rpc error: code = ${code} desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${why}`;

const accepts = ({ access }: ImageSpec, credentials: readonly Credential[]): boolean => {
  if (access === undefined || access === 'public') return true;
  if (access === 'private') return credentials.length > 0;
  return credentials.some(({ username, password }) => username === access.username && password === access.password);
};

export type Registry = ReturnType<typeof createRegistry>;

/** A registry with these images. `startAt`: the time from which their times count, milliseconds since the epoch. */
export function createRegistry(images: readonly ImageSpec[], startAt: number) {
  const byName = new Map(images.map((image) => [withTag(image.name), image]));
  return {
    /** Undefined: the image is not described, so it is on every node already. */
    find: (image: string): ImageSpec | undefined => byName.get(withTag(image)),
    /** The error of a pull at an instant, as of a container runtime; undefined: it succeeds. */
    refusal(image: ImageSpec, at: number, credentials: readonly Credential[]): string | undefined {
      const name = withTag(image.name);
      const { fromMs = 0, untilMs = Infinity } = image;
      const isThere = image.missing !== true && at >= startAt + fromMs && at < startAt + untilMs;
      if (!accepts(image, credentials))
        return failed(
          'Unknown',
          name,
          'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
        );
      return isThere ? undefined : failed('NotFound', name, `${name}: not found`);
    },
  };
}

/**
 * The images in the status of a node. Models: v1.24 pkg/kubelet/nodestatus setters (Images), pkg/kubelet/images (GetImageList, by size).
 */
export interface ReportedImage {
  readonly names: readonly string[];
  readonly sizeBytes: number;
}

/** The largest first, at most so many; -1: all. */
export function reportedImages(images: Images, now: number, most: number): readonly ReportedImage[] {
  const sorted = [...images.there(now)].sort((a, b) => b.sizeBytes - a.sizeBytes || compareText(a.name, b.name));
  return sorted.slice(0, most < 0 ? sorted.length : most).map(({ name, sizeBytes }) => ({ names: [name], sizeBytes }));
}

/** The period of the collection, milliseconds. */
const EVERY_MS = 300_000;

const DISK = '1Ti';

/** The only disk of a machine, bytes: images and container writes share it. Simplified: nodefs and imagefs are the same. */
export const diskOf = ({ capacity }: NodeSpec, images: Images | undefined, now: number) => ({
  capacity: unitsOf(capacity['ephemeral-storage'] ?? DISK),
  used: (images?.there(now) ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});

type Disk = ReturnType<typeof diskOf>;

/** The images to remove to free so many bytes; never one in use, or younger than `minAgeMs`. */
export function collect(images: Images, wanted: number, now: number, minAgeMs: number) {
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
  return { remove, freed };
}

type GarbageSettings = Pick<AgentConfiguration, 'imageGCHighThresholdPercent' | 'imageGCLowThresholdPercent' | 'imageMinimumGCAge'>;

/** The bytes to free: none up to the high threshold, otherwise down to the low one. Percentages are whole numbers, as in upstream. */
function wantedBytes(
  { capacity, used }: Disk,
  { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low }: GarbageSettings,
): number {
  const available = Math.max(0, capacity - used);
  const usedPercent = 100 - Math.trunc((available * 100) / capacity);
  return usedPercent < high ? 0 : Math.trunc((capacity * (100 - low)) / 100) - available;
}

interface Options {
  readonly nodeName: string;
  readonly images: ImageStore;
  readonly settings: GarbageSettings;
  disk(now: number): Disk;
}

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
      const { remove, freed } = collect(images, wanted, now, milliseconds(settings.imageMinimumGCAge));
      const actions = remove.map(({ name }): ImageAction => ({ does: 'removeImage', image: name }));
      const why = `disk usage exceeds ${settings.imageGCHighThresholdPercent} %: remove ${remove.length} unused images, which frees ${freed} of ${wanted} bytes`;
      if (freed >= wanted) return { why, writes: [], actions, memory: { failed: false }, ...again };
      const message = `failed to garbage collect required amount of images. Wanted to free ${wanted} bytes, but freed ${freed} bytes`;
      const about = { kind: 'Node', metadata: { name: nodeName, uid: nodeName } };
      // The first failure may be caused by missing statistics: upstream reports it apart from repeated ones.
      const reasons = ['FreeDiskSpaceFailed', ...(memory?.failed === true ? ['ImageGCFailed'] : [])];
      const writes = reasons.map((reason) => record(about, 'Warning', reason, message));
      return { why, writes, actions, memory: { failed: true }, ...again };
    }),
  });
