/** How a random scenario is put together: a beginning, random steps, and an end without faults. */
import fc from 'fast-check';
import type { ClusterSpec, LatencyRange, Scenario, Step } from '../scenario/index.ts';
import { delayed, waits as shortWaits } from './steps.ts';

const START_AT = Date.UTC(2024, 2, 1);

type Latency = ClusterSpec['latency'];
const rangeUpTo = (most: readonly number[]): fc.Arbitrary<LatencyRange> =>
  fc.tuple(fc.constantFrom(...most), fc.boolean()).map(([maxMs, jitters]) => ({ minMs: jitters ? 0 : maxMs, maxMs }));
const exactly = (values: readonly number[]): fc.Arbitrary<LatencyRange> =>
  fc.constantFrom(...values).map((ms) => ({ minMs: ms, maxMs: ms }));
export const latencies: fc.Arbitrary<Latency> = fc.record({ api: rangeUpTo([0, 5, 40]), watch: rangeUpTo([0, 1, 50]) });
/** Without jitter, and sometimes with watch events that arrive long after the answer. */
export const steadyLatencies: fc.Arbitrary<Latency> = fc.record({ api: exactly([0, 5]), watch: exactly([0, 2, 200]) });

const CAPACITY = { cpu: '8', memory: '16Gi', pods: '110' };
/** The members of a scenario that its generator gives; the others have defaults. */
export type Given = {
  readonly steps: readonly Step[];
  readonly cluster?: Partial<ClusterSpec>;
} & Partial<Omit<Scenario, 'cluster' | 'steps'>>;

/** Returns a scenario with defaults for all members that are not given. */
export const found = (nodes: readonly string[], latency: Latency, seed: number, { cluster = {}, ...rest }: Given): Scenario => ({
  name: 'found',
  title: 'Found by a property',
  seed,
  startAt: START_AT,
  limits: { steps: 1_000_000, timeMs: 86_400_000 },
  domain: 'orch.io',
  featureGates: {},
  cluster: {
    nodes: nodes.map((name) => ({ name, capacity: CAPACITY })),
    scheduler: [],
    latency,
    podBehaviors: [{ startDelayMs: 200, terminationDelayMs: 100 }],
    storageDrivers: [],
    ...cluster,
  },
  namespaces: [],
  manifests: [],
  ...rest,
});
export const seeds: fc.Arbitrary<number> = fc.integer({ min: 1, max: 1_000_000 });

/** How long generated scenarios are. */
export interface ScenarioSize {
  /** The maximum number of operations and faults; default 6 to 10, by the generator. */
  readonly maxSteps?: number;
}

/** A generator of scenarios: what is drawn once (`setup`), what is drawn for each step, and what the scenario is made of them. */
export interface Generator<S> {
  readonly nodes: readonly string[];
  readonly setup: fc.Arbitrary<S>;
  /** Operations and faults; each follows the one before it after one of the waits. */
  readonly steps: fc.Arbitrary<Step | readonly Step[]>;
  readonly maxSteps: number;
  /** Default: short delays. */
  readonly waits?: fc.Arbitrary<number>;
  readonly latencies?: fc.Arbitrary<Latency>;
  /** The scenario with the random steps in its middle. */
  make(setup: S, steps: readonly Step[]): Given;
}

export const scenariosOf = <S>(generator: Generator<S>): fc.Arbitrary<Scenario> =>
  fc
    .record({
      setup: generator.setup,
      steps: fc.array(fc.tuple(generator.waits ?? shortWaits, generator.steps), { maxLength: generator.maxSteps, size: 'max' }),
      latency: generator.latencies ?? latencies,
      seed: seeds,
    })
    .map(({ setup, steps, latency, seed }) => {
      const drawn = steps.flatMap(([ms, step]) => {
        const [head, ...others] = [step].flat() as readonly Step[];
        return head === undefined ? [] : [delayed(ms, head), ...others];
      });
      return found(generator.nodes, latency, seed, generator.make(setup, drawn));
    });
