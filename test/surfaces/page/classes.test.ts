/** The page's engine uses the browser's Unicode classes for its patterns; they must agree with those of the command. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { RE2JS } from 're2js';
// @ts-expect-error: a part of the build, without types
import { withoutTables } from '../../../src/build/classes-of-the-host.mjs';

type Library = { readonly RE2JS: { compile(pattern: string): { matches(text: string): boolean } } };

const source = readFileSync(
  createRequire(import.meta.url)
    .resolve('re2js')
    .replace(/index\.cjs$/, 'index.js'),
  'utf8',
);
const lean = (withoutTables as (text: string) => string)(source);
const names = [...lean.matchAll(/static (CATEGORIES|SCRIPTS) = classesOfHost\('([^']*)'/g)].flatMap(([, , list = '']) => list.split(' '));
/** With the same Unicode version both must agree; another version may differ in its additions. */
const sameUnicode = process.versions.unicode === '17.0';

const characters = Array.from({ length: 0x110000 }, (_, at) => at)
  // A lone surrogate is not a character.
  .filter((at) => at < 0xd800 || at > 0xdfff)
  .map((at) => String.fromCodePoint(at));

describe('classes of characters in the page', async () => {
  const { RE2JS: page } = (await import(`data:text/javascript;base64,${Buffer.from(lean).toString('base64')}`)) as Library;

  it('have the same names as in the command', () => {
    expect(names.length).toBeGreaterThan(200);
    for (const name of names.filter((_, at) => at % 25 === 0)) expect(() => page.compile(`\\p{${name}}`), name).not.toThrow();
    for (const name of ['Letter', 'Grek', 'Nothing']) {
      expect(() => RE2JS.compile(`\\p{${name}}`), name).toThrow(/invalid character class range/i);
      expect(() => page.compile(`\\p{${name}}`), name).toThrow(/invalid character class range/i);
    }
  });

  it.runIf(sameUnicode).each(['Lu', 'Greek', 'Cn'])('contain the same characters: %s', (name) => {
    const [theirs, ours] = [RE2JS.compile(`\\p{${name}}`), page.compile(`\\p{${name}}`)];
    expect(characters.filter((each) => theirs.matches(each) !== ours.matches(each)).map((each) => each.codePointAt(0))).toEqual([]);
  });
});
