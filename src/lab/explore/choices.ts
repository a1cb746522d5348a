/**
 * A scenario of somebody's own with random choices: what may go otherwise at the points that its run comes by, as an arbitrary that
 * shrinks. A search (`orchsim/testing`) draws with more cunning; this is for properties of one's own.
 */
import fc from 'fast-check';
import { faultKinds, type Point, type Sort } from '../choices/index.ts';
import type { InjectedFault, PointChoice, Scenario } from '../scenario/index.ts';
import { baseline, defaultFaults, type SearchOptions } from '../search/index.ts';
import { simulate } from '../simulation/index.ts';

/** How choices are drawn; everything has a default. */
export interface ChoiceOptions extends Pick<SearchOptions, 'with' | 'invariants' | 'controllers' | 'alter' | 'faults'> {
  /** At most so many. Default 4. */
  readonly maxLength?: number;
}

interface Place {
  readonly at: string;
  readonly faults: readonly InjectedFault[];
}

/** Where a scenario comes by by itself, and what can be done there. */
function placesIn(
  scenario: Scenario,
  quietMs: number,
  { faults = defaultFaults(), maxLength: _, ...making }: ChoiceOptions,
): readonly Place[] {
  const at = (sort: Sort): readonly InjectedFault[] =>
    faultKinds.filter(({ name, sorts }) => faults.includes(name) && sorts.includes(sort)).flatMap(({ drawn }) => drawn(sort));
  const places = new Map<string, Place>();
  const add = (address: string, sort: Sort): void => {
    const possible = at(sort).map((injectedFault): InjectedFault =>
      injectedFault.do === 'slow' ? { ...injectedFault, untilMs: quietMs } : injectedFault,
    );
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
 * The scenario with random choices, its claims asked when it has come to rest; what it expects in the middle is left out, for any delay
 * shifts it. Shrinks to fewer choices, at earlier points. Throws an Error that says why, where a scenario breaks by itself or has choices.
 */
export function chosenScenarios(scenario: Scenario, options: ChoiceOptions = {}): fc.Arbitrary<Scenario> {
  const { faults: _, maxLength = 4, ...making } = options;
  const looked = baseline(scenario, making);
  if ('unfit' in looked) throw new Error([`${scenario.name}: ${looked.unfit}`, ...looked.messages].join('\n'));
  const { quiescence } = looked;
  const places = placesIn(quiescence.scenario, quiescence.quietMs, options);
  if (places.length === 0) return fc.constant(quiescence.scenario);
  const choice = fc.tuple(fc.nat(places.length - 1), fc.nat(1_000)).map(([place, nth]): PointChoice => {
    const { at, faults } = places[place] as Place;
    return { at, injectedFault: faults[nth % faults.length] as InjectedFault };
  });
  return fc.uniqueArray(choice, { maxLength, selector: ({ at }) => at }).map((choices) => ({ ...quiescence.scenario, choices }));
}
