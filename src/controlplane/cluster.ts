/**
 * Composition: one cluster on one kernel. Store, door, runtime, controller manager, scheduler and node agents are wired here and nowhere else.
 * Whoever drives it (a scenario, an HTTP server, a page) steps the clock, asks the door as somebody, and listens to observations.
 */
import { Subject, type Observable } from 'rxjs';
import { createDigest } from '../engine/digest.ts';
import { createKernel, type Kernel, type Limits, type Pending } from '../engine/index.ts';
import { createRandom } from '../engine/random.ts';
import { DYNAMIC_CONFIG, type KindRegistry, kindsFor } from '../apiserver/kinds/index.ts';
import { type ApiObject, type Domain, type FeatureGates, type Names, namesFor, resolveGates, SIM } from '../apiserver/vocabulary/index.ts';
import { agentOf, agentProcesses, createWorld, type AgentOptions, type NodeSpec, type World } from './agents/index.ts';
import { controlPlane, type ControlPlaneOptions } from './control-plane.ts';
import { controllers as registered } from './controllers/index.ts';
import {
  createAnnouncer,
  createEventExpiry,
  createHearts,
  createRuntime,
  describePending,
  refusalOf,
  type Actor,
  type ClusterEvent,
  type Controller,
  type Counters,
  type Delay,
  type FaultRules,
  type Observation,
  type Observed,
  type ProcessSpec,
  type Runtime,
  type RuntimeContext,
} from './runtime/index.ts';
import { bootstrap, createServer, type Server } from '../apiserver/verbs/index.ts';
import type { ApiRequest, ApiResponse } from '../apiserver/request/index.ts';
import { createStore, type Change, type Store } from '../apiserver/store/index.ts';

/** Long enough for nodes and leaders; no multiple of the control loops' periods, so that at zero they are in mid-period, as in a cluster that has been up for a while. */
const WARM_UP_MS = 49_500;

/** The server itself. */
const SERVER: Actor = { actor: 'server', request: 'server', causes: [] };

export interface ClusterOptions {
  readonly seed?: number | string;
  /** Virtual time zero, milliseconds since the epoch. */
  readonly startAt?: number;
  /** How long before that the cluster comes up, so that nodes are ready and leaders elected at zero. */
  readonly warmUpMs?: number;
  readonly domain?: Domain;
  readonly featureGates?: FeatureGates;
  readonly limits?: Partial<Limits>;
  readonly latency?: { readonly api: Delay; readonly watch: Delay };
  readonly nodes?: readonly NodeSpec[];
  readonly agents?: Partial<AgentOptions>;
  /** Created while the cluster comes up, so that what controllers put into every namespace is there at zero. */
  readonly namespaces?: readonly { readonly name: string; readonly labels?: Readonly<Record<string, string>> }[];
  /** Controllers of the controller manager; default: all registered. */
  readonly controllers?: (kinds: KindRegistry) => readonly Controller[];
  /** Elections among several controller managers or schedulers; absent: one of each, which leads unasked. */
  readonly controlPlane?: ControlPlaneOptions;
  /** Changes a process before it starts: for planting bugs. */
  readonly alter?: (process: ProcessSpec) => ProcessSpec;
  /** Renews every lease for real, also those that nobody watches. */
  readonly eagerLeases?: boolean;
  readonly choose?: (candidates: readonly Pending<ClusterEvent>[]) => number;
  /** Called for each observation; cheaper than subscribing. */
  readonly onObservation?: (observation: Observation) => void;
  /** false: the run has no fingerprint. For measuring what it costs. */
  readonly digest?: boolean;
}

export type { Counters } from './runtime/index.ts';

export interface Cluster {
  readonly now: number;
  readonly startAt: number;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly kinds: KindRegistry;
  readonly kernel: Kernel<ClusterEvent>;
  /** For reading; writes go through `request`. */
  readonly store: Store;
  readonly server: Server;
  readonly runtime: Runtime;
  readonly counters: Readonly<Counters>;
  /** What runs on the nodes. */
  readonly world: World;
  /** Everything that happens, from subscription on. */
  readonly observations: Observable<Observation>;
  /** Asks the door as somebody outside the cluster. */
  request(actor: string, request: ApiRequest, causes?: readonly number[]): ApiResponse;
  /** Reports something from outside (a fault, a step); returns its identity. */
  note(observed: Observed): number;
  /** Plans an action at an instant; `label` names it when it is pending. */
  plan(at: number, label: string, act: (causes: readonly number[]) => void): void;
  /** Installs fault rules; the answer lifts them. */
  addFaults(rules: FaultRules): () => void;
  step(until?: number): boolean;
  runUntil(at: number): void;
  /** Runs until only heartbeats are pending; answers whether it got there by an instant. */
  runUntilSettled(by: number): boolean;
  /** The fingerprint of everything since the start. */
  digest(): string;
}

