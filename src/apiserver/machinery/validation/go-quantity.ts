/** A quantity as Go prints its struct. Models: v1.24 apimachinery pkg/api/resource Quantity. */
import { GoText, parseQuantity, quote, scaledValue } from '../../../schema/values/index.ts';

const MILLI = -3;

/**
 * The struct that a text is read into: rounded up to thousandths, as defaulting rounds amounts, and with the text where upstream keeps it.
 */
function structOf(written: string): string {
  const { value } = parseQuantity(written);
  if (value === undefined) return '';
  const rounded = value.scale < MILLI ? { amount: scaledValue(value, MILLI), scale: MILLI, text: '' } : value;
  return `resource.Quantity{i:resource.int64Amount{value:${rounded.amount}, scale:${rounded.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(rounded.text ?? '')}, Format:${quote(value.format)}}`;
}

/** An amount by the text it was written as. */
export const shownQuantity = (written: string): GoText => new GoText(structOf(written));

/** A list of amounts as Go prints it. */
export function shownAmounts(amounts: Readonly<Record<string, string>> | undefined): GoText {
  if (amounts === undefined) return new GoText('core.ResourceList(nil)');
  return new GoText(
    `core.ResourceList{${Object.entries(amounts)
      .map(([name, amount]) => `${quote(name)}:${structOf(amount)}`)
      .join(', ')}}`,
  );
}
