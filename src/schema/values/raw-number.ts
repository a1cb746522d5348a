/**
 * A number as the client wrote it, where the text matters: `1e3`, `15.0` and integers beyond 2^53. Other JSON numbers are JavaScript
 * numbers. Go refuses `15.0` for an integer and repeats the text in its error, so the parser must keep it. Integers that a JavaScript
 * number cannot hold are stored in this form, too (`isLong`): arithmetic uses the nearest JavaScript number, and output prints the text.
 */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): number {
    return Number(this.text);
  }
  valueOf(): number {
    return Number(this.text);
  }
  toString(): string {
    return this.text;
  }
}

/** Whether a value is an integer of 64 bits that a JavaScript number cannot hold exactly. */
export const isLong = (value: unknown): value is RawNumber =>
  value instanceof RawNumber && LONG.test(value.text) && String(Number(value.text)) !== value.text && fits(BigInt(value.text));

/** Integers with fewer digits are exact. */
const LONG = /^-?\d{16,19}$/;
const MOST = 9223372036854775807n;
const fits = (value: bigint): boolean => value <= MOST && value >= -MOST - 1n;

/** Whether a value that was parsed is a mapping: a number with its text is none. */
export const isJsonMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);
