/** Contrast of the colours of both themes: text reaches AA, other signs a ratio of three. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const sheet = readFileSync(join(import.meta.dirname, '../../../src/surfaces/page/style/1-base.css'), 'utf8');

type Colour = readonly [number, number, number];

function variablesOf(selector: string): ReadonlyMap<string, string> {
  const from = sheet.indexOf(`${selector} {`);
  const block = sheet.slice(from, sheet.indexOf('}', from));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name = '', value = '']) => [name, value]));
}

const light = variablesOf(':root');
const THEMES = { light, dark: new Map([...light, ...variablesOf("[data-theme='dark']")]) };

function read(hex: string): Colour {
  const whole = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1);
  const digits = whole.match(/../g) ?? [];
  const [r = 0, g = 0, b = 0] = digits.map((each) => Number.parseInt(each, 16));
  return [r, g, b];
}

function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((each) => {
    const part = each / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** `stale 24% panel` is a mix of the two, like `color-mix`. */
function colourIn(theme: ReadonlyMap<string, string>, text: string): Colour {
  const [name = '', share, other = ''] = text.split(' ');
  const hex = theme.get(name);
  if (hex === undefined) throw new Error(`there is no --${name}`);
  if (share === undefined) return read(hex);
  const part = Number.parseInt(share, 10) / 100;
  const [mine, theirs] = [read(hex), colourIn(theme, other)];
  return [0, 1, 2].map((at) => (mine[at] ?? 0) * part + (theirs[at] ?? 0) * (1 - part)) as [number, number, number];
}

/** Text colours with their backgrounds. */
const READ = [
  ['ink', 'paper', 'panel', 'lane', 'accent-soft'],
  ['soft', 'paper', 'panel', 'lane', 'accent-soft'],
  ['accent', 'paper', 'panel', 'accent-soft'],
  ['on-accent', 'accent'],
  ['good-ink', 'paper', 'panel', 'succeeded 30% panel', 'succeeded 16% panel', 'accent-soft'],
  ['bad-ink', 'paper', 'panel', 'failed 22% panel', 'failed 16% panel', 'lane', 'accent-soft'],
  ['stale-ink', 'paper', 'panel', 'stale 26% panel'],
  ['fault-ink', 'paper', 'panel', 'lane'],
  ['ready-ink', 'ready 16% panel', 'running 16% panel'],
  ['starting-ink', 'starting 18% panel'],
  ['terminating-ink', 'panel', 'terminating 24% panel'],
  ['ink', 'ready 24% panel', 'terminating 24% panel', 'stale 24% panel', 'starting 24% panel'],
] as const;

/** Colours of signs: the focus ring, failures, glyphs on bars. */
const SEEN = [
  ['accent', 'paper', 'panel', 'lane'],
  ['failed', 'paper', 'panel', 'lane'],
  ['fault', 'paper', 'panel', 'lane'],
  ['terminating', 'panel', 'lane'],
  ['ready', 'panel', 'lane'],
  ['on-phase', 'waiting', 'starting', 'running', 'ready', 'succeeded', 'failed', 'terminating'],
] as const;

describe.each(Object.entries(THEMES))('the %s theme', (_, theme) => {
  const below = (pairs: readonly (readonly [string, ...string[]])[], least: number): readonly string[] =>
    pairs.flatMap(([ink, ...papers]) =>
      papers.flatMap((paper) => {
        const is = ratio(colourIn(theme, ink), colourIn(theme, paper));
        return is < least ? [`${ink} on ${paper}: ${is.toFixed(2)}`] : [];
      }),
    );

  it('has readable texts', () => {
    expect(below(READ, 4.5)).toEqual([]);
    expect(below([['soft', 'soft 90% ink']], 4.5)).not.toEqual([]);
  });

  it('has visible signs', () => {
    expect(below(SEEN, 3)).toEqual([]);
  });
});
