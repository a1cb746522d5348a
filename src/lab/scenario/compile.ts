/** From what a file says to what the simulation runs: names of units in, defaults filled, one step for each thing that happens. */
import { compileDeed } from './choice-format.ts';
import { TEMPORALS } from './invariant-format.ts';
import type {
  Action,
  ClusterSpec,
  Expectation,
  ExpressedInvariant,
  LatencyRange,
  Prose,
  Question,
  Scenario,
  SourcedManifest,
  Step,
  Timing,
  Try,
  WritingAction,
} from './types.ts';
import type { TargetRef } from './target-types.ts';
import type { Position } from '../../grammar/yaml/index.ts';
import type { NodeSpec, PodBehavior, StorageDriver } from '../../controlplane/agents/index.ts';
import type { DecisionExpectation } from './decision-types.ts';
import type { Value } from './fields.ts';
import type { SCENARIO, STEP } from './format.ts';

export type RawScenario = Value<typeof SCENARIO>;
type RawSpec = RawScenario['spec'];
export type RawStep = Value<typeof STEP>;
type RawInvariant = Exclude<NonNullable<RawSpec['invariants']>[number], string>;
type RawCluster = NonNullable<RawSpec['cluster']>;
type RawExpectation = NonNullable<RawStep['expect']>[number];
type RawWriting = Pick<RawStep, 'apply' | 'create' | 'replace' | 'patch' | 'delete' | 'evict'>;

/** What a scenario has that does not say otherwise. */
export const SCENARIO_DEFAULTS = {
  seed: 1,
  startAt: Date.UTC(2024, 2, 1),
  nodes: 3,
  capacity: { cpu: '4', memory: '8Gi', pods: '110' },
  latencyMs: 0,
} as const;

type Places = WeakMap<object, Position>;

export function compileScenario(raw: RawScenario, manifests: readonly SourcedManifest[], places: Places): Scenario {
  const { spec, metadata } = raw;
  const source = places.get(raw);
  return {
    name: metadata.name,
    ...pick(spec, 'title', 'teaches'),
    ...compileInvariants(spec.invariants, places),
    seed: spec.seed ?? SCENARIO_DEFAULTS.seed,
    startAt: spec.startTime ?? SCENARIO_DEFAULTS.startAt,
    ...renamed('untilMs', spec.until),
    limits: {
      ...renamed('steps', spec.limits?.steps),
      ...renamed('timeMs', spec.limits?.time),
      ...renamed('objects', spec.limits?.objects),
    },
    domain: spec.domain ?? 'orch.io',
    ...renamed('rules', spec.rules),
    ...renamed('allowUnknownFields', spec.allowUnknownFields),
    featureGates: spec.featureGates ?? {},
    cluster: compileCluster(spec.cluster ?? {}),
    namespaces: (spec.namespaces ?? []).map((namespace) => (typeof namespace === 'string' ? { name: namespace } : namespace)),
    manifests,
    steps: (spec.steps ?? []).flatMap((step) => compileStep(step, places)),
    ...renamed(
      'choices',
      spec.choices?.map((each) => ({ at: each.at, deed: compileDeed(each), ...renamed('source', places.get(each)) })),
    ),
    ...renamed('source', source),
  };
}

/** Patterns select among the registered ones, without any all of them are watched; what the scenario says itself stands beside them. */
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
  return {
    ...pick(raw, 'name', 'description', 'foreach', 'where'),
    temporal,
    condition: raw[temporal] ?? { cel: 'true' },
    ...renamed('withinMs', raw.within),
    ...renamed('source', places.get(raw)),
  };
}

/** `{ [name]: value }`, or nothing if there is no value. */
const renamed = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [P in K]?: V });

function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<T, K>;
}

function compileCluster(raw: RawCluster): ClusterSpec {
  return {
    nodes: compileNodes(raw.nodes ?? { count: SCENARIO_DEFAULTS.nodes }),
    ...pick(raw, 'agent', 'agentFlags', 'schedulers', 'controllerManagers'),
    scheduler: raw.scheduler ?? [],
    latency: { api: latency(raw.latency?.api), watch: latency(raw.latency?.watch) },
    podBehaviors: (raw.podBehaviors ?? []).map(compileBehavior),
    storageDrivers: (raw.storageDrivers ?? []).map(compileDriver),
    ...pick(raw, 'furnished', 'podEvents', 'managedFields'),
  };
}

