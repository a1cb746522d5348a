/**
 * Reads what a fork does as a person types it: `fault crash controller-manager restartAfter=10s`, `delete Job/pi`, a step as YAML, or
 * `choices: [{ at: "decide …", hold: 5s }]`, what goes otherwise at points of the run.
 */
import { didYouMean } from '../../grammar/values/index.ts';
import { formatProblem } from '../../grammar/yaml/index.ts';
import type { Definitions } from '../definitions/index.ts';
import { parseScenario, type PointChoice, type Step } from '../scenario/index.ts';
import { vocabulary } from '../vocabulary.ts';

const CHOICES = /^\s*choices:/;

/** What `kubectl delete` calls them; its --force asks for no grace (kubectl/pkg/cmd/delete). */
const FLAGS: Readonly<Record<string, (value: string) => string>> = {
  '--grace-period': (value) => `gracePeriodSeconds: ${value}`,
  '--cascade': (value) => `propagationPolicy: ${value.charAt(0).toUpperCase()}${value.slice(1)}`,
  '--force': () => 'gracePeriodSeconds: 0',
  '--now': () => 'gracePeriodSeconds: 1',
  '--ignore-not-found': () => 'ignoreNotFound: true',
};
const ALONE: ReadonlySet<string> = new Set(['--force', '--now', '--ignore-not-found']);

/** A word behind the target of a deletion, as a field of the step, or what is wrong with it. */
function optionText(verb: string, word: string): { readonly text: string } | { readonly problem: string } {
  const [name = '', value] = word.split(/=(.*)/s);
  if (!word.startsWith('-') && value !== undefined) return { text: `${name}: ${value}` };
  const make = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
  if (make === undefined)
    return {
      problem: `fork: ${verb}: unknown word ${JSON.stringify(word)}${didYouMean(name, Object.keys(FLAGS))} (after the target: ${Object.keys(FLAGS).join(', ')}, or fields such as gracePeriodSeconds=0)`,
    };
  if (ALONE.has(name) && value !== undefined) return { problem: `fork: ${verb}: ${name} takes no value, found ${JSON.stringify(value)}` };
  if (!ALONE.has(name) && (value ?? '') === '')
    return { problem: `fork: ${verb}: ${name} takes a value, such as ${name}=${name === '--cascade' ? 'orphan' : '0'}` };
  return { text: make(value ?? '') };
}

function deletionText(verb: string, target: string, words: readonly string[]): string | { readonly problems: readonly string[] } {
  const options = words
    .join(' ')
    // As kubectl takes them: with or without the sign.
    .replaceAll(/(--grace-period|--cascade) +(?=[^\s-])/g, '$1=')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => optionText(verb, word));
  const problems = options.flatMap((option) => ('problem' in option ? [option.problem] : []));
  if (problems.length > 0) return { problems };
  const fields = new Set(options.flatMap((option) => ('text' in option ? [option.text] : [])));
  return `${verb}: { ${[`target: ${target}`, ...fields].join(', ')} }`;
}

/** What a person types, as the text of a step. */
function stepText(typed: string): string | { readonly problems: readonly string[] } {
  const [verb = '', first = '', ...rest] = typed.split(/\s+/);
  if (verb === 'fault' && first !== '' && !first.startsWith('{')) {
    const [subject = '', ...parameters] = rest;
    return `fault: { ${[`${first}: ${subject}`, ...parameters.map((pair) => pair.replace('=', ': '))].join(', ')} }`;
  }
  if ((verb === 'delete' || verb === 'evict') && first !== '' && !first.startsWith('{')) return deletionText(verb, first, rest);
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
  const step = CHOICES.test(typed) ? '' : stepText(typed.trim());
  if (typeof step !== 'string') return step;
  const does = step === '' ? typed : `steps: [{ ${step} }]`;
  const text = `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: fork }, spec: { ${does} } }`;
  const parsed = parseScenario(text, { ...vocabulary(own), file: 'fork' });
  if ('problems' in parsed)
    return {
      problems: parsed.problems.map((problem) => formatProblem(problem).replace(/^fork:\d+:\d+: (?:spec\.(?:steps\[0\]\.?)?)?/, 'fork: ')),
    };
  const {
    steps: [read],
    choices = [],
  } = parsed.scenario;
  if (choices.length > 0) return { choices: choices.map(({ at, deed }) => ({ at, deed })) };
  return read === undefined ? { problems: ['fork: expected a step, found nothing'] } : { step: read };
}
