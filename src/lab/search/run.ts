/** One run of a search: a scenario with choices, the broken assertions, the reached reasons. */
import type { Chooser } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { quietAtOf } from './baseline.ts';
import { collectCauses, type Cause } from './cause.ts';
import { watchLiveness } from './liveness.ts';

/** The definitions of a run: a user's definitions, planted bugs. */
export type Making = Pick<SimulateOptions, 'with' | 'invariants' | 'controllers' | 'alter'>;

export interface Attempt {
  readonly run: Run;
  readonly taken: readonly PointChoice[];
  /** The broken assertions, in order. */
  readonly broken: readonly Cause[];
  readonly reached: ReadonlySet<string>;
  /** A step of the scenario failed. */
  readonly stuck: boolean;
}

/** The outcome of one run, as plain data. */
export interface Outcome {
  readonly number: number;
  readonly taken: readonly PointChoice[];
  readonly broken: readonly Cause[];
  readonly reached: readonly string[];
  readonly exercised: readonly string[];
  readonly stuck: boolean;
}

/** Runs a scenario with a strategy, or without choices. */
export function attempt(scenario: Scenario, making: Making, chooser?: Chooser): Attempt {
  const collected = collectCauses();
  const created: { cluster?: Cluster } = {};
  const liveness = watchLiveness(() => created.cluster, quietAtOf(scenario));
  const run = simulate(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser: chooser ?? NO_CHOICES,
    onCluster: (cluster) => (created.cluster = cluster),
    onEntry(entry) {
      collected.observe(entry);
      liveness.observe(entry);
    },
    onFailure: collected.failed,
  });
  return {
    run,
    taken: run.taken,
    broken: liveness.among(collected.broken),
    reached: collected.whys,
    stuck: run.failures.some(({ kind }) => kind === 'step'),
  };
}

const NO_CHOICES: Chooser = { choose: () => undefined, slow: new Map() };
