/** The cost of the whole system relative to a loop written for one case. */
import type { Benchmark } from './benchmark.ts';
import { perPod, timeJobs, warmUp } from './jobs.ts';
import { literalLoop } from './literal-loop.ts';
import { cpu, inTurns } from './measure.ts';

const PARALLELISM = 1_000;
const NODES = 20;

/**
 * The objects of a round and its result. They stay reachable, because otherwise a collection between rounds makes the engine discard its
 * optimized code.
 */
interface Round {
  readonly work: Readonly<Record<string, number>>;
  readonly left: unknown;
}

export const againstLiteral: Benchmark = {
  name: 'against-literal',
  asks: 'the whole system against a control loop written by hand for this one case',
  run(scale) {
    warmUp();
    literalLoop(5_000, PARALLELISM, NODES);
    // Below the 12,500 finished pods at which the pod garbage collector starts, which the loop does not have.
    const pods = scale.size(10_000);
    const [whole, literal] = inTurns<Round>(scale.rounds, [
      () => {
        const { ms, value } = timeJobs({ jobs: 1, pods, parallelism: PARALLELISM, nodes: NODES });
        return { ms, value: { work: perPod(value), left: value.cluster } };
      },
      () => {
        const { ms, value } = cpu(() => literalLoop(pods, PARALLELISM, NODES));
        if (value.succeeded !== pods) throw new Error(`the literal loop counted ${value.succeeded} of ${pods} pods`);
        return { ms, value: { work: { commits: value.commits / pods, deliveries: value.deliveries / pods }, left: value.pods } };
      },
    ]);
    const row = (label: string, { ms, value } = { ms: 0, value: { work: {}, left: undefined } as Round }) => ({
      label,
      ms,
      units: pods,
      unit: 'pod',
      work: value.work,
    });
    return {
      rows: [row('whole system', whole), row('by hand', literal)],
      score: { value: (whole?.ms ?? 0) / (literal?.ms ?? 1), limit: 5, is: 'most', unit: 'x' },
    };
  },
};
