/**
 * Forks: "what if it crashed here?" A fork is a scenario with the steps up to a moment of a run, one new step, and the time until the
 * cluster is settled. The new step follows a write immediately, before its effects; at any other moment it follows all events of the
 * instant. Of the later steps of the original, operations and faults are repeated at their instants on request; expectations about the settled
 * state are kept where they still hold true. In place of a step a fork may have choices: another order of events is also a fork.
 */
import { present } from '../../schema/values/index.ts';
import { itemsOf, withoutNarration } from '../scenario/index.ts';
import type { Item, PointChoice, Scenario, Step, Timing, Expectation, TargetRef } from '../scenario/index.ts';
import { cursorAt, entryAt, formatSince, type Trace, type World } from '../trace/index.ts';
import type { ForkAction } from './read-step.ts';

/** The moment of a fork: after a step of the trace, or at a later instant before the next step. */
export interface ForkMoment {
  readonly step: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The name of a fork, and which later steps it keeps. */
export interface ForkOptions {
  readonly name: string;
  /** A description of the new step in the user's words, for the title. */
  readonly said: string;
  /**
   * The new step follows the write of the moment's step immediately; otherwise, or where that step is no write, it follows all events of
   * the instant.
   */
  readonly rightAfter?: boolean;
  /** Later operations and faults of the original are repeated at the same instants, so that the new step is the only difference. */
  readonly keepLater?: boolean;
  /** Steps that follow the new step immediately: what is expected of it. */
  readonly checks?: readonly Step[];
}

/** A scenario that repeats another up to a moment and then differs; with counts of the later steps. */
export interface Fork {
  readonly scenario: Scenario;
  /** The time of the new step, milliseconds since the start. */
  readonly sinceMs: number;
  /** The last instant that it shares with the run, and the revision that it does not share; absent: it differs by choices. */
  readonly since?: { readonly at: number; readonly revision?: number };
  /** The number of later operations and faults that are repeated. */
  readonly repeated: number;
  /** The number of later expectations that are kept. */
  readonly kept: number;
  /** The number of later steps that are left out. */
  readonly left: number;
}

/** Returns how many steps of a scenario had ended at a moment of its trace. */
function stepsTaken({ narrationSteps = [], startAt }: Trace, { step, at }: ForkMoment): number {
  const past = narrationSteps.filter(({ traceStep, sinceStartMs }) => traceStep <= step && startAt + sinceStartMs <= at);
  return past.reduce((most, { taken }) => Math.max(most, taken), 0);
}

/** Returns the timing of the new step. A write is identified by its revision, because a deletion leaves no object. */
function timingAt(trace: Trace, { step, at }: ForkMoment, rightAfter: boolean): Timing {
  const entry = rightAfter ? entryAt(trace, step) : undefined;
  return entry?.type === 'write' && entry.at === at
    ? { when: 'revision', revision: entry.change.revision }
    : { when: 'at', atMs: at - trace.startAt };
}

/** Forks a run (`scenario` with the seed of its trace) at a moment: takes a step there, or makes other choices. */
export function forkAt(scenario: Scenario, trace: Trace, at: ForkMoment, injectedFault: ForkAction, options: ForkOptions): Fork {
  const sinceMs = at.at - trace.startAt;
  const step = 'step' in injectedFault ? stepAt(injectedFault.step, timingAt(trace, at, options.rightAfter === true)) : undefined;
  const taken = stepsTaken(trace, at);
  const later = itemsOf(scenario.steps.slice(taken)).map((item): Item => ({ ...item, taken: item.taken + taken }));
  const { operations, rest } = options.keepLater === true ? laterOperations(later, trace) : { operations: [], rest: later };
  const atRest = retainedExpectations(rest, step, cursorAt(trace, at.step));
  const { recorded: _, ...forked } = scenario;
  return {
    scenario: {
      ...forked,
      name: options.name,
      title: `${scenario.title ?? scenario.name}: what if, at ${formatSince(sinceMs)}, ${options.said}`,
      steps: [
        ...scenario.steps.slice(0, taken).map(unaskedStep),
        ...(step === undefined ? [] : [step]),
        ...(options.checks ?? []),
        ...operations,
        ...atRest,
      ],
      ...('choices' in injectedFault ? { choices: withChoices(scenario.choices, injectedFault.choices) } : {}),
    },
    sinceMs,
    ...(step === undefined ? {} : { since: { at: at.at, ...(step.timing.when === 'revision' ? { revision: step.timing.revision } : {}) } }),
    repeated: operations.length,
    kept: atRest.reduce((sum, { expectations }) => sum + expectations.length, 0),
    left: later.length - operations.length - atRest.length,
  };
}

function stepAt({ source: _, ...bare }: Step, timing: Timing): Step {
  return { ...bare, timing };
}

/** Merges choices; of two at one point the added one wins. */
function withChoices(before: readonly PointChoice[] = [], added: readonly PointChoice[]): readonly PointChoice[] {
  const anew = new Set(added.map(({ at }) => at));
  return [...before.filter(({ at }) => !anew.has(at)), ...added];
}

/** Removes the question, the focus and the suggestions of a step, which belong to the original run. */
function unaskedStep(step: Step): Step {
  const { ask: _ask, look: _look, tries: _tries, ...rest } = step;
  return rest;
}

/** The scenario of a run from whose moments forks go on: the same as another, as its forks repeat it. */
export const unasked = ({ recorded: _, ...scenario }: Scenario): Scenario => ({ ...scenario, steps: scenario.steps.map(unaskedStep) });

/** Whether its forks repeat the entries of a scenario: a text before a question, a focus and a record may add some. */
export const repeatsEntries = ({ steps, recorded }: Scenario): boolean =>
  recorded === undefined && steps.every(({ ask, look }) => ask === undefined && look === undefined);

/** Steps that leave no operation in the trace. */
const DOES_NOTHING: ReadonlySet<string> = new Set<Step['verb']>(['note', 'expect', 'waitFor']);

/** Returns the step of a fork's trace just before the fork's new step. */
export function beforeFork({ entries }: Trace, { scenario: { steps }, repeated }: Fork): number {
  let left = steps.filter(({ verb }) => !DOES_NOTHING.has(verb)).length - repeated;
  const at = entries.findIndex(({ type }) => type === 'operation' && --left === 0);
  return at < 0 ? entries.length : at;
}

type Writing = Extract<Step, { readonly verb: 'patch' | 'delete' | 'evict' | 'scale' }>;

/**
 * Returns operations and faults as steps with their instants, and the steps after the last of them. A write or start that had to be refused
 * is left out, because it may succeed in the fork. A missing target does not fail the fork.
 */
function laterOperations(
  later: readonly Item[],
  { narrationSteps = [] }: Trace,
): { readonly operations: readonly Step[]; readonly rest: readonly Item[] } {
  const operations: Step[] = [];
  let behind = 0;
  for (const [index, { step, taken }] of later.entries()) {
    if (DOES_NOTHING.has(step.verb)) continue;
    behind = index + 1;
    const narrationStep = narrationSteps.find((each) => each.taken === taken);
    if (narrationStep === undefined || step.verb === 'expectError' || step.verb === 'refusedStart') continue;
    operations.push({ ...bare(step), timing: { when: 'at', atMs: narrationStep.sinceStartMs } });
  }
  return { operations, rest: later.slice(behind) };
}

const isAboutOne = (step: Step): step is Step & Writing =>
  step.verb === 'patch' || step.verb === 'delete' || step.verb === 'evict' || step.verb === 'scale';

/** Removes notes, assertions and questions, which describe the original run. */
function bare(step: Step): Step {
  const rest = withoutNarration(step);
  return isAboutOne(rest) ? { ...rest, ignoreNotFound: true } : rest;
}

type ExpectStep = Extract<Step, { readonly verb: 'expect' }>;

function retainedExpectations(later: readonly Item[], typed: Step | undefined, world: World): readonly ExpectStep[] {
  const wanted = typed === undefined ? [] : written(typed, world);
  const kept: ExpectStep[] = [];
  for (const { step } of later) {
    if (!DOES_NOTHING.has(step.verb)) break;
    if (step.verb !== 'expect' || step.timing.when !== 'settled') continue;
    const expectations = step.expectations.filter((each) => !readsTime(each) && !wanted.some((one) => isAbout(each, one)));
    if (expectations.length > 0) kept.push({ verb: 'expect', timing: step.timing, expectations });
  }
  return kept;
}

/** The objects whose desired state a step changes: one object, or all of a kind. */
interface Wanted {
  readonly kind: string;
  readonly name?: string | undefined;
}

function written(typed: Step, world: World): readonly Wanted[] {
  const step = typed.verb === 'expectError' ? typed.action : typed;
  switch (step.verb) {
    case 'apply':
    case 'create':
    case 'replace':
      return step.objects.flatMap(({ object: { kind = '', metadata } }) => withOwned({ kind, name: nameIn(metadata) }, world));
    case 'patch':
    case 'delete':
    case 'evict':
    case 'bind':
    case 'cordon':
    case 'uncordon':
    case 'scale':
      return withOwned({ kind: step.target.kind, name: step.target.name }, world);
    default:
      return [];
  }
}

const nameIn = (metadata: Readonly<Record<string, unknown>> | undefined): string | undefined =>
  typeof metadata?.['name'] === 'string' ? metadata['name'] : undefined;

function withOwned(root: Wanted, world: World): readonly Wanted[] {
  const all = world.kinds().flatMap((kind) => world.list(kind));
  const owners = new Set(
    all
      .filter(({ kind, metadata }) => kind === root.kind && (root.name ?? metadata.name) === metadata.name)
      .map(({ metadata: { uid } }) => uid),
  );
  const kinds = new Set<string>();
  for (let before = -1; before !== owners.size;) {
    before = owners.size;
    for (const { kind, metadata } of all) {
      if (owners.has(metadata.uid) || metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) !== true) continue;
      owners.add(metadata.uid);
      kinds.add(kind);
    }
  }
  return [root, ...[...kinds].map((kind) => ({ kind }))];
}

function isAbout(expectation: Expectation, { kind, name }: Wanted): boolean {
  const isIt = (target: Pick<TargetRef, 'kind' | 'name'>): boolean =>
    target.kind === kind && (name === undefined || target.name === undefined || target.name === name);
  switch (expectation.expect) {
    case 'match':
      return isIt(present({ kind: expectation.match.kind ?? '', name: nameIn(expectation.match.metadata) }));
    case 'absent':
      return isIt(expectation.target);
    case 'count':
      return isIt(expectation.of);
    case 'cel':
      return [...expectation.expression.cel.matchAll(/\b(?:objects?|events)\('([^'/]+)(?:\/(?:[^'/]+\/)?([^'/]+))?'/g)].some(
        ([, of = '', its]) => isIt(present({ kind: of, name: its })),
      );
    default:
      return false;
  }
}

const readsTime = (expectation: Expectation): boolean =>
  expectation.expect === 'cel' && /\b(?:elapsed|now)\b/.test(expectation.expression.cel);
