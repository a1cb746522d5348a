/** Helpers of the tests in this folder. */
import fc from 'fast-check';
import * as patches from '../../../src/apiserver/patch/index.ts';
import { Refusal } from '../../../src/apiserver/request/index.ts';

export interface Failed {
  readonly code: number | undefined;
  readonly reason?: string;
  readonly message: string | undefined;
  readonly details?: object;
  readonly why?: unknown;
}

/** Returns what a function returns, or the refusal that it throws, as a value. */
export function attempt<T>(run: () => T): { readonly ok: T; readonly error?: never } | { readonly ok?: never; readonly error: Failed } {
  try {
    return { ok: run() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const { code, reason, message, details } = thrown.status;
    return {
      error: {
        code,
        message,
        ...(reason === undefined ? {} : { reason }),
        ...(details === undefined ? {} : { details }),
        ...(thrown.cause === undefined ? {} : { why: thrown.cause }),
      },
    };
  }
}

export const applyJsonPatch = (doc: unknown, ops: unknown) => attempt(() => patches.applyJsonPatch(doc, ops));
export const applyMergePatch = (...args: Parameters<typeof patches.applyMergePatch>) => attempt(() => patches.applyMergePatch(...args));
export const applyStrategicPatch = (...args: Parameters<typeof patches.applyStrategicPatch>) =>
  attempt(() => patches.applyStrategicPatch(...args));

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
