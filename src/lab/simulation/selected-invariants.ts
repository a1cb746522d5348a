/** Which invariants a run is held against: those that its scenario selects, and those that it says itself. */
import { invariantOnBench } from '../sandbox/index.ts';
import { invariantsWith, type Definitions } from '../definitions/index.ts';
import { expressed, type Invariant } from '../invariants/index.ts';
import { selectInvariants, type Scenario } from '../scenario/index.ts';
import type { Chosen } from './monitor.ts';

/** What a run is held against; what a scenario says itself must have been exercised, as what it names (but not where a search asks). */
export const chosenOf = (
  scenario: Scenario,
  given: readonly Invariant[] | undefined,
  own: Definitions,
  named: boolean,
): readonly Chosen[] => [
  ...selectFrom(given ?? invariantsWith(onBench(own)), scenario.invariants).map((each) => (named ? each : { ...each, named })),
  ...(given === undefined ? (scenario.expressed ?? []) : []).map((spec) => ({ invariant: expressed(spec), named })),
];

/** Definitions whose invariants run behind the traps of the bench. */
const onBench = (own: Definitions): Definitions =>
  own.invariants === undefined ? own : { ...own, invariants: own.invariants.map(invariantOnBench) };

/** Those that hold without being asked for, as patterns select them, and whatever is named in full. */
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
