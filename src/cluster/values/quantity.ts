/**
 * Quantities: fixed-point numbers with a suffix (`1500m`, `2Gi`, `12e6`), read, printed, compared and added exactly as upstream does, wrap-around and
 * all. Models: v1.24 apimachinery pkg/api/resource. Simplified: where an exponent is so large that upstream would compute for minutes, sums keep only
 * the larger operand.
 */
import { bad, good, memoised, type Parsed } from './parsed.ts';

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** `amount × 10^scale`. Frozen: quantities are shared by reference. */
export interface Quantity {
  readonly amount: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Upstream keeps small numbers as int64 and the rest as big decimals; overflow shows which it was. */
  readonly big: boolean;
  /** The input, where upstream reprints it unchanged. */
  readonly text?: string;
}

const SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX = "unable to parse quantity's suffix";

const NANO = -9;
const INT64_DIGITS = 18;
const MAX_INT64 = 9223372036854775807n;
/** Beyond this many digits of difference two numbers are compared by magnitude and no longer written out. */
const FAR = 4096;

const DECIMAL: ReadonlyMap<string, number> = new Map([['n', -9], ['u', -6], ['m', -3], ['', 0], ['k', 3], ['M', 6], ['G', 9], ['T', 12], ['P', 15], ['E', 18]]);
const BINARY: ReadonlyMap<string, number> = new Map([['Ki', 10], ['Mi', 20], ['Gi', 30], ['Ti', 40], ['Pi', 50], ['Ei', 60]]);
const DECIMAL_BY_SCALE: ReadonlyMap<number, string> = new Map([...DECIMAL].map(([suffix, scale]) => [scale, suffix]));
const BINARY_BY_POWER: ReadonlyMap<number, string> = new Map([[0, ''], ...[...BINARY].map(([suffix, power]): [number, string] => [power, suffix])]);

const TEN_POWERS: bigint[] = [1n];
function tenTo(power: number): bigint {
  if (power > 64) return 10n ** BigInt(power);
  for (let known = TEN_POWERS.length; known <= power; known++) TEN_POWERS.push((TEN_POWERS[known - 1] ?? 1n) * 10n);
  return TEN_POWERS[power] ?? 1n;
}

const make = (amount: bigint, scale: number, format: QuantityFormat, big: boolean, text?: string): Quantity =>
  Object.freeze(text === undefined ? { amount, scale, format, big } : { amount, scale, format, big, text });

export const ZERO_QUANTITY: Quantity = make(0n, 0, 'DecimalSI', false, '0');

interface Parts { readonly negative: boolean; readonly whole: string; readonly fraction: string; readonly suffix: string }

const SCAN = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

function scan(text: string): Parts | undefined {
  const match = SCAN.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  return { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction, suffix };
}

interface Suffix { readonly format: QuantityFormat; readonly exponent: number }

function interpret(suffix: string): Suffix | undefined {
  const scale = DECIMAL.get(suffix);
  if (scale !== undefined) return { format: 'DecimalSI', exponent: scale };
  const power = BINARY.get(suffix);
  if (power !== undefined) return { format: 'BinarySI', exponent: power };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.charAt(1) === '+' ? suffix.slice(2) : suffix.slice(1));
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  return { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

function read(text: string): Parsed<Quantity> {
  if (text === '') return bad(SHAPE);
  if (text === '0') return good(ZERO_QUANTITY);
  const parts = scan(text);
  if (parts === undefined) return bad(SHAPE);
  const suffix = interpret(parts.suffix);
  if (suffix === undefined) return bad(SUFFIX);
  return good(small(text, parts, suffix) ?? large(parts, suffix));
}

/** Numbers that fit an int64 with certainty; undefined for the others. */
function small(text: string, { negative, whole, fraction }: Parts, { format, exponent }: Suffix): Quantity | undefined {
  const digits = whole + fraction;
  if (format === 'BinarySI') {
    // An exponent of 2^10n costs about 3n of the 15 digits that are safe.
    if (fraction !== '' || 15 - whole.length - (exponent * 3) / 10 - 1 < 0) return undefined;
    const count = BigInt(whole);
    const amount = count << BigInt(exponent);
    return make(negative ? -amount : amount, 0, format, false, (count & 7n) !== 0n ? text : undefined);
  }
  const scale = exponent - fraction.length;
  if (digits.length > INT64_DIGITS || scale < NANO) return undefined;
  const amount = BigInt(digits);
  const reprinted = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return make(negative ? -amount : amount, scale, format, false, reprinted ? text : undefined);
}

/** Everything else: rounded up to whole nano-units, binary ones capped at the largest int64. */
function large({ negative, whole, fraction }: Parts, { format, exponent }: Suffix): Quantity {
  let amount = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (format === 'BinarySI') amount <<= BigInt(exponent);
  else scale += exponent;
  if (amount !== 0n && scale !== NANO && scale < FAR) {
    amount = rescaled(amount, scale, NANO);
    scale = NANO;
  }
  let shown = format;
  if (format === 'BinarySI') {
    if (amount > MAX_INT64 * tenTo(-scale)) {
      amount = MAX_INT64;
      scale = 0;
    }
    if (amount > 0n && amount < tenTo(-scale)) shown = 'DecimalSI';
  }
  return make(negative ? -amount : amount, scale, shown, true);
}

/** `amount` in units of `10^to`, rounded away from zero where digits are lost. */
function rescaled(amount: bigint, from: number, to: number): bigint {
  if (from >= to) return amount * tenTo(from - to);
  if (amount === 0n) return 0n;
  const unit = amount < 0n ? -1n : 1n;
  if (to - from > FAR && amount.toString().length <= to - from) return unit;
  const divisor = tenTo(to - from);
  const whole = amount / divisor;
  return amount % divisor === 0n ? whole : whole + unit;
}

/** A quantity from its text, or upstream's error text. Remembers the last few thousand texts. */
export const parseQuantity: (text: string) => Parsed<Quantity> = memoised(read, 4096);

/** A quantity from raw JSON text (a string, a number or null), as a decoder meets it. */
export function quantityFromJson(json: string): Parsed<Quantity> {
  if (json === 'null') return good(ZERO_QUANTITY);
  const bare = json.length >= 2 && json.startsWith('"') && json.endsWith('"') ? json.slice(1, -1) : json;
  return parseQuantity(bare.trim());
}

/** A quantity from a text that validation has accepted. Throws on any other. */
export function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.error !== undefined) throw new TypeError(`not a quantity: ${JSON.stringify(text)}: ${parsed.error}`);
  return parsed.value;
}