/** A running cluster: warmed up, its clock at `startAt`. */
export function createCluster(options: ClusterOptions = {}): Cluster {
  const startAt = options.startAt ?? Date.UTC(2024, 0, 1);
  const names = namesFor(options.domain ?? 'orch.io');
  const { gates } = resolveGates(options.featureGates);
  const kinds = kindsFor(names);
  const random = createRandom(options.seed ?? 1);
  const digest = createDigest();
  const store = createStore();
  const subject = new Subject<Observation>();
  const faults: FaultRules[] = [];
  const operations = new Map<number, (causes: readonly number[]) => void>();
  let lastOperation = 0;
  let actor: Actor | undefined;

  const kernel = createKernel<ClusterEvent>({
    startAt: startAt - (options.warmUpMs ?? WARM_UP_MS),
    countFrom: startAt,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.choose === undefined ? {} : { choose: options.choose }),
    describe: describePending,
    onAdvance: (to) => hearts.advance(to),
    handle: (event, pending, part) => handle(event, pending, part),
  });

  const expiry = createEventExpiry(kernel, (key, revision, causes) => expire(key, revision, causes));
  const announcer = createAnnouncer({
    now: () => kernel.now,
    digest: options.digest === false ? undefined : digest,
    listening: () => options.onObservation !== undefined || subject.observed,
    publish(observation) {
      options.onObservation?.(observation);
      subject.next(observation);
    },
  });

  const server = createServer({
    kinds,
    store,
    names,
    gates,
    random: random.stream('server'),
    now: () => kernel.now,
    entry: announcer.draw,
    // Processes of the cluster have no agent's name; clients from outside do, and want to know whose fields are whose.
    trackFields: ({ userAgent }) => userAgent !== undefined,
  });

  const call = (as: Actor, request: ApiRequest): ApiResponse => {
    const outer = actor;
    actor = as;
    const response = server.handle(request);
    actor = outer;
    if (!response.ok) announcer.observe(refusalOf(as, response.status));
    return response;
  };

  // First listener of the store: the write is told before its deliveries are planned.
  store.onChange((change: Change) => {
    announcer.written(change, actor ?? SERVER);
    if (change.kind === 'Event' && change.type !== 'DELETED') expiry.written(change.key, change.revision, change.entry);
    if (change.kind === 'Node' && change.type === 'ADDED') adoptNode(change.object);
  });

  const hearts = createHearts({
    store,
    now: () => kernel.now,
    onReal: (_lease, object) => runtime.tellReal(object),
    onDisturbed: (heart, nextDecisionAt) => runtime.goOn(heart, nextDecisionAt),
    enabled: options.eagerLeases !== true,
  });
  const context: RuntimeContext = {
    kernel,
    store,
    random,
    names,
    gates,
    call,
    latency: options.latency ?? { api: 0, watch: 0 },
    observe: announcer.observe,
    delivered: announcer.delivered,
    reconciled: announcer.reconciled,
    faults: () => faults,
    hearts,
    sameInstantLimit: kernel.limits.sameInstant,
  };
  const runtime = createRuntime(context);

  const world = createWorld(typeof context.latency.api === 'number' ? context.latency.api : context.latency.api.min);
  const agentOptions: AgentOptions = {
    world,
    podBehaviors: [],
    storageDrivers: [],
    nodeLeaseDurationSeconds: 40,
    dynamicConfig: gates[DYNAMIC_CONFIG] === true,
    ...options.agents,
  };
  /** A Node that asks for an agent gets one, as scenarios that add nodes expect. */
  const adoptNode = (node: ApiObject): void => {
    const name = `agent/${node.metadata.name}`;
    if (node.metadata.labels?.[`${SIM}/agent`] === 'true' && runtime.process(name) === undefined)
      runtime.add(agentOf({ name: node.metadata.name, capacity: {} }, agentOptions));
  };

  const expire = (key: string, revision: number, causes: readonly number[]): void => {
    const event = store.get('Event', key);
    if (event?.metadata.resourceVersion !== String(revision)) return; // refreshed since
    const { namespace, name } = event.metadata;
    call(
      { actor: 'server', request: `expire Event ${key}`, causes },
      { verb: 'delete', kind: 'Event', name, ...(namespace === undefined ? {} : { namespace }) },
    );
  };

  const handle = (event: ClusterEvent, pending: Pending<ClusterEvent>, part: number): void => {
    switch (event.type) {
      case 'operation': {
        const act = operations.get(event.id);
        operations.delete(event.id);
        act?.(pending.causes);
        return;
      }
      case 'expire':
        expiry.run();
        return;
      default:
        runtime.handle(event, pending, part);
    }
  };

  bootstrap(server, names);
  for (const { name, labels } of options.namespaces ?? [])
    call(
      { actor: 'server', request: `create Namespace ${name}`, causes: [] },
      {
        verb: 'create',
        kind: 'Namespace',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } },
      },
    );
  const start = (process: ProcessSpec): void => runtime.add(options.alter?.(process) ?? process);
  for (const process of controlPlane((options.controllers ?? registered)(kinds), options.controlPlane ?? {}, names)) start(process);
  for (const process of agentProcesses(options.nodes ?? [], agentOptions)) start(process);
  kernel.runUntil(startAt - 1);
  kernel.runUntil(startAt);

  return {
    get now() {
      return kernel.now;
    },
    startAt,
    names,
    gates,
    kinds,
    kernel,
    store,
    server,
    runtime,
    counters: announcer.counters,
    world,
    observations: subject.asObservable(),
    request: (by, request, causes = []) => call({ actor: by, request, causes }, request),
    note: context.observe,
    plan(at, label, act) {
      const id = ++lastOperation;
      operations.set(id, act);
      kernel.schedule(at, { type: 'operation', id, label });
    },
    addFaults(rules) {
      faults.push(rules);
      const lift = runtime.forbidHearts();
      return () => {
        lift();
        const at = faults.indexOf(rules);
        if (at >= 0) faults.splice(at, 1);
      };
    },
    step: kernel.step,
    runUntil: kernel.runUntil,
    runUntilSettled(by) {
      while (!kernel.settled) if (!kernel.step(by)) return kernel.settled;
      return true;
    },
    digest: digest.text,
  };
}
