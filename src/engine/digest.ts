/**
 * The running fingerprint of a run: equal digests mean that two runs performed the same steps in the same order with the same objects. It
 * has 64 bits in two 32-bit lanes of integer arithmetic, so that every JavaScript engine computes the same value. It is not cryptographic.
 */
import { newItems } from './list-span.ts';
import { memo } from './memo.ts';
import { hasWriteBarrier, isUnnoted, noteVariable, serial } from './undo/index.ts';

export interface Digest {
  mixNumber(value: number): void;
  mixText(value: string): void;
  /** Mixes a JSON value by structure. */
  mixValue(value: unknown): void;
  /**
   * Mixes a revision of an object by its difference to the revision before: members that were added, removed or changed. Members with the
   * same reference (or the same scalar), up to two levels down, are skipped and not walked.
   */
  mixRevision(before: object | undefined, after: object): void;
  /** Sixteen hexadecimal digits. */
  text(): string;
}

const PRIME_A = 0x01000193;
const PRIME_B = 0x85ebca6b;

const scramble = (hash: number): number => {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x7feb352d);
  h ^= h >>> 15;
  h = Math.imul(h, 0x846ca68b);
  return h ^ (h >>> 16);
};

const hashText = (text: string): number => {
  let h = 0x811c9dc5 ^ text.length;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), PRIME_A);
  return scramble(h);
};

/** The number that was hashed last, by its words. */
const large = memo({ number: new Float64Array(1), hash: 0 });
const WORDS = new Uint32Array(large.number.buffer);
const hashNumber = (value: number): number => {
  if ((value | 0) === value) return scramble(Math.imul(value, PRIME_B) ^ 0x9e3779b9);
  // Most large numbers are instants, and the same instant is hashed many times in a row.
  if (value === large.number[0]) return large.hash;
  large.number[0] = value;
  return (large.hash = scramble((WORDS[0] ?? 0) ^ Math.imul(WORDS[1] ?? 0, PRIME_B)));
};

const ARRAY = 0x3c6ef372;
const OBJECT = 0x5bd1e995;
const GONE = 0x2c1b3c6d;
/** A list of at least this length shares most items with its previous revision: the hashes of items are kept, by item and by list. */
const LONG = 16;

/** The hashes of the items of a list. */
interface Hashed {
  readonly list: readonly unknown[];
  readonly hashes: Int32Array;
}
/** Of each long list the last revision that was hashed, by its first and by its last item. */
type HashedLists = WeakMap<object, Hashed>;

/** A 32-bit hash of a JSON value; members count in their insertion order, which is deterministic in every run. */
export const hashValue = (value: unknown): number => hashOf(value);

function hashOf(value: unknown, long?: HashedLists): number {
  switch (typeof value) {
    case 'string':
      return hashText(value);
    case 'number':
      return hashNumber(value);
    case 'boolean':
      return value ? 0x2545f491 : 0x4f6cdd1d;
    case 'object': {
      if (value === null) return 0x1b873593;
      recent.walked++;
      let h = OBJECT;
      if (Array.isArray(value)) {
        h = ARRAY;
        // By index: some lists are frozen and some are not, and an iterator over both would be allocated at each call.
        const hash = value.length < LONG ? hashOf : hashItem;
        if (long !== undefined && value.length >= LONG && typeof value[0] === 'object' && Object.isFrozen(value)) h = hashLong(value, long);
        else for (let at = 0; at < value.length; at++) h = Math.imul(h ^ hash(value[at], long), PRIME_A) + 1;
      } else {
        const members = value as Readonly<Record<string, unknown>>;
        for (const name in members) {
          const member = members[name];
          if (member !== undefined) h = Math.imul(Math.imul(h ^ hashText(name), PRIME_A) ^ hashOf(member, long), PRIME_B) + 1;
        }
      }
      return scramble(h);
    }
    default:
      return 0x68e31da4;
  }
}

/**
 * Hashes of frozen subtrees that many objects share by reference (pod templates, long lists). Small subtrees are not cached: hashing them
 * is cheaper than a cache entry, and most of them are hashed only once.
 */
const shared = memo(new WeakMap<object, number>());
/** The hash of an item of a long list. Small items are cached, too, because there are many of them. */
const hashItem = (value: unknown, long?: HashedLists): number => {
  if (typeof value !== 'object' || value === null || !Object.isFrozen(value)) return hashOf(value, long);
  let h = shared.get(value);
  if (h === undefined) shared.set(value, (h = hashOf(value, long)));
  return h;
};

