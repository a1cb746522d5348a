/** Advances virtual time as steps require: up to an instant, until a condition holds, until the cluster is settled, or to the end. */
import { LimitTripped } from '../../engine/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { describePending } from '../../controlplane/runtime/index.ts';
import { compileExpression, MOST_TIME_MS, type Expectation, type Scenario, type Step } from '../scenario/index.ts';
import { evaluate, holdsNow, kindsOf } from './expectations.ts';
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
  /** Whether virtual time must not pass to this instant yet; called before it passes. Absent: it may. */
  readonly holds?: ((to: number) => boolean) | undefined;
}

/** No answer yet: more events are taken. */
export const WAITING = Symbol('waiting');
/** The run pauses between two events. */
export const PAUSED = Symbol('paused');

/** What is waited for while events are taken. */
export interface Wait<T> {
  /** Events after this instant are not taken. */
  until: number;
  /** The answer; called before the first event and after each. */
  check(): T | typeof WAITING;
  /** The answer when no event is left until then. */
  late(): T | typeof WAITING;
}

/** Takes events until there is an answer, or the run pauses: it is called again then. */
export function passTime<T>(driver: Driver, wait: Wait<T>): T | typeof PAUSED {
  for (;;) {
    if (isHeld(driver, wait)) return PAUSED;
    const answer = wait.check();
    if (answer !== WAITING) return answer;
    if (!step(driver, wait.until)) {
      const late = wait.late();
      if (late !== WAITING) return late;
    } else if (driver.pauses()) return PAUSED;
  }
}

/** Whether time would pass, or the wait would be over because nothing is left to happen, and the driver holds that. */
function isHeld({ cluster, holds }: Driver, { until }: Pick<Wait<unknown>, 'until'>): boolean {
  if (holds === undefined) return false;
  const next = Math.min(cluster.kernel.nextAt() ?? Infinity, until);
  return next > cluster.now && holds(next);
}

/** A wait that is over. */
export const answered = <T>(answer: T): Wait<T> => ({ until: -Infinity, check: () => answer, late: () => answer });

/** A wait with another answer, which `map` makes of its own. */
export function mapped<T, R>(of: Wait<T>, map: (answer: T) => R): Wait<R> {
  const mappedOf = (answer: T | typeof WAITING): R | typeof WAITING => {
    wait.until = of.until;
    return answer === WAITING ? WAITING : map(answer);
  };
  const wait: Wait<R> = { until: of.until, check: () => mappedOf(of.check()), late: () => mappedOf(of.late()) };
  return wait;
}

export function driverOf(
  cluster: Cluster,
  { untilMs, limits }: Scenario,
  watch: Monitor,
  pauses: () => boolean,
  holds?: Driver['holds'],
): Driver {
  const endAt = untilMs === undefined ? undefined : cluster.startAt + untilMs;
  return {
    cluster,
    watch,
    endAt,
    limitAt: endAt ?? cluster.startAt + (limits.timeMs ?? DEFAULT_LIMITS.timeMs),
    patient: endAt !== undefined || limits.timeMs !== undefined,
    pauses,
    holds,
  };
}

/** Waits until a step is due; trouble: its condition does not come true. */
export function waitUntilDue(driver: Driver, { timing }: Step): Wait<Trouble | undefined> {
  const { cluster } = driver;
  switch (timing.when) {
    case 'next':
      return answered(undefined);
    case 'at':
      return untilInstant(driver, cluster.startAt + timing.atMs);
    case 'after':
      return untilInstant(driver, cluster.now + timing.afterMs);
    case 'settled':
      return untilSettled(driver);
    case 'cel':
      return untilTrue(driver, timing.expression.cel);
    case 'revision':
      return untilWritten(driver, timing.revision);
  }
}

/** Waits for an expectation, or the timeout; trouble: it does not hold. */
export function waitFor(driver: Driver, expectation: Expectation, withinMs: number | undefined): Wait<Trouble | undefined> {
  const { cluster } = driver;
  const by = withinMs === undefined ? waitEnd(driver) : cluster.now + withinMs;
  const kinds = kindsOf(expectation);
  const seen = { whole: false, changed: new Set<string>() };
  const off = cluster.store.onChange(({ kind, key }) => {
    if (kinds === undefined || kinds.has(kind)) seen.changed.add(key);
  });
  const holds = (): boolean => {
    if (seen.whole && seen.changed.size === 0) return false;
    const changed = seen.whole ? [...seen.changed] : undefined;
    seen.whole = true;
    seen.changed.clear();
    return holdsNow(cluster, expectation, changed);
  };
  return mapped(untilHolds(driver, holds, by), () => {
    off();
    return evaluate(cluster, expectation);
  });
}

