/**
 * The parts of an object that the stages of a write read and change. A set of parts is a number, so that a write decides with one operation
 * whether a stage concerns it.
 */
const BITS = {
  labels: 1,
  annotations: 2,
  ownerReferences: 4,
  finalizers: 8,
  /** All other metadata: name, uid, resourceVersion, times, managed fields. */
  identity: 16,
  spec: 32,
  status: 64,
  /** All other members, such as the data of a ConfigMap. */
  other: 128,
} as const;

/** The name of a part. */
export type Part = keyof typeof BITS;

/** A set of parts. */
export type Parts = number;

/** In the set of a write whose changed parts are unknown. */
export const UNKNOWN: Parts = 256;

/** In the set of every write, even of one that changes nothing: a stage that reads it always runs. */
export const ALWAYS: Parts = 512;

/** Everything: for a stage that reads the whole object, or a write whose changed parts are unknown. */
export const WHOLE: Parts = 1023;

/** Returns the set of the named parts. */
export const partsOf = (...names: readonly Part[]): Parts => names.reduce((set, name) => set | BITS[name], 0);

/** Returns the part that a member of an object belongs to; not of metadata, which has several. */
export const partOf = (member: string): Parts => (member === 'spec' ? BITS.spec : member === 'status' ? BITS.status : BITS.other);

/** Returns the names of the parts in a set that a stage reads, for people. */
export function partNames(set: Parts): readonly string[] {
  if (set === WHOLE) return ['everything'];
  if ((set & ALWAYS) !== 0) return ['always runs'];
  const names = (Object.keys(BITS) as Part[]).filter((name) => (set & BITS[name]) !== 0);
  return names.length > 0 ? names : set === UNKNOWN ? ['unknown changes'] : ['nothing: for new objects alone'];
}
