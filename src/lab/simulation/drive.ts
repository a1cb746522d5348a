/** Advances virtual time as steps require: up to an instant, until a condition holds, until the cluster is settled, or to the end. */
import { LimitTripped } from '../../engine/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { describePending } from '../../controlplane/runtime/index.ts';
import { compileExpression, MOST_TIME_MS, type Expectation, type Scenario, type Step } from '../scenario/index.ts';
import { evaluate, kindsOf, type Answer } from './expectations.ts';
import { expressionFacts, schemasOf } from './facts.ts';
import type { Monitor } from './monitor.ts';
import { watchActivity } from './still-active.ts';
import type { Trouble } from './run.ts';

export const DEFAULT_LIMITS = { steps: 50_000_000, timeMs: MOST_TIME_MS };
/** The limit of events in a run without `until`; `limits` overrides it. */
export const OPEN_STEPS = 20_000_000;
/** The timeout of a waitFor without `within` in a run without `until`. */
const DEFAULT_WAIT_MS = 3_600_000;
/** The number of events without a write that counts as no progress. */
const IDLE_STEPS = 1_000_000;

export interface Driver {
  readonly cluster: Cluster;
  readonly watch: Monitor;
  /** The end of the scenario, where it has `until`. */
  readonly endAt: number | undefined;
  /** The limit of a run without an end. */
  readonly limitAt: number;
  /** Whether the scenario sets that limit. */
  readonly patient: boolean;
  /** Whether to pause now; called between two events. */
  readonly pauses: () => boolean;
}

/** Virtual time that passes: the generator yields at each pause, and continues from there. */
export type Passing<T> = Generator<undefined, T, undefined>;

export function driverOf(cluster: Cluster, { untilMs, limits }: Scenario, watch: Monitor, pauses: () => boolean): Driver {
  const endAt = untilMs === undefined ? undefined : cluster.startAt + untilMs;
  return {
    cluster,
    watch,
    endAt,
    limitAt: endAt ?? cluster.startAt + (limits.timeMs ?? DEFAULT_LIMITS.timeMs),
    patient: endAt !== undefined || limits.timeMs !== undefined,
    pauses,
  };
}

/** Advances time until a step is due; trouble: its condition does not come true. */
export function* waitUntilDue(driver: Driver, { timing }: Step): Passing<Trouble | undefined> {
  const { cluster } = driver;
  switch (timing.when) {
    case 'next':
      return undefined;
    case 'at':
      yield* runUntil(driver, cluster.startAt + timing.atMs);
      return undefined;
    case 'after':
      yield* runUntil(driver, cluster.now + timing.afterMs);
      return undefined;
    case 'settled':
      return yield* settle(driver);
    case 'cel':
      return yield* waitUntilTrue(driver, timing.expression.cel);
    case 'revision':
      return yield* waitUntilWritten(driver, timing.revision);
  }
}

/** Returns the answer to an expectation when it holds, or at the timeout. */
export function* waitFor(driver: Driver, expectation: Expectation, withinMs: number | undefined): Passing<Answer> {
  const { cluster } = driver;
  const by = withinMs === undefined ? waitEnd(driver) : cluster.now + withinMs;
  const kinds = kindsOf(expectation);
  let changed = true;
  const off = cluster.store.onChange(({ kind }) => {
    if (kinds === undefined || kinds.has(kind)) changed = true;
  });
  const holds = (): boolean => {
    if (!changed) return false;
    changed = false;
    return evaluate(cluster, expectation).holds;
  };
  try {
    yield* stepUntil(driver, holds, by);
  } finally {
    off();
  }
  return evaluate(cluster, expectation);
}

/** Advances time to the end of the scenario, or until the cluster is settled; trouble: it does not settle. */
export function* runToEnd(driver: Driver): Passing<Trouble | undefined> {
  if (driver.endAt === undefined) return yield* settle(driver);
  yield* runUntil(driver, driver.endAt);
  return undefined;
}

