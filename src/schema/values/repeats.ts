/** Tells of one value after the other whether it has come before; in a set, since looking back through a list costs its square. */
export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => {
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  };
}