function compileNodes(raw: NonNullable<RawCluster['nodes']>): readonly NodeSpec[] {
  const node = (name: string, shape: Omit<NodeSpec, 'name' | 'capacity'> & { readonly capacity?: NodeSpec['capacity'] }): NodeSpec => ({
    name,
    capacity: { ...SCENARIO_DEFAULTS.capacity, ...shape.capacity },
    ...pick(shape, 'labels', 'taints', 'agent', 'agentFlags'),
  });
  if ('count' in raw) return Array.from({ length: raw.count }, (_, index) => node(`node-${index}`, raw));
  return raw.flatMap((each) =>
    each.count === undefined
      ? [node(each.name, each)]
      : Array.from({ length: each.count }, (_, index) => node(`${each.name}-${index}`, each)),
  );
}

function latency(raw: NonNullable<RawCluster['latency']>['api']): LatencyRange {
  if (typeof raw === 'object') return { minMs: raw.min, maxMs: raw.max };
  return { minMs: raw ?? SCENARIO_DEFAULTS.latencyMs, maxMs: raw ?? SCENARIO_DEFAULTS.latencyMs };
}

const compileBehavior = (raw: NonNullable<RawCluster['podBehaviors']>[number]): PodBehavior => ({
  ...pick(raw, 'selector', 'namespace'),
  ...renamed('startDelayMs', raw.startDelay),
  ...renamed('readyDelayMs', raw.readyDelay),
  ...renamed('runForMs', raw.runFor),
  ...pick(raw, 'exitCodes', 'exitCodesByIndex'),
  ...renamed('terminationDelayMs', raw.terminationDelay),
  ...pick(raw, 'terminationExitCode'),
});

const compileDriver = (raw: NonNullable<RawCluster['storageDrivers']>[number]): StorageDriver => ({
  name: raw.name,
  attachDelayMs: raw.attachDelay ?? 0,
  detachDelayMs: raw.detachDelay ?? 0,
  provisionDelayMs: raw.provisionDelay ?? 0,
  ...pick(raw, 'failures', 'attachRequired', 'volumesPerNode'),
  storageClasses: raw.storageClasses ?? [],
});

/** An item of the file as one step, or two: what happens, then what must be true. */
function compileStep(raw: RawStep, places: Places): readonly Step[] {
  const source = renamed('source', places.get(raw));
  const claims = raw.claim?.map((each) => compileExpectation(each, places));
  const start = {
    timing: compileTiming(raw),
    ...pick(raw, 'before', 'note', 'about'),
    ...renamed('claims', claims),
    ...compileLesson(raw, places),
    ...source,
  };
  const action = compileAction(raw, places);
  const expectations = raw.expect?.map((each) => compileExpectation(each, places));
  if (expectations === undefined) return [{ ...start, ...(action ?? { verb: 'note' }) }];
  const expect: Action = { verb: 'expect', expectations };
  return action === undefined
    ? [{ ...start, ...expect }]
    : [
        { ...start, ...action },
        { timing: { when: 'next' }, ...source, ...expect },
      ];
}

function compileLesson({ ask, look, try: tries }: RawStep, places: Places): Pick<Prose, 'ask' | 'look' | 'tries'> {
  return {
    ...renamed('ask', ask === undefined ? undefined : compileQuestion(ask, places)),
    ...renamed('look', look === undefined || 'at' in look ? look : { at: look }),
    ...renamed(
      'tries',
      tries?.map((each) => compileTry(each, places)),
    ),
  };
}

const compileQuestion = (raw: NonNullable<RawStep['ask']>, places: Places): Question => ({
  question: raw.question,
  choices: raw.choices.map((choice) => ({
    say: choice.say,
    expression: choice.cel,
    because: choice.because,
    ...renamed('source', places.get(choice)),
  })),
  ...renamed('source', places.get(raw)),
});

function compileTry(raw: NonNullable<RawStep['try']>[number], places: Places): Try {
  const action = compileWriting(raw) ?? (raw.fault === undefined ? undefined : ({ verb: 'fault', fault: raw.fault } as const));
  return {
    say: raw.say,
    // The format asks for one of them; where there is none, a problem has been noted, and nothing of this is run.
    action: action ?? { verb: 'apply', objects: [] },
    then: (raw.then ?? []).map((each) => compileExpectation(each, places)),
    ...pick(raw, 'breaks'),
    ...renamed('afterMs', raw.after),
    ...renamed('source', places.get(raw)),
  };
}

