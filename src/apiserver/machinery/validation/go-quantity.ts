/** A quantity as Go prints its struct. Models: v1.24 apimachinery pkg/api/resource Quantity. */
import { GoText, parseQuantity, quote, scaledValue } from '../../../schema/values/index.ts';

const MILLI = -3;

/**
 * Prints the struct that a text is decoded into: rounded up to thousandths, as defaulting rounds amounts, and with the text where upstream
 * keeps it.
 */
function structOf(written: string): string {
  const { value } = parseQuantity(written);
  if (value === undefined) return '';
  const rounded = value.scale < MILLI ? { amount: scaledValue(value, MILLI), scale: MILLI, text: '' } : value;
  return `resource.Quantity{i:resource.int64Amount{value:${rounded.amount}, scale:${rounded.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(rounded.text ?? '')}, Format:${quote(value.format)}}`;
}

/** Prints an amount by the text as written. */
export const shownQuantity = (written: string): GoText => new GoText(structOf(written));

/** Prints a list of amounts as Go does. */
export function shownAmounts(amounts: Readonly<Record<string, string>> | undefined): GoText {
  if (amounts === undefined) return new GoText('core.ResourceList(nil)');
  return new GoText(
    `core.ResourceList{${Object.entries(amounts)
      .map(([name, amount]) => `${quote(name)}:${structOf(amount)}`)
      .join(', ')}}`,
  );
}
