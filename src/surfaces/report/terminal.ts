/** Text for terminals: control characters are shown as escapes, and lines of a trace are coloured by what they say. */
import type { LineParts, Tone } from '../../lab/trace/index.ts';
import { pad, wrapLine } from './table.ts';

/** C0 except tab and newline, DEL, C1, line separators, and marks that change the text direction (CVE-2021-42574). */
const STEERING = '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff';
const STEERS = new RegExp(`[${STEERING}]`);

interface Marks {
  /** Stands in each sequence of ours, and cannot be guessed. */
  readonly key: string;
  readonly ours: RegExp;
  readonly each: RegExp;
}

let made: Marks | undefined;

/** Made at the first use: output without colours needs none, and the library of random values takes long to load. */
function marks(): Marks {
  if (made !== undefined) return made;
  // `crypto` of the web platform, because tests in a browser report runs too.
  const key = crypto.getRandomValues(new Uint32Array(3)).join('');
  const ours = new RegExp(`\\u001b\\[${key}(\\d*)([mK])`, 'g');
  return (made = { key, ours, each: new RegExp(`\\u001b\\[${key}\\d*[mK]|[${STEERING}]`, 'g') });
}

/** Returns what erases the last line of the terminal; `printable` lets it pass like colours. */
export const eraseLine = (): string => `\u001B[${marks().key}K`;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
const opened = (ours: string): string =>
  ours.replace(marks().ours, (_, code: string, final: string) => `${final === 'K' ? '\r' : ''}\u001B[${code}${final}`);

export const steers = (text: string): boolean => STEERS.test(text);

/** Returns a text that is safe to print. JSON remains the same JSON. */
export const printable = (text: string): string =>
  steers(text) ? text.replace(marks().each, (found) => (found.length === 1 ? escaped(found) : opened(found))) : text;

export function sealed(palette: Palette): Palette {
  const seal = (paint: (text: string) => string): ((text: string) => string) => {
    const [open = '', close = ''] = paint('|')
      .split('|')
      .map((codes) => codes.replaceAll('\u001B[', () => `\u001B[${marks().key}`));
    // The end of a nested colour also ends this one, so this one starts again after it.
    return open === '' ? (text) => text : (text) => open + text.replaceAll(close, close + open) + close;
  };
  const { good, bad, warn, accent, dim, strong } = palette;
  return { good: seal(good), bad: seal(bad), warn: seal(warn), accent: seal(accent), dim: seal(dim), strong: seal(strong) };
}

/** Colours by meaning. Output to pipes and in tests has none. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'accent' | 'dim' | 'strong', (text: string) => string>>;

const same = (text: string): string => text;
export const PLAIN: Palette = { good: same, bad: same, warn: same, accent: same, dim: same, strong: same };

const SHADES: Readonly<Record<Tone, keyof Palette>> = {
  created: 'good',
  held: 'good',
  removed: 'bad',
  fault: 'bad',
  refused: 'bad',
  broken: 'bad',
  changed: 'warn',
  operation: 'strong',
  note: 'strong',
  event: 'accent',
  decided: 'accent',
  seen: 'dim',
};

const WHO = 18;
const ABOUT = 18;

/** Colours only the verb. */
function paintWhat({ what, tone }: LineParts, palette: Palette): string {
  const colour = palette[SHADES[tone]];
  if (tone === 'seen' || tone === 'note' || tone === 'operation' || tone === 'broken' || tone === 'fault') return colour(what);
  const space = what.indexOf(' ');
  return space < 0 ? colour(what) : colour(what.slice(0, space)) + what.slice(space);
}

/** The column of the event, after time, step, process and object. */
const WHAT_AT = 9 + 2 + 6 + 1 + WHO + 1 + ABOUT + 1;

/** Returns the line of an entry, wrapped at `columns`, continued at the column of the event; undefined: not wrapped. */
export function paintLines(parts: LineParts, palette: Palette, columns: number | undefined): readonly string[] {
  const line = paintParts(parts, palette);
  return columns === undefined ? [line] : wrapLine(line, columns, ' '.repeat(WHAT_AT < columns / 2 ? WHAT_AT + 2 : 4));
}

/** `  5.000s  #212   stateful-set  web  create Pod web-1  rv 87   web-0 is ready, so the next ordinal is created` */
export function paintParts(parts: LineParts, palette: Palette): string {
  const { time, step, who, about, revision, why, given = '' } = parts;
  const head = `${palette.dim(time.padStart(9))}  ${palette.dim(step.padEnd(6))} ${pad(who, WHO)} ${pad(palette.strong(about), ABOUT)} ${paintWhat(parts, palette)}`;
  return `${head}${given === '' ? '' : ` ${palette.dim(given)}`}${revision === '' ? '' : `  ${palette.dim(revision)}`}${why === '' ? '' : `   ${palette.dim(why)}`}`.trimEnd();
}
