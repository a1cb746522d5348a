/**
 * Sanitises text for terminals. Titles, names, messages and quoted input come from users: control characters in them are shown as escapes
 * (`\u001b`), which JSON and quoted YAML understand too. Our own colours pass, because they carry a random number that only this process
 * has.
 */
import type { Palette } from './paint.ts';

/** C0 except tab and newline, DEL, C1, line separators, and marks that change the text direction (CVE-2021-42574). */
const STEERING = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';
// `crypto` of the web platform, because tests in a browser report runs too.
const KEY = crypto.getRandomValues(new Uint32Array(3)).join('');
const OURS = new RegExp(`\\u001b\\[${KEY}(\\d*)([mK])`, 'g');
const STEERS = new RegExp(`[${STEERING}]`);
const EACH = new RegExp(`\\u001b\\[${KEY}\\d*[mK]|[${STEERING}]`, 'g');

/** Erases the last line of the terminal; `printable` lets it pass like colours. */
export const ERASE_LINE = `\u001B[${KEY}K`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const opened = (ours: string): string =>
  ours.replace(OURS, (_, code: string, final: string) => `${final === 'K' ? '\r' : ''}\u001B[${code}${final}`);

/** Whether a text has characters that control a terminal. */
export const steers = (text: string): boolean => STEERS.test(text);

/** Returns a text that is safe to print. JSON remains the same JSON. */
export const printable = (text: string): string =>
  steers(text) ? text.replace(EACH, (found) => (found.length === 1 ? escaped(found) : opened(found))) : text;

/** Returns a palette whose colours `printable` lets pass. */
export function sealed(palette: Palette): Palette {
  const seal = (paint: (text: string) => string): ((text: string) => string) => {
    const [open = '', close = ''] = paint('|')
      .split('|')
      .map((codes) => codes.replaceAll('\u001B[', `\u001B[${KEY}`));
    // The end of a nested colour also ends this one, so this one starts again after it.
    return open === '' ? (text) => text : (text) => open + text.replaceAll(close, close + open) + close;
  };
  const { good, bad, warn, accent, dim, strong } = palette;
  return { good: seal(good), bad: seal(bad), warn: seal(warn), accent: seal(accent), dim: seal(dim), strong: seal(strong) };
}
