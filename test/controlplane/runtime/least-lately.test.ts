/** The cache of correlated events evicts the same entries as the library does. */
import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { LeastLately } from '../../../src/controlplane/runtime/event-correlator.ts';

it('keeps and evicts like the library', () => {
  const library = new LRUCache<string, number>({ maxSize: 8, sizeCalculation: () => 1 });
  const own = new LeastLately<string, number>(8);
  let state = 11;
  const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  let forgotten = 0;
  for (let at = 0; at < 5_000; at++) {
    const key = String(next(14));
    if (next(2) === 0) {
      expect(own.get(key)).toBe(library.get(key));
      if (at > 100 && own.get(key) === undefined) forgotten++;
    } else {
      own.set(key, at);
      library.set(key, at);
    }
    if (next(7) === 0) expect(own.get(key)).toBe(library.get(key));
  }
  expect(forgotten).toBeGreaterThan(100);
});
