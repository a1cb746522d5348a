/**
 * orchsim in vitest: importing this module adds matchers for runs to `expect`.
 *
 * ```ts
 * import 'orchsim/vitest';
 * expect(simulate(scenario)).toHold();
 * expect(run).toReach({ kind: 'Job', metadata: { name: 'a' }, status: { succeeded: 1 } });
 * ```
 */
import { expect } from 'vitest';
import type { Manifest } from './lab/scenario/index.ts';
import { toHold, toReach } from './surfaces/matchers.ts';

expect.extend({ toHold, toReach });

interface RunMatchers<R> {
  /** Every expectation, step and invariant of the run held; the error has the failures with their causes. */
  toHold(): R;
  /** The run ends with an object like this partial one. */
  toReach(expected: Manifest): R;
}

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any -- merged declarations must have the same type parameters
  interface Matchers<T = any> extends RunMatchers<T> {}
}

export { toHold, toReach };
