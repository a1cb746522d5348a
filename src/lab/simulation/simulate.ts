/** Runs a scenario: starts a cluster, takes the steps while virtual time passes, checks invariants, and returns the findings. */
import { noteNothing } from '../../engine/index.ts';
import { createCluster, type Cluster } from '../../controlplane/cluster.ts';
import type { Observation } from '../../controlplane/runtime/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { faultInSandbox } from '../sandbox/index.ts';
import { checkedDefinitions, faultsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import { processesOf, type Scenario } from '../scenario/index.ts';
import { recordTrace, type Entry } from '../trace/index.ts';
import { controllersOn, findings } from './sandbox-findings.ts';
import { collectFirstWrites } from './first-writes.ts';
import { chosenOf, applyOverrides } from './overrides.ts';
import { fullObserver, noteFailure, type Play, type Record, recordOf, quietObserver, type ScenarioPosition } from './run-record.ts';
import { clusterOptions } from './cluster-options.ts';
import { driverOf } from './drive.ts';
import { passingOf, type Passing } from './passing.ts';
import { addressOf as nameOf } from '../../controlplane/runtime/index.ts';
import { present } from '../../schema/values/index.ts';
import { invariantFacts } from './facts.ts';
import { monitor, type Judge, type Monitor } from './monitor.ts';
import { noteRefusals, lintWarningsOnStarts } from './processes.ts';
import type { Run, RunFailure, Verdict } from './run.ts';
import { triesOf, troublesOf } from './lesson.ts';
import type { SimulateOptions } from './simulate-options.ts';

export type { SimulateOptions } from './simulate-options.ts';

/**
 * Runs a scenario to its end. Failures of the scenario are part of the result.
 *
 * @throws when an assumption inside the simulator is broken.
 */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): Run {
  const run = played(stage(scenario, options), options.onLongRun);
  if (options.tries === false || run.failures.length > 0) return run;
  const failures = rehearse(run, options);
  return failures.length === 0 ? run : { ...run, failures, verdict: 'broken' };
}

/** Runs the suggestions of a lesson, for a run without them; returns where they do not do what the lesson says. */
export function rehearse(run: Run, options: Omit<SimulateOptions, 'seed' | 'tries'> = {}): readonly RunFailure[] {
  const { with: own, invariants, controllers, alter } = options;
  const making = present({ seed: run.seed, with: own, invariants, controllers, alter });
  const runTry = (tried: Scenario): Run => played(stage(tried, making));
  return triesOf(run.scenario).flatMap((each) => troublesOf(each, runTry(each.scenario), run));
}

/** Entries of a long run. */
const LONG_RUN = 100_000;

function played(staged: Staged, onLongRun?: () => void): Run {
  if (onLongRun !== undefined) staged.pauseAt(LONG_RUN);
  for (;;) {
    const { done, value } = staged.passing.next();
    if (done === true) return staged.end(value);
    staged.pauseAt(Infinity);
    onLongRun?.();
  }
}

/** A run that has been set up: its cluster exists, and virtual time passes while `passing` goes on. */
export interface Staged {
  readonly cluster: Cluster;
  /** The number of entries at or after the start so far. */
  entries(): number;
  /** `passing` yields between two events, from the event that makes this entry on. */
  pauseAt(entry: number): void;
  /** The invariants of the run. */
  readonly judges: readonly Judge[];
  readonly position: Readonly<ScenarioPosition>;
  /** Returns whether only heartbeats were pending at the end. */
  readonly passing: Passing<boolean>;
  /** Returns the result, when time has passed. */
  end(settled: boolean): Run;
}

/** Calls two observers, one after the other. */
const alsoTo =
  (first: (entry: Entry) => void, second: (observation: Observation) => void) =>
  (observation: Observation): void => {
    first(observation);
    second(observation);
  };

/**
 * Sets up a run: creates the cluster, and returns it before virtual time passes. `holds`: whether time must not pass to an instant yet,
 * because a program outside is at work; the run then pauses. It is first called when the manifests are applied, before the first step.
 */
