/**
 * "What if it crashed here?" A fork is a scenario of its own: what was done up to here, then one typed step, then on until it settles. It
 * is
 * written as a file that `run` replays. The step comes after everything else of its instant; of the steps that the original would still have
 * taken those are left out that do something, or no longer make sense (`sensible.ts`).
 */
import { faultsWith, type Definitions } from '../../../lab/definitions/index.ts';
import { formatScenario, itemsOf, parseScenario, type Scenario, type Step } from '../../../lab/scenario/index.ts';
import { formatProblem } from '../../../grammar/yaml/index.ts';
import { cursorAt, formatSince, type Trace } from '../../../lab/trace/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { BadInput } from '../exit.ts';
import type { History } from '../question/history.ts';
import type { Moment } from '../question/moment.ts';
import { stillSensible } from './sensible.ts';

/** Steps that do something, and so leave an operation in the trace. */
const DOES_NOTHING: ReadonlySet<string> = new Set<Step['verb']>(['note', 'expect', 'waitFor']);

/** How many steps of a scenario had ended at a moment of its trace. */
function stepsTaken({ beats = [] }: Trace, at: Moment, startAt: number): number {
  const past = beats.filter(({ traceStep, sinceStartMs }) => traceStep <= at.step && startAt + sinceStartMs <= at.at);
  return past.reduce((most, { taken }) => Math.max(most, taken), 0);
}

/** The step of a fork's trace just before the typed step, which is its scenario's last. */
export function beforeStep({ entries }: Trace, { steps }: Scenario): number {
  let left = steps.filter(({ verb }) => !DOES_NOTHING.has(verb)).length;
  const at = entries.findIndex(({ type }) => type === 'operation' && --left === 0);
  return at < 0 ? entries.length : at;
}

/** `fault crash controller-manager restartAfter=10s`, `delete Job/pi`, or a step as YAML, as the text of a step. */
function stepText(typed: string): string {
  const [verb = '', first = '', ...rest] = typed.split(/\s+/);
  if (verb === 'fault' && first !== '' && !first.startsWith('{')) {
    const [subject = '', ...parameters] = rest;
    return `fault: { ${[`${first}: ${subject}`, ...parameters.map((pair) => pair.replace('=', ': '))].join(', ')} }`;
  }
  if ((verb === 'delete' || verb === 'evict') && first !== '' && !first.startsWith('{')) return `${verb}: { target: ${first} }`;
  return typed.replace(/^\{(.*)\}$/s, '$1');
}

/** Reads a typed step; throws BadInput with everything wrong with it. */
function readStep(typed: string, own: Definitions): Step {
  if (typed.trim() === '')
    throw new BadInput(
      'fork: expected a step, such as "fork fault crash controller-manager", "fork delete Job/pi" or "fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }"',
    );
  const text = `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: fork }, spec: { steps: [{ ${stepText(typed.trim())} }] } }`;
  const parsed = parseScenario(text, { ...vocabulary(own), file: 'fork' });
  if ('problems' in parsed)
    throw new BadInput(
      parsed.problems.map((problem) => formatProblem(problem).replace(/^fork:\d+:\d+: (?:spec\.steps\[0\]\.?)?/, 'fork: ')),
    );
  const [step] = parsed.scenario.steps;
  if (step === undefined) throw new BadInput('fork: expected a step, found nothing');
  return step;
}

export interface Fork {
  readonly scenario: Scenario;
  /** As a file. */
  readonly text: string;
  /** Expectations of later steps that are checked in the fork too. */
  readonly kept: number;
  /** Later steps that are left out. */
  readonly left: number;
}

export function forkAt(
  scenario: Scenario,
  { trace, own: { definitions } }: Pick<History, 'trace' | 'own'>,
  at: Moment,
  typed: string,
  number: number,
): Fork {
  const since = at.at - trace.startAt;
  const { source: _, ...step } = { ...readStep(typed, definitions), timing: { when: 'at', atMs: since } as const };
  const title = `${scenario.title ?? scenario.name}: what if, at ${formatSince(since)}, ${typed.trim()}`;
  const taken = stepsTaken(trace, at, trace.startAt);
  const later = itemsOf(scenario.steps.slice(taken));
  const atRest = stillSensible(later, step, cursorAt(trace, at.step));
  const forked: Scenario = {
    ...scenario,
    name: `${scenario.name}-fork-${number}`,
    title,
    steps: [...scenario.steps.slice(0, taken), step, ...atRest],
  };
  const kept = atRest.reduce((sum, { expectations }) => sum + expectations.length, 0);
  return {
    scenario: forked,
    text: formatScenario(forked, {
      faults: faultsWith(definitions),
      comment: `Forked from ${scenario.name} at ${formatSince(since)}: ${typed.trim()}`,
    }),
    kept,
    left: later.length - atRest.length,
  };
}
