/**
 * Runs a scenario: brings a cluster up, takes the steps one by one while virtual time passes, watches invariants, and answers with what it
 * found.
 */
import { LimitTripped, type Pending } from '../../engine/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../controlplane/cluster.ts';
import type { ClusterEvent, Observation } from '../../controlplane/runtime/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { faultOnBench } from '../sandbox/index.ts';
import { checkedDefinitions, faultsWith, NO_DEFINITIONS, type Definitions } from '../definitions/index.ts';
import type { Invariant } from '../invariants/index.ts';
import type { Chooser } from '../choices/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { recordTrace, type Entry, type Trace } from '../trace/index.ts';
import { controllersOn, findings, noteThrown } from './bench.ts';
import { chosenOf } from './selected-invariants.ts';
import { loopingAt } from './looping.ts';
import { noteEntry, noteFailure, type Record } from './run-record.ts';
import { DEFAULT_LIMITS, driverOf, OPEN_STEPS, runToEnd, type Passing } from './drive.ts';
import { nameOf, watchGone } from './about.ts';
import { invariantFacts } from './facts.ts';
import { monitor, type Judge, type Monitor } from './monitor.ts';
import { otherwise } from './overrides.ts';
import { processOptions } from './processes.ts';
import type { Run, RunFailure, Verdict } from './run.ts';
import type { Play, SupportStatus } from './play.ts';
import { prepare, takeSteps } from './steps.ts';
import { noteRefusals, lintWarningsOnStarts } from './starts.ts';
import { triesOf, troublesOf } from './what-ifs.ts';

/** How a scenario is run: another seed, whether the trace is kept, definitions of one's own. */
export interface SimulateOptions {
  /** Instead of the scenario's own. */
  readonly seed?: number;
  /** Keeps every entry for walking, asking why, pages. Costs memory in proportion to the run. */
  readonly trace?: boolean;
  /** Called for each entry at or after the start. */
  readonly onEntry?: (entry: Entry) => void;
  /** Called for each failure, right after what it is about. */
  readonly onFailure?: (failure: RunFailure) => void;
  /** Called for each entry before the start. */
  readonly onPrologue?: (entry: Entry) => void;
  /** Called when a lease begins to be renewed unseen, or ends. */
  readonly onRenewalInterval?: NonNullable<ClusterOptions['onRenewalInterval']>;
  /** Called for each object change at or after the start. */
  readonly onObjectChange?: (change: Change) => void;
  /** The cluster, as soon as it is up: for looking inside while it runs. */
  readonly onCluster?: (cluster: Cluster) => void;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** Controllers, invariants, faults and kinds of one's own, beside the registered ones. */
  readonly with?: Definitions;
  /** Instead of the registered ones. */
  readonly invariants?: readonly Invariant[];
  /** Instead of the registered ones: for planting bugs. */
  readonly controllers?: NonNullable<ClusterOptions['controllers']>;
  /** Changes a process before it starts: for planting bugs outside the controller manager. */
  readonly alter?: NonNullable<ClusterOptions['alter']>;
  /** Every change goes to every controller that watches its kind, whatever it declares to be news. */
  readonly broadcast?: boolean;
  /** Asked at each point of the run what shall happen there, in place of the scenario's own choices. */
  readonly chooser?: Chooser;
  /** Every lease is renewed for real, also those that nobody watches. */
  readonly eagerLeases?: boolean;
  /** An invariant that the scenario names need not have been exercised; nor need it where somebody chooses. */
  readonly mayBeIdle?: boolean;
  /** false: the run has no fingerprint, which costs a part of its time. */
  readonly digest?: boolean;
  /** false: what the scenario offers to try is not run with it. */
  readonly tries?: boolean;
}

