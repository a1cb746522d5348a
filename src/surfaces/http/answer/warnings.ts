/**
 * Warnings as headers. What a client sent may stand in them, so a text that no header can carry is left out, and long ones are cut: an
 * answer must never fail because of a warning, since its write is stored by then. Models: apiserver pkg/endpoints/filters warning.go;
 * apimachinery pkg/util/net NewWarningHeader.
 */

/** Characters of all warnings of an answer; beyond that each is cut to the second number. */
const MOST = 4096;
const MOST_EACH = 256;

const UNFIT = /\p{Cc}/u;

const header = (characters: readonly string[]): string => `299 - "${characters.join('').replace(/["\\]/g, '\\$&')}"`;

/** `299 - "text"` for each warning, quoted as a header needs it; repeated warnings once. */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  const texts = [...new Set(warnings)].filter((text) => text !== '' && !UNFIT.test(text)).map((text) => [...text]);
  if (texts.reduce((sum, { length }) => sum + length, 0) <= MOST) return texts.map(header);
  const headers: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= MOST) break;
    const cut = text.slice(0, MOST_EACH);
    written += cut.length;
    headers.push(header(cut));
  }
  return headers;
}
