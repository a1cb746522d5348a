/**
 * Correlates the events that controllers record: the result is a new Event, a higher count on an earlier one, an aggregate of similar ones,
 * or nothing when an object has too many. Models: client-go tools/record events_cache.go (10 similar in 10 minutes; burst 25, one more per
 * 5 minutes).
 */
import { LeastLately } from './least-lately.ts';
import type { EventText } from './writes.ts';

const AGGREGATE_OVER = 10;
const AGGREGATE_WINDOW_MS = 600_000;
const BURST = 25;
const REFILL_MS = 300_000;
/** The size of upstream's LRU caches. */
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
  observe(event: EventText, message: string, now: number, nameNew: (event: EventText) => string): Verdict;
}

const remembered = <V extends object>() => new LeastLately<string, V>(CACHE_ENTRIES);

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

/**
 * An empty correlator, for one component of one process. It allocates nothing before the first event: most of thousands of components
 * record none.
 */
export function createCorrelator(): Correlator {
  const made: { state?: State } = {};
  return { observe: (event, message, now, nameNew) => observe((made.state ??= newState()), event, message, now, nameNew) };
}

interface State {
  readonly similar: LeastLately<string, Similar>;
  readonly seen: LeastLately<string, Sighting>;
  readonly tokens: LeastLately<string, { left: number; at: number }>;
  /** A controller that makes a thousand pods records the same reason on the same object again and again. */
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

const newState = (): State => ({
  similar: remembered(),
  seen: remembered(),
  tokens: remembered(),
  lastObject: '',
  lastType: '',
  lastReason: '',
  lastGroup: '',
});

function observe(state: State, ...[event, message, now, nameNew]: Parameters<Correlator['observe']>): Verdict {
  const { kind, metadata } = event.about;
  // The uid identifies the object, so kind, namespace and name are not needed.
  const object = metadata.uid === undefined || metadata.uid === '' ? `${kind}/${metadata.namespace ?? ''}/${metadata.name}` : metadata.uid;
  const { sighting, known, combined } = sightingOf(state, event, groupOf(state, object, event), message, now, nameNew);
  sighting.count++;
  if (!allowed(state, object, now)) return { kind: 'drop' };
  return { kind: known ? 'count' : 'create', sighting, message: combined ? `(combined from similar events): ${message}` : message };
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

/** The group of events of an object with the same type and reason. */
function groupOf(state: State, object: string, { type, reason }: EventText): string {
  if (object !== state.lastObject || reason !== state.lastReason || type !== state.lastType) {
    state.lastObject = object;
    state.lastType = type;
    state.lastReason = reason;
    state.lastGroup = `${object}/${type}/${reason}`;
  }
  return state.lastGroup;
}

const newSighting = (event: EventText, nameNew: (event: EventText) => string, now: number): Sighting => ({
  name: nameNew(event),
  count: 0,
  firstAt: now,
});

function sightingOf(
  { similar, seen }: State,
  event: EventText,
  group: string,
  message: string,
  now: number,
  nameNew: (event: EventText) => string,
): Sighted {
  const record = similar.get(group);
  if (record === undefined) {
    const sighting = newSighting(event, nameNew, now);
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
  const sighting = before ?? newSighting(event, nameNew, now);
  if (before === undefined) seen.set(key, sighting);
  if (expired) similar.set(group, { first: message, sighting, others: undefined, lastAt: now });
  return { sighting, known: before !== undefined, combined };
}
