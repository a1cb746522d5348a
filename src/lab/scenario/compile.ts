/** Compiles a file for the simulation: units become part of names, defaults are filled in, and each action becomes one step. */
import { compileInjectedFault } from './choice-format.ts';
import { DECISION_FIELDS, type DecisionExpectation, type WRITING_FIELDS, WRITING_VERBS } from './writing-format.ts';
import { pick, SCENARIO_DEFAULTS } from './compile-cluster.ts';
import { present } from '../../schema/values/index.ts';
import { startOf } from './dump.ts';
import { type SCENARIO, type STEP, TEMPORALS } from './format.ts';
import { clusterFrom, notesOn } from './compile-from.ts';
import type {
  Action,
  Expectation,
  ExpressedInvariant,
  Question,
  Scenario,
  ScenarioFrom,
  Step,
  Timing,
  Try,
  WritingAction,
} from './types.ts';
import type { SourcedManifest, TargetRef } from './values.ts';
import type { Position } from '../../schema/yaml/index.ts';
import type { Value } from './fields.ts';

export type RawScenario = Value<typeof SCENARIO>;
type RawSpec = RawScenario['spec'];
type RawStep = Value<typeof STEP>;
type RawInvariant = Exclude<NonNullable<RawSpec['invariants']>[number], string>;
type RawExpectation = NonNullable<RawStep['expect']>[number];
type RawWriting = Pick<RawStep, keyof typeof WRITING_FIELDS>;

const DECISION_NAMES = Object.keys(DECISION_FIELDS) as (keyof typeof DECISION_FIELDS)[];

type Places = WeakMap<object, Position>;

export function compileScenario(raw: RawScenario, manifests: readonly SourcedManifest[], places: Places, from?: ScenarioFrom): Scenario {
  const { spec, metadata } = raw;
  const start = startOf(manifests, spec.cluster?.nodes !== undefined || from !== undefined);
  const lintWarnings = [...(from === undefined ? [] : notesOn(from)), ...(start.lintWarning === undefined ? [] : [start.lintWarning])];
  return present({
    name: metadata.name,
    ...pick(spec, 'title', 'teaches', 'untilMs', 'rules', 'allowUnknownFields'),
    ...compileInvariants(spec.invariants, places),
    seed: spec.seed ?? SCENARIO_DEFAULTS.seed,
    startAt: spec.startTime ?? from?.snapshot.takenAt ?? SCENARIO_DEFAULTS.startAt,
    limits: spec.limits ?? {},
    domain: spec.domain ?? from?.snapshot.domain ?? 'orch.io',
    featureGates: spec.featureGates ?? {},
    clients: spec.clients === undefined ? undefined : Object.entries(spec.clients).map(([name, how]) => ({ name, ...how })),
    webhooks: spec.webhooks === undefined ? undefined : Object.entries(spec.webhooks).map(([name, how]) => ({ name, ...how })),
    cluster: clusterFrom(from, start.nodes === undefined ? (spec.cluster ?? {}) : { nodes: start.nodes, ...spec.cluster }),
    namespaces: (spec.namespaces ?? []).map((namespace) => (typeof namespace === 'string' ? { name: namespace } : namespace)),
    from,
    manifests: start.manifests,
    lintWarnings: lintWarnings.length === 0 ? undefined : lintWarnings,
    steps: (spec.steps ?? []).flatMap((step) => compileStep(step, places)),
    recorded: spec.recorded === undefined ? undefined : present({ ...spec.recorded, source: places.get(spec.recorded) }),
    choices: spec.choices?.map((each) => present({ at: each.at, injectedFault: compileInjectedFault(each), source: places.get(each) })),
    source: places.get(raw),
  });
}

/** Patterns select among the registered invariants (absent: all); those that the scenario defines are added. */
function compileInvariants(raw: RawSpec['invariants'], places: Places): Pick<Scenario, 'invariants' | 'expressed'> {
  if (raw === undefined) return {};
  const patterns = raw.filter((each) => typeof each === 'string');
  const own = raw.filter((each) => typeof each !== 'string');
  return {
    ...(patterns.length === 0 && own.length > 0 ? {} : { invariants: patterns }),
    ...(own.length === 0 ? {} : { expressed: own.map((each) => compileInvariant(each, places)) }),
  };
}

function compileInvariant(raw: RawInvariant, places: Places): ExpressedInvariant {
  const temporal = TEMPORALS.find((each) => raw[each] !== undefined) ?? 'always';
  const condition = raw[temporal] ?? { cel: 'true' };
  const members = pick(raw, 'name', 'description', 'foreach', 'where', 'withinMs');
  return present({ ...members, temporal, condition, source: places.get(raw) });
}

