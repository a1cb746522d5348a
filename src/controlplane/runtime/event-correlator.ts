/**
 * Correlates the events that controllers record: the result is a new Event, a higher count on an earlier one, an aggregate of similar ones,
 * or nothing when an object has too many. Models: client-go tools/record events_cache.go (10 similar in 10 minutes; burst 25, one more per
 * 5 minutes).
 */
import type { EventText } from './outcome.ts';

const AGGREGATE_OVER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
/** The size of upstream's LRU caches. */
const CACHE_ENTRIES = 4096;

/** A cache that forgets the entry that was used least lately, with the two methods that are needed. A test compares it with `lru-cache`. */
export class LeastLately<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly most: number;
  /** The key that was used last: it is the newest already. */
  private last: K | undefined;

  constructor(most: number) {
    this.most = most;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined && key !== this.last) this.renew(key, value);
    return value;
  }

  set(key: K, value: V): void {
    if (key === this.last) this.entries.set(key, value);
    else this.renew(key, value);
    if (this.entries.size <= this.most) return;
    for (const oldest of this.entries.keys()) {
      this.entries.delete(oldest);
      return;
    }
  }

  private renew(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    this.last = key;
  }
}

export interface Sighting {
  readonly name: string;
  count: number;
  readonly firstAt: number;
}
export type Verdict =
  | { readonly kind: 'create' | 'count'; readonly sighting: Sighting; readonly message: string }
  | { readonly kind: 'drop' };

/** Similar events within the window. Most groups have a single message, whose sighting is stored here. */
interface Similar {
  readonly first: string;
  readonly sighting: Sighting;
  others: Set<string> | undefined;
  lastAt: number;
}

/** Adds a message; returns how many different ones there are. */
function countMessages(similar: Similar, message: string): number {
  if (similar.others !== undefined) return similar.others.add(message).size;
  if (similar.first === message) return 1;
  similar.others = new Set([similar.first, message]);
  return 2;
}

/** The sighting of a message, and whether it is the first. */
interface Sighted {
  readonly sighting: Sighting;
  readonly known: boolean;
  readonly combined: boolean;
}

type NameNew = (event: EventText) => string;

/** The correlator of one component of one process. */
export class Correlator {
  private readonly similar = new LeastLately<string, Similar>(CACHE_ENTRIES);
  private readonly seen = new LeastLately<string, Sighting>(CACHE_ENTRIES);
  private readonly tokens = new LeastLately<string, { left: number; at: number }>(CACHE_ENTRIES);
  /** A controller that makes a thousand pods records the same reason on the same object again and again. */
  private lastObject = '';
  private lastType = '';
  private lastReason = '';
  private lastGroup = '';

  observe(event: EventText, message: string, now: number, nameNew: NameNew): Verdict {
    const { kind, metadata } = event.about;
    // The uid identifies the object, so kind, namespace and name are not needed.
    const object =
      metadata.uid === undefined || metadata.uid === '' ? `${kind}/${metadata.namespace ?? ''}/${metadata.name}` : metadata.uid;
    const { sighting, known, combined } = this.sightingOf(event, this.groupOf(object, event), message, now, nameNew);
    sighting.count++;
    if (!this.allows(object, now)) return { kind: 'drop' };
    return { kind: known ? 'count' : 'create', sighting, message: combined ? `(combined from similar events): ${message}` : message };
  }

  private allows(object: string, now: number): boolean {
    let bucket = this.tokens.get(object);
    if (bucket === undefined) this.tokens.set(object, (bucket = { left: BURST, at: now }));
    bucket.left = Math.min(BURST, bucket.left + (now - bucket.at) / REFILL_MS);
    bucket.at = now;
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }

  /** The group of events of an object with the same type and reason. */
  private groupOf(object: string, { type, reason }: EventText): string {
    if (object !== this.lastObject || reason !== this.lastReason || type !== this.lastType) {
      this.lastObject = object;
      this.lastType = type;
      this.lastReason = reason;
      this.lastGroup = `${object}/${type}/${reason}`;
    }
    return this.lastGroup;
  }

  private sightingOf(event: EventText, group: string, message: string, now: number, nameNew: NameNew): Sighted {
    const { similar, seen } = this;
    const record = similar.get(group);
    if (record === undefined) {
      const sighting = { name: nameNew(event), count: 0, firstAt: now };
      similar.set(group, { first: message, sighting, others: undefined, lastAt: now });
      return { sighting, known: false, combined: false };
    }
    const expired = now - record.lastAt > AGGREGATE_WINDOW_MS;
    record.lastAt = now;
    const combined = !expired && countMessages(record, message) >= AGGREGATE_OVER;
    if (!combined && message === record.first && !expired) return { sighting: record.sighting, known: true, combined };
    if (combined && record.others !== undefined)
      for (const any of record.others) {
        record.others.delete(any);
        break;
      }
    if (expired) seen.set(`${group}/${record.first}`, record.sighting);
    const key = combined ? group : `${group}/${message}`;
    const before = seen.get(key);
    const sighting = before ?? { name: nameNew(event), count: 0, firstAt: now };
    if (before === undefined) seen.set(key, sighting);
    if (expired) similar.set(group, { first: message, sighting, others: undefined, lastAt: now });
    return { sighting, known: before !== undefined, combined };
  }
}
