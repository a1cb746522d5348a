/** Matchers for tests: a run held, or reached an object. The message of a failed matcher has everything that is known. */
import { explainMismatch, matches, type Manifest } from '../lab/scenario/index.ts';
import type { Searched, Unfit } from '../lab/search/index.ts';
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

/** Matches a search whose scenario is fit for it and that found nothing that counts. */
export function toFindNothing(found: Searched | Unfit): Matched {
  if ('unfit' in found) return { pass: false, message: () => printable([found.unfit, ...found.messages].join('\n')) };
  const { findings, runs } = found;
  return {
    pass: findings.length === 0,
    message: () =>
      findings.length === 0
        ? `the search found nothing in ${runs} runs, and should have`
        : printable(
            findings
              .map(({ cause: { claim }, words, hint }) =>
                [claim, ...words, ...(hint === undefined ? [] : [`what usually mends it: ${hint.text}`])].join('\n  '),
              )
              .join('\n\n'),
          ),
  };
}
