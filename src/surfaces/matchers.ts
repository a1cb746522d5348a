/** Matchers for tests: a run held, or reached an object. The message of a failed matcher has everything that is known. */
import { explainMismatch, matches, type Manifest } from '../lab/scenario/index.ts';
import type { Run } from '../lab/simulation/index.ts';
import { describeFailures, printable } from './report/index.ts';

/** The result of a matcher. */
export interface Matched {
  readonly pass: boolean;
  message(): string;
}

/** Matches a run in which every expectation, step and invariant held. */
export const toHold = (run: Run): Matched => ({
  pass: run.verdict === 'held',
  message: () =>
    run.verdict === 'held'
      ? `${run.scenario.name} (seed ${run.seed}) held, and should not have`
      : `${run.scenario.name} (seed ${run.seed}) did not hold\n${describeFailures(run)}`,
});

/** Matches a run that ends with an object like this partial one; its kind is required. */
export function toReach({ cluster, scenario, seed }: Run, expected: Manifest): Matched {
  const objects = [...cluster.store.values(expected.kind ?? '')];
  const pass = objects.some((object) => matches(expected, object));
  return {
    pass,
    message: () =>
      printable(
        pass
          ? `${scenario.name} (seed ${seed}) reached such a ${expected.kind ?? 'object'}, and should not have: ${JSON.stringify(expected)}`
          : `${scenario.name} (seed ${seed}): ${explainMismatch(expected, objects).text}`,
      ),
  };
}
