/**
 * A scenario as the simulation runs it: checked, typed, durations in whole milliseconds. Plain data, so that it can be sent to a worker,
 * shrunk and written out again.
 */
import type { CredentialPlugin } from '../../controlplane/config/index.ts';
import type { CertificateSigner, ImageSpec, PodSource, NodeSpec, PodBehavior, StorageDriver } from '../../controlplane/agents/index.ts';
import type { SeriesSpec, UsageSpec } from '../../controlplane/usage/index.ts';
import type { Domain, RulesMode } from '../../apiserver/machinery/index.ts';

export type { NodeSpec, PodBehavior, StorageDriver } from '../../controlplane/agents/index.ts';
import type { Position } from '../../schema/yaml/index.ts';
import type { PointChoice } from './choice-types.ts';
import type { DecisionExpectation } from './decision-types.ts';
import type { Expression, TargetRef } from './target-types.ts';

/** An object as a scenario's author wrote it: checked for being a mapping with a kind, everything else is the server's to judge. */
export interface Manifest {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** A manifest and where it stands; generated scenarios have no source. */
export interface SourcedManifest {
  readonly object: Manifest;
  readonly source?: Position;
}

/** When a step starts, counted from the end of the step before it. `at` counts from the start of the run. */
export type Timing =
  | { readonly when: 'next' }
  | { readonly when: 'at'; readonly atMs: number }
  | { readonly when: 'after'; readonly afterMs: number }
  | { readonly when: 'settled' }
  | { readonly when: 'cel'; readonly expression: Expression }
  /** Right after the write of this revision, before anything comes of it. */
  | { readonly when: 'revision'; readonly revision: number };

/** How many objects a target names. */
export interface CountBounds {
  readonly is?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The question `expect: { allowed: … }` asks: may this user do this? */
export interface AccessQuestion {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly verb: string;
  /** Plural resource name; absent for a question about `path`. */
  readonly resource?: string;
  readonly group?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
  /** A non-resource path such as `/healthz`. */
  readonly path?: string;
}

/** Something that must be true of the world. */
export type Expectation = { readonly source?: Position } & (
  | { readonly expect: 'match'; readonly match: Manifest }
  | { readonly expect: 'absent'; readonly target: TargetRef }
  | { readonly expect: 'count'; readonly of: TargetRef; readonly bounds: CountBounds }
  | { readonly expect: 'cel'; readonly expression: Expression }
  | { readonly expect: 'allowed'; readonly question: AccessQuestion; readonly is: boolean }
  | DecisionExpectation
);

export type PatchType = 'merge' | 'strategic' | 'json' | 'apply';
export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** A step that writes through the server: the ones `expectError` can wrap. */
export type WritingAction =
  | { readonly verb: 'apply' | 'create' | 'replace'; readonly objects: readonly SourcedManifest[] }
  | {
      readonly verb: 'patch';
      readonly target: TargetRef;
      readonly type: PatchType;
      readonly subresource?: string;
      readonly patch: unknown;
      readonly ignoreNotFound?: boolean;
    }
  | {
      readonly verb: 'delete';
      readonly target: TargetRef;
      readonly propagationPolicy?: PropagationPolicy;
      readonly gracePeriodSeconds?: number;
      readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
      readonly ignoreNotFound?: boolean;
    }
  | {
      readonly verb: 'evict';
      readonly target: TargetRef;
      readonly gracePeriodSeconds?: number;
      readonly ignoreNotFound?: boolean;
      /** A budget's refusal is taken for an answer. */
      readonly ifAllowed?: boolean;
    }
  | { readonly verb: 'cordon' | 'uncordon'; readonly target: TargetRef }
  | { readonly verb: 'scale'; readonly target: TargetRef; readonly replicas: number; readonly ignoreNotFound?: boolean };

/** What a drain may take away, and how long it may take. */
export interface DrainOptions {
  readonly timeoutMs?: number;
  readonly gracePeriodSeconds?: number;
  readonly ignoreDaemonSets?: boolean;
  readonly deleteEmptyDirData?: boolean;
  readonly force?: boolean;
  readonly disableEviction?: boolean;
  readonly podLabels?: Readonly<Record<string, string>>;
}

/** A fault as the file states it: `{ crash: controller-manager, restartAfter: 10s }` is name, subject, parameters (durations in ms). */
export interface FaultCall {
  readonly name: string;
  readonly subject: unknown;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The error a writing step must get; absent members are not compared. `message` need only be contained. */
export interface ExpectedError {
  readonly code?: number;
  readonly reason?: string;
  readonly field?: string;
  readonly message?: string;
}

/** What a step does: one verb with its operands, read and checked. Durations are milliseconds. */
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

/** What a reader is told of a step, in markdown. */
export interface Prose {
  /** Told when the step starts. */
  readonly before?: string;
  /** Told when the step has ended: its wait is over, and what is expected beside it holds. */
  readonly note?: string;
  /** The object that the note is about: what `why` explains there. Absent: what the step waits for, checks or changes. */
  readonly about?: TargetRef;
  /** What the note states of the world; where one is false when the note would be told, the run fails. */
  readonly assertions?: readonly Expectation[];
  readonly ask?: Question;
  readonly look?: Look;
  readonly tries?: readonly Try[];
}

/** Asked before time passes for the step; exactly one choice holds when the step has ended. */
export interface Question {
  readonly question: string;
  readonly choices: readonly Choice[];
  readonly source?: Position;
}

export interface Choice {
  readonly say: string;
  /** The condition that it states. */
  readonly expression: Expression;
  readonly because: string;
  readonly source?: Position;
}

/** Where to look when a step has ended. */
export interface Look {
  readonly at: TargetRef;
  /** The process in whose cache the object is shown; absent: the state of the server. */
  readonly as?: string;
}

/** Something to try when a step has ended: a fork with expectations of its own. */
export interface Try {
  readonly say: string;
  readonly action: WritingAction | Extract<Action, { readonly verb: 'fault' }>;
  readonly then: readonly Expectation[];
  /** The invariant that it breaks. */
  readonly breaks?: string;
  /** So long after it the fork ends; absent: at the scenario's end. */
  readonly afterMs?: number;
  readonly source?: Position;
}

/** One step: when, what a reader is told, what happens. */
export type Step = { readonly timing: Timing; readonly source?: Position } & Prose & Action;

/** A duration drawn from the seed between two bounds; a fixed one has both equal. */
export interface LatencyRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/** One of several schedulers. */
export interface SchedulerSpec {
  /** Of its process. */
  readonly name: string;
  readonly schedulerName?: string;
  /** After those of all schedulers. */
  readonly flags?: readonly string[];
  readonly candidates?: number;
}

export interface ClusterSpec {
  readonly nodes: readonly NodeSpec[];
  /** An AgentConfiguration, unread; absent: the defaults. */
  readonly agent?: Manifest;
  /** Flags of all agents. */
  readonly agentFlags?: readonly string[];
  /** Flags of all scheduler processes. */
  readonly scheduler: readonly string[];
  /** Candidates for election, or schedulers one by one; absent: one that leads unasked (unless its flags speak of an election). */
  readonly schedulers?: number | readonly SchedulerSpec[];
  readonly controllerManagers?: number;
  readonly latency: { readonly api: LatencyRange; readonly watch: LatencyRange };
  readonly podBehaviors: readonly PodBehavior[];
  readonly storageDrivers: readonly StorageDriver[];
  /** Pods in files of nodes and behind endpoints. */
  readonly podSources?: readonly PodSource[];
  /** What pods and nodes use. */
  readonly usage?: readonly UsageSpec[];
  /** Metrics other than that. */
  readonly metrics?: readonly SeriesSpec[];
  /** Images that have to be pulled. */
  readonly images?: readonly ImageSpec[];
  readonly certificateSigners?: readonly CertificateSigner[];
  readonly credentialProviders?: readonly CredentialPlugin[];
  /** Holds what a real server puts there by itself. */
  readonly bootstrap?: boolean;
  /** Node agents record events of containers. */
  readonly podEvents?: boolean;
  /** What the cluster's processes write is tracked in managedFields. */
  readonly managedFields?: boolean;
  /** Of the controller manager's process. */
  readonly timeZone?: string;
}

export interface NamespaceSpec {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** An invariant that a scenario says itself. */
export interface ExpressedInvariant {
  readonly name: string;
  readonly description?: string;
  readonly temporal: 'always' | 'eventually' | 'stable' | 'sometimes';
  /** With `foreach` over `self` and `old`, else over the world. */
  readonly condition: Expression;
  /** Kinds of the objects that it is about; absent: the world. */
  readonly foreach?: readonly string[];
  /** Over `self`: which of them. */
  readonly where?: Expression;
  readonly withinMs?: number;
  readonly source?: Position;
}

/** A whole scenario. */
export interface Scenario {
  readonly name: string;
  readonly title?: string;
  readonly teaches?: string;
  readonly seed: number;
  /** Milliseconds since the epoch at which virtual time starts. */
  readonly startAt: number;
  /** Length of the run; absent: until it has settled after the last step. */
  readonly untilMs?: number;
  readonly limits: { readonly steps?: number; readonly timeMs?: number; readonly objects?: number };
  readonly domain: Domain;
  /** What becomes of writes that the specification forbids and v1.24 takes; absent: as the domain has it. */
  readonly rules?: RulesMode;
  /** Its objects and patches may have fields that their kind does not know. */
  readonly allowUnknownFields?: boolean;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly cluster: ClusterSpec;
  /** Created before the manifests. */
  readonly namespaces: readonly NamespaceSpec[];
  /** Plain documents of the same file, applied before the first step. */
  readonly manifests: readonly SourcedManifest[];
  /** What is said of it with every run: what was left out of its manifests. */
  readonly lintWarnings?: readonly string[];
  readonly steps: readonly Step[];
  /** Patterns (`job/*`, `!job/finished-is-final`); absent: all that apply. See `selectInvariants`. */
  readonly invariants?: readonly string[];
  /** Invariants that it says itself. */
  readonly expressed?: readonly ExpressedInvariant[];
  /** What goes otherwise than by itself: each once, at its point. */
  readonly choices?: readonly PointChoice[];
  readonly source?: Position;
}
