/**
 * The images on a machine, present or being pulled: physical state, so they outlive an agent. Decisions read `Images`; only actions change
 * them.
 */
import type { ImageSpec } from '../../specs.ts';
import { withTag } from './registry.ts';
import { accessors } from '../../../../engine/index.ts';

const withQueueEndsAtVersion = accessors('queueEndsAt', 'version');

/** An image on a machine. */
export interface StoredImage {
  readonly name: string;
  readonly sizeBytes: number;
  /** When its pull ends, or ended; milliseconds since the epoch. */
  readonly readyAt: number;
  /** When the last container that used it was removed; undefined: it was never used, or is in use now. */
  readonly unusedSince: number | undefined;
}

/** The read-only view of a machine's images. */
export interface Images {
  /** The image if it is present or being pulled. */
  get(image: string): StoredImage | undefined;
  /** All images that are present at an instant, in the order in which they were pulled. */
  there(now: number): readonly StoredImage[];
  isUsed(image: string): boolean;
  /** When the last of the requested pulls ends: a serial pull starts then. */
  readonly queueEndsAt: number;
  /** Increases with every change. */
  readonly version: number;
}

export type ImageAction =
  /** A pull is requested; `image` is on the machine when it ends, unless it fails. */
  | { readonly does: 'pull'; readonly image: ImageSpec; readonly endsAt: number; readonly fails: boolean }
  /** Containers of a pod use an image from now on. */
  | { readonly does: 'useImage'; readonly uid: string; readonly image: string }
  /** Removes an image. */
  | { readonly does: 'removeImage'; readonly image: string };

export interface ImageStore extends Images {
  act(action: ImageAction): void;
  /** All containers of a pod were removed from the machine. */
  release(uid: string, at: number): void;
  /** The images as plain data. */
  describe(): unknown;
}

/** A machine's images, initially those that are preloaded. */
export function createImageStore(present: readonly ImageSpec[], startAt: number): ImageStore {
  const images = new Map<string, StoredImage>();
  const users = new Map<string, Set<string>>();
  let queueEndsAt = -Infinity;
  let version = 0;
  const put = (image: StoredImage): void => void images.set(image.name, image);
  for (const { name, sizeBytes } of present) put({ name: withTag(name), sizeBytes, readyAt: startAt, unusedSince: undefined });
  return withQueueEndsAtVersion(
    {
      queueEndsAt: () => queueEndsAt,
      version: () => version,
    },
    {
      get: (image) => images.get(withTag(image)),
      there: (now) => [...images.values()].filter(({ readyAt }) => readyAt <= now),
      isUsed: (image) => (users.get(withTag(image))?.size ?? 0) > 0,
      act(action) {
        version++;
        if (action.does === 'removeImage') {
          images.delete(withTag(action.image));
        } else if (action.does === 'useImage') {
          const name = withTag(action.image);
          const of = users.get(name) ?? new Set();
          users.set(name, of.add(action.uid));
          const image = images.get(name);
          if (image !== undefined) put({ ...image, unusedSince: undefined });
        } else {
          queueEndsAt = Math.max(queueEndsAt, action.endsAt);
          const name = withTag(action.image.name);
          const before = images.get(name);
          if (!action.fails && (before === undefined || before.readyAt > action.endsAt))
            put({ name, sizeBytes: action.image.sizeBytes, readyAt: action.endsAt, unusedSince: undefined });
        }
      },
      release(uid, at) {
        for (const [name, of] of users) {
          if (!of.delete(uid)) continue;
          version++;
          const image = images.get(name);
          if (of.size === 0) users.delete(name);
          if (of.size === 0 && image !== undefined) put({ ...image, unusedSince: at });
        }
      },
      describe: () => [images, users, queueEndsAt],
    },
  );
}
