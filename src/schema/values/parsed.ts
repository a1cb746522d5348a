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
  // The times of one instant are read one after another.
  const last: { text: string | undefined; answer: T | undefined } = { text: undefined, answer: undefined };
  return (text) => {
    if (last.answer !== undefined && text === last.text) return last.answer;
    const before = known.get(text);
    const answer = before ?? read(text);
    if (text.length > LONGEST) return answer;
    if (before === undefined) {
      if (known.size >= limit) known.clear();
      known.set(text, answer);
    }
    last.text = text;
    last.answer = answer;
    return answer;
  };
}

/** The value of a JSON text; undefined: it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
