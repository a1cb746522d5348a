/**
 * Reads what a fork does as a person types it: `fault crash controller-manager restartAfter=10s`, `delete Job/pi`, a step as YAML, or
 * `choices: [{ at: "decide …", hold: 5s }]`, what goes otherwise at points of the run.
 */
import { formatProblem } from '../../grammar/yaml/index.ts';
import type { Definitions } from '../definitions/index.ts';
import { parseScenario, type PointChoice, type Step } from '../scenario/index.ts';
import { vocabulary } from '../vocabulary.ts';

const CHOICES = /^\s*choices:/;

/** What a person types, as the text of a step. */
function stepText(typed: string): string {
  const [verb = '', first = '', ...rest] = typed.split(/\s+/);
  if (verb === 'fault' && first !== '' && !first.startsWith('{')) {
    const [subject = '', ...parameters] = rest;
    return `fault: { ${[`${first}: ${subject}`, ...parameters.map((pair) => pair.replace('=', ': '))].join(', ')} }`;
  }
  if ((verb === 'delete' || verb === 'evict') && first !== '' && !first.startsWith('{')) return `${verb}: { target: ${first} }`;
  return typed.replace(/^\{(.*)\}$/s, '$1');
}

/** What a fork does at its moment, or else at points of its run. */
export type ForkDeed = { readonly step: Step } | { readonly choices: readonly PointChoice[] };

/** What it does, or everything that is wrong with it, a line each. */
export function readForkStep(typed: string, own?: Definitions): ForkDeed | { readonly problems: readonly string[] } {
  if (typed.trim() === '')
    return {
      problems: [
        'fork: expected a step, such as "fork fault crash controller-manager", "fork delete Job/pi" or "fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }"',
      ],
    };
  const does = CHOICES.test(typed) ? typed : `steps: [{ ${stepText(typed.trim())} }]`;
  const text = `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: fork }, spec: { ${does} } }`;
  const parsed = parseScenario(text, { ...vocabulary(own), file: 'fork' });
  if ('problems' in parsed)
    return {
      problems: parsed.problems.map((problem) => formatProblem(problem).replace(/^fork:\d+:\d+: (?:spec\.(?:steps\[0\]\.?)?)?/, 'fork: ')),
    };
  const {
    steps: [step],
    choices = [],
  } = parsed.scenario;
  if (choices.length > 0) return { choices: choices.map(({ at, deed }) => ({ at, deed })) };
  return step === undefined ? { problems: ['fork: expected a step, found nothing'] } : { step };
}
