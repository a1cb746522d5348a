/**
 * Decides what becomes of an event a controller records: a new Event, a higher count on one written before, an aggregate of similar
 * ones, or nothing when an object is too talkative. Models: client-go tools/record events_cache.go (10 similar in 10 minutes; burst 25, one more per 5 minutes).
 */
import type { EventText } from './contract.ts';

const AGGREGATE_OVER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
/** Upstream's caches are LRU lists of this length. */
const CACHE_ENTRIES = 4096;

export interface Sighting { readonly name: string; count: number; readonly firstAt: number }
export type Verdict = { readonly kind: 'create' | 'count'; readonly sighting: Sighting; readonly message: string } | { readonly kind: 'drop' };

export interface Correlator { observe(event: EventText, message: string, now: number, nameNew: () => string): Verdict }

/** A map that forgets its oldest entries. */
const bounded = <V>() => {
  const map = new Map<string, V>();
  return {
    get: (key: string): V | undefined => map.get(key),
    set(key: string, value: V): V {
      map.delete(key);
      map.set(key, value);
      if (map.size > CACHE_ENTRIES) for (const oldest of map.keys()) { map.delete(oldest); break; }
      return value;
    },
  };
};

/** A correlator that has seen nothing, for one component of one process. */
export function createCorrelator(): Correlator {
  const similar = bounded<{ messages: Set<string>; lastAt: number }>();
  const seen = bounded<Sighting>();
  const tokens = bounded<{ left: number; at: number }>();

  const allowed = (object: string, now: number): boolean => {
    const bucket = tokens.get(object) ?? tokens.set(object, { left: BURST, at: now });
    bucket.left = Math.min(BURST, bucket.left + (now - bucket.at) / REFILL_MS);
    bucket.at = now;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  };

  return {
    observe(event, message, now, nameNew) {
      const { kind, metadata } = event.about;
      const object = `${kind}/${metadata.namespace ?? ''}/${metadata.name}/${metadata.uid}`;
      const group = `${object}/${event.type}/${event.reason}`;
      let record = similar.get(group);
      if (record === undefined || now - record.lastAt > AGGREGATE_WINDOW_MS) record = similar.set(group, { messages: new Set(), lastAt: now });
      record.lastAt = now;
      record.messages.add(message);
      const combined = record.messages.size >= AGGREGATE_OVER;
      if (combined) for (const any of record.messages) { record.messages.delete(any); break; }
      const text = combined ? `(combined from similar events): ${message}` : message;
      const key = combined ? group : `${group}/${message}`;
      const before = seen.get(key);
      const sighting = before ?? seen.set(key, { name: nameNew(), count: 0, firstAt: now });
      sighting.count++;
      if (!allowed(object, now)) return { kind: 'drop' };
      return { kind: before === undefined ? 'create' : 'count', sighting, message: text };
    },
  };
}
