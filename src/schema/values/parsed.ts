/** The result of every parser in this module: a value, or the error text for the user. Expected failures are values, not exceptions. */

export type Parsed<T> = { readonly value: T; readonly error?: undefined } | { readonly value?: undefined; readonly error: string };

/** Returns a parsed value. */
export const good = <T>(value: T): Parsed<T> => ({ value });
/** Returns an error text in place of a value. */
export const bad = (error: string): { readonly value?: undefined; readonly error: string } => ({ error });

const LONGEST = 256;

/**
 * Caches the results of a pure parser. The cache is cleared when full, and skips long texts, so that it is bounded and equal on every host.
 */
export function memoised<T>(read: (text: string) => T, limit: number): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const answer = read(text);
    if (text.length > LONGEST) return answer;
    if (known.size >= limit) known.clear();
    known.set(text, answer);
    return answer;
  };
}
