/** What the editor and what it offers share: how something is typed for somebody, and how high a line is. */

/** As if it had been typed: so it can be undone. */
export function insert(text: string): void {
  // Deprecated, and the only way that keeps the field's own history.
  document.execCommand('insertText', false, text);
}

/** Pixels of a line; the sheet of styles says the same. */
export const LINE = 18;

/** Lines that stay visible below the cursor: what is offered there needs the room. */
const BELOW = 4;

/** The field is as high as its text, so it is the sheet around it that has to follow the cursor. */
export function keepInView(field: HTMLTextAreaElement): void {
  const sheet = field.closest('.sheet');
  if (sheet === null) return;
  const top = (field.value.slice(0, field.selectionEnd).split('\n').length - 1) * LINE;
  if (top < sheet.scrollTop) sheet.scrollTop = top;
  const lowest = top + (1 + BELOW) * LINE - sheet.clientHeight;
  if (lowest > sheet.scrollTop) sheet.scrollTop = lowest;
}
