/** Powers of ten and rounding to them: the arithmetic of quantities. */

/** Numbers whose digits differ by more than this are compared by magnitude, without writing them out. */
export const FAR = 4096;

const TEN_POWERS: bigint[] = [1n];

/** Returns `10^power`; small powers are cached. */
export function tenTo(power: number): bigint {
  if (power > 64) return BigInt(`1${'0'.repeat(power)}`);
  for (let known = TEN_POWERS.length; known <= power; known++) TEN_POWERS.push((TEN_POWERS[known - 1] ?? 1n) * 10n);
  return TEN_POWERS[power] ?? 1n;
}

/** Converts `amount` from units of `10^from` to units of `10^to`, rounded away from zero where digits are lost. */
export function rescaled(amount: bigint, from: number, to: number): bigint {
  if (from >= to) return amount * tenTo(from - to);
  if (amount === 0n) return 0n;
  const unit = amount < 0n ? -1n : 1n;
  if (to - from > FAR && amount.toString().length <= to - from) return unit;
  const divisor = tenTo(to - from);
  const whole = amount / divisor;
  return amount % divisor === 0n ? whole : whole + unit;
}
