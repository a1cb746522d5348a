/** What a cluster is told when it is made, and what it shows to whoever drives it. */
import type { Observable } from 'rxjs';
import type { Kernel, Limits, Pending } from '../engine/index.ts';
import { type KindRegistry, kindsFor, type OwnKind } from '../apiserver/kinds/index.ts';
import type { ApiRequest, ApiResponse } from '../apiserver/request/index.ts';
import type { Store } from '../apiserver/store/index.ts';
import type { Server } from '../apiserver/handlers/index.ts';
import {
  type Domain,
  type FeatureGates,
  type Names,
  namesFor,
  resolveGates,
  rulesFor,
  type RulesMode,
} from '../apiserver/machinery/index.ts';
import type { AgentOptions, AgentStart, NodeSpec, World } from './agents/index.ts';
import type { ControllerOptions } from './controllers/index.ts';
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
  Tell,
} from './runtime/index.ts';

/**
 * What a cluster is made of and how it behaves; all of it has defaults: no nodes, the built-in controllers, seed 1. Instants and durations
 * are milliseconds.
 */
export interface ClusterOptions {
  readonly seed?: number | string;
  /** Virtual time zero, milliseconds since the epoch. */
  readonly startAt?: number;
  /** How long before that the cluster comes up, so that nodes are ready and leaders elected at zero. */
  readonly warmUpMs?: number;
  readonly domain?: Domain;
  /** What is made of rules of the specification that v1.24 does not have; default: refused in the neutral domain, told in the other. */
  readonly rules?: RulesMode;
  readonly featureGates?: FeatureGates;
  readonly limits?: Partial<Limits>;
  /** How many objects there may be, Events apart; default: 150,000. */
  readonly maxObjects?: number;
  readonly latency?: { readonly api: Delay; readonly watch: Delay };
  readonly nodes?: readonly NodeSpec[];
  readonly agents?: Partial<AgentOptions>;
  /** Holds what a server puts into a new cluster by itself: the built-in roles and bindings, the Service by which pods find it. */
  readonly bootstrap?: boolean;
  /**
   * What processes of the cluster write is tracked in `managedFields`, as what clients write always is. Costs as much as the write itself.
   */
  readonly managedFields?: boolean;
  /** Created while the cluster comes up, so that what controllers put into every namespace is there at zero. */
  readonly namespaces?: readonly { readonly name: string; readonly labels?: Readonly<Record<string, string>> }[];
  /** Kinds of one's own, beside the registered ones. */
  readonly kinds?: readonly OwnKind[];
  /** Controllers of the controller manager; default: all registered. */
  readonly controllers?: (kinds: KindRegistry, options?: ControllerOptions) => readonly Controller[];
  /** The time zone of the controller manager's process, as its environment says; default: UTC. */
  readonly timeZone?: string;
  /** Metrics other than the usage of pods (`agents.usage`), for autoscalers; default: nobody answers for any. */
  readonly metrics?: readonly SeriesSpec[];
  /** Elections among several controller managers or schedulers; absent: one of each, which leads unasked. */
  readonly controlPlane?: ControlPlaneOptions;
  /** Changes a process before it starts: for planting bugs. */
  readonly alter?: (process: ProcessSpec) => ProcessSpec;
  /** Renews every lease for real, also those that nobody watches. */
  readonly eagerLeases?: boolean;
  /** Hands every change to every controller that watches its kind, whatever it declares to be news: for checking the declarations. */
  readonly broadcast?: boolean;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** Called for each observation; cheaper than subscribing. */
  readonly onObservation?: (observation: Observation) => void;
  /** Called when a lease begins to be renewed in closed form, which no observation tells of, and again when that has ended. */
  readonly onRenewalInterval?: (renewalInterval: RenewalInterval) => void;
  /** false: the run has no fingerprint. For measuring what it costs. */
  readonly digest?: boolean;
}

/** What options make of names, gates and rules; what is not said has its default. */
export interface Settings {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly rules: RulesMode;
  readonly kinds: KindRegistry;
}

export function settingsOf({ domain = 'orch.io', featureGates, rules = rulesFor(domain), kinds }: ClusterOptions): Settings {
  const names = namesFor(domain);
  return { names, gates: resolveGates(featureGates).gates, rules, kinds: kindsFor(names, kinds) };
}

/**
 * A cluster on its own virtual clock: requests go in by `request`, time moves when it is told to. Instants are milliseconds since the
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
  /** For reading; writes go through `request`. */
  readonly store: Store;
  readonly server: Server;
  readonly runtime: Runtime;
  readonly counters: Readonly<Counters>;
  /** What runs on the nodes. */
  readonly world: World;
  /** What the metrics APIs answer from. */
  readonly metered: Metered;
  /** Everything that happens, from subscription on. */
  readonly observations: Observable<Observation>;
  /** Asks the door as somebody outside the cluster. */
  request(actor: string, request: ApiRequest, causes?: readonly number[]): ApiResponse;
  /** Reports something from outside (a fault, a step); returns its identity. */
  note(observed: Observed): number;
  /**
   * Gives a process another file (agents) or other flags, which it takes up when it starts again; answers whether there is such a process.
   */
  configure(process: string, how: AgentStart): boolean;
  /** Plans an action at an instant; `label` names it when it is pending, and says with `what` (plain data) all that it will do. */
  plan(at: number, label: string, act: (causes: readonly number[]) => void, what?: unknown): void;
  /** Tells all of the cluster, part by part, as plain data; parts come in no order that means anything. Events are left out. */
  describe(tell: Tell): void;
  /** Forgets all changes up to a revision: lists and watches from before it are too old. */
  compact(revision: number): void;
  /** The fault rules that are about. */
  readonly faults: readonly FaultRules[];
  /** Installs fault rules; the answer lifts them. */
  addFaults(rules: FaultRules): () => void;
  /** Asks somebody, from now on, wherever the run may go another way; undefined: nobody. */
  ask(points: Points | undefined): void;
  step(until?: number): boolean;
  runUntil(at: number): void;
  /** Runs until only heartbeats are pending; answers whether it got there by an instant. */
  runUntilSettled(by: number): boolean;
  /** The fingerprint of everything since the start. */
  digest(): string;
}
