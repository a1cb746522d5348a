/**
 * orchsim in vitest: importing it teaches `expect` to ask of runs.
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
  /** Every expectation, step and invariant of the run held; what broke is told with its causes. */
  toHold(): R;
  /** At the end of the run there is an object like this partial one. */
  toReach(expected: Manifest): R;
}

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any -- declarations that are merged have the same parameters
  interface Matchers<T = any> extends RunMatchers<T> {}
}

export { toHold, toReach };
