/** Lets virtual time pass, as steps ask for it: up to an instant, until a condition holds, to rest, to the end. */
import { LimitTripped } from '../../engine/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { describePending } from '../../controlplane/runtime/index.ts';
import { compileExpression, MOST_TIME_MS, type Expectation, type Scenario, type Step } from '../scenario/index.ts';
import { evaluate, kindsOf, type Answer } from './expectations.ts';
import { expressionFacts, schemasOf } from './facts.ts';
import type { Monitor } from './monitor.ts';
import { keepVigil } from './still-active.ts';
import type { Trouble } from './run.ts';

export const DEFAULT_LIMITS = { steps: 50_000_000, timeMs: MOST_TIME_MS };
/** Events of a run that names no end; one that needs more says so in `limits`. */
export const OPEN_STEPS = 20_000_000;
/** How long a waitFor without `within` waits in a run without `until`. */
const DEFAULT_WAIT_MS = 3_600_000;
/** So many events without a write are no progress. */
const IDLE_STEPS = 1_000_000;

export interface Driver {
  readonly cluster: Cluster;
  readonly watch: Monitor;
  /** Where the scenario names its end. */
  readonly endAt: number | undefined;
  /** How far a run without an end may go. */
  readonly limitAt: number;
  /** Whether the scenario says how far. */
  readonly patient: boolean;
  /** Whether somebody wants to look around now; asked between two events. */
  readonly pauses: () => boolean;
}

/** Virtual time that passes: it yields where a pause is wanted, and is gone on with from there. */
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

/** Lets time pass until a step is due; trouble when its condition never comes. */
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
    default: {
      const never: never = timing;
      return never;
    }
  }
}

/** The answer to an expectation once it holds, or when its time is over. */
export function* waitFor(driver: Driver, expectation: Expectation, withinMs: number | undefined): Passing<Answer> {
  const { cluster } = driver;
  const by = withinMs === undefined ? waitEnd(driver) : cluster.now + withinMs;
  const kinds = kindsOf(expectation);
  let changed = true;
  const off = cluster.observations.subscribe((observation) => {
    if (observation.type === 'write' && (kinds === undefined || kinds.has(observation.change.kind))) changed = true;
  });
  const holds = (): boolean => {
    if (!changed) return false;
    changed = false;
    return evaluate(cluster, expectation).holds;
  };
  try {
    yield* stepUntil(driver, holds, by);
  } finally {
    off.unsubscribe();
  }
  return evaluate(cluster, expectation);
}

/** To the end that the scenario names, or to rest; trouble where there is none. */
export function* runToEnd(driver: Driver): Passing<Trouble | undefined> {
  if (driver.endAt === undefined) return yield* settle(driver);
  yield* runUntil(driver, driver.endAt);
  return undefined;
}

/** What would happen next, in words. */
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
  return { message: 'its condition never came true', detail: [`  ${cel}`, ...why] };
}

/** Right after a write: before anything comes of it. */
function* waitUntilWritten(driver: Driver, revision: number): Passing<Trouble | undefined> {
  const { store } = driver.cluster;
  if (yield* stepUntil(driver, () => store.revision >= revision, waitEnd(driver))) return undefined;
  return { message: `revision ${revision} never came`, detail: [`  the last one is ${store.revision}`] };
}

export const waitEnd = ({ endAt, cluster }: Driver): number => endAt ?? cluster.now + DEFAULT_WAIT_MS;

function step({ cluster, watch }: Driver, until: number): boolean {
  if (!cluster.step(until)) return false;
  watch.onStep();
  checkRoom(cluster);
  return true;
}

/** A creation that was refused for want of room ends the run: what comes after would only look like the scenario. */
function checkRoom({ server: { capacity } }: Cluster): void {
  if (capacity.refused === 0) return;
  throw new LimitTripped('objects', `${capacity.why ?? 'it is full'} (spec.limits.objects allows more; a pod takes about 20 KB of memory)`);
}

function* runUntil(driver: Driver, at: number): Passing<void> {
  while (step(driver, at)) if (driver.pauses()) yield;
  driver.cluster.runUntil(at);
  driver.watch.onStep();
}

/** Until only heartbeats are left; trouble when that will not be, or not before the limit. */
function* settle(driver: Driver): Passing<Trouble | undefined> {
  const { cluster, limitAt } = driver;
  let [written, idle] = [cluster.store.revision, 0];
  const vigil = keepVigil(cluster, { until: driver.endAt !== undefined, patient: driver.patient });
  try {
    for (let stillActive = vigil.look(); !cluster.kernel.settled; stillActive = vigil.look()) {
      if (stillActive !== undefined) return { ...stillActive, endless: true };
      if (!step(driver, limitAt)) return unsettled(cluster);
      if (driver.pauses()) yield;
      if (cluster.store.revision !== written) [written, idle] = [cluster.store.revision, 0];
      else if (++idle > IDLE_STEPS)
        throw new LimitTripped('steps', `it goes round in circles: ${IDLE_STEPS} events without a write; next: ${nextOf(cluster)}`);
    }
  } finally {
    vigil.end();
  }
  return undefined;
}

const unsettled = (cluster: Cluster): Trouble => ({
  message: 'it did not settle within its time limit',
  detail: [
    `  next: ${nextOf(cluster)}`,
    '  what repeats for ever needs an end: spec.until, or a last step that stops it (spec.limits.time allows more time)',
  ],
  endless: true,
});

/** Steps until a condition holds; it is asked again only after a write. Answers whether it does, by the instant at the latest. */
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
