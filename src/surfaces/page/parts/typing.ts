/** Shared by the editor and its completions: insertion of text, and the height of a line. */

/** Inserts text like typing, so that it can be undone. */
export function insert(text: string): void {
  // Deprecated, but the only way that keeps the undo history of the field.
  document.execCommand('insertText', false, text);
}

/** Pixels of a line; equal to the style sheet. */
export const LINE = 18;

/** Lines below the cursor that stay visible, for the completions. */
const BELOW = 4;

/** The field is as high as its text, so the container must scroll to the cursor. */
export function keepInView(field: HTMLTextAreaElement): void {
  const sheet = field.closest('.sheet');
  if (sheet === null) return;
  const top = (field.value.slice(0, field.selectionEnd).split('\n').length - 1) * LINE;
  if (top < sheet.scrollTop) sheet.scrollTop = top;
  const lowest = top + (1 + BELOW) * LINE - sheet.clientHeight;
  if (lowest > sheet.scrollTop) sheet.scrollTop = lowest;
}
