/**
 * The judgement of a search: which causes count. Who searches a scenario of controllers of their own is asked about those, about the
 * expectations and invariants that they wrote, and about general invariants of the objects that their controllers made. What breaks in
 * built-in code alone is reported apart.
 */
import { namesFor } from '../../apiserver/machinery/index.ts';
import { type Definitions, invariantsWith, kindsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import { type Scenario, selectInvariants } from '../scenario/index.ts';
import { type Cause, CONTRACT, isExpectation, type Making, SETTLES } from './cause.ts';

export interface Judgement {
  /** The names of the user's controllers. */
  readonly mine: ReadonlySet<string>;
  counts(cause: Cause): boolean;
}

/** Prefix of the invariants of every object, whatever its kind. */
const GENERAL = 'general/';

/** Returns which causes count in a search of a scenario. */
export function judgementOf(scenario: Scenario, { with: own = NO_DEFINITIONS, judge = 'mine' }: Pick<Making, 'with' | 'judge'>): Judgement {
  const kinds = kindsWith(namesFor(scenario.domain), own);
  const mine = new Set((own.controllers ?? []).map((each) => (typeof each === 'function' ? each(kinds) : each).name));
  if (judge === 'all' || mine.size === 0) return { mine, counts: () => true };
  const asserted = assertedIn(scenario, own);
  return {
    mine,
    counts(cause) {
      const { claim, controller, own: about, gaveUp } = cause;
      if (gaveUp !== undefined) return false;
      if (isExpectation(cause) || claim === CONTRACT || asserted.has(claim)) return true;
      if (controller === undefined) return claim === SETTLES || (about === true && claim.startsWith(GENERAL));
      // A livelock has several controllers.
      return controller.split(', ').some((name) => mine.has(name)) || (about === true && claim.startsWith(GENERAL));
    },
  };
}

/** The invariants that a user wrote, or that the scenario selects. */
function assertedIn({ invariants = [], expressed = [] }: Scenario, own: Definitions): ReadonlySet<string> {
  const selects = invariants.some((pattern) => !pattern.startsWith('!'));
  return new Set([
    ...(own.invariants ?? []).map(({ name }) => name),
    ...expressed.map(({ name }) => name),
    ...(selects
      ? selectInvariants(
          invariants,
          invariantsWith(own).map(({ name }) => name),
        )
      : []),
  ]);
}

/** Returns the causes of a run, those that count first; each of the others is marked. */
export const judged = (causes: readonly Cause[], { counts }: Judgement): readonly Cause[] => {
  if (causes.every(counts)) return causes;
  return [...causes.filter(counts), ...causes.filter((cause) => !counts(cause)).map((cause): Cause => ({ ...cause, elsewhere: true }))];
};

/** Whether some of the causes of a run count. */
export const isBroken = (causes: readonly Cause[]): boolean => causes.some(({ elsewhere }) => elsewhere !== true);
