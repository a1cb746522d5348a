/**
 * Reads the action of a fork as a user types it: `fault crash controller-manager restartAfter=10s`, `delete Job/pi`, a step as YAML, or
 * choices such as `choices: [{ at: "decide …", hold: 5s }]`.
 */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { didYouMean } from '../../schema/values/index.ts';
import { formatProblem, readYaml, type Problem } from '../../schema/yaml/index.ts';
import type { Definitions } from '../definitions/index.ts';
import { parseScenario, type PointChoice, type Step, type Vocabulary } from '../scenario/index.ts';
import { vocabulary } from '../vocabulary.ts';

const CHOICES = /^\s*choices:/;

/** A flag of kubectl as a field of a step. `takes`: the form of its value; absent: it has none. */
interface Flag {
  readonly takes?: string;
  text(value: string): string;
}
const switchOn = (field: string): Flag => ({ text: () => `${field}: true` });
const valueOf = (field: string, takes: string): Flag => ({ takes, text: (value) => `${field}: ${value}` });
const GRACE = valueOf('gracePeriodSeconds', '0');

/** --force of a deletion sets the grace period to 0 (kubectl/pkg/cmd/delete); --force of a drain includes pods without a controller. */
const DELETING: Readonly<Record<string, Flag>> = {
  '--grace-period': GRACE,
  '--cascade': { takes: 'orphan', text: (value) => `propagationPolicy: ${value.charAt(0).toUpperCase()}${value.slice(1)}` },
  '--force': { text: () => 'gracePeriodSeconds: 0' },
  '--now': { text: () => 'gracePeriodSeconds: 1' },
  '--ignore-not-found': switchOn('ignoreNotFound'),
};
const DRAINING: Readonly<Record<string, Flag>> = {
  '--grace-period': GRACE,
  '--timeout': valueOf('timeout', '1m'),
  '--ignore-daemonsets': switchOn('ignoreDaemonSets'),
  '--delete-emptydir-data': switchOn('deleteEmptyDirData'),
  '--force': switchOn('force'),
  '--disable-eviction': switchOn('disableEviction'),
};
/** Verbs with kubectl's syntax, and their flags. */
const TYPED: Readonly<Record<string, Readonly<Record<string, Flag>>>> = {
  delete: DELETING,
  evict: DELETING,
  drain: DRAINING,
  cordon: {},
  uncordon: {},
  scale: { '--replicas': valueOf('replicas', '3') },
};

/** The verbs that a fork accepts with kubectl's syntax. */
export const TYPED_VERBS: readonly string[] = Object.keys(TYPED);

/** Converts a word after the target of a verb to a field of the step, or returns what is wrong with it. */
function optionText(verb: string, word: string): { readonly text: string } | { readonly problem: string } {
  const [name = '', value] = word.split(/=(.*)/s);
  if (!word.startsWith('-') && value !== undefined) return { text: `${name}: ${value}` };
  const flags = TYPED[verb] ?? {};
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const known = Object.keys(flags);
    const after =
      known.length === 0 ? 'the target is the last word' : `after the target: ${known.join(', ')}, or fields such as ${fieldOf(flags)}`;
    return { problem: `fork: ${verb}: unknown word ${JSON.stringify(word)}${didYouMean(name, known)} (${after})` };
  }
  if (flag.takes === undefined && value !== undefined)
    return { problem: `fork: ${verb}: ${name} takes no value, found ${JSON.stringify(value)}` };
  if (flag.takes !== undefined && (value ?? '') === '')
    return { problem: `fork: ${verb}: ${name} takes a value, such as ${name}=${flag.takes}` };
  return { text: flag.text(value ?? '') };
}

/** Returns a field in the form in which it is typed: `gracePeriodSeconds=0`. */
const fieldOf = (flags: Readonly<Record<string, Flag>>): string => {
  const flag = Object.values(flags).find(({ takes }) => takes !== undefined);
  return flag?.text(flag.takes ?? '').replace(': ', '=') ?? '';
};

