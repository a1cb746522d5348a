/** The options of a cluster, and its interface for the code that drives it. */
import type { Observable } from 'rxjs';
import { perObject, type Kernel, type Limits, type Pending } from '../engine/index.ts';
import { type KindRegistry, kindsFor, type CustomKind } from '../apiserver/kinds/index.ts';
import type { ApiRequest, ApiResponse, Envelope } from '../apiserver/request/index.ts';
import type { AskWebhook } from '../apiserver/admission/index.ts';
import type { Store } from '../apiserver/store/index.ts';
import type { Server } from '../apiserver/handlers/index.ts';
import { namesFor, resolveGates, rulesFor } from '../apiserver/machinery/index.ts';
import type { Domain, FeatureGates, Names, RulesMode } from '../apiserver/machinery/index.ts';
import type { AgentOptions, AgentStart, NodeSpec, ReadLog, World } from './agents/index.ts';
import type { ControllerOptions } from './controllers/index.ts';
import type { InitialState } from './restored.ts';
import type { Metered, SeriesSpec } from './usage/index.ts';
import type { ControlPlaneOptions } from './control-plane.ts';
import type {
  ClusterEvent,
  Controller,
  Counters,
  Delay,
  FaultRules,
  Observation,
  Observed,
  Points,
  ProcessSpec,
  RenewalInterval,
  Runtime,
  ReportGroup,
  ReportPart,
} from './runtime/index.ts';

/** A request with its response, at an instant, and the kinds that were served then. */
export interface AnsweredRequest {
  readonly envelope: Envelope;
  readonly response: ApiResponse;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kinds: KindRegistry;
}

/**
 * The composition and behaviour of a cluster. Everything has defaults: no nodes, the built-in controllers, seed 1. Instants and durations
 * are milliseconds.
 */
export interface ClusterOptions {
  readonly seed?: number | string;
  /** Virtual time zero, milliseconds since the epoch. */
  readonly startAt?: number;
  /** How long before that instant the cluster starts, so that nodes are ready and leaders elected at zero. */
  readonly warmUpMs?: number;
  readonly domain?: Domain;
  /**
   * How rules of the specification that v1.24 does not have are applied; default: violations are refused in the neutral domain, and give
   * warnings in the other.
   */
  readonly rules?: RulesMode;
  readonly featureGates?: FeatureGates;
  readonly limits?: Partial<Limits>;
  /** The maximum number of objects, Events excluded; default: 150,000. */
  readonly maxObjects?: number;
  readonly latency?: { readonly api: Delay; readonly watch: Delay };
  readonly nodes?: readonly NodeSpec[];
  readonly agents?: Partial<AgentOptions>;
  /** Creates the objects that a server adds to a new cluster by itself: the built-in roles and bindings, and the Service `kubernetes`. */
  readonly bootstrap?: boolean;
  /**
   * Tracks writes of the cluster's processes in `managedFields`, as those of clients always are. Tracking costs as much as the write
   * itself.
   */
  readonly managedFields?: boolean;
  /** Asks the webhooks of configurations in the store; absent: they are kept, and not asked. */
  readonly webhooks?: AskWebhook | undefined;
  /** The objects of another cluster, with which this one begins at `startAt`, without a warm-up. */
  readonly from?: InitialState;
  /** Created while the cluster starts, so that the objects that controllers add to every namespace exist at zero. */
  readonly namespaces?: readonly { readonly name: string; readonly labels?: Readonly<Record<string, string>> }[];
  /** User-defined kinds, besides the registered ones. */
  readonly kinds?: readonly CustomKind[];
  /** Controllers of the controller manager; default: all registered. Others are for planting bugs. */
  readonly controllers?: (kinds: KindRegistry, options?: ControllerOptions) => readonly Controller[];
  /** The time zone of the controller manager's process; default: UTC. */
  readonly timeZone?: string;
  /** Signs certificates; default: a stand-in, whose certificates nothing trusts. */
  readonly certificateAuthority?: ControllerOptions['certificateAuthority'];
  /** Metrics other than the usage of pods (`agents.usage`), for autoscalers; default: no metrics adapter. */
  readonly metrics?: readonly SeriesSpec[];
  /** Leader election among several controller managers or schedulers; absent: one of each, which leads without an election. */
  readonly controlPlane?: ControlPlaneOptions;
  /** Programs outside the cluster that faults can be about, by name. */
  readonly clients?: readonly string[];
  /** Changes a process before it starts, to inject bugs. */
  readonly alter?: (process: ProcessSpec) => ProcessSpec;
  /** Renews every lease with real writes, also those that no process watches. */
  readonly eagerLeases?: boolean;
  /** Delivers every change to every controller that watches its kind, whatever its predicates say: to verify the predicates. */
  readonly broadcast?: boolean;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** Called for each observation; cheaper than subscribing. */
  readonly onObservation?: (observation: Observation) => void;
  /** Called for each request that reached the server, with its response. */
  readonly onRequest?: (answered: AnsweredRequest) => void;
  /** Called when elided renewals of a lease begin, which no observation reports, and again when they end. */
  readonly onRenewalInterval?: (renewalInterval: RenewalInterval) => void;
  /** false: the run has no digest, to measure the cost of the digest. */
  readonly digest?: boolean;
}

