/**
 * Runs the suggestions of a lesson, so that its claims about them are checked. Each is a scenario of its own: the steps up to its moment,
 * the action, and the expected result.
 */
import { itemsOf, type Scenario, type Step, type Timing, type Try } from '../scenario/index.ts';
import type { Run, RunFailure } from './run.ts';

export interface Rehearsal {
  readonly tried: Try;
  /** The number of steps of the original before it. */
  readonly taken: number;
  readonly scenario: Scenario;
}

/** Returns all suggestions of a scenario, in order. */
export const triesOf = (scenario: Scenario): readonly Rehearsal[] =>
  itemsOf(scenario.steps).flatMap(({ step, taken }) =>
    (step.tries ?? []).map((tried, at) => ({ tried, taken, scenario: rehearsalOf(scenario, tried, taken, at) })),
  );

function rehearsalOf(scenario: Scenario, { say, action, then, afterMs, source }: Try, taken: number, at: number): Scenario {
  const ends = afterMs === undefined ? endOf(scenario) : ({ when: 'after', afterMs } as const);
  const expectations: readonly Step[] = then.length === 0 ? [] : [{ verb: 'expect', expectations: then, timing: ends }];
  return {
    ...scenario,
    name: `${scenario.name}-try-${taken}-${at + 1}`,
    title: `${scenario.title ?? scenario.name}: what if? ${say}`,
    steps: [
      ...scenario.steps.slice(0, taken).map(silent),
      { ...action, timing: { when: 'next' }, ...(source === undefined ? {} : { source }) },
      ...expectations,
    ],
  };
}

const endOf = ({ untilMs }: Scenario): Timing => (untilMs === undefined ? { when: 'settled' } : { when: 'at', atMs: untilMs });

/** Removes the narration, which the original run has checked. */
function silent(step: Step): Step {
  const { before: _before, note: _note, about: _about, assertions: _assertions, ask: _ask, look: _look, tries: _tries, ...rest } = step;
  return rest;
}

/** Returns the differences from what a lesson says, at the moment of the suggestion. */
export function troublesOf({ tried, taken }: Rehearsal, rehearsed: Run, original: Run): readonly RunFailure[] {
  const moment = original.narrationSteps.findLast((narrationStep) => narrationStep.taken === taken);
  const place = { sinceStartMs: moment?.sinceStartMs ?? 0, traceStep: moment?.traceStep ?? 0 };
  const broken = rehearsed.failures.some(({ invariant }) => invariant !== undefined && invariant === tried.breaks);
  const unexpected = rehearsed.failures.filter(({ invariant }) => invariant === undefined || invariant !== tried.breaks);
  return [
    ...(tried.breaks === undefined || broken ? [] : [{ message: `${tried.breaks} holds, and was expected to break`, detail: [] }]),
    ...unexpected.map(({ message, detail, source, invariant }) => ({
      message: invariant === undefined ? message : `${invariant} is broken: ${message}`,
      detail,
      ...(source === undefined ? {} : { source }),
    })),
  ].map((trouble): RunFailure => {
    const source = 'source' in trouble ? trouble.source : tried.source;
    return {
      kind: 'expectation',
      message: `what if? ${tried.say}: ${trouble.message}`,
      detail: trouble.detail,
      ...place,
      ...(source === undefined ? {} : { source }),
    };
  });
}