/** Returns the YAML of a kubectl-like command; the target alone where there are no options. */
function typedText(verb: string, target: string, words: readonly string[]): string | { readonly problems: readonly string[] } {
  const withValue = Object.entries(TYPED[verb] ?? {}).flatMap(([name, { takes }]) => (takes === undefined ? [] : [name]));
  const options = words
    .join(' ')
    // kubectl accepts values with and without the equals sign.
    .replaceAll(new RegExp(`(${withValue.join('|') || '$^'}) +(?=[^\\s-])`, 'g'), '$1=')
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => optionText(verb, word));
  const problems = options.flatMap((option) => ('problem' in option ? [option.problem] : []));
  if (problems.length > 0) return { problems };
  const fields = new Set(options.flatMap((option) => ('text' in option ? [option.text] : [])));
  return fields.size === 0 && verb !== 'scale' ? `${verb}: ${target}` : `${verb}: { ${[`target: ${target}`, ...fields].join(', ')} }`;
}

function stepText(typed: string): string | { readonly problems: readonly string[] } {
  const [verb = '', first = '', ...rest] = typed.split(/\s+/);
  const verbs = [...TYPED_VERBS, 'fault'];
  if (verbs.includes(verb) && first.startsWith('{')) return `${verb}:${typed.slice(verb.length)}`;
  if (verb === 'fault' && first !== '') {
    const [subject = '', ...parameters] = rest;
    return `fault: { ${[`${first}: ${subject}`, ...parameters.map((pair) => pair.replace('=', ': '))].join(', ')} }`;
  }
  if (Object.hasOwn(TYPED, verb) && first !== '') return typedText(verb, first, rest);
  if (/^[A-Za-z-]+$/.test(verb) && first !== '')
    return {
      problems: [
        `fork: expected ${verbs.join(', ')}, or a step as in a scenario, such as "apply: …", found ${JSON.stringify(verb)}${didYouMean(verb, verbs)}`,
      ],
    };
  return typed.replace(/^\{(.*)\}$/s, '$1');
}

/** A problem of the text that is made of what was typed. */
const withoutPlace = (problem: Problem): string => formatProblem(problem).replace(/^fork:\d+:\d+: (?:spec\.(?:steps\[0\]\.?)?)?/, 'fork: ');

/** The action of a fork: a step at its moment, or choices at points of its run. */
export type ForkAction = { readonly step: Step } | { readonly choices: readonly PointChoice[] };

/** The vocabulary with the kinds of a run in addition: those that its dump has, and that its steps define. */
const wordsOf = (own: Definitions | undefined, kinds: KindRegistry | undefined): Vocabulary => ({
  ...vocabulary(own),
  ...(kinds === undefined
    ? {}
    : { kinds: kinds.list().map(({ kind }) => kind), kindsOf: () => kinds, schemaOf: (kind) => kinds.byKind(kind)?.schema }),
});

/** Returns the action, or all problems of the input, one line each. `kinds`: those of the run; absent: those that are always there. */
export function readForkStep(
  typed: string,
  own?: Definitions,
  kinds?: KindRegistry,
): ForkAction | { readonly problems: readonly string[] } {
  if (typed.trim() === '')
    return {
      problems: [
        'fork: expected a step, such as "fork fault crash controller-manager", "fork delete Job/pi" or "fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }"',
      ],
    };
  const step = CHOICES.test(typed) ? '' : stepText(typed.trim());
  if (typeof step !== 'string') return step;
  const domain = kinds === undefined ? '' : `domain: ${kinds.names.domain}, `;
  const does = step === '' ? typed : `steps: [{ ${step} }]`;
  const text = `{ apiVersion: scenario.orch.io/v1, kind: Scenario, metadata: { name: fork }, spec: { ${domain}${does} } }`;
  // By itself first: a bracket that it leaves open would be closed by one of ours.
  const { problems } = readYaml(step === '' ? typed : `{ ${step} }`, 'fork');
  if (problems.length > 0) return { problems: problems.map(withoutPlace) };
  const parsed = parseScenario(text, { ...wordsOf(own, kinds), file: 'fork' });
  if ('problems' in parsed) return { problems: parsed.problems.map(withoutPlace) };
  const {
    steps: [read],
    choices = [],
  } = parsed.scenario;
  if (choices.length > 0) return { choices: choices.map(({ at, injectedFault }) => ({ at, injectedFault })) };
  return read === undefined ? { problems: ['fork: expected a step, found nothing'] } : { step: read };
}
