/** Random values by name, without a stream: a value depends only on the seed and its name, so other draws do not shift it. */
import { hashValue } from '../../engine/index.ts';

/** Returns a fraction in [0, 1) for a seed and a name. */
export const fractionOf = (seed: number, ...name: readonly (string | number)[]): number =>
  (hashValue(`${seed} ${name.join(' ')}`) >>> 0) / 0x1_0000_0000;

/** Returns one of the items; undefined: there are none. */
export const pickOf = <T>(items: readonly T[], seed: number, ...name: readonly (string | number)[]): T | undefined =>
  items[Math.floor(fractionOf(seed, ...name) * items.length)];
