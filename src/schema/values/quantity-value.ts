/** Quantities as int64 numbers, rounded up, with upstream's overflow. Models: v1.24 apimachinery pkg/api/resource Quantity.ScaledValue. */
import { MAX_INT64 } from './go-numbers.ts';
import { memoised } from './parsed.ts';
import { FAR, rescaled, tenTo } from './powers.ts';
import { quantity, type Quantity } from './quantity.ts';

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
