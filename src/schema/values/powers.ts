/** Powers of ten and what rounding to them costs: the arithmetic under quantities. */

/** Beyond this many digits of difference numbers are compared by magnitude and no longer written out. */
export const FAR = 4096;

const TEN_POWERS: bigint[] = [1n];

/** `10^power`; the small ones are remembered. */
export function tenTo(power: number): bigint {
  if (power > 64) return BigInt(`1${'0'.repeat(power)}`);
  for (let known = TEN_POWERS.length; known <= power; known++) TEN_POWERS.push((TEN_POWERS[known - 1] ?? 1n) * 10n);
  return TEN_POWERS[power] ?? 1n;
}

/** `amount` in units of `10^to`, rounded away from zero where digits are lost. */
export function rescaled(amount: bigint, from: number, to: number): bigint {
  if (from >= to) return amount * tenTo(from - to);
  if (amount === 0n) return 0n;
  const unit = amount < 0n ? -1n : 1n;
  if (to - from > FAR && amount.toString().length <= to - from) return unit;
  const divisor = tenTo(to - from);
  const whole = amount / divisor;
  return amount % divisor === 0n ? whole : whole + unit;
}
