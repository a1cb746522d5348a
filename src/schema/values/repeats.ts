/**
 * Returns a predicate that is true for a value that it has been called with before. It keeps a set, because a search through a list would
 * be quadratic.
 */
export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => {
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  };
}
