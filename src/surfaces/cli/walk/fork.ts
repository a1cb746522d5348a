/**
 * "What if it crashed here?" A fork is a scenario of its own: what was done up to here, then one typed step, then on until it settles. It
 * is
 * written as a file that `run` replays. The step comes after everything else of its instant; steps the original would still have taken are
 * left out.
 */
import { faults } from '../../../lab/faults/index.ts';
import { formatScenario, parseScenario, type Scenario, type Step } from '../../../lab/scenario/index.ts';
import { formatProblem } from '../../../grammar/yaml/index.ts';
import { formatSince, type Trace } from '../../../lab/trace/index.ts';
import { vocabulary } from '../../../lab/vocabulary.ts';
import { BadInput } from '../exit.ts';

/** Steps that do something, and so leave an operation in the trace. */
const DOES_NOTHING: ReadonlySet<string> = new Set<Step['verb']>(['note', 'expect', 'waitFor']);

/** The steps of a scenario that had been taken at a step of its trace. */
function stepsTaken({ steps }: Scenario, trace: Trace, step: number): readonly Step[] {
  let left = trace.entries.slice(0, step).filter(({ type }) => type === 'operation').length;
  let taken = 0;
  for (const [at, { verb }] of steps.entries()) {
    if (DOES_NOTHING.has(verb)) continue;
    if (left-- === 0) break;
    taken = at + 1;
  }
  return steps.slice(0, taken);
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
function readStep(typed: string): Step {
  if (typed.trim() === '')
    throw new BadInput(
      'fork: expected a step, such as "fork fault crash controller-manager", "fork delete Job/pi" or "fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }"',
    );
  const text = `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: fork }, spec: { steps: [{ ${stepText(typed.trim())} }] } }`;
  const parsed = parseScenario(text, { ...vocabulary(), file: 'fork' });
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
  /** As a file. */ readonly text: string;
}

export function forkAt(
  scenario: Scenario,
  trace: Trace,
  at: { readonly step: number; readonly at: number },
  typed: string,
  number: number,
): Fork {
  const since = at.at - trace.startAt;
  const { source: _, ...step } = { ...readStep(typed), timing: { when: 'at', atMs: since } as const };
  const title = `${scenario.title ?? scenario.name}: what if, at ${formatSince(since)}, ${typed.trim()}`;
  const forked: Scenario = {
    ...scenario,
    name: `${scenario.name}-fork-${number}`,
    title,
    steps: [...stepsTaken(scenario, trace, at.step), step],
  };
  return {
    scenario: forked,
    text: formatScenario(forked, { faults, comment: `Forked from ${scenario.name} at ${formatSince(since)}: ${typed.trim()}` }),
  };
}