/** Runs a scenario to its end. Never throws for what a scenario does; a broken assumption inside the simulator does throw. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): Run {
  const run = played(stage(scenario, options));
  if (options.tries === false || run.failures.length > 0) return run;
  const { with: own, invariants, controllers, alter } = options;
  const rehearse = (tried: Scenario): Run =>
    played(
      stage(tried, {
        seed: run.seed,
        ...(own === undefined ? {} : { with: own }),
        ...(invariants === undefined ? {} : { invariants }),
        ...(controllers === undefined ? {} : { controllers }),
        ...(alter === undefined ? {} : { alter }),
      }),
    );
  const failures = triesOf(scenario).flatMap((each) => troublesOf(each, rehearse(each.scenario), run));
  return failures.length === 0 ? run : { ...run, failures, verdict: 'broken' };
}

function played(staged: Staged): Run {
  for (;;) {
    const { done, value } = staged.passing.next();
    if (done === true) return staged.end(value);
  }
}

/** A run that has been set up: its cluster is there, and time passes when its passing is gone on with. */
export interface Staged {
  readonly cluster: Cluster;
  /** Entries at or after the start so far. */
  entries(): number;
  /** Its passing yields between two events from the one on in which this entry happens. */
  pauseAt(entry: number): void;
  /** The invariants that it is held against. */
  readonly judges: readonly Judge[];
  /** Where the scenario stands. */
  readonly position: Readonly<SupportStatus>;
  /** Answers whether only heartbeats were left. */
  readonly passing: Passing<boolean>;
  /** The result, when its time has passed. */
  end(settled: boolean): Run;
}

export function stage(scenario: Scenario, options: SimulateOptions = {}): Staged {
  const seed = options.seed ?? scenario.seed;
  const own = checkedDefinitions(options.with ?? NO_DEFINITIONS);
  const recorder = options.trace === true ? recordTrace(scenario.startAt, options.onRenewalInterval) : undefined;
  const { onEntry, onFailure } = options;
  const record = recordOf(scenario, keeperOf(scenario, recorder?.add, options.onPrologue), onEntry, onFailure);
  /** Set once the cluster it watches is up: warming up is not watched. */
  const monitored: { by?: Monitor } = {};
  const bench = findings(own.locate);
  const cluster = createCluster(
    clusterOptions(
      scenario,
      seed,
      { ...options, controllers: controllersOn(bench.report, own, options.controllers) },
      (observation) => {
        record.lastId = observation.id;
        noteEntry(record, observation);
        if (observation.type !== 'write') return;
        record.gone.note(observation.change);
        if (observation.at >= scenario.startAt) options.onObjectChange?.(observation.change);
        monitored.by?.onChange(observation.change, observation.controller, observation.actor);
      },
      recorder?.addRenewalInterval ?? options.onRenewalInterval,
    ),
  );
  options.onCluster?.(cluster);
  const chosenBy = otherwise(cluster, scenario, options.chooser);
  const chosen = chosenOf(scenario, options.invariants, own, options.chooser === undefined && options.mayBeIdle !== true);
  const watch = (monitored.by = monitor(cluster, invariantFacts(cluster), chosen, ({ name, source }, { message, detail = [], object }) =>
    noteFailure(
      record,
      cluster,
      'invariant',
      { message, detail, ...(object === undefined ? {} : { about: nameOf(object) }) },
      { invariant: name, source },
    ),
  ));
  bench.attach(record, cluster);
  let pause = Infinity;
  const driver = driverOf(cluster, scenario, watch, () => record.entries >= pause);
  const position: SupportStatus = { items: 0, stage: 'due', since: cluster.now };
  return {
    cluster,
    position,
    judges: watch.judges,
    entries: () => record.entries,
    pauseAt: (entry) => (pause = entry),
    passing: play({
      cluster,
      scenario,
      driver,
      position,
      record,
      faults: faultsWith(own.faults === undefined ? own : { ...own, faults: own.faults.map(faultOnBench) }),
      ...(recorder === undefined ? {} : { trace: recorder.trace }),
      ...(own.locate === undefined ? {} : { locate: own.locate }),
    }),
    end(settled) {
      watch.end(settled);
      noteRefusals(record, cluster);
      const { taken, unused, lintWarnings } = chosenBy();
      record.lintWarnings.push(...lintWarningsOnStarts(scenario, cluster), ...lintWarnings);
      return { ...runOf({ cluster, scenario, seed, record, watch, settled, trace: recorder?.trace }), taken, unused };
    },
  };
}

