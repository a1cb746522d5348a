/**
 * Compaction of history every five minutes: the server drops all changes older than its previous compaction. A client with an older
 * revision must list again. Models: apiserver pkg/storage/etcd3 compact.go, storagebackend DefaultCompactInterval.
 */
import type { WritableStore } from './store.ts';

export interface Compaction {
  /** Must be called before the clock moves to an instant. Compaction needs no pending event, so it never keeps a run from settling. */
  advance(to: number): void;
}

const EVERY_MS = 300_000;

/** Returns the compaction of a store that exists since an instant, in milliseconds since the epoch. The first compaction drops nothing. */
export function createCompaction(store: WritableStore, startAt: number): Compaction {
  const state = { nextAt: startAt + EVERY_MS, seen: 0 };
  return {
    advance(to) {
      if (to < state.nextAt) return;
      const times = 1 + Math.floor((to - state.nextAt) / EVERY_MS);
      state.nextAt += times * EVERY_MS;
      // When the clock passes several ticks at once, nothing was written between them.
      store.expire(times === 1 ? state.seen : store.revision);
      state.seen = store.revision;
    },
  };
}
