/** Colours the lines of a trace, so that creations, changes, deletions and refusals are distinguishable at a glance. */
import type { LineParts, Tone } from '../../lab/trace/index.ts';
import { pad, wrapLine } from './table.ts';

/** Colours by meaning. Output to pipes and in tests has none. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  accent(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

const same = (text: string): string => text;
export const PLAIN: Palette = { good: same, bad: same, warn: same, accent: same, dim: same, strong: same };

const paint = (tone: Tone, palette: Palette): ((text: string) => string) => {
  switch (tone) {
    case 'created':
    case 'held':
      return palette.good;
    case 'removed':
    case 'fault':
    case 'refused':
    case 'broken':
      return palette.bad;
    case 'changed':
      return palette.warn;
    case 'operation':
    case 'note':
      return palette.strong;
    case 'event':
    case 'decided':
      return palette.accent;
    case 'seen':
      return palette.dim;
    default: {
      const never: never = tone;
      return never;
    }
  }
};

const WHO = 18;
const ABOUT = 18;

/** Colours only the verb. */
function paintWhat({ what, tone }: LineParts, palette: Palette): string {
  const colour = paint(tone, palette);
  if (tone === 'seen' || tone === 'note' || tone === 'operation' || tone === 'broken' || tone === 'fault') return colour(what);
  const space = what.indexOf(' ');
  return space < 0 ? colour(what) : colour(what.slice(0, space)) + what.slice(space);
}

/** The column of the event, after time, step, process and object. */
const WHAT_AT = 9 + 2 + 6 + 1 + WHO + 1 + ABOUT + 1;

/**
 * Returns the line of an entry, wrapped at `columns`; undefined: not wrapped. Continuation lines are indented to the column of the event.
 */
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
