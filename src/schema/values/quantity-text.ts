/** Quantities as the API prints them. Models: v1.24 apimachinery pkg/api/resource Quantity.CanonicalizeBytes. */
import { BINARY, DECIMAL, type Quantity, type QuantityFormat, rescaled, tenTo } from './quantity.ts';

const DECIMAL_BY_SCALE: ReadonlyMap<number, string> = new Map([...DECIMAL].map(([suffix, scale]) => [scale, suffix]));
const BINARY_BY_POWER: ReadonlyMap<number, string> = new Map([...BINARY].map(([suffix, power]) => [power, suffix]));

export const formatQuantity = (q: Quantity): string => q.text ?? canonical(q);

function canonical(q: Quantity): string {
  if (q.amount === 0n) return '0';
  if (q.format !== 'BinarySI') return decimalForm(q.amount, q.scale, q.format);
  const whole = rescaled(q.amount, q.scale, 0);
  const exact = q.scale >= 0 || whole * tenTo(-q.scale) === q.amount;
  // Decimals are exact for small or broken numbers, and easier to read.
  return exact && (whole >= 1024n || whole <= -1024n) ? binaryForm(whole) : decimalForm(q.amount, q.scale, 'DecimalSI');
}

function binaryForm(whole: bigint): string {
  let mantissa = whole;
  let power = 0;
  while (mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    power += 10;
  }
  return `${mantissa}${BINARY_BY_POWER.get(power) ?? ''}`;
}

function decimalForm(amount: bigint, scale: number, format: QuantityFormat): string {
  const digits = amount.toString();
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end--;
  const zeros = digits.length - end + scale;
  const kept = ((zeros % 3) + 3) % 3;
  const mantissa = digits.slice(0, end) + '0'.repeat(kept);
  const exponent = zeros - kept;
  // Above 10^18 there is no suffix, and upstream prints the bare number.
  if (format === 'DecimalSI') return `${mantissa}${DECIMAL_BY_SCALE.get(exponent) ?? ''}`;
  return exponent === 0 ? mantissa : `${mantissa}e${exponent}`;
}