/** The names, gates and rules that follow from the options, with defaults applied. */
export interface Settings {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly rules: RulesMode;
  readonly kinds: KindRegistry;
}

/** Returns the kinds without those of definitions, which are in the store of a cluster, and only there; the same list for the same list. */
const withoutDefinitions = perObject((kinds: readonly CustomKind[]): readonly CustomKind[] =>
  kinds.filter((kind) => typeof kind === 'function' || kind.definition === undefined),
);

/** Resolves names, gates, rules and kinds of the options. */
export function settingsOf({ domain = 'orch.io', featureGates, rules = rulesFor(domain), kinds }: ClusterOptions): Settings {
  const names = namesFor(domain);
  return {
    names,
    gates: resolveGates(featureGates).gates,
    rules,
    kinds: kindsFor(names, kinds === undefined ? undefined : withoutDefinitions(kinds)),
  };
}

/**
 * A cluster on its own virtual clock: `request` sends requests, and time advances only on demand. Instants are milliseconds since the
 * epoch.
 */
export interface Cluster {
  readonly now: number;
  readonly startAt: number;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly rules: RulesMode;
  readonly kinds: KindRegistry;
  readonly kernel: Kernel<ClusterEvent>;
  /** For reading; writes use `request`. */
  readonly store: Store;
  readonly server: Server;
  readonly runtime: Runtime;
  readonly counters: Readonly<Counters>;
  /** What runs on the nodes. */
  readonly world: World;
  /** The logs of containers. */
  readonly logOf: ReadLog;
  /** The source of the metrics APIs. */
  readonly metered: Metered;
  /** All observations from the subscription on. */
  readonly observations: Observable<Observation>;
  /** Sends a request to the server as a client outside the cluster. */
  request(actor: string, request: ApiRequest, causes?: readonly number[]): ApiResponse;
  /** Handles a request of one of its processes, which may have crashed since it was sent. */
  send(envelope: Envelope): ApiResponse;
  /** Reports an observation from outside (a fault, a step); returns its identity. */
  note(observed: Observed): number;
  /** Gives a process another file (agents) or other flags from its next start on; returns whether there is such a process. */
  configure(process: string, how: AgentStart): boolean;
  /**
   * Plans an action at an instant; `label` names it while it is pending, and with `what` (plain data) it describes the action completely.
   */
  plan(at: number, label: string, act: (causes: readonly number[]) => void, what?: unknown): void;
  /** Reports the complete state, part by part, as plain data; the order of parts has no meaning. Events are left out. */
  describe(report: ReportPart, group?: ReportGroup): void;
  /** Drops all changes up to a revision: lists and watches from before it are too old. */
  compact(revision: number): void;
  /** The active fault rules. */
  readonly faults: readonly FaultRules[];
  /** Installs fault rules; the returned function removes them. */
  addFaults(rules: FaultRules): () => void;
  /** Sets the strategy that is called at choice points; undefined: none. */
  setStrategy(points: Points | undefined): void;
  step(until?: number): boolean;
  runUntil(at: number): void;
  /** Runs until only background events are pending; returns whether that happened by an instant. */
  runUntilSettled(by: number): boolean;
  /** The digest of everything since the start. */
  digest(): string;
}