interface Ended {
  readonly cluster: Cluster;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly record: Record;
  readonly watch: Monitor;
  readonly settled: boolean;
  readonly trace: Trace | undefined;
}

const runOf = ({ cluster, scenario, seed, record, watch, settled, trace }: Ended): Omit<Run, 'taken' | 'unused'> => ({
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

const recordOf = (scenario: Scenario, keep: Record['keep'], tell: Record['tell'], failed: Record['failed']): Record => ({
  startAt: scenario.startAt,
  failures: [],
  narrationSteps: [],
  gone: watchGone(scenario),
  lintWarnings: [],
  refusals: new Map(),
  refusalsExpected: new Set(),
  ...(keep === undefined ? {} : { keep }),
  ...(tell === undefined ? {} : { tell }),
  ...(failed === undefined ? {} : { failed }),
  entries: 0,
  lastId: 0,
});

/** Plays a scenario from its manifests to its end; whether only heartbeats were left. */
function* play(of: Play): Passing<boolean> {
  const { cluster, scenario, record, driver } = of;
  const { source } = scenario;
  try {
    const before = record.failures.length;
    prepare(of);
    if (record.failures.length === before) yield* takeSteps(of);
    if (record.failures.some(({ kind }) => kind === 'limit')) return false;
    const trouble = yield* runToEnd(driver);
    if (trouble !== undefined) noteFailure(record, cluster, 'limit', trouble, { source: loopingAt(of, trouble) ?? source });
  } catch (error) {
    if (error instanceof LimitTripped) {
      noteFailure(record, cluster, 'limit', { message: error.culprit, detail: [] }, { source: loopingAt(of, error) ?? source });
      return false;
    }
    noteThrown(of, error);
    return false;
  }
  return cluster.kernel.settled;
}

function verdictOf({ failures }: Record): Verdict {
  if (failures.some(({ kind }) => kind === 'limit')) return 'unsettled';
  return failures.length > 0 ? 'broken' : 'held';
}

/** Who keeps entries, those before the start too. */
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

function clusterOptions(
  scenario: Scenario,
  seed: number,
  { choose, with: own = NO_DEFINITIONS, controllers, alter, broadcast, digest, eagerLeases }: SimulateOptions,
  onObservation: (observation: Observation) => void,
  onRenewalInterval: ClusterOptions['onRenewalInterval'],
): ClusterOptions {
  const { cluster, limits } = scenario;
  return {
    seed,
    startAt: scenario.startAt,
    domain: scenario.domain,
    ...(scenario.rules === undefined ? {} : { rules: scenario.rules }),
    featureGates: scenario.featureGates,
    limits: { ...DEFAULT_LIMITS, ...(scenario.untilMs === undefined ? { steps: OPEN_STEPS } : {}), ...limits },
    ...(limits.objects === undefined ? {} : { maxObjects: limits.objects }),
    latency: { api: delay(cluster.latency.api), watch: delay(cluster.latency.watch) },
    nodes: cluster.nodes,
    namespaces: scenario.namespaces,
    ...processOptions(scenario),
    onObservation,
    ...(onRenewalInterval === undefined ? {} : { onRenewalInterval }),
    ...(choose === undefined ? {} : { choose }),
    ...(controllers === undefined ? {} : { controllers }),
    ...(own.kinds === undefined ? {} : { kinds: own.kinds }),
    ...(alter === undefined ? {} : { alter }),
    ...(broadcast === undefined ? {} : { broadcast }),
    ...(digest === undefined ? {} : { digest }),
    ...(eagerLeases === undefined ? {} : { eagerLeases }),
  };
}

const delay = ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) =>
  minMs === maxMs ? minMs : { min: minMs, max: maxMs };
