/** Helpers of the tests in this folder. */
import fc from 'fast-check';

/** Any JSON, shallow, with keys that break careless code. */
export const json: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(null, true, false, '', 'x'),
    fc.integer(),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor', 'toString', 'k/x~'), tie('node')),
  ),
})).node;

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** Returns a value that is nested far beyond any limit. */
export const abyss = (): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < 50_000; i++) value = i % 2 === 0 ? { a: value } : [value];
  return { a: value };
};
