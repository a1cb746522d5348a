/**
 * Quantities: fixed-point numbers with a suffix (`1500m`, `2Gi`, `12e6`), parsed exactly as upstream parses them, and compared, added and
 * rounded exactly in all formats. Models: v1.24 apimachinery pkg/api/resource suffixer, ParseQuantity, Quantity.Cmp, Add, Sub, RoundUp,
 * CanonicalizeBytes. Simplified: where two exponents are so far apart that upstream would compute for minutes, a sum keeps only the larger
 * operand.
 */
import { memo } from '../../engine/index.ts';
import { MAX_INT64, parseInt64 } from './go-scalars.ts';
import { bad, good, memoised, type Parsed } from './texts.ts';

const TENS = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
/** Suffixes and their powers of ten. */
export const DECIMAL: ReadonlyMap<string, number> = new Map(Object.entries(TENS));
/** Suffixes and their powers of two. */
export const BINARY: ReadonlyMap<string, number> = new Map(Object.entries({ Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }));

/** Numbers whose digits differ by more than this are compared by magnitude, without writing them out. */
const FAR = 4096;

const TEN_POWERS: bigint[] = memo([1n]);

/** Returns `10^power`; small powers are cached. */
function tenTo(power: number): bigint {
  if (power > 64) return BigInt(`1${'0'.repeat(power)}`);
  for (let known = TEN_POWERS.length; known <= power; known++) TEN_POWERS.push((TEN_POWERS[known - 1] ?? 1n) * 10n);
  return TEN_POWERS[power] ?? 1n;
}

/** Converts `amount` from units of `10^from` to units of `10^to`, rounded away from zero where digits are lost. */
function rescaled(amount: bigint, from: number, to: number): bigint {
  if (from >= to) return amount * tenTo(from - to);
  if (amount === 0n) return 0n;
  const unit = amount < 0n ? -1n : 1n;
  if (to - from > FAR && amount.toString().length <= to - from) return unit;
  const divisor = tenTo(to - from);
  const whole = amount / divisor;
  return amount % divisor === 0n ? whole : whole + unit;
}

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** The value is `amount × 10^scale`. It is frozen, because quantities are shared by reference. */
export interface Quantity {
  readonly amount: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Upstream keeps small numbers as int64 and others as big decimals; overflow depends on it. */
  readonly big: boolean;
  /** The input, where upstream prints it unchanged. */
  readonly text?: string;
}

const SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const SUFFIX = "unable to parse quantity's suffix";

/** The maximum length of a quantity. This limit is ours: upstream computes with all digits, in time quadratic in their number. */
const LONGEST = 1024;
const NANO = -9;
const INT64_DIGITS = 18;

export const makeQuantity = (amount: bigint, scale: number, format: QuantityFormat, big: boolean, text?: string): Quantity =>
  Object.freeze(text === undefined ? { amount, scale, format, big } : { amount, scale, format, big, text });

export const ZERO_QUANTITY: Quantity = /* @__PURE__ */ makeQuantity(0n, 0, 'DecimalSI', false, '0');

const DIGITS = '0123456789';

/**
 * The first index from `at` on whose character is not in `chars`. It is a loop, because a regular expression would backtrack over long runs
 * of digits.
 */
function skip(text: string, at: number, chars: string): number {
  while (at < text.length && chars.includes(text.charAt(at))) at++;
  return at;
}

type Parts = NonNullable<ReturnType<typeof scan>>;

function scan(text: string) {
  const signed = text.startsWith('-') || text.startsWith('+');
  const from = skip(text, signed ? 1 : 0, '0');
  const point = skip(text, from, DIGITS);
  const end = text.charAt(point) === '.' ? skip(text, point + 1, DIGITS) : point;
  const letters = skip(text, end, 'eEinumkKMGTP');
  const exponent = text.charAt(letters) === '-' || text.charAt(letters) === '+' ? letters + 1 : letters;
  if (skip(text, exponent, DIGITS) < text.length) return undefined;
  return {
    negative: text.startsWith('-'),
    whole: text.slice(from, point) || '0',
    fraction: text.slice(point + 1, end),
    suffix: text.slice(end),
  };
}

