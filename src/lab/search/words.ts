/** The text of a finding: what broke, which write broke it and its reason, what the controller's cache did not contain, and the faults. */
import { replaying, choiceText } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { simulate } from '../simulation/index.ts';
import { cacheViewOf, withoutChance, entryAt, type CacheView, type Trace } from '../trace/index.ts';
import type { Making } from './run.ts';
import type { Cause } from './cause.ts';
import { isLiveness } from './liveness.ts';

/** Returns the lines; the first says what broke. */
export function wordsFor(scenario: Scenario, choices: readonly PointChoice[], cause: Cause, making: Making): readonly string[] {
  const run = simulate(scenario, { ...making, trace: true, tries: false, digest: false, chooser: replaying(choices) });
  const failure = isLiveness(cause)
    ? undefined
    : (run.failures.find(({ invariant }) => cause.claim === invariant) ?? run.failures.find(({ kind }) => kind !== 'step'));
  const decided = run.trace === undefined || failure?.kind !== 'invariant' ? undefined : decisionBehind(run.trace, failure.traceStep);
  return [
    ...(failure === undefined ? cause.message.split('\n') : [failure.message, ...failure.detail.map((line) => `  ${line.trim()}`)]),
    ...(decided === undefined ? [] : [`${decided.controller} wrote because "${decided.why}"${unseenText(decided.cacheView)}`]),
    ...(failure?.waits ?? []).map((line) => `  ${line.trim()}`),
    ...choices.map((choice) => `- ${choiceText(choice)}`),
  ];
}

function decisionBehind(trace: Trace, step: number) {
  const cacheView = cacheViewOf(trace, step);
  const decision = cacheView === undefined ? undefined : entryAt(trace, cacheView.step);
  return cacheView !== undefined && decision?.type === 'reconcile'
    ? { controller: decision.controller, why: decision.why, cacheView }
    : undefined;
}

/** Describes the changes that the cache did not contain, by kind. */
function unseenText({ unseen }: CacheView): string {
  if (unseen.length === 0) return '';
  const kinds = new Map<string, number>();
  for (const { kind } of unseen) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const what = [...kinds].map(([kind, count]) => (count === 1 ? `a change of a ${kind}` : `changes of ${count} ${kind}s`));
  return `, while its cache had not seen ${what.join(' and ')} (${withoutChance(unseen[0]?.key ?? '')}${unseen.length > 1 ? ', …' : ''})`;
}
