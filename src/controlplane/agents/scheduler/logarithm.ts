/** The natural logarithm by plain arithmetic: the host's function differs in the last bit between engines. */

/** ln(x) for x > 0, within a few units of the last place. */
export function ln(x: number): number {
  let exponent = 0;
  let mantissa = x;
  while (mantissa > 1.5) {
    mantissa /= 2;
    exponent++;
  }
  while (mantissa < 0.75) {
    mantissa *= 2;
    exponent--;
  }
  // ln(m) = 2 (z + z³/3 + z⁵/5 + …) with z = (m − 1)/(m + 1), |z| ≤ 1/5.
  const z = (mantissa - 1) / (mantissa + 1);
  const square = z * z;
  let power = z;
  let sum = 0;
  for (let n = 1; n < 31; n += 2) {
    sum += power / n;
    power *= square;
  }
  return exponent * Math.LN2 + 2 * sum;
}