type Suffix = { readonly format: QuantityFormat; readonly exponent: number };

function interpret(suffix: string): Suffix | undefined {
  const scale = DECIMAL.get(suffix);
  if (scale !== undefined) return { format: 'DecimalSI', exponent: scale };
  const power = BINARY.get(suffix);
  if (power !== undefined) return { format: 'BinarySI', exponent: power };
  if (!/^[eE]./.test(suffix)) return undefined;
  const exponent = parseInt64(suffix.slice(1));
  return exponent === undefined ? undefined : { format: 'DecimalExponent', exponent: Number(BigInt.asIntN(32, exponent)) };
}

function read(text: string): Parsed<Quantity> {
  if (text === '') return bad(SHAPE);
  if (text.length > LONGEST) return bad(`a quantity of more than ${LONGEST} characters is none that can be counted with`);
  if (text === '0') return good(ZERO_QUANTITY);
  const parts = scan(text);
  if (parts === undefined) return bad(SHAPE);
  const suffix = interpret(parts.suffix);
  if (suffix === undefined) return bad(SUFFIX);
  return good(small(text, parts, suffix) ?? large(parts, suffix));
}

/** Parses numbers that certainly fit an int64; undefined for others. */
function small(text: string, { negative, whole, fraction }: Parts, { format, exponent }: Suffix): Quantity | undefined {
  const digits = whole + fraction;
  if (format === 'BinarySI') {
    // An exponent of 2^10n takes about 3n of the 15 digits that are safe.
    if (fraction !== '' || 15 - whole.length - (exponent * 3) / 10 - 1 < 0) return undefined;
    const count = BigInt(whole);
    const amount = count << BigInt(exponent);
    return makeQuantity(negative ? -amount : amount, 0, format, false, (count & 7n) !== 0n ? text : undefined);
  }
  const scale = exponent - fraction.length;
  if (digits.length > INT64_DIGITS || scale < NANO) return undefined;
  const amount = BigInt(digits);
  const reprinted = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  return makeQuantity(negative ? -amount : amount, scale, format, false, reprinted ? text : undefined);
}

/** Parses all other numbers: rounded up to whole nano-units, binary ones capped at the largest int64. */
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
  return makeQuantity(negative ? -amount : amount, scale, shown, true);
}

/** Returns the quantity of a text, or upstream's error text. The last few thousand results are cached. Marked as pure: a page that reads none leaves it out. */
export const parseQuantity: (text: string) => Parsed<Quantity> = /* @__PURE__ */ memoised(read, 4096);

/**
 * Returns the quantity of a validated text.
 * @throws {Error} on any other text.
 */
export function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.error !== undefined) throw new TypeError(`not a quantity: ${JSON.stringify(text)}: ${parsed.error}`);
  return parsed.value;
}

export const quantitySign = (q: Quantity): -1 | 0 | 1 => (q.amount === 0n ? 0 : q.amount < 0n ? -1 : 1);

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

/**
 * Returns the value in units of `10^scale`, rounded up, as int64. On overflow it wraps or becomes 0 exactly where upstream's does. Models:
 * Quantity.ScaledValue.
 */
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

const wholeUnits = /* @__PURE__ */ memoised((text) => Number(quantityValue(quantity(text))), 4096);
const milliUnits = /* @__PURE__ */ memoised((text) => Number(quantityMilliValue(quantity(text))), 4096);

/** Returns the whole units of a stored text as a number, exact up to 2^53. Results are cached for the hot paths of scheduling. */
export const unitsOf = (text: string): number => wholeUnits(text);
/** Returns the thousandths of a stored text as a number, exact up to 2^53. Results are cached. */
export const milliUnitsOf = (text: string): number => milliUnits(text);

const DECIMAL_BY_SCALE: ReadonlyMap<number, string> = new Map([...DECIMAL].map(([suffix, scale]) => [scale, suffix]));
const BINARY_BY_POWER: ReadonlyMap<number, string> = new Map([...BINARY].map(([suffix, power]) => [power, suffix]));

/** Returns a quantity as the API prints it. */
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
