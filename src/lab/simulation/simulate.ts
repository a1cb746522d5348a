/** Runs a scenario: brings a cluster up, takes the steps one by one while virtual time passes, watches invariants, and answers with what it found. */
import { LimitTripped, type Pending } from '../../engine/index.ts';
import { createCluster, type Cluster, type ClusterOptions } from '../../controlplane/cluster.ts';
import { describePending, type ClusterEvent, type Observation } from '../../controlplane/runtime/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { invariants as registry, type Invariant } from '../invariants/index.ts';
import {
  compileExpression,
  formatTarget,
  selectInvariants,
  type Action,
  type Position,
  type Scenario,
  type Step,
} from '../scenario/index.ts';
import { recordTrace, type Entry } from '../trace/index.ts';
import { performFault, performRefused, performWrite, type Trouble } from './actions.ts';
import { evaluate, kindsOf, nameOf } from './expectations.ts';
import { expressionFacts, invariantFacts } from './facts.ts';
import { monitor, type Chosen, type Monitor } from './monitor.ts';
import { processOptions } from './processes.ts';
import type { Beat, Run, RunFailure, Verdict } from './run.ts';

export interface SimulateOptions {
  /** Instead of the scenario's own. */
  readonly seed?: number;
  /** Keeps every entry for walking, asking why, pages. Costs memory in proportion to the run. */
  readonly trace?: boolean;
  /** Called for each entry at or after the start. */
  readonly onEntry?: (entry: Entry) => void;
  /** Called for each object change at or after the start. */
  readonly onObjectChange?: (change: Change) => void;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** Instead of the registered ones. */
  readonly invariants?: readonly Invariant[];
  /** Instead of the registered ones: for planting bugs. */
  readonly controllers?: NonNullable<ClusterOptions['controllers']>;
  /** Changes a process before it starts: for planting bugs outside the controller manager. */
  readonly alter?: NonNullable<ClusterOptions['alter']>;
}

const DEFAULT_LIMITS = { steps: 50_000_000, timeMs: 400 * 86_400_000 };
/** How long a waitFor without `within` waits in a run without `until`. */
const DEFAULT_WAIT_MS = 3_600_000;

const describe = (action: Action): string => {
  switch (action.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return `${action.verb} ${action.objects.map(({ object }) => `${object.kind ?? '?'}/${String(object.metadata?.['name'] ?? object.metadata?.['generateName'] ?? '?')}`).join(', ')}`;
    case 'patch':
    case 'delete':
    case 'evict':
      return `${action.verb} ${formatTarget(action.target)}`;
    case 'expectError':
      return `${describe(action.action)}, which must fail`;
    case 'waitFor':
      return 'wait';
    case 'fault':
      return `fault ${action.fault.name}${typeof action.fault.subject === 'string' ? ` ${action.fault.subject}` : ''}`;
    case 'expect':
      return 'expect';
    case 'note':
      return 'note';
    default: {
      const never: never = action;
      return never;
    }
  }
};