/** Waits for the end of the scenario, or until the cluster is settled; trouble: it does not settle. */
export const waitForEnd = (driver: Driver): Wait<Trouble | undefined> =>
  driver.endAt === undefined ? untilSettled(driver) : untilInstant(driver, driver.endAt);

function nextOf({ kernel, runtime }: Cluster): string {
  const next = kernel.pending().find((pending) => !pending.background);
  return next === undefined ? 'nothing' : describePending(next.event, next.part, runtime.resolver);
}

function untilTrue(driver: Driver, cel: string): Wait<Trouble | undefined> {
  const { cluster } = driver;
  const compiled = compileExpression(cel, { about: 'world', schemaOf: schemasOf(cluster) });
  if (!('expression' in compiled)) return answered({ message: `the expression is wrong: ${compiled.error.message}`, detail: [] });
  const { expression } = compiled;
  const holds = (): boolean => {
    const answer = expression.evaluate(expressionFacts(cluster));
    return 'holds' in answer && answer.holds;
  };
  return mapped(untilHolds(driver, holds, waitEnd(driver)), (came) => {
    if (came) return undefined;
    const why = expression.explain(expressionFacts(cluster)).map((line) => `    ${line}`);
    return { message: 'its condition never became true', detail: [`  ${cel}`, ...why] };
  });
}

/** Ends right after a write, before its effects. */
function untilWritten(driver: Driver, revision: number): Wait<Trouble | undefined> {
  const { store } = driver.cluster;
  return mapped(
    untilHolds(driver, () => store.revision >= revision, waitEnd(driver)),
    (came) => (came ? undefined : { message: `revision ${revision} was never reached`, detail: [`  the last one is ${store.revision}`] }),
  );
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

const untilInstant = ({ cluster, watch }: Driver, at: number): Wait<undefined> => ({
  until: at,
  check: () => WAITING,
  late() {
    cluster.runUntil(at);
    watch.onStep();
    return undefined;
  },
});

/** Waits until only heartbeats are pending; trouble: that does not happen, or not before the limit. */
function untilSettled(driver: Driver): Wait<Trouble | undefined> {
  const { cluster, limitAt } = driver;
  const progress = { written: cluster.store.revision, idle: -1 };
  const activity = watchActivity(cluster, { until: driver.endAt !== undefined, patient: driver.patient });
  const ended = (trouble: Trouble | undefined): Trouble | undefined => {
    activity.end();
    return trouble;
  };
  return {
    until: limitAt,
    check() {
      const { revision } = cluster.store;
      if (revision !== progress.written) [progress.written, progress.idle] = [revision, 0];
      else if (++progress.idle > IDLE_STEPS)
        throw new LimitTripped('steps', `no progress: ${IDLE_STEPS} events without a write; next: ${nextOf(cluster)}`);
      const stillActive = activity.check();
      if (cluster.kernel.settled) return ended(undefined);
      return stillActive === undefined ? WAITING : ended({ ...stillActive, endless: true });
    },
    late: () => ended(unsettled(cluster)),
  };
}

const unsettled = (cluster: Cluster): Trouble => ({
  message: 'it did not settle within its time limit',
  detail: [
    `  next: ${nextOf(cluster)}`,
    '  activity without an end needs one: spec.until, or a last step that stops it (spec.limits.time allows more time)',
  ],
  endless: true,
});

/** Waits until a condition holds, which is evaluated after writes only. Answers whether it holds, at the latest at `by`. */
export function untilHolds({ cluster }: Driver, holds: () => boolean, by: number): Wait<boolean> {
  const seen = { revision: -1 };
  return {
    until: by,
    check() {
      const { revision } = cluster.store;
      if (revision === seen.revision) return WAITING;
      seen.revision = revision;
      return holds() || WAITING;
    },
    late() {
      cluster.runUntil(by);
      return holds();
    },
  };
}
