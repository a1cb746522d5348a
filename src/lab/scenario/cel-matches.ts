/**
 * `matches` as the language has it: RE2's syntax, and time in proportion to the text, whatever the pattern. The engines of JavaScript try
 * every way there is: `'^(a+)+$'` takes them longer than anybody waits. Specified by: CEL, "Regular Expressions".
 */
import { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
const KEPT = 200;
const kept = new Map<string, RE2JS>();

/** A compiled pattern; throws an Error that says what is wrong with it. */
export function patternOf(pattern: string): RE2JS {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > LONGEST_PATTERN) throw new Error(`a pattern has at most ${LONGEST_PATTERN} characters, this one ${pattern.length}`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    throw new Error(
      `Invalid regular expression: ${pattern} (${error instanceof Error ? error.message : String(error)}; the syntax is RE2's, without look-around and back-references)`,
      { cause: error },
    );
  }
  if (kept.size >= KEPT) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

/** How much work a match is: every character meets every instruction at most once. */
export const costOf = (pattern: RE2JS, text: string): number => text.length * pattern.programSize();
