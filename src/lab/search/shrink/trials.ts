/**
 * Trials: the same scenario with one set of choices after another, to learn whether an assertion breaks. In a run that can go back, each
 * goes on from the moment before its first difference from the last one. The answers are those of whole runs (`reproduction.ts`).
 */
import { hasWriteBarrier, type Moment } from '../../../engine/index.ts';
import { replaying, type Chooser } from '../../choices/index.ts';
import { stageMoments, type MomentRun } from '../../moments/index.ts';
import type { InjectedFault, PointChoice, Scenario } from '../../scenario/index.ts';
import type { Making } from '../cause.ts';
import { quietAtOf } from '../healing.ts';
import { observeQuestion, pointsOf, reproduction, type Break, type Observed, type Question } from '../reproduction.ts';

/** Trials of a scenario. */
export interface Trials {
  /** See `reproduction`. */
  reproduction(choices: readonly PointChoice[]): Break | undefined;
  /** See `pointsOf`. */
  points(choices: readonly PointChoice[]): readonly string[];
}

/** A run with more events is not gone back in: its moments would fill the memory. Each has 3 KB. */
const MOST_EVENTS = 60_000;

/** A point or an actor, with the event in which it was first reached, and when. */
interface Reached {
  readonly event: number;
  readonly now: number;
}

/** The run of the last trial, as far as it has gone. */
interface Path {
  readonly run: MomentRun;
  /** The moment before each event, and before the next one. */
  readonly moments: Moment[];
  readonly observed: Observed;
  choices: ReadonlyMap<string, InjectedFault>;
  /** In the order in which they were reached. */
  readonly points: Map<string, Reached>;
  readonly actors: Map<string, Reached>;
  /** The answer to the question, and the event after which it was known. */
  answer?: { readonly event: number; readonly found: Break | undefined } | undefined;
  /** The event in which the end of fault injection was reached. */
  quiet?: number | undefined;
  hasEnded: boolean;
  /** It was too long to keep its moments: later trials are whole runs. */
  isLost: boolean;
}

/** A user's functions are not behind the write barrier, and cannot be gone back in. */
const canGoBack = ({ with: own = {}, controllers, invariants, alter }: Making): boolean =>
  hasWriteBarrier && Object.keys(own).length === 0 && controllers === undefined && invariants === undefined && alter === undefined;

/** Begins trials; undefined where a run cannot go back. */
export type BeginTrials = (scenario: Scenario, making: Making, question: Question) => Trials | undefined;

export const trialsOf: BeginTrials = (scenario, making, question) => {
  if (!canGoBack(making)) return undefined;
  const path = beginPath(scenario, making, question);
  return {
    reproduction(choices) {
      if (path.isLost) return reproduction(scenario, making, replaying(choices), question);
      goTo(path, choices);
      while (path.answer === undefined && advance(path));
      const { found } = path.answer ?? lateAnswer(path);
      path.run.leave();
      return found;
    },
    points(choices) {
      if (path.isLost) return pointsOf(scenario, making, replaying(choices));
      goTo(path, choices);
      while (path.quiet === undefined && advance(path));
      path.run.leave();
      const quietAt = quietAtOf(scenario, making);
      return [...path.points].filter(([, { now }]) => now < quietAt).map(([address]) => address);
    },
  };
};

function beginPath(scenario: Scenario, making: Making, question: Question): Path {
  const created: { path?: Path } = {};
  const quietAt = quietAtOf(scenario, making);
  const observed = observeQuestion(scenario, making, question, () => created.path?.run.cluster);
  const chooser = choosing(() => created.path);
  const run = stageMoments(scenario, {
    digest: false,
    tries: false,
    chooser,
    onEntry(entry) {
      observed.onEntry(entry);
      const { path } = created;
      if (path !== undefined && entry.at >= quietAt) path.quiet ??= eventOf(path);
    },
    onFailure: observed.onFailure,
  });
  return (created.path = {
    run,
    moments: [run.here()],
    observed,
    choices: new Map(),
    points: new Map(),
    actors: new Map(),
    hasEnded: false,
    isLost: false,
  });
}

/** The number of the event that is taken now, or next. */
const eventOf = ({ moments }: Path): number => moments.length - 1;

/** Makes the choices of the path, each when its point is first reached, as `replaying` does. */
function choosing(pathNow: () => Path | undefined): Chooser {
  const slow = {
    get: (actor: string) => {
      const injectedFault = pathNow()?.choices.get(actor);
      return injectedFault?.do === 'slow' ? injectedFault : undefined;
    },
  } as Chooser['slow'];
  return {
    slow,
    choose({ address, actor }, now) {
      const path = pathNow();
      if (path === undefined) return undefined;
      const reached = { event: eventOf(path), now };
      if (!path.actors.has(actor)) path.actors.set(actor, reached);
      if (path.points.has(address)) return undefined;
      path.points.set(address, reached);
      const injectedFault = path.choices.get(address);
      return injectedFault?.do === 'slow' ? undefined : injectedFault;
    },
  };
}

/** Takes an event; false: the run has ended. */
function advance(path: Path): boolean {
  const { run, observed, moments } = path;
  if (path.hasEnded) return false;
  observed.isEnough = false;
  path.hasEnded = !run.advance();
  const isDone = observed.isDone();
  if (path.answer === undefined && (isDone || observed.isEnough))
    path.answer = { event: eventOf(path), found: isDone ? observed.found(run.cluster.now) : undefined };
  const moment = run.here();
  moments.push(moment);
  if (moments.length > MOST_EVENTS) path.isLost = true;
  if (path.isLost) run.forgetBefore(moment);
  return !path.hasEnded;
}

/** The answer at the end of a run in which nothing broke before. */
function lateAnswer(path: Path): NonNullable<Path['answer']> {
  path.run.finish();
  return (path.answer = { event: eventOf(path), found: path.observed.found() });
}

/** Goes to the moment before the first event in which other choices make a difference; if they make none, the path stays as it is. */
function goTo(path: Path, choices: readonly PointChoice[]): void {
  const { run, moments, points, actors } = path;
  const next = new Map(choices.map(({ at, injectedFault }) => [at, injectedFault]));
  const differs = (at: string): boolean => JSON.stringify(next.get(at)) !== JSON.stringify(path.choices.get(at));
  const events = [...new Set([...next.keys(), ...path.choices.keys()])]
    .filter(differs)
    .map((at) => (points.get(at) ?? actors.get(at))?.event ?? Infinity);
  const event = Math.min(...events, Infinity);
  path.choices = next;
  const moment = moments[event];
  run.enter();
  if (moment === undefined) return;
  run.go(moment);
  moments.length = event + 1;
  for (const table of [points, actors]) for (const [at, reached] of table) if (reached.event >= event) table.delete(at);
  if (path.answer !== undefined && path.answer.event >= event) path.answer = undefined;
  if (path.quiet !== undefined && path.quiet >= event) path.quiet = undefined;
  path.hasEnded = false;
}
