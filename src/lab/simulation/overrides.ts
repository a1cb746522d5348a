/** What a run takes from its scenario unless its caller gives other ones: choices, and invariants. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { askIn, type Chooser, replaying, unusedOf } from '../choices/index.ts';
import { type Definitions, invariantsWith } from '../definitions/index.ts';
import { expressed, type Invariant, recordedInvariant } from '../invariants/index.ts';
import { invariantInSandbox } from '../sandbox/index.ts';
import { type LintWarning, type PointChoice, type Scenario, selectInvariants } from '../scenario/index.ts';
import type { Chosen } from './monitor.ts';

/**
 * Installs the choices; the returned function gives their results at the end, with a lint warning for each choice whose point was not
 * reached. Without choices no strategy is installed.
 */
export function applyOverrides(cluster: Cluster, { choices = [] }: Scenario, chooser: Chooser | undefined) {
  const by = chooser ?? (choices.length === 0 ? undefined : replaying(choices));
  const taken = by === undefined ? [] : askIn(cluster, by);
  return () => {
    const unused = chooser === undefined ? unusedOf(choices, taken) : [];
    return { taken, unused, lintWarnings: unused.map(lintWarningOn) };
  };
}

const lintWarningOn = ({ at, source }: PointChoice): LintWarning => ({
  ...source,
  text: `this choice no longer applies: the run reached no point ${at}`,
});

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
  // A run under faults leaves the record on purpose.
  ...(given === undefined && named && scenario.recorded !== undefined
    ? [{ invariant: recordedInvariant(scenario.recorded), named: false }]
    : []),
];

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