/** Compiles an item of a file to one step, or two: an action, then its expectations. */
function compileStep(raw: RawStep, places: Places): readonly Step[] {
  const source = places.get(raw);
  const { ask, look, try: tries } = raw;
  const start = present({
    timing: compileTiming(raw),
    ...pick(raw, 'before', 'note', 'about', 'as', 'code'),
    assertions: raw.assert?.map((each) => compileExpectation(each, places)),
    ask: ask === undefined ? undefined : compileQuestion(ask, places),
    look: look === undefined || 'at' in look ? look : { at: look },
    tries: tries?.map((each) => compileTry(each, places)),
    source,
  });
  const action = compileAction(raw, places);
  const expectations = raw.expect?.map((each) => compileExpectation(each, places));
  if (expectations === undefined) return [{ ...start, ...(action ?? { verb: 'note' }) }];
  const expect: Action = { verb: 'expect', expectations };
  return action === undefined
    ? [{ ...start, ...expect }]
    : [
        { ...start, ...action },
        { timing: { when: 'next' }, ...present({ source }), ...expect },
      ];
}

const compileQuestion = (raw: NonNullable<RawStep['ask']>, places: Places): Question =>
  present({
    question: raw.question,
    choices: raw.choices.map((choice) =>
      present({ ...pick(choice, 'say', 'because'), expression: choice.cel, source: places.get(choice) }),
    ),
    source: places.get(raw),
  });

function compileTry(raw: NonNullable<RawStep['try']>[number], places: Places): Try {
  const action = compileWriting(raw) ?? (raw.fault === undefined ? undefined : ({ verb: 'fault', fault: raw.fault } as const));
  return present({
    say: raw.say,
    // The format requires one of them; without one a problem was reported, and the scenario is not run.
    action: action ?? { verb: 'apply', objects: [] },
    then: (raw.then ?? []).map((each) => compileExpectation(each, places)),
    ...pick(raw, 'shows', 'breaks', 'afterMs'),
    source: places.get(raw),
  });
}

function compileTiming(raw: RawStep): Timing {
  if (raw.atMs !== undefined) return { when: 'at', atMs: raw.atMs };
  if (raw.afterMs !== undefined) return { when: 'after', afterMs: raw.afterMs };
  if (raw.when === undefined) return { when: 'next' };
  if (raw.when === 'settled') return { when: 'settled' };
  const { cel, revision } = raw.when;
  return cel === undefined ? { when: 'revision', revision: revision ?? 0 } : { when: 'cel', expression: cel };
}

function compileAction(raw: RawStep, places: Places): Action | undefined {
  const writing = compileWriting(raw);
  if (writing !== undefined) return writing;
  if (raw.waitFor !== undefined)
    return { verb: 'waitFor', expectation: compileExpectation(raw.waitFor, places), ...pick(raw.waitFor, 'withinMs') };
  if (raw.drain !== undefined) return { verb: 'drain', ...withTarget(raw.drain) };
  if (raw.fault !== undefined) return { verb: 'fault', fault: raw.fault };
  if (raw.expectError?.start !== undefined)
    return { verb: 'refusedStart', process: raw.expectError.start, error: pick(raw.expectError, 'message') };
  const action = raw.expectError === undefined ? undefined : compileWriting(raw.expectError);
  return raw.expectError === undefined || action === undefined
    ? undefined
    : { verb: 'expectError', action, error: pick(raw.expectError, 'code', 'reason', 'field', 'message') };
}

function compileWriting(raw: RawWriting): WritingAction | undefined {
  const verb = WRITING_VERBS.find((each) => raw[each] !== undefined);
  switch (verb) {
    case undefined:
      return undefined;
    case 'apply':
    case 'create':
    case 'replace':
      return { verb, objects: raw[verb] ?? [] };
    default: {
      const given = withTarget(raw[verb] ?? { kind: '' });
      const type = 'patch' in given ? { type: given.type ?? (Array.isArray(given.patch) ? 'json' : 'strategic') } : {};
      // Every other verb has the members of its own field, which TypeScript cannot infer of a union.
      return { verb, ...given, ...type } as WritingAction;
    }
  }
}

/** `delete: Job/a` is short for `delete: { target: Job/a }`. */
const withTarget = <T extends { readonly target: TargetRef }>(raw: TargetRef | T): T | { readonly target: TargetRef } =>
  'target' in raw ? raw : { target: raw };

function compileExpectation(raw: RawExpectation, places: Places): Expectation {
  const source = present({ source: places.get(raw) });
  if (raw.match !== undefined) return { expect: 'match', match: raw.match, ...source };
  if (raw.absent !== undefined) return { expect: 'absent', target: raw.absent, ...source };
  if (raw.count !== undefined) return { expect: 'count', of: raw.count.of, bounds: pick(raw.count, 'is', 'atLeast', 'atMost'), ...source };
  if (raw.cel !== undefined) return { expect: 'cel', expression: raw.cel, ...source };
  const decision = compileDecision(raw);
  if (decision !== undefined) return { ...decision, ...source };
  const { is = true, ...question } = raw.allowed ?? { user: '', verb: '' };
  return { expect: 'allowed', question, is, ...source };
}

/** Compiles the questions to decision rules, with their expected answers: true, unless another one is given. */
function compileDecision(raw: RawExpectation): DecisionExpectation | undefined {
  const name = DECISION_NAMES.find((each) => raw[each] !== undefined);
  if (name === undefined) return undefined;
  const { is = true, ...question } = { is: undefined, ...raw[name] };
  // The format requires an answer other than true or false.
  return { expect: name, question, is } as DecisionExpectation;
}
