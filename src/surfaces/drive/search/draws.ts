/** Faults on the clients of a scenario, as a search draws them: each before a step, with the values that make it weaker. */
import { createRandom } from '../../../engine/random.ts';
import type { FaultCall, Scenario } from '../../../lab/scenario/index.ts';

/** A fault, and the number of the step before which it is injected. */
export interface PlacedFault {
  readonly before: number;
  readonly fault: FaultCall;
}

const MOST_FAULTS = 3;
/** Writes of a client at which it may fail. */
const WRITES = [1, 2, 3, 4, 6, 8];
const AWAY = [1, 1_000, 5_000];
const LAGS = [100, 1_000, 3_000, 10_000, 30_000];
const SPANS = [1_000, 5_000, 20_000];

type Parameters = FaultCall['parameters'];
/** The sorts of faults by name, each with its parameters from the strongest to the weakest; several rows may have one name. */
const SORTS: readonly { readonly name: string; readonly drawn: readonly Parameters[] }[] = [
  { name: 'crash', drawn: WRITES.flatMap((n) => AWAY.map((restartAfter) => ({ beforeWrite: n, restartAfter }))) },
  { name: 'crash', drawn: WRITES.flatMap((n) => AWAY.map((restartAfter) => ({ afterWrites: n, restartAfter }))) },
  { name: 'failRequest', drawn: WRITES.flatMap((nth) => ['create', 'update', 'patch'].map((verb) => ({ verb, nth, loseResponse: true }))) },
  { name: 'failRequest', drawn: WRITES.flatMap((nth) => ['create', 'update', 'patch'].map((verb) => ({ verb, nth, code: 409 }))) },
  { name: 'failRequest', drawn: WRITES.map((nth) => ({ nth, code: 500 })) },
  { name: 'lag', drawn: LAGS.map((by) => ({ by })) },
  { name: 'relist', drawn: [...SPANS.map((staleBy) => ({ staleBy })), {}] },
  { name: 'closeWatches', drawn: [{ code: 410 }, {}] },
  { name: 'partition', drawn: SPANS.map((ms) => ({ for: ms })) },
  { name: 'pause', drawn: SPANS.map((ms) => ({ for: ms })) },
  // A real server answers a list without a resourceVersion from etcd, so a finding does not rest on an old one.
  { name: 'freeze', drawn: SPANS.map((ms) => ({ for: ms, onlyCached: true })) },
];

/** The names of all faults that a search draws. */
export const DRAWN: readonly string[] = [...new Set(SORTS.map(({ name }) => name))];

/** Returns the faults of a run: one to three, by its number. `kinds`: what the clients watch; a lag may be of one kind alone. */
export function drawFaults(
  seed: number,
  run: number,
  clients: readonly string[],
  steps: number,
  kinds: readonly string[],
  names: readonly string[] = DRAWN,
): readonly PlacedFault[] {
  const random = createRandom(`${seed}/${run}`).stream('programs');
  const sorts = SORTS.filter(({ name }) => names.includes(name));
  const faults = Array.from({ length: random.between(1, MOST_FAULTS) }, (): PlacedFault | undefined => {
    const sort = random.pick(sorts);
    const parameters = sort === undefined ? undefined : random.pick(sort.drawn);
    const subject = random.pick(clients);
    const before = random.between(0, Math.max(0, steps - 1));
    const kind = random.pick(kinds);
    if (sort === undefined || parameters === undefined || subject === undefined) return undefined;
    const isOfOne = sort.name === 'lag' && kind !== undefined && random.below(2) === 0;
    return { before, fault: { name: sort.name, subject, parameters: isOfOne ? { ...parameters, kinds: [kind] } : parameters } };
  });
  return faults.filter((each) => each !== undefined).sort((a, b) => a.before - b.before);
}

/** The weaker forms of faults: without one of them, and each with the shorter of its times, the shortest first. */
export function weaker(faults: readonly PlacedFault[]): readonly (readonly PlacedFault[])[] {
  const without = faults.length < 2 ? [] : faults.map((_, at) => faults.filter((__, other) => other !== at));
  const shorter = faults.flatMap((placed, at) => shorterOf(placed).map((each) => faults.map((other, nth) => (nth === at ? each : other))));
  return [...without, ...shorter];
}

const TIMES: Readonly<Record<string, readonly number[]>> = { by: LAGS, restartAfter: AWAY, staleBy: SPANS, for: SPANS };

function shorterOf({ before, fault }: PlacedFault): readonly PlacedFault[] {
  return Object.entries(TIMES).flatMap(([name, all]) => {
    const value = fault.parameters[name];
    if (typeof value !== 'number') return [];
    return all.filter((ms) => ms < value).map((ms) => ({ before, fault: { ...fault, parameters: { ...fault.parameters, [name]: ms } } }));
  });
}

/** The scenario with faults among its steps. */
export function withFaults(scenario: Scenario, faults: readonly PlacedFault[]): Scenario {
  const steps = scenario.steps.flatMap((step, at) => [...placedAt(faults, at), step]);
  return { ...scenario, steps: [...steps, ...faults.filter(({ before }) => before >= scenario.steps.length).map(asStep)] };
}

const placedAt = (faults: readonly PlacedFault[], at: number) => faults.filter(({ before }) => before === at).map(asStep);
const asStep = ({ fault }: PlacedFault): Scenario['steps'][number] => ({ timing: { when: 'next' }, verb: 'fault', fault });