/** The form in which the API prints a quantity. */
export const formatQuantity = (q: Quantity): string => q.text ?? canonical(q);

function canonical(q: Quantity): string {
  if (q.amount === 0n) return '0';
  if (q.format !== 'BinarySI') return decimalForm(q.amount, q.scale, q.format);
  const whole = rescaled(q.amount, q.scale, 0);
  const exact = q.scale >= 0 || whole * tenTo(-q.scale) === q.amount;
  // Small or broken numbers lose nothing as decimals, and confuse nobody.
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
  const bare = digits.replace(/0+$/, '');
  const zeros = digits.length - bare.length + scale;
  const kept = ((zeros % 3) + 3) % 3;
  const mantissa = bare + '0'.repeat(kept);
  const exponent = zeros - kept;
  // Above 10^18 there is no suffix, and upstream prints the bare number.
  if (format === 'DecimalSI') return `${mantissa}${DECIMAL_BY_SCALE.get(exponent) ?? ''}`;
  return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
}

/** All digits, with as many decimals as were kept. */
export function decimalText(q: Quantity): string {
  if (q.scale >= 0) return `${q.amount * tenTo(q.scale)}`;
  const digits = (q.amount < 0n ? -q.amount : q.amount).toString().padStart(1 - q.scale, '0');
  return `${q.amount < 0n ? '-' : ''}${digits.slice(0, q.scale)}.${digits.slice(q.scale)}`;
}

/** The value in units of `10^scale`, rounded up, as int64: it wraps or drops to 0 on overflow exactly where upstream's does. */
export function scaledValue(q: Quantity, scale: number): bigint {
  return q.big ? bigScaledValue(q.amount, q.scale - scale) : smallScaledValue(q.amount, q.scale - scale);
}

function smallScaledValue(amount: bigint, shift: number): bigint {
  if (shift <= 0) return rescaled(amount, shift, 0);
  if (amount === 0n || shift > 19) return 0n;
  const raised = amount * tenTo(shift);
  if (BigInt.asIntN(64, raised) === raised) return raised;
  // The shortcuts for these powers return the wrapped product, the general loop returns 0.
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

/** Whole units, rounded up: bytes, pods. */
export const quantityValue = (q: Quantity): bigint => scaledValue(q, 0);
/** Thousandths, rounded up: millicores. */
export const quantityMilliValue = (q: Quantity): bigint => scaledValue(q, -3);

const wholeUnits = memoised((text) => Number(quantityValue(quantity(text))), 4096);
const milliUnits = memoised((text) => Number(quantityMilliValue(quantity(text))), 4096);

/** Whole units of a stored text as a number; remembered, for the hot paths of scheduling. Exact up to 2^53. */
export const unitsOf = (text: string): number => wholeUnits(text);
/** Thousandths of a stored text as a number; remembered. Exact up to 2^53. */
export const milliUnitsOf = (text: string): number => milliUnits(text);

export const isZeroQuantity = (q: Quantity): boolean => q.amount === 0n;
export const quantitySign = (q: Quantity): -1 | 0 | 1 => (q.amount === 0n ? 0 : q.amount < 0n ? -1 : 1);

/** Exact order by value, whatever the formats: -1, 0 or 1. */
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
  if (b.amount === 0n) return make(a.amount, a.scale, format, a.big || b.big);
  if (a.amount === 0n) return make(b.amount, b.scale, format, a.big || b.big);
  if (Math.abs(a.scale - b.scale) > FAR) return a.scale > b.scale ? make(a.amount, a.scale, format, true) : make(b.amount, b.scale, format, true);
  const scale = Math.min(a.scale, b.scale);
  const amount = a.amount * tenTo(a.scale - scale) + b.amount * tenTo(b.scale - scale);
  return make(amount, scale, format, a.big || b.big || BigInt.asIntN(64, amount) !== amount);
}

/** The difference, in the format of `a` (of `b` where `a` is zero). */
export const subQuantities = (a: Quantity, b: Quantity): Quantity => addQuantities(a, make(-b.amount, b.scale, b.format, b.big));
