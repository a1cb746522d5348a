/** The invariants of a run: those that its scenario selects, and those that it defines as expressions. */
import { invariantInSandbox } from '../sandbox/index.ts';
import { invariantsWith, type Definitions } from '../definitions/index.ts';
import { expressed, type Invariant } from '../invariants/index.ts';
import { selectInvariants, type Scenario } from '../scenario/index.ts';
import type { Chosen } from './monitor.ts';

/**
 * Returns the invariants of a run. Those that the scenario names or defines must have been exercised, except in a search (`named` is
 * false).
 */
export const chosenOf = (
  scenario: Scenario,
  given: readonly Invariant[] | undefined,
  own: Definitions,
  named: boolean,
): readonly Chosen[] => [
  ...selectFrom(given ?? invariantsWith(inSandbox(own)), scenario.invariants).map((each) => (named ? each : { ...each, named })),
  ...(given === undefined ? (scenario.expressed ?? []) : []).map((spec) => ({ invariant: expressed(spec), named })),
];

/** Returns the definitions with invariants that run in the sandbox. */
const inSandbox = (own: Definitions): Definitions =>
  own.invariants === undefined ? own : { ...own, invariants: own.invariants.map(invariantInSandbox) };

/** Selects the default invariants by patterns, and adds those named in full. */
const selectFrom = (all: readonly Invariant[], patterns: readonly string[] | undefined): readonly Chosen[] => {
  const named = new Set(patterns);
  const names = new Set(
    selectInvariants(
      patterns,
      all.filter(({ name, onRequest }) => onRequest === undefined || named.has(name)).map(({ name }) => name),
    ),
  );
  return all.filter(({ name }) => names.has(name)).map((invariant) => ({ invariant, named: named.has(invariant.name) }));
};
