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

interface Kept<V> { readonly key: string; readonly value: V }

/** A map that forgets its oldest entries. Their order is kept beside it: a Map that loses its first entries gets slow at finding the next. */
const bounded = <V>() => {
  const map = new Map<string, Kept<V>>();
  let order: Kept<V>[] = [];
  let oldest = 0;
  const forgetOne = (): void => {
    for (let kept = order[oldest++]; kept !== undefined; kept = order[oldest++]) if (map.get(kept.key) === kept) { map.delete(kept.key); break; }
    if (oldest < CACHE_ENTRIES) return;
    order = order.slice(oldest);
    oldest = 0;
  };
  return {
    get: (key: string): V | undefined => map.get(key)?.value,
    set(key: string, value: V): V {
      const kept = { key, value };
      map.set(key, kept);
      order.push(kept);
      if (map.size > CACHE_ENTRIES) forgetOne();
      return value;
    },
  };
};

/** Most groups of similar events only ever say one thing. */
interface Similar { first: string; others: Set<string> | undefined; lastAt: number }

/** How many different messages there are once this one is among them. */
function countMessages(similar: Similar, message: string): number {
  if (similar.others !== undefined) return similar.others.add(message).size;
  if (similar.first === message) return 1;
  similar.others = new Set([similar.first, message]);
  return 2;
}

/** A correlator that has seen nothing, for one component of one process. */
export function createCorrelator(): Correlator {
  const similar = bounded<Similar>();
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
      // A uid stands for kind, namespace and name.
      const object = metadata.uid === undefined || metadata.uid === '' ? `${kind}/${metadata.namespace ?? ''}/${metadata.name}` : metadata.uid;
      const group = `${object}/${event.type}/${event.reason}`;
      let record = similar.get(group);
      if (record === undefined || now - record.lastAt > AGGREGATE_WINDOW_MS) record = similar.set(group, { first: message, others: undefined, lastAt: now });
      record.lastAt = now;
      const combined = countMessages(record, message) >= AGGREGATE_OVER;
      if (combined && record.others !== undefined) for (const any of record.others) { record.others.delete(any); break; }
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
