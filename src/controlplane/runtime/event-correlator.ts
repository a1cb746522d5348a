/**
 * Decides what becomes of an event a controller records: a new Event, a higher count on one written before, an aggregate of similar
 * ones, or nothing when an object is too talkative. Models: client-go tools/record events_cache.go (10 similar in 10 minutes; burst 25, one
 * more per 5 minutes).
 */
import { LRUCache } from 'lru-cache';
import type { EventText } from './writes.ts';

const AGGREGATE_OVER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
/** Upstream's caches are LRU lists of this length, too. */
const CACHE_ENTRIES = 4096;

export interface Sighting {
  readonly name: string;
  count: number;
  readonly firstAt: number;
}
export type Verdict =
  | { readonly kind: 'create' | 'count'; readonly sighting: Sighting; readonly message: string }
  | { readonly kind: 'drop' };

export interface Correlator {
  observe(event: EventText, message: string, now: number, nameNew: () => string): Verdict;
}

/**
 * What was used least lately is forgotten first. Bounded by size, not by `max`, which would make room for all entries at once in each of
 * thousands of components.
 */
const remembered = <V extends object>() => new LRUCache<string, V>({ maxSize: CACHE_ENTRIES, sizeCalculation: () => 1 });

/** Similar events within the window. Most groups only ever say one thing, whose sighting is at hand. */
interface Similar {
  readonly first: string;
  readonly sighting: Sighting;
  others: Set<string> | undefined;
  lastAt: number;
}

/** How many different messages there are once this one is among them. */
function countMessages(similar: Similar, message: string): number {
  if (similar.others !== undefined) return similar.others.add(message).size;
  if (similar.first === message) return 1;
  similar.others = new Set([similar.first, message]);
  return 2;
}

/**
 * A correlator that has seen nothing, for one component of one process. It takes no room before the first event: there may be thousands of
 * components, most of which have nothing to say.
 */
export function createCorrelator(): Correlator {
  let made: Correlator | undefined;
  return { observe: (event, message, now, nameNew) => (made ??= correlator()).observe(event, message, now, nameNew) };
}

interface State {
  readonly similar: LRUCache<string, Similar>;
  readonly seen: LRUCache<string, Sighting>;
  readonly tokens: LRUCache<string, { left: number; at: number }>;
  /** Whoever makes a thousand pods says the same thing of the same object again and again. */
  lastObject: string;
  lastType: string;
  lastReason: string;
  lastGroup: string;
}

/** The sighting of a message, and whether it is the first. */
interface Sighted {
  readonly sighting: Sighting;
  readonly known: boolean;
  readonly combined: boolean;
}

function correlator(): Correlator {
  const state: State = {
    similar: remembered(),
    seen: remembered(),
    tokens: remembered(),
    lastObject: '',
    lastType: '',
    lastReason: '',
    lastGroup: '',
  };
  return {
    observe(event, message, now, nameNew) {
      const { kind, metadata } = event.about;
      // A uid stands for kind, namespace and name.
      const object =
        metadata.uid === undefined || metadata.uid === '' ? `${kind}/${metadata.namespace ?? ''}/${metadata.name}` : metadata.uid;
      const { sighting, known, combined } = sightingOf(state, groupOf(state, object, event), message, now, nameNew);
      sighting.count++;
      if (!allowed(state, object, now)) return { kind: 'drop' };
      return { kind: known ? 'count' : 'create', sighting, message: combined ? `(combined from similar events): ${message}` : message };
    },
  };
}

function allowed({ tokens }: State, object: string, now: number): boolean {
  let bucket = tokens.get(object);
  if (bucket === undefined) tokens.set(object, (bucket = { left: BURST, at: now }));
  bucket.left = Math.min(BURST, bucket.left + (now - bucket.at) / REFILL_MS);
  bucket.at = now;
  if (bucket.left < 1) return false;
  bucket.left -= 1;
  return true;
}

/** What an object says for one reason. */
function groupOf(state: State, object: string, { type, reason }: EventText): string {
  if (object !== state.lastObject || reason !== state.lastReason || type !== state.lastType) {
    state.lastObject = object;
    state.lastType = type;
    state.lastReason = reason;
    state.lastGroup = `${object}/${type}/${reason}`;
  }
  return state.lastGroup;
}

function sightingOf({ similar, seen }: State, group: string, message: string, now: number, nameNew: () => string): Sighted {
  const newSighting = (): Sighting => ({ name: nameNew(), count: 0, firstAt: now });
  const record = similar.get(group);
  if (record === undefined) {
    const sighting = newSighting();
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
  const sighting = before ?? newSighting();
  if (before === undefined) seen.set(key, sighting);
  if (expired) similar.set(group, { first: message, sighting, others: undefined, lastAt: now });
  return { sighting, known: before !== undefined, combined };
}
