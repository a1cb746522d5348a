/** What the server draws for new objects: uids, names from `generateName`, timestamps. Models: apiserver pkg/storage/names/generate.go. */
import type { RandomStream } from '../../engine/index.ts';

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX = 5;
const LONGEST = 63;

/** The base, cut so that the name fits a DNS label, and five drawn characters without vowels or look-alikes. */
export const generateName = (base: string, random: RandomStream): string => (base.length > LONGEST - SUFFIX ? base.slice(0, LONGEST - SUFFIX) : base) + random.text(SUFFIX, ALPHABET);

/** A version 4 uuid from the stream. */
export function newUid(random: RandomStream): string {
  const hex = random.hex(32);
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

const VARIANT = ['8', '9', 'a', 'b'] as const;

let lastSecond = Number.NaN;
let lastText = '';

/** `2024-03-01T00:00:00Z`: the instant cut to seconds. Remembers the last one, because many writes share a second. */
export function timeText(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}
