/**
 * Reproduction of a cause in a run. The run stops at the result: after the violation of an invariant, the rest of the scenario and the
 * healing phase add nothing.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { type Chooser, listening, NO_CHOICES } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import type { Entry } from '../trace/index.ts';
import { quietAtOf } from './healing.ts';
import { type Cause, collectCauses, isInvariant, isKnownLast, isLiveness, watchLiveness, type Making } from './cause.ts';
import { judged, judgementOf } from './judgement.ts';
import { type Run, simulate, type SimulateOptions, stage, type Staged } from '../simulation/index.ts';

export interface Attempt {
  readonly run: Run;
  readonly taken: readonly PointChoice[];
  /** Those that count first. */
  readonly broken: readonly Cause[];
  readonly reached: ReadonlySet<string>;
  readonly stuck: boolean;
}

export interface Outcome {
  readonly number: number;
  readonly taken: readonly PointChoice[];
  readonly broken: readonly Cause[];
  readonly reached: readonly string[];
  readonly exercised: readonly string[];
  readonly stuck: boolean;
}

/** Runs a scenario with a strategy, or without choices. */
export function attempt(scenario: Scenario, making: Making, chooser = NO_CHOICES, observe?: (entry: Entry) => void): Attempt {
  const judgement = judgementOf(scenario, making);
  const collected = collectCauses(judgement.mine);
  const created: { cluster?: Cluster } = {};
  const liveness = watchLiveness(() => created.cluster, quietAtOf(scenario, making));
  const run = simulate(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser,
    onCluster: (cluster) => (created.cluster = cluster),
    onEntry(entry) {
      collected.observe(entry);
      liveness.observe(entry);
      observe?.(entry);
    },
    onFailure: collected.failed,
  });
  return {
    run,
    taken: run.taken,
    broken: judged(liveness.among(collected.broken), judgement),
    reached: collected.whys,
    stuck: run.failures.some(({ kind }) => kind === 'step'),
  };
}

export interface Break {
  readonly cause: Cause;
  /** The instant at which an invariant broke, milliseconds since the epoch; absent: another claim broke. */
  readonly at?: number;
}

/** The cause to reproduce. */
export interface Question {
  readonly claim: string;
  /** A later violation does not count, milliseconds since the epoch. Default: the whole run counts. */
  readonly by?: number;
}

/** What a run shows of a question. */
export interface Observed extends Required<Pick<SimulateOptions, 'onEntry' | 'onFailure'>> {
  /** Nothing that comes later counts. */
  isEnough: boolean;
  /** Whether the assertion has broken, where that is certain before the end. */
  isDone(): boolean;
  /** How it broke; undefined: it has not. `now`: the instant, unless the run has ended. */
  found(now?: number): Break | undefined;
}

/** Observes a run for a question. */
export function observeQuestion(
  scenario: Scenario,
  making: Making,
  { claim, by = Infinity }: Question,
  clusterOf: () => Cluster | undefined,
): Observed {
  const judgement = judgementOf(scenario, making);
  const collected = collectCauses(judgement.mine);
  const liveness = isLiveness({ claim }) ? watchLiveness(clusterOf, quietAtOf(scenario, making)) : undefined;
  const causeOf = (): Cause | undefined => judged(liveness?.among([]) ?? collected.broken, judgement).find((each) => each.claim === claim);
  const observed: Observed = {
    isEnough: false,
    isDone: () => !isKnownLast({ claim }) && causeOf() !== undefined,
    found(now) {
      const cause = causeOf();
      if (cause === undefined) return undefined;
      return now !== undefined && isInvariant(cause) ? { cause, at: now } : { cause };
    },
    onEntry(entry) {
      collected.observe(entry);
      liveness?.observe(entry);
      if (entry.at > by || (liveness !== undefined && observed.isDone())) observed.isEnough = true;
    },
    onFailure(failure, isByWrite) {
      collected.failed(failure, isByWrite);
      if (observed.isDone()) observed.isEnough = true;
    },
  };
  return observed;
}

/** Runs a scenario until the assertion breaks; undefined: it holds. */
export function reproduction(scenario: Scenario, making: Making, chooser: Chooser, question: Question): Break | undefined {
  const created: { cluster?: Cluster; staged?: Staged } = {};
  const observed = observeQuestion(scenario, making, question, () => created.cluster);
  const pauseIfEnough = (): void => {
    if (observed.isEnough) created.staged?.pauseAt(0);
  };
  const staged = (created.staged = stage(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser,
    onCluster: (cluster) => (created.cluster = cluster),
    onEntry(entry) {
      observed.onEntry(entry);
      pauseIfEnough();
    },
    onFailure(failure, isByWrite) {
      observed.onFailure(failure, isByWrite);
      pauseIfEnough();
    },
  }));
  for (;;) {
    const { done, value } = staged.passing.next();
    if (observed.isDone()) return observed.found(staged.cluster.now);
    if (observed.isEnough) return undefined;
    if (done !== true) continue;
    staged.end(value);
    return observed.found();
  }
}

/** Returns the addresses of the points that a run reaches until the end of fault injection, in order, each once. */
export function pointsOf(scenario: Scenario, making: Making, chooser: Chooser): readonly string[] {
  const found = new Set<string>();
  const quietAt = quietAtOf(scenario, making);
  const created: { staged?: Staged } = {};
  const staged = (created.staged = stage(scenario, {
    ...making,
    digest: false,
    tries: false,
    chooser: listening(({ address }, now) => void (now < quietAt && found.add(address)), chooser),
    onEntry({ at }) {
      if (at >= quietAt) created.staged?.pauseAt(0);
    },
  }));
  staged.passing.next();
  return [...found];
}
