/** Virtual time and randomness: the kernel, the random streams, the digest. The engine is independent of clusters. */
export { Kernel, LimitTripped, UNOFFERED, type KernelOptions, type Channel, type Limits, type Pending } from './kernel/index.ts';
export { beginHistory, hasWriteBarrier, noteNothing, type Moment } from './undo/index.ts';
export { createRandom, type RandomStream } from './random.ts';
export { accessors, withNow } from './accessors.ts';
export { LONG_LIST, newItems } from './list-span.ts';
export { lastOf, memo, perObject, scratch } from './memo.ts';
export { createDigest, hashValue } from './digest.ts';
export {
  chained,
  createFingerprinter,
  fingerprintText,
  knownPrints,
  listPrints,
  minus,
  NotData,
  NOTHING,
  plus,
  type Fingerprint,
} from './fingerprint.ts';
