/**
 * `matches` as CEL defines it: RE2 syntax, in time linear in the text for every pattern. JavaScript's engines backtrack: `'^(a+)+$'` takes
 * them exponential time. Specified by: CEL, "Regular Expressions".
 */
import { RE2JS } from 're2js';

const LONGEST_PATTERN = 1_000;
const KEPT = 200;
const kept = new Map<string, RE2JS>();

/**
 * Returns a compiled pattern.
 *
 * @throws Error that says what is wrong with the pattern.
 */
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

/** Returns the cost of a match: every character meets every instruction at most once. */
export const costOf = (pattern: RE2JS, text: string): number => text.length * pattern.programSize();
