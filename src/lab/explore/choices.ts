/**
 * A user's scenario with random choices at the points that its run reaches, as an arbitrary that shrinks. A search (`orchsim/testing`)
 * explores more systematically; this one is for a user's own properties.
 */
import fc from 'fast-check';
import type { Point, Sort } from '../choices/index.ts';
import type { InjectedFault, PointChoice, Scenario } from '../scenario/index.ts';
import { baseline, defaultFaults, faultsAt, type SearchOptions } from '../search/index.ts';
import { simulate } from '../simulation/index.ts';

/** Options of drawing choices, all with defaults. */
export interface ChoiceOptions extends Pick<SearchOptions, 'with' | 'invariants' | 'controllers' | 'alter' | 'faults'> {
  /** The maximum number of choices. Default 4. */
  readonly maxLength?: number;
}

interface Place {
  readonly at: string;
  readonly faults: readonly InjectedFault[];
}

/** Returns the points that the scenario reaches without choices, with the faults that apply there. */
function placesIn(
  scenario: Scenario,
  quietMs: number,
  { faults = defaultFaults(), maxLength: _, ...making }: ChoiceOptions,
): readonly Place[] {
  const places = new Map<string, Place>();
  const add = (address: string, sort: Sort): void => {
    const possible = faultsAt(sort, faults, quietMs);
    if (address !== '' && possible.length > 0 && !places.has(address)) places.set(address, { at: address, faults: possible });
  };
  simulate(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser: {
      slow: new Map(),
      choose({ address, sort, actor }: Point, now) {
        if (now < scenario.startAt + quietMs) {
          add(address, sort);
          add(actor, 'actor');
        }
        return undefined;
      },
    },
  });
  return [...places.values()];
}

/**
 * Returns the scenario with random choices. Its final expectations are checked when the cluster is settled; expectations in the middle are
 * left out, because any delay moves them. It shrinks to fewer choices at earlier points.
 *
 * @throws Error with the reason where the scenario fails without choices, or has choices.
 */
export function chosenScenarios(scenario: Scenario, options: ChoiceOptions = {}): fc.Arbitrary<Scenario> {
  const { faults: _, maxLength = 4, ...making } = options;
  const found = baseline(scenario, making);
  if ('unfit' in found) throw new Error([`${scenario.name}: ${found.unfit}`, ...found.messages].join('\n'));
  const { quiescence } = found;
  const places = placesIn(quiescence.scenario, quiescence.quietMs, options);
  if (places.length === 0) return fc.constant(quiescence.scenario);
  const choice = fc.tuple(fc.nat(places.length - 1), fc.nat(1_000)).map(([place, nth]): PointChoice => {
    const { at, faults } = places[place] as Place;
    return { at, injectedFault: faults[nth % faults.length] as InjectedFault };
  });
  return fc.uniqueArray(choice, { maxLength, selector: ({ at }) => at }).map((choices) => ({ ...quiescence.scenario, choices }));
}
