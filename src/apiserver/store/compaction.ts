/**
 * The server asks its store every five minutes to forget what was there before it asked last. Whoever comes back with an older revision is
 * told to list anew. Models: apiserver pkg/storage/etcd3 compact.go, storagebackend DefaultCompactInterval.
 */
import type { WritableStore } from './store.ts';

export interface Compaction {
  /** Call when the clock is about to move on to an instant. Nothing is pending for it, so that it keeps no run from settling. */
  advance(to: number): void;
}

const EVERY_MS = 300_000;

/** Compaction of a store that exists since an instant, milliseconds since the epoch. The first time nothing is forgotten yet. */
export function createCompaction(store: WritableStore, startAt: number): Compaction {
  let nextAt = startAt + EVERY_MS;
  let seen = 0;
  return {
    advance(to) {
      if (to < nextAt) return;
      const times = 1 + Math.floor((to - nextAt) / EVERY_MS);
      nextAt += times * EVERY_MS;
      // Nothing is written between two ticks that the clock passes at once.
      store.expire(times === 1 ? seen : store.revision);
      seen = store.revision;
    },
  };
}
