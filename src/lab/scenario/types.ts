/**
 * A scenario in the form that the simulation runs: checked, typed, durations in whole milliseconds. It is plain data, which can be sent to
 * a worker, reduced and written out again.
 */
import type { Snapshot } from '../snapshot/index.ts';
import type { AgentOptions, NodeSpec } from '../../controlplane/agents/index.ts';
import type { SeriesSpec } from '../../controlplane/usage/index.ts';
import type { Domain, RulesMode } from '../../apiserver/machinery/index.ts';

export type { NodeSpec, PodBehavior } from '../../controlplane/agents/index.ts';
import type { Position } from '../../schema/yaml/index.ts';
import type { PointChoice } from './choice-format.ts';
import type { SCENARIO, STEP, TEMPORALS } from './format.ts';
import type { CLIENT, RECORDED, WEBHOOK_ANSWER } from './outside-format.ts';
import type { CLUSTER } from './cluster-format.ts';
import type { DecisionExpectation, DRAIN, EXPECTATION_FIELDS, WRITING_FIELDS } from './writing-format.ts';
import type { Value } from './fields.ts';
import type { DumpSource, Expression, FaultCall, Manifest, SourcedManifest, TargetRef } from './values.ts';

/** The start of a step, relative to the end of the previous one; `at` is relative to the start of the run. */
export type Timing =
  | { readonly when: 'next' }
  | { readonly when: 'at'; readonly atMs: number }
  | { readonly when: 'after'; readonly afterMs: number }
  | { readonly when: 'settled' }
  | { readonly when: 'cel'; readonly expression: Expression }
  /** Right after the write of this revision, before its effects. */
  | { readonly when: 'revision'; readonly revision: number };

export type CountBounds = Omit<Value<typeof EXPECTATION_FIELDS.count>, 'of'>;

/** The question of `expect: { allowed: … }`: whether a user is allowed to do something. */
export type AccessQuestion = Omit<Value<typeof EXPECTATION_FIELDS.allowed>, 'is'>;

/** A condition on the cluster. */
export type Expectation = { readonly source?: Position } & (
  | { readonly expect: 'match'; readonly match: Manifest }
  | { readonly expect: 'absent'; readonly target: TargetRef }
  | { readonly expect: 'count'; readonly of: TargetRef; readonly bounds: CountBounds }
  | { readonly expect: 'cel'; readonly expression: Expression }
  | { readonly expect: 'allowed'; readonly question: AccessQuestion; readonly is: boolean }
  | DecisionExpectation
);

type Writing = { readonly [K in keyof typeof WRITING_FIELDS]: Value<(typeof WRITING_FIELDS)[K]> };
/** The long form of an action: its target with options. */
type WithTarget<T> = Extract<T, { readonly target: TargetRef }>;

/** A step that writes through the server; `expectError` can contain one. */
export type WritingAction =
  | { readonly verb: 'apply' | 'create' | 'replace'; readonly objects: readonly SourcedManifest[] }
  | ({ readonly verb: 'patch'; readonly type: NonNullable<Writing['patch']['type']> } & Writing['patch'])
  | ({ readonly verb: 'delete' } & WithTarget<Writing['delete']>)
  | ({ readonly verb: 'evict' } & WithTarget<Writing['evict']>)
  | ({ readonly verb: 'bind' } & Writing['bind'])
  | { readonly verb: 'cordon' | 'uncordon'; readonly target: TargetRef }
  | ({ readonly verb: 'scale' } & Writing['scale']);

/** Options of a drain: which pods it may evict, and its timeout. */
export type DrainOptions = Omit<WithTarget<Value<typeof DRAIN>>, 'target'>;

