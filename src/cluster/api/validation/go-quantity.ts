/** A quantity as Go prints its struct. Models: v1.24 apimachinery pkg/api/resource Quantity. */
import { GoText, quantity, quote, type Quantity } from '../../values/index.ts';

/** The text cached in the struct is shown where the canonical form was asked for before. */
export const shownQuantity = (quantity: Quantity, cached = ''): GoText =>
  new GoText(`resource.Quantity{i:resource.int64Amount{value:${quantity.amount}, scale:${quantity.scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(cached)}, Format:${quote(quantity.format)}}`);

/** A list of amounts as Go prints it, each with its canonical text cached. */
export function shownAmounts(amounts: Readonly<Record<string, string>> | undefined): GoText {
  if (amounts === undefined) return new GoText('core.ResourceList(nil)');
  const parts = Object.entries(amounts).map(([name, amount]) => `${quote(name)}:${shownQuantity(quantity(amount), amount).text}`);
  return new GoText(`core.ResourceList{${parts.join(', ')}}`);
}
