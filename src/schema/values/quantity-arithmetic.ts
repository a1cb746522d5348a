/**
 * Comparison, sum, difference and rounding of quantities, exact in all formats. Models: v1.24 apimachinery pkg/api/resource Quantity.Cmp,
 * Add, Sub, RoundUp. Simplified: where two exponents are so far apart that upstream would compute for minutes, a sum keeps only the larger
 * operand.
 */
import { FAR, rescaled, tenTo } from './powers.ts';
import { makeQuantity, type Quantity } from './quantity.ts';

export const isZeroQuantity = (q: Quantity): boolean => q.amount === 0n;
export const quantitySign = (q: Quantity): -1 | 0 | 1 => (q.amount === 0n ? 0 : q.amount < 0n ? -1 : 1);

/** Compares exactly by value, in all formats. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const signs = quantitySign(a) - quantitySign(b);
  if (signs !== 0) return signs < 0 ? -1 : 1;
  if (a.scale === b.scale) return order(a.amount, b.amount);
  if (Math.abs(a.scale - b.scale) > FAR) {
    if (a.amount === 0n) return 0;
    const digits = digitsOf(a) + a.scale - (digitsOf(b) + b.scale);
    if (digits !== 0) return digits < 0 === a.amount > 0n ? -1 : 1;
  }
  const scale = Math.min(a.scale, b.scale);
  return order(a.amount * tenTo(a.scale - scale), b.amount * tenTo(b.scale - scale));
}

const order = (a: bigint, b: bigint): -1 | 0 | 1 => (a === b ? 0 : a < b ? -1 : 1);
const digitsOf = (q: Quantity): number => (q.amount < 0n ? -q.amount : q.amount).toString().length;

/** The sum, in the format of `a` (of `b` where `a` is zero). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const format = a.amount === 0n ? b.format : a.format;
  if (b.amount === 0n) return makeQuantity(a.amount, a.scale, format, a.big || b.big);
  if (a.amount === 0n) return makeQuantity(b.amount, b.scale, format, a.big || b.big);
  if (Math.abs(a.scale - b.scale) > FAR)
    return a.scale > b.scale ? makeQuantity(a.amount, a.scale, format, true) : makeQuantity(b.amount, b.scale, format, true);
  const scale = Math.min(a.scale, b.scale);
  const amount = a.amount * tenTo(a.scale - scale) + b.amount * tenTo(b.scale - scale);
  return makeQuantity(amount, scale, format, a.big || b.big || BigInt.asIntN(64, amount) !== amount);
}

/** Rounds to units of `10^scale`, away from zero. */
export const roundedUp = (q: Quantity, scale: number): Quantity =>
  q.scale >= scale ? q : makeQuantity(rescaled(q.amount, q.scale, scale), scale, q.format, q.big);

/** The difference, in the format of `a` (of `b` where `a` is zero). */
export const subQuantities = (a: Quantity, b: Quantity): Quantity => addQuantities(a, makeQuantity(-b.amount, b.scale, b.format, b.big));