/** Runs a scenario to its end. Never throws for what a scenario does; a broken assumption inside the simulator does throw. */
export function simulate(scenario: Scenario, options: SimulateOptions = {}): Run {
  const seed = options.seed ?? scenario.seed;
  const recorder = recordTrace(scenario.startAt);
  const failures: RunFailure[] = [];
  const beats: Beat[] = [];
  /** Set once the cluster it watches is up: warming up is not watched. */
  const monitored: { by?: Monitor } = {};
  let entries = 0;
  let lastId = 0;

  const onEntry = (entry: Entry): void => {
    if (entry.at >= scenario.startAt) {
      entries++;
      options.onEntry?.(entry);
    }
    if (options.trace === true) recorder.add(entry);
  };
  const onObservation = (observation: Observation): void => {
    lastId = observation.id;
    onEntry(observation);
    if (observation.type !== 'write') return;
    if (observation.at >= scenario.startAt) options.onObjectChange?.(observation.change);
    monitored.by?.onChange(observation.change, observation.controller, observation.actor);
  };

  const cluster = createCluster({
    seed,
    startAt: scenario.startAt,
    domain: scenario.domain,
    featureGates: scenario.featureGates,
    limits: { ...DEFAULT_LIMITS, ...(scenario.untilMs === undefined ? { steps: OPEN_STEPS } : {}), ...scenario.limits },
    latency: { api: delay(scenario.cluster.latency.api), watch: delay(scenario.cluster.latency.watch) },
    nodes: scenario.cluster.nodes,
    namespaces: scenario.namespaces,
    ...processOptions(scenario.cluster),
    onObservation,
    ...(options.choose === undefined ? {} : { choose: options.choose }),
    ...(options.controllers === undefined ? {} : { controllers: options.controllers }),
    ...(options.alter === undefined ? {} : { alter: options.alter }),
  });

  const fail = (kind: RunFailure['kind'], trouble: Trouble, source: Position | undefined, invariant?: string): void => {
    failures.push({
      kind,
      message: trouble.message,
      detail: trouble.detail,
      sinceStartMs: cluster.now - cluster.startAt,
      traceStep: entries,
      ...(source === undefined ? {} : { source }),
      ...(trouble.about === undefined ? {} : { about: trouble.about }),
      ...(invariant === undefined ? {} : { invariant }),
    });
    onEntry({
      id: lastId,
      at: cluster.now,
      causes: invariant === undefined ? [] : [lastId],
      type: 'check',
      name: invariant ?? kind,
      held: false,
      detail: trouble.message,
    });
  };

  const chosen = selectFrom(options.invariants ?? registry, scenario.invariants);
  const watch = (monitored.by = monitor(cluster, invariantFacts(cluster), chosen, (invariant, { message, object }) =>
    fail('invariant', { message, detail: [], ...(object === undefined ? {} : { about: nameOf(object) }) }, undefined, invariant.name),
  ));

  const driver = drive(cluster, scenario, watch);
  let settled = false;
  try {
    prepare(cluster, scenario, fail);
    if (failures.length === 0) takeSteps();
    driver.toEnd();
    settled = cluster.kernel.settled;
    if (!settled && scenario.untilMs === undefined)
      fail(
        'limit',
        {
          message: 'it did not settle within its time limit',
          detail: [
            `  next: ${nextOf(cluster)}`,
            '  what repeats for ever needs an end: spec.until, or a last step that stops it (spec.limits.time allows more time)',
          ],
        },
        scenario.source,
      );
  } catch (error) {
    if (!(error instanceof LimitTripped)) throw error;
    fail('limit', { message: error.culprit, detail: [] }, scenario.source);
  }
  watch.end(settled);

  function takeSteps(): void {
    for (const step of scenario.steps) {
      const late = driver.waitUntilDue(step);
      if (late !== undefined) {
        fail('step', late, step.source);
        return;
      }
      if (step.note !== undefined) onEntry({ id: lastId, at: cluster.now, causes: [], type: 'note', text: step.note });
      if (step.note !== undefined)
        beats.push({
          text: step.note,
          traceStep: entries,
          sinceStartMs: cluster.now - cluster.startAt,
          ...(step.source === undefined ? {} : { source: step.source }),
        });
      if (!perform(step)) return;
    }
  }

  /** False when the steps after this one make no sense any more. */
  function perform(step: Step): boolean {
    if (step.verb === 'note') return true;
    if (step.verb === 'expect') {
      for (const expectation of step.expectations) {
        const answer = evaluate(cluster, expectation);
        if (answer.holds) continue;
        fail('expectation', answer, expectation.source ?? step.source);
      }
      return true;
    }
    if (step.verb === 'waitFor') {
      const answer = driver.waitFor(step.expectation, step.withinMs);
      if (!answer.holds) fail('expectation', answer, step.expectation.source ?? step.source);
      return answer.holds;
    }
    const operation = cluster.note({ type: 'operation', causes: [], label: describe(step) });
    const trouble =
      step.verb === 'fault'
        ? performFault(cluster, step.fault, [operation])
        : step.verb === 'expectError'
          ? performRefused(cluster, step.action, step.error, [operation])
          : performWrite(cluster, step, [operation]);
    if (trouble !== undefined) fail('step', trouble, step.source);
    return trouble === undefined;
  }

  const limited = failures.some(({ kind }) => kind === 'limit');
  const verdict: Verdict = limited ? 'unsettled' : failures.length > 0 ? 'broken' : 'held';
  return {
    scenario,
    seed,
    verdict,
    failures,
    beats,
    invariants: watch.results(),
    digest: cluster.digest(),
    counters: cluster.counters,
    steps: cluster.kernel.steps,
    lengthMs: cluster.now - cluster.startAt,
    settled,
    cluster,
    ...(options.trace === true ? { trace: recorder.trace } : {}),
  };
}

function nextOf(of: Cluster): string {
  const next = of.kernel.pending().find((pending) => !pending.background);
  return next === undefined ? 'nothing' : describePending(next.event, next.part, of.runtime.roster);
}

const delay = ({ minMs, maxMs }: { readonly minMs: number; readonly maxMs: number }) =>
  minMs === maxMs ? minMs : { min: minMs, max: maxMs };

