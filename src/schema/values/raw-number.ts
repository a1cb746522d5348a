/**
 * A number as the client wrote it, where the text matters: `1e3`, `15.0` and integers beyond 2^53. JSON numbers are otherwise plain
 * numbers; Go refuses `15.0` for an integer and echoes the text in its error, so the parser must not lose it. Integers that a plain
 * number cannot hold stay so in what is stored, too (`isLong`): whoever computes with one gets the nearest plain number, whoever writes it
 * out writes its text.
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

/** An integer of 64 bits whose digits a plain number would lose. */
export const isLong = (value: unknown): value is RawNumber =>
  value instanceof RawNumber && LONG.test(value.text) && String(Number(value.text)) !== value.text && fits(BigInt(value.text));

/** Fewer digits are exact. */
const LONG = /^-?\d{16,19}$/;
const MOST = 9223372036854775807n;
const fits = (value: bigint): boolean => value <= MOST && value >= -MOST - 1n;
