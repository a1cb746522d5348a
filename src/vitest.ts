/**
 * orchsim in vitest: importing this module adds matchers for runs and searches to `expect`.
 *
 * ```ts
 * import 'orchsim/vitest';
 * expect(simulate(scenario)).toHold();
 * expect(search(scenario)).toFindNothing();
 * expect(run).toReach({ kind: 'Job', metadata: { name: 'a' }, status: { succeeded: 1 } });
 * ```
 */
import { expect } from 'vitest';
import type { Manifest } from './lab/scenario/index.ts';
import { toFindNothing, toHold, toReach } from './surfaces/matchers.ts';

expect.extend({ toFindNothing, toHold, toReach });

interface RunMatchers<R> {
  /** Every expectation, step and invariant of the run held; the error has the failures with their causes. */
  toHold(): R;
  /** The run ends with an object like this partial one. */
  toReach(expected: Manifest): R;
  /** A search found nothing that counts; the error tells each finding, with the idiom that usually mends it. */
  toFindNothing(): R;
}

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any -- merged declarations must have the same type parameters
  interface Matchers<T = any> extends RunMatchers<T> {}
}

export { toFindNothing, toHold, toReach };