export function stage(scenario: Scenario, options: SimulateOptions = {}, holds?: (to: number) => boolean): Staged {
  noteNothing();
  const seed = options.seed ?? scenario.seed;
  const own = checkedDefinitions(options.with ?? NO_DEFINITIONS);
  const recorder = options.trace === true ? recordTrace(scenario.startAt, options.onRenewalInterval) : undefined;
  const { onEntry } = options;
  const keep = keeperOf(scenario, recorder?.add, options.onPrologue);
  const record = recordOf(scenario, { keep, onEntry, failed: options.onFailure });
  /** The monitor is set when the cluster is up, because the warm-up is not checked. */
  const monitored: { by?: Monitor } = {};
  const sandboxFindings = findings(own.locate);
  const onChange = (change: Change, controller: string | undefined, actor: string): void => {
    record.gone.note(change);
    if (change.at >= scenario.startAt) options.onObjectChange?.(change);
    monitored.by?.onChange(change, controller, actor);
  };
  const onRenewalInterval = recorder?.addRenewalInterval ?? options.onRenewalInterval;
  // Entries are only counted where nobody reads them.
  const first = scenario.from === undefined ? undefined : collectFirstWrites(scenario.startAt, new Set(processesOf(scenario.cluster)));
  const isRead = record.keep !== undefined || onEntry !== undefined || first !== undefined;
  const observer = fullObserver(record, onChange);
  const cluster: Cluster = createCluster(
    {
      ...clusterOptions(
        scenario,
        seed,
        { ...options, controllers: controllersOn(sandboxFindings.report, own, options.controllers) },
        () => cluster,
      ),
      ...(onRenewalInterval === undefined ? {} : { onRenewalInterval }),
      ...(isRead ? { onObservation: first === undefined ? observer : alsoTo(first.observe, observer) } : {}),
    },
    isRead ? undefined : quietObserver(record, onChange),
  );
  options.onCluster?.(cluster);
  const overrides = applyOverrides(cluster, scenario, options.chooser);
  const chosen = chosenOf(scenario, options.invariants, own, options.chooser === undefined && options.mayBeIdle !== true);
  const watch = (monitored.by = monitorOf(cluster, chosen, record));
  sandboxFindings.attach(record, cluster);
  const pause = { from: Infinity };
  const driver = driverOf(cluster, scenario, watch, () => record.entries >= pause.from, holds);
  const play: Play = {
    cluster,
    scenario,
    driver,
    position: { items: 0, stage: 'due', since: cluster.now },
    record,
    faults: faultsWith(own.faults === undefined ? own : { ...own, faults: own.faults.map(faultInSandbox) }),
    ...present({ trace: recorder?.trace, locate: own.locate }),
  };
  return {
    cluster,
    position: play.position,
    judges: watch.judges,
    entries: () => record.entries,
    pauseAt: (entry) => (pause.from = entry),
    passing: passingOf(play),
    end(settled) {
      watch.end(settled);
      noteRefusals(record, cluster);
      const { taken, unused, lintWarnings } = overrides();
      record.lintWarnings.push(...lintWarningsOnStarts(play.scenario, cluster, holds !== undefined), ...lintWarnings);
      return { ...runOf(play, seed, watch, settled), ...(first === undefined ? {} : { firstWrites: first.writes }), taken, unused };
    },
  };
}

/** Checks invariants in a run; what breaks is a failure of it. */
const monitorOf = (cluster: Cluster, chosen: Parameters<typeof monitor>[2], record: Record): Monitor =>
  monitor(cluster, invariantFacts(cluster), chosen, ({ name, source }, { message, detail = [], object }, isByWrite) =>
    noteFailure(record, cluster, 'invariant', present({ message, detail, about: object === undefined ? undefined : nameOf(object) }), {
      invariant: name,
      source,
      isByWrite,
    }),
  );

const runOf = (
  { cluster, scenario, record, trace }: Play,
  seed: number,
  watch: Monitor,
  settled: boolean,
): Omit<Run, 'taken' | 'unused'> => ({
  scenario,
  seed,
  verdict: verdictOf(record),
  failures: record.failures,
  narrationSteps: record.narrationSteps,
  lintWarnings: record.lintWarnings,
  invariants: watch.results(),
  digest: cluster.digest(),
  counters: cluster.counters,
  steps: cluster.kernel.steps,
  lengthMs: cluster.now - cluster.startAt,
  settled,
  cluster,
  ...(trace === undefined ? {} : { trace: { ...trace, narrationSteps: record.narrationSteps } }),
});

function verdictOf({ failures }: Record): Verdict {
  if (failures.some(({ kind }) => kind === 'limit')) return 'unsettled';
  return failures.length > 0 ? 'broken' : 'held';
}

/** Returns the function that stores entries, including those before the start. */
function keeperOf(
  { startAt }: Scenario,
  add: ((entry: Entry) => void) | undefined,
  onPrologue: SimulateOptions['onPrologue'],
): ((entry: Entry) => void) | undefined {
  if (onPrologue === undefined) return add;
  return (entry) => {
    add?.(entry);
    if (entry.at < startAt) onPrologue(entry);
  };
}