function compileTiming(raw: RawStep): Timing {
  if (raw.at !== undefined) return { when: 'at', atMs: raw.at };
  if (raw.after !== undefined) return { when: 'after', afterMs: raw.after };
  if (raw.when === undefined) return { when: 'next' };
  if (raw.when === 'settled') return { when: 'settled' };
  const { cel, revision } = raw.when;
  return cel === undefined ? { when: 'revision', revision: revision ?? 0 } : { when: 'cel', expression: cel };
}

function compileAction(raw: RawStep, places: Places): Action | undefined {
  const writing = compileWriting(raw);
  if (writing !== undefined) return writing;
  if (raw.waitFor !== undefined)
    return { verb: 'waitFor', expectation: compileExpectation(raw.waitFor, places), ...renamed('withinMs', raw.waitFor.within) };
  if (raw.fault !== undefined) return { verb: 'fault', fault: raw.fault };
  if (raw.expectError?.start !== undefined)
    return { verb: 'refusedStart', process: raw.expectError.start, error: pick(raw.expectError, 'message') };
  const action = raw.expectError === undefined ? undefined : compileWriting(raw.expectError);
  return raw.expectError === undefined || action === undefined
    ? undefined
    : { verb: 'expectError', action, error: pick(raw.expectError, 'code', 'reason', 'field', 'message') };
}

function compileWriting(raw: RawWriting): WritingAction | undefined {
  if (raw.apply !== undefined) return { verb: 'apply', objects: raw.apply };
  if (raw.create !== undefined) return { verb: 'create', objects: raw.create };
  if (raw.replace !== undefined) return { verb: 'replace', objects: raw.replace };
  if (raw.patch !== undefined) {
    const { target, patch } = raw.patch;
    return {
      verb: 'patch',
      target,
      type: raw.patch.type ?? (Array.isArray(patch) ? 'json' : 'strategic'),
      ...pick(raw.patch, 'subresource', 'ignoreNotFound'),
      patch,
    };
  }
  if (raw.delete !== undefined) {
    const { target, ...options } = withTarget(raw.delete);
    return { verb: 'delete', target, ...options };
  }
  if (raw.evict === undefined) return undefined;
  const { target, ...options } = withTarget(raw.evict);
  return { verb: 'evict', target, ...options };
}

/** `delete: Job/a` is short for `delete: { target: Job/a }`. */
const withTarget = <T extends { readonly target: TargetRef }>(raw: TargetRef | T): T | { readonly target: TargetRef } =>
  'target' in raw ? raw : { target: raw };

function compileExpectation(raw: RawExpectation, places: Places): Expectation {
  const source = renamed('source', places.get(raw));
  if (raw.match !== undefined) return { expect: 'match', match: raw.match, ...source };
  if (raw.absent !== undefined) return { expect: 'absent', target: raw.absent, ...source };
  if (raw.count !== undefined) return { expect: 'count', of: raw.count.of, bounds: pick(raw.count, 'is', 'atLeast', 'atMost'), ...source };
  if (raw.cel !== undefined) return { expect: 'cel', expression: raw.cel, ...source };
  const decision = compileDecision(raw);
  if (decision !== undefined) return { ...decision, ...source };
  const { is = true, ...question } = raw.allowed ?? { user: '', verb: '' };
  return { expect: 'allowed', question, is, ...source };
}

/** The questions to rules: what is asked, apart from the answer that is expected. */
function compileDecision(raw: RawExpectation): DecisionExpectation | undefined {
  if (raw.traffic !== undefined) {
    const { is = true, ...question } = raw.traffic;
    return { expect: 'traffic', question, is };
  }
  if (raw.backend !== undefined) {
    const { is, ...question } = raw.backend;
    return { expect: 'backend', question, is };
  }
  if (raw.endpoints !== undefined) {
    const { is, ...question } = raw.endpoints;
    return { expect: 'endpoints', question, is };
  }
  if (raw.capacity !== undefined) {
    const { is = true, ...question } = raw.capacity;
    return { expect: 'capacity', question, is };
  }
  if (raw.preferred !== undefined) {
    const { is, ...question } = raw.preferred;
    return { expect: 'preferred', question, is };
  }
  return undefined;
}
