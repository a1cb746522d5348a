/** One run of a search: a scenario with choices, what it broke, what it reached. */
import type { Chooser } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { quietAtOf } from './healing.ts';
import { listen, type Cause } from './cause.ts';
import { watchLiveness } from './liveness.ts';

/** How runs are made: definitions of one's own, planted bugs. */
export type Making = Pick<SimulateOptions, 'with' | 'invariants' | 'controllers' | 'alter'>;

export interface Attempt {
  readonly run: Run;
  readonly taken: readonly PointChoice[];
  /** What did not hold, the first first. */
  readonly broken: readonly Cause[];
  readonly reached: ReadonlySet<string>;
  /** A step of the story could not be taken. */
  readonly stuck: boolean;
}

/** What came of one run, plain data. */
export interface Outcome {
  readonly number: number;
  readonly taken: readonly PointChoice[];
  readonly broken: readonly Cause[];
  readonly reached: readonly string[];
  readonly exercised: readonly string[];
  readonly stuck: boolean;
}

/** Runs a scenario with a chooser, or with its own choices. */
export function attempt(scenario: Scenario, making: Making, chooser?: Chooser): Attempt {
  const heard = listen();
  const there: { cluster?: Cluster } = {};
  const liveness = watchLiveness(() => there.cluster, quietAtOf(scenario));
  const run = simulate(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser: chooser ?? NO_CHOICES,
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      heard.hear(entry);
      liveness.hear(entry);
    },
    onFailure: heard.failed,
  });
  return {
    run,
    taken: run.taken,
    broken: liveness.among(heard.broken),
    reached: heard.whys,
    stuck: run.failures.some(({ kind }) => kind === 'step'),
  };
}

const NO_CHOICES: Chooser = { choose: () => undefined, slow: new Map() };