/** Those that hold without being asked for, as patterns select them, and whatever is named in full. */
const selectFrom = (all: readonly Invariant[], patterns: readonly string[] | undefined): readonly Chosen[] => {
  const named = new Set(patterns);
  const names = new Set(
    selectInvariants(
      patterns,
      all.filter(({ name, onRequest }) => onRequest === undefined || named.has(name)).map(({ name }) => name),
    ),
  );
  return all.filter(({ name }) => names.has(name)).map((invariant) => ({ invariant, named: named.has(invariant.name) }));
};

/** Events of a run that names no end; one that needs more says so in `limits`. */
const OPEN_STEPS = 20_000_000;
/** So many events without a write are no progress. */
const IDLE_STEPS = 1_000_000;

/** Plain manifests, before the first step. */
function prepare(cluster: Cluster, scenario: Scenario, fail: (kind: 'step', trouble: Trouble, source: Position | undefined) => void): void {
  for (const manifest of scenario.manifests) {
    const trouble = performWrite(cluster, { verb: 'apply', objects: [manifest] }, []);
    if (trouble !== undefined) fail('step', trouble, manifest.source);
  }
}

interface Driver {
  /** Lets time pass until a step is due; trouble when its condition never comes. */
  waitUntilDue(step: Step): Trouble | undefined;
  waitFor(expectation: Parameters<typeof evaluate>[1], withinMs: number | undefined): ReturnType<typeof evaluate>;
  toEnd(): void;
}

function drive(cluster: Cluster, scenario: Scenario, watch: Monitor): Driver {
  const endAt = scenario.untilMs === undefined ? undefined : cluster.startAt + scenario.untilMs;
  const limitAt = endAt ?? cluster.startAt + (scenario.limits.timeMs ?? DEFAULT_LIMITS.timeMs);
  const step = (until: number): boolean => {
    if (!cluster.step(until)) return false;
    watch.onStep();
    return true;
  };
  const runUntil = (at: number): void => {
    while (step(at));
    cluster.runUntil(at);
    watch.onStep();
  };
  const settle = (): boolean => {
    let [written, idle] = [cluster.store.revision, 0];
    while (!cluster.kernel.settled) {
      if (!step(limitAt)) return false;
      if (cluster.store.revision !== written) [written, idle] = [cluster.store.revision, 0];
      else if (++idle > IDLE_STEPS)
        throw new LimitTripped('steps', `it goes round in circles: ${IDLE_STEPS} events without a write; next: ${nextOf(cluster)}`);
    }
    return true;
  };
  /** Steps until a condition holds; it is asked again only after a write. */
  const until = (holds: () => boolean, by: number): boolean => {
    if (holds()) return true;
    let seen = cluster.store.revision;
    while (step(by)) {
      if (cluster.store.revision === seen) continue;
      seen = cluster.store.revision;
      if (holds()) return true;
    }
    cluster.runUntil(by);
    return holds();
  };
  return {
    waitUntilDue({ timing }) {
      switch (timing.when) {
        case 'next':
          return undefined;
        case 'at':
          runUntil(cluster.startAt + timing.atMs);
          return undefined;
        case 'after':
          runUntil(cluster.now + timing.afterMs);
          return undefined;
        case 'settled':
          return settle() ? undefined : { message: 'it did not settle', detail: [] };
        case 'cel': {
          const compiled = compileExpression(timing.expression.cel);
          if (!('expression' in compiled)) return { message: `the expression is wrong: ${compiled.error.message}`, detail: [] };
          const { expression } = compiled;
          const holds = (): boolean => {
            const answer = expression.evaluate(expressionFacts(cluster));
            return 'holds' in answer && answer.holds;
          };
          return until(holds, endAt ?? cluster.now + DEFAULT_WAIT_MS)
            ? undefined
            : {
                message: 'its condition never came true',
                detail: [`  ${timing.expression.cel}`, ...expression.explain(expressionFacts(cluster)).map((line) => `    ${line}`)],
              };
        }
        default: {
          const never: never = timing;
          return never;
        }
      }
    },
    waitFor(expectation, withinMs) {
      const by = withinMs === undefined ? (endAt ?? cluster.now + DEFAULT_WAIT_MS) : cluster.now + withinMs;
      const kinds = kindsOf(expectation);
      let changed = true;
      const off = cluster.observations.subscribe((observation) => {
        if (observation.type === 'write' && (kinds === undefined || kinds.has(observation.change.kind))) changed = true;
      });
      try {
        until(() => {
          if (!changed) return false;
          changed = false;
          return evaluate(cluster, expectation).holds;
        }, by);
      } finally {
        off.unsubscribe();
      }
      return evaluate(cluster, expectation);
    },
    toEnd() {
      if (endAt !== undefined) runUntil(endAt);
      else settle();
    },
  };
}
