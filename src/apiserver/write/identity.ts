/** Random values of new objects: uids, and names from `generateName`. Models: apiserver pkg/storage/names/generate.go. */
import { scratch } from '../../engine/index.ts';
import type { RandomStream } from '../../engine/random.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
const LONGEST = 63;

/** Returns the base, cut so that the name fits a DNS label, and five random characters without vowels and look-alikes. */
export const generateName = (base: string, random: RandomStream): string =>
  (base.length > LONGEST - SUFFIX ? base.slice(0, LONGEST - SUFFIX) : base) + random.text(SUFFIX, ALPHABET);

const WORD = 0x1_0000_0000;
/** Character codes of hexadecimal digits. */
const DIGIT = [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102] as const;
const DASH = 45;
/** Positions of the dashes, the version and the variant. */
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);
const codes: number[] = scratch(Array.from({ length: 36 }, () => DASH));
const places = codes.map((_, at) => at).filter((at) => !DASHES.has(at));

/** Returns a version 4 uuid that is not among those of a dump, which the same seed may have drawn before. */
export function newUid(random: RandomStream, taken?: ReadonlySet<string>): string {
  let uid = drawnUid(random);
  while (taken?.has(uid) === true) uid = drawnUid(random);
  return uid;
}

/** A version 4 uuid from the stream. It is one flat string, because every object and every index keeps it. */
function drawnUid(random: RandomStream): string {
  let word = 0;
  for (let i = 0; i < 32; i++) {
    if ((i & 7) === 0) word = random.below(WORD);
    codes[places[i] ?? 0] = DIGIT[word & 15] ?? DASH;
    word >>>= 4;
  }
  codes[14] = 52;
  codes[19] = DIGIT[8 + random.below(4)] ?? DASH;
  return String.fromCharCode(...codes);
}
