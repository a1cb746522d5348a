/**
 * "What if it crashed here?" A fork is a scenario of its own: what was done up to a moment, then one step, then on until it settles. At a
 * write the step comes right after it, before anything comes of it; else after everything of its instant. Of the steps that the original
 * would still have taken those that do something are kept at their instants where that is wanted, and of the others what still makes sense
 * (`sensible.ts`). Choices in place of a step happen at their points: another order is a fork too.
 */
import { itemsOf, type Item, type PointChoice, type Scenario, type Step, type Timing } from '../scenario/index.ts';
import { cursorAt, entryAt, formatSince, type Trace } from '../trace/index.ts';
import { laterOperations } from './replayed-steps.ts';
import type { ForkAction } from './read-step.ts';
import { stillSensible } from './sensible.ts';

/** Where a run is left: after a step of its trace, or at a later instant before the next. */
export interface ForkMoment {
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a fork is called, and how much of what came later it keeps. */
export interface ForkOptions {
  /** The fork's name. */
  readonly name: string;
  /** What is done, in the words of whoever wants it; its title tells. */
  readonly said: string;
  /** Right after the write of the moment's step, where it is one; else when everything of that instant has happened. */
  readonly rightAfter?: boolean;
  /** What the original did later is done at the same instants here: what differs then differs for one reason. */
  readonly keepLater?: boolean;
}

/** A scenario that does what another did up to a moment, and then something else; with what of the later steps it has kept. */
export interface Fork {
  readonly scenario: Scenario;
  /** When the step is taken, milliseconds since the start. */
  readonly sinceMs: number;
  /** Operations and faults of later steps that are done here too. */
  readonly repeated: number;
  /** Expectations of later steps that are checked here too. */
  readonly kept: number;
  /** Later steps that are left out. */
  readonly left: number;
}

/** How many steps of a scenario had ended at a moment of its trace. */
function stepsTaken({ narrationSteps = [], startAt }: Trace, { step, at }: ForkMoment): number {
  const past = narrationSteps.filter(({ traceStep, sinceStartMs }) => traceStep <= step && startAt + sinceStartMs <= at);
  return past.reduce((most, { taken }) => Math.max(most, taken), 0);
}

/** When the step comes. A write says so by its revision: one that leaves no object has one too. */
function timingAt(trace: Trace, { step, at }: ForkMoment, rightAfter: boolean): Timing {
  const entry = rightAfter ? entryAt(trace, step) : undefined;
  return entry?.type === 'write' && entry.at === at
    ? { when: 'revision', revision: entry.change.revision }
    : { when: 'at', atMs: at - trace.startAt };
}

/** Forks a run (`scenario` with the seed of its trace) at a moment: does a step there, or goes otherwise at points. */
export function forkAt(scenario: Scenario, trace: Trace, at: ForkMoment, injectedFault: ForkAction, options: ForkOptions): Fork {
  const sinceMs = at.at - trace.startAt;
  const step = 'step' in injectedFault ? stepAt(injectedFault.step, timingAt(trace, at, options.rightAfter === true)) : undefined;
  const taken = stepsTaken(trace, at);
  const later = itemsOf(scenario.steps.slice(taken)).map((item): Item => ({ ...item, taken: item.taken + taken }));
  const { operations, rest } = options.keepLater === true ? laterOperations(later, trace) : { operations: [], rest: later };
  const atRest = stillSensible(rest, step, cursorAt(trace, at.step));
  return {
    scenario: {
      ...scenario,
      name: options.name,
      title: `${scenario.title ?? scenario.name}: what if, at ${formatSince(sinceMs)}, ${options.said}`,
      steps: [...scenario.steps.slice(0, taken).map(unasked), ...(step === undefined ? [] : [step]), ...operations, ...atRest],
      ...('choices' in injectedFault ? { choices: withChoices(scenario.choices, injectedFault.choices) } : {}),
    },
    sinceMs,
    repeated: operations.length,
    kept: atRest.reduce((sum, { expectations }) => sum + expectations.length, 0),
    left: later.length - operations.length - atRest.length,
  };
}

function stepAt({ source: _, ...bare }: Step, timing: Timing): Step {
  return { ...bare, timing };
}

/** The later one counts where two are about one point. */
function withChoices(before: readonly PointChoice[] = [], added: readonly PointChoice[]): readonly PointChoice[] {
  const anew = new Set(added.map(({ at }) => at));
  return [...before.filter(({ at }) => !anew.has(at)), ...added];
}

/** What was asked has been answered, and what was offered to try was tried by the original. */
function unasked(step: Step): Step {
  const { ask: _ask, look: _look, tries: _tries, ...rest } = step;
  return rest;
}

/** Steps that do something, and so leave an operation in the trace. */
const DOES_NOTHING: ReadonlySet<string> = new Set<Step['verb']>(['note', 'expect', 'waitFor']);

/** The step of a fork's trace just before the one that it was forked for. */
export function beforeFork({ entries }: Trace, { scenario: { steps }, repeated }: Fork): number {
  let left = steps.filter(({ verb }) => !DOES_NOTHING.has(verb)).length - repeated;
  const at = entries.findIndex(({ type }) => type === 'operation' && --left === 0);
  return at < 0 ? entries.length : at;
}
