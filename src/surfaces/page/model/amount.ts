/** Quantities as numbers, for pictures of them. */
import { parseQuantity } from '../../../schema/values/index.ts';

/** The value of a quantity; 0: it is none. */
export function amountOf(text: string): number {
  const { value } = parseQuantity(text);
  return value === undefined ? 0 : Number(value.amount) * 10 ** value.scale;
}