/** The hash of a long list before its last scrambling: items that its last hashed revision has are not looked at. */
function hashLong(list: readonly unknown[], long: HashedLists): number {
  const ends = [list[0], list[list.length - 1]].filter((item): item is object => typeof item === 'object' && item !== null);
  const known = ends.map((item) => long.get(item)).find((found) => found !== undefined);
  const { from, to } = newItems(list, known?.list);
  const hashes = new Int32Array(list.length);
  if (known !== undefined) {
    hashes.set(known.hashes.subarray(0, from));
    hashes.set(known.hashes.subarray(known.list.length - (list.length - to)), to);
    for (const end of [known.list[0], known.list[known.list.length - 1]]) long.delete(end as object);
  }
  for (let at = from; at < to; at++) hashes[at] = hashItem(list[at], long);
  for (const end of ends) long.set(end, { list, hashes });
  let h = ARRAY;
  for (const hash of hashes) h = Math.imul(h ^ hash, PRIME_A) + 1;
  return h;
}
/** Subtrees of at most this many objects and lists are small; those of more than `LARGE` are kept for as long as they live. */
const SMALL = 4;
const LARGE = 32;
/**
 * The subtrees that were hashed last and are neither: objects of one template come one after the other, and share them. A weak table of all
 * would have entries for each object's own parts, and costs as much as hashing them again.
 */
const RECENT = 16;
const recent = memo({
  values: new Array<object | undefined>(RECENT).fill(undefined),
  hashes: new Int32Array(RECENT),
  next: 0,
  /** The number of objects and lists hashed so far. */
  walked: 0,
});

const hashShared = (value: unknown, long: HashedLists): number => {
  if (typeof value !== 'object' || value === null) return hashOf(value);
  const { values, hashes, next } = recent;
  for (let at = 0; at < RECENT; at++) if (values[at] === value) return hashes[at] ?? 0;
  const before = recent.walked;
  const known = shared.get(value);
  if (known !== undefined) return known;
  const h = hashOf(value, long);
  const size = recent.walked - before;
  if (size <= SMALL || !Object.isFrozen(value)) return h;
  if (size > LARGE) shared.set(value, h);
  else {
    values[next] = value;
    hashes[next] = h;
    recent.next = (next + 1) % RECENT;
  }
  return h;
};

type Members = Readonly<Record<string, unknown>>;
const isPlain = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Hashes the difference of two revisions: members that were added, removed or changed. */
const hashRevision = (before: Members | undefined, after: Members, levels: number, long: HashedLists): number => {
  let h = OBJECT;
  for (const name in after) {
    const is = after[name];
    const was = before?.[name];
    if (is === was) continue;
    const member =
      is === undefined ? GONE : levels > 0 && isPlain(is) && isPlain(was) ? hashRevision(was, is, levels - 1, long) : hashShared(is, long);
    h = Math.imul(Math.imul(h ^ hashText(name), PRIME_A) ^ member, PRIME_B) + 1;
  }
  for (const name in before)
    if (before[name] !== undefined && !(name in after)) h = Math.imul(Math.imul(h ^ hashText(name), PRIME_A) ^ GONE, PRIME_B) + 1;
  return scramble(h);
};

/** Returns a digest that nothing has been mixed into. */
export function createDigest(): Digest {
  // Both lanes are small integers of the host from the start: a field that has once held another number is slower.
  const lanes = { a: 0x811c9dc5 | 0, b: 0x2f0b4c47, notedIn: -1 };
  const long: HashedLists = memo(new WeakMap());
  const exchange = (value: unknown): unknown => {
    const was = [lanes.a, lanes.b] as const;
    [lanes.a, lanes.b] = value as typeof was;
    return was;
  };
  // This module has no write barrier: a step mixes in a dozen words, and the state before the first of them is enough to go back.
  const note = (): void => {
    lanes.notedIn = serial;
    noteVariable(exchange, [lanes.a, lanes.b]);
  };
  const mix = (word: number): void => {
    if (hasWriteBarrier && isUnnoted(lanes.notedIn)) note();
    lanes.a = Math.imul(lanes.a ^ word, PRIME_A);
    lanes.b = Math.imul((lanes.b ^ word) + (lanes.a >>> 13), PRIME_B);
  };
  return {
    mixNumber: (value) => mix(hashNumber(value)),
    mixText: (value) => mix(hashText(value)),
    mixValue: (value) => mix(hashValue(value)),
    mixRevision: (before, after) => mix(hashRevision(before as Members | undefined, after as Members, 2, long)),
    text: () => [scramble(lanes.a), scramble(lanes.b)].map((channel) => (channel >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
