/** Quantities of stored objects as numbers, for pictures of them. */
import { BINARY, DECIMAL } from '../../../schema/values/index.ts';

/** The value of a quantity, as near as a picture needs it; 0: it is none. */
export function amountOf(text: string): number {
  const [, number = '', suffix = ''] = /^(.*?)([A-Za-z]*)$/.exec(text) ?? [];
  const power = BINARY.get(suffix);
  return (power === undefined ? Number(number) * 10 ** (DECIMAL.get(suffix) ?? NaN) : Number(number) * 2 ** power) || 0;
}