function nextOf({ kernel, runtime }: Cluster): string {
  const next = kernel.pending().find((pending) => !pending.background);
  return next === undefined ? 'nothing' : describePending(next.event, next.part, runtime.resolver);
}

function* waitUntilTrue(driver: Driver, cel: string): Passing<Trouble | undefined> {
  const { cluster } = driver;
  const compiled = compileExpression(cel, { about: 'world', schemaOf: schemasOf(cluster) });
  if (!('expression' in compiled)) return { message: `the expression is wrong: ${compiled.error.message}`, detail: [] };
  const { expression } = compiled;
  const holds = (): boolean => {
    const answer = expression.evaluate(expressionFacts(cluster));
    return 'holds' in answer && answer.holds;
  };
  if (yield* stepUntil(driver, holds, waitEnd(driver))) return undefined;
  const why = expression.explain(expressionFacts(cluster)).map((line) => `    ${line}`);
  return { message: 'its condition never became true', detail: [`  ${cel}`, ...why] };
}

/** Stops right after a write, before its effects. */
function* waitUntilWritten(driver: Driver, revision: number): Passing<Trouble | undefined> {
  const { store } = driver.cluster;
  if (yield* stepUntil(driver, () => store.revision >= revision, waitEnd(driver))) return undefined;
  return { message: `revision ${revision} was never reached`, detail: [`  the last one is ${store.revision}`] };
}

export const waitEnd = ({ endAt, cluster }: Driver): number => endAt ?? cluster.now + DEFAULT_WAIT_MS;

function step({ cluster, watch }: Driver, until: number): boolean {
  if (!cluster.step(until)) return false;
  watch.onStep();
  checkCapacity(cluster);
  return true;
}

/** A creation that exceeds the capacity ends the run, because the later events would not be those of the scenario. */
function checkCapacity({ server: { capacity } }: Cluster): void {
  if (capacity.refused === 0) return;
  throw new LimitTripped('objects', `${capacity.why ?? 'it is full'} (spec.limits.objects allows more; a pod takes about 20 KB of memory)`);
}

function* runUntil(driver: Driver, at: number): Passing<void> {
  while (step(driver, at)) if (driver.pauses()) yield;
  driver.cluster.runUntil(at);
  driver.watch.onStep();
}

/** Advances time until only heartbeats are pending; trouble: that does not happen, or not before the limit. */
function* settle(driver: Driver): Passing<Trouble | undefined> {
  const { cluster, limitAt } = driver;
  let [written, idle] = [cluster.store.revision, 0];
  const activity = watchActivity(cluster, { until: driver.endAt !== undefined, patient: driver.patient });
  try {
    for (let stillActive = activity.check(); !cluster.kernel.settled; stillActive = activity.check()) {
      if (stillActive !== undefined) return { ...stillActive, endless: true };
      if (!step(driver, limitAt)) return unsettled(cluster);
      if (driver.pauses()) yield;
      if (cluster.store.revision !== written) [written, idle] = [cluster.store.revision, 0];
      else if (++idle > IDLE_STEPS)
        throw new LimitTripped('steps', `no progress: ${IDLE_STEPS} events without a write; next: ${nextOf(cluster)}`);
    }
  } finally {
    activity.end();
  }
  return undefined;
}

const unsettled = (cluster: Cluster): Trouble => ({
  message: 'it did not settle within its time limit',
  detail: [
    `  next: ${nextOf(cluster)}`,
    '  activity without an end needs one: spec.until, or a last step that stops it (spec.limits.time allows more time)',
  ],
  endless: true,
});

/** Advances time until a condition holds, which is evaluated after writes only. Returns whether it holds, at the latest at `by`. */
export function* stepUntil(driver: Driver, holds: () => boolean, by: number): Passing<boolean> {
  const { cluster } = driver;
  if (holds()) return true;
  let seen = cluster.store.revision;
  while (step(driver, by)) {
    if (driver.pauses()) yield;
    if (cluster.store.revision === seen) continue;
    seen = cluster.store.revision;
    if (holds()) return true;
  }
  cluster.runUntil(by);
  return holds();
}