/** The expected error of a writing step; absent members are not compared, and `message` is a substring. */
export interface ExpectedError {
  readonly code?: number;
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** The action of a step: one verb with its operands, checked. Durations are milliseconds. */
export type Action =
  | WritingAction
  | { readonly verb: 'waitFor'; readonly expectation: Expectation; readonly withinMs?: number }
  | ({ readonly verb: 'drain'; readonly target: TargetRef } & DrainOptions)
  | { readonly verb: 'fault'; readonly fault: FaultCall }
  | { readonly verb: 'expect'; readonly expectations: readonly Expectation[] }
  | { readonly verb: 'expectError'; readonly action: WritingAction; readonly error: ExpectedError }
  /** `expectError: { start: … }`: a process that is down must refuse to start. */
  | { readonly verb: 'refusedStart'; readonly process: string; readonly error: ExpectedError }
  | { readonly verb: 'note' };

/** The narration of a step, in markdown. */
export interface Prose {
  readonly before?: string;
  /** Shown when the step has ended: its wait is over, and its expectations hold. */
  readonly note?: string;
  /** The object of the note, which `why` explains there. Absent: the object that the step waits for, checks or changes. */
  readonly about?: TargetRef;
  /** The assertions of the note; the run fails where one is false at the end of the step. */
  readonly assertions?: readonly Expectation[];
  readonly ask?: Question;
  readonly look?: Look;
  readonly tries?: readonly Try[];
}

/** A question before time passes for the step; exactly one choice must hold when the step has ended. */
export interface Question {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly source?: Position;
}

export interface Choice {
  readonly say: string;
  readonly expression: Expression;
  readonly because: string;
  readonly source?: Position;
}

/** The object to show when a step has ended. */
export interface Look {
  readonly at: TargetRef;
  /** The process whose cache is shown; absent: the server's state. */
  readonly as?: string;
}

/** A suggestion at the end of a step: a fork with its own expectations. */
export interface Try {
  readonly say: string;
  /** What the fork shows, in one sentence, which `then` and `breaks` check. */
  readonly shows?: string;
  readonly action: WritingAction | Extract<Action, { readonly verb: 'fault' }>;
  readonly then: readonly Expectation[];
  readonly breaks?: string;
  /** The fork ends this long after it; absent: at the scenario's end. */
  readonly afterMs?: number;
  readonly source?: Position;
}

/** Who makes the request of a step. */
export type Requester = NonNullable<Value<typeof STEP>['as']>;

/** One step: its timing, its narration, its action. `code`: the answer to its request; without it any refusal ends the steps. */
export type Step = { readonly timing: Timing; readonly as?: Requester; readonly code?: number; readonly source?: Position } & Prose &
  Action;

/** The writes of a real cluster with which a run is compared. `covers`: what is recorded completely, by kind and first word: `Pod created`. */
export type Recorded = Value<typeof RECORDED> & { readonly source?: Position };

/** A duration drawn from the seed between two bounds, milliseconds; they are equal for a fixed one. */
export type LatencyRange = Extract<NonNullable<Raw['latency']>['api'], object>;

/** One of several schedulers. */
export type SchedulerSpec = Extract<Raw['schedulers'], readonly unknown[]>[number];

type Raw = Value<typeof CLUSTER>;

/** The cluster of a scenario: nodes, processes, behaviour of pods, storage. An AgentConfiguration is not parsed. */
export interface ClusterSpec
  extends
    Pick<Raw, 'agent' | 'agentFlags' | 'schedulers' | 'controllerManagers' | 'bootstrap' | 'podEvents' | 'managedFields' | 'timeZone'>,
    Pick<
      AgentOptions,
      'podBehaviors' | 'storageDrivers' | 'podSources' | 'usage' | 'images' | 'certificateSigners' | 'credentialProviders'
    > {
  readonly nodes: readonly NodeSpec[];
  readonly scheduler: readonly string[];
  readonly latency: { readonly api: LatencyRange; readonly watch: LatencyRange };
  readonly metrics?: readonly SeriesSpec[];
}

/** A dump as a scenario names it, and what was read. */
export interface ScenarioFrom extends DumpSource {
  readonly snapshot: Snapshot;
  /** What its file of behaviours states; it is part of the cluster too, after what the scenario itself states. */
  readonly behavior?: Behavior;
}

/** How what is imported goes on. */
export type Behavior = Pick<ClusterSpec, 'podBehaviors' | 'usage' | 'metrics'>;

type RawSpec = Value<typeof SCENARIO>['spec'];
type Item<T> = NonNullable<T> extends readonly (infer I)[] ? I : never;

/** A namespace of the scenario. */
export type NamespaceSpec = Exclude<Item<RawSpec['namespaces']>, string>;

type RawInvariant = Exclude<Item<RawSpec['invariants']>, string>;

/**
 * An invariant that a scenario defines. `foreach`: the kinds of its objects; absent: it is about the cluster. `where`: a condition over `self`
 * that selects objects.
 */
export interface ExpressedInvariant extends Omit<RawInvariant, (typeof TEMPORALS)[number]> {
  readonly temporal: (typeof TEMPORALS)[number];
  /** With `foreach` over `self` and `old`, otherwise over the cluster. */
  readonly condition: Expression;
  readonly source?: Position;
}

/**
 * A program outside the cluster, and how its requests are recognised: by patterns, each of which must fit. `timersMs`: the longest of its own
 * timers.
 */
export type ClientSpec = { readonly name: string } & Value<typeof CLIENT>;

/**
 * What a webhook answers: conditions in CEL on the object, self, and its stored revision, old. `mutate`: a JSON merge patch; `fails`: why it
 * does not answer.
 */
export type WebhookAnswer = { readonly name: string } & Value<typeof WEBHOOK_ANSWER>;

/** A whole scenario. */
export interface Scenario {
  readonly name: string;
  readonly title?: string;
  readonly teaches?: string;
  readonly seed: number;
  /** The start of virtual time, milliseconds since the epoch. */
  readonly startAt: number;
  /** The length of the run, milliseconds; absent: until the cluster is settled after the last step. */
  readonly untilMs?: number;
  readonly limits: NonNullable<RawSpec['limits']>;
  readonly domain: Domain;
  /** What happens to writes that the specification forbids and v1.24 accepts; absent: the default of the domain. */
  readonly rules?: RulesMode;
  /** Its objects and patches may have fields that their kind does not have. */
  readonly allowUnknownFields?: boolean;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly cluster: ClusterSpec;
  readonly clients?: readonly ClientSpec[];
  /** Absent: webhooks are not asked. */
  readonly webhooks?: readonly WebhookAnswer[];
  readonly namespaces: readonly NamespaceSpec[];
  /** The dump with which the run begins; its nodes and drivers are among those of the cluster. Absent: the cluster is empty. */
  readonly from?: ScenarioFrom;
  /** The other documents of the same file, applied before the first step. */
  readonly manifests: readonly SourcedManifest[];
  /** Warnings shown with every run: what was removed from its manifests. */
  readonly lintWarnings?: readonly string[];
  readonly steps: readonly Step[];
  /** Patterns (`job/*`, `!job/finished-is-final`); absent: all that apply. See `selectInvariants`. */
  readonly invariants?: readonly string[];
  readonly expressed?: readonly ExpressedInvariant[];
  /** What a real cluster wrote. */
  readonly recorded?: Recorded;
  /** Choices, each made once, at its point. */
  readonly choices?: readonly PointChoice[];
  readonly source?: Position;
}
