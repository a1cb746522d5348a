/** What tests say of runs: that one held, that it reached an object. Each answers as matchers do, with the whole story where it did not. */
import { explainMismatch, matches, type Manifest } from '../lab/scenario/index.ts';
import type { Run } from '../lab/simulation/index.ts';
import { describeFailures, printable } from './report/index.ts';

/** What a matcher answers. */
export interface Matched {
  readonly pass: boolean;
  message(): string;
}

/** Every expectation, step and invariant of a run held. */
export const toHold = (run: Run): Matched => ({
  pass: run.verdict === 'held',
  message: () =>
    run.verdict === 'held'
      ? `${run.scenario.name} (seed ${run.seed}) held, and should not have`
      : `${run.scenario.name} (seed ${run.seed}) did not hold\n${describeFailures(run)}`,
});

/** At the end of a run there is an object like this partial one; its kind must be given. */
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
