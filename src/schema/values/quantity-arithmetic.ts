/**
 * Comparison, sum, difference and rounding of quantities, exact in all formats. Models: v1.24 apimachinery pkg/api/resource Quantity.Cmp,
 * Add, Sub, RoundUp. Simplified: where two exponents are so far apart that upstream would compute for minutes, a sum keeps only the larger
 * operand.
 */
import { FAR, makeQuantity, quantity, type Quantity, rescaled, tenTo } from './quantity.ts';
import { MAX_INT64 } from './go-numbers.ts';
import { memoised } from './parsed.ts';

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

// Models: v1.24 apimachinery pkg/api/resource Quantity.ScaledValue.
/** Returns the value in units of `10^scale`, rounded up, as int64. On overflow it wraps or becomes 0 exactly where upstream's does. */
export function scaledValue(q: Quantity, scale: number): bigint {
  return q.big ? bigScaledValue(q.amount, q.scale - scale) : smallScaledValue(q.amount, q.scale - scale);
}

function smallScaledValue(amount: bigint, shift: number): bigint {
  if (shift <= 0) return rescaled(amount, shift, 0);
  if (amount === 0n || shift > 19) return 0n;
  const raised = amount * tenTo(shift);
  if (BigInt.asIntN(64, raised) === raised) return raised;
  // Upstream's shortcuts for these powers return the wrapped product, its general loop returns 0.
  return shift <= 3 || shift === 6 || shift === 9 ? BigInt.asIntN(64, raised) : 0n;
}

function bigScaledValue(amount: bigint, shift: number): bigint {
  if (shift >= 0) return shift > 64 ? 0n : BigInt.asIntN(64, amount * tenTo(shift));
  if (-shift > FAR) return amount === 0n ? 0n : 1n;
  const divisor = tenTo(-shift);
  if (amount < MAX_INT64 && -shift < 19) {
    const wrapped = BigInt.asIntN(64, amount);
    return wrapped / divisor + (wrapped % divisor === 0n ? 0n : 1n);
  }
  const remainder = ((amount % divisor) + divisor) % divisor;
  return BigInt.asIntN(64, (amount - remainder) / divisor + (remainder === 0n ? 0n : 1n));
}

/** Returns whole units, rounded up: bytes, pods. */
export const quantityValue = (q: Quantity): bigint => scaledValue(q, 0);
/** Returns thousandths, rounded up: millicores. */
export const quantityMilliValue = (q: Quantity): bigint => scaledValue(q, -3);

const wholeUnits = memoised((text) => Number(quantityValue(quantity(text))), 4096);
const milliUnits = memoised((text) => Number(quantityMilliValue(quantity(text))), 4096);

/** Returns the whole units of a stored text as a number, exact up to 2^53. Results are cached for the hot paths of scheduling. */
export const unitsOf = (text: string): number => wholeUnits(text);
/** Returns the thousandths of a stored text as a number, exact up to 2^53. Results are cached. */
export const milliUnitsOf = (text: string): number => milliUnits(text);
