/**
 * The one way of text to a terminal. Titles, names, messages and quoted input are somebody else's: what in them would steer a terminal is
 * shown as an escape (`\u001b`), which is also what JSON and quoted YAML call it. Our own colours pass, because they carry a number that
 * nobody outside this process knows.
 */
import type { Palette } from './palette.ts';

/** C0 but tab and newline, DEL, C1, line separators, and marks that turn the direction of what follows (CVE-2021-42574). */
const STEERING = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';
// Of the web platform, because tests in a browser report runs, too.
const KEY = crypto.getRandomValues(new Uint32Array(3)).join('');
const OURS = new RegExp(`\\u001b\\[${KEY}(\\d*)([mK])`, 'g');
const STEERS = new RegExp(`[${STEERING}]`);
const EACH = new RegExp(`\\u001b\\[${KEY}\\d*[mK]|[${STEERING}]`, 'g');

/** Takes the terminal's last line away: passes as colours do. */
export const ERASE_LINE = `\u001B[${KEY}K`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const opened = (ours: string): string =>
  ours.replace(OURS, (_, code: string, final: string) => `${final === 'K' ? '\r' : ''}\u001B[${code}${final}`);

/** Whether a terminal would do something else with a text than show it. */
export const steers = (text: string): boolean => STEERS.test(text);

/** A text as a terminal may have it. JSON remains the same JSON. */
export const printable = (text: string): string =>
  steers(text) ? text.replace(EACH, (found) => (found.length === 1 ? escaped(found) : opened(found))) : text;

/** Colours that `printable` lets pass. */
export function sealed(palette: Palette): Palette {
  const seal = (paint: (text: string) => string): ((text: string) => string) => {
    const [open = '', close = ''] = paint('|')
      .split('|')
      .map((codes) => codes.replaceAll('\u001B[', `\u001B[${KEY}`));
    // What a colour inside ends is taken up again behind it.
    return open === '' ? (text) => text : (text) => open + text.replaceAll(close, close + open) + close;
  };
  const { good, bad, warn, accent, dim, strong } = palette;
  return { good: seal(good), bad: seal(bad), warn: seal(warn), accent: seal(accent), dim: seal(dim), strong: seal(strong) };
}
