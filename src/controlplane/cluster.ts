/**
 * One cluster on one kernel. Only this file connects store, server, runtime, controller manager, scheduler and node agents. Its driver (a
 * scenario, an HTTP server, a page) advances the clock, sends requests, and receives observations.
 */
import { Subject } from 'rxjs';
import { createDigest, type Digest } from '../engine/digest.ts';
import { Kernel, type KernelOptions, withNow } from '../engine/index.ts';
import { createRandom, type Random } from '../engine/random.ts';
import { type ApiObject, SIM } from '../apiserver/machinery/index.ts';
import { agentOf, agentProcesses, type AgentOptions, logReader, type World } from './agents/index.ts';
import { type Cluster, type ClusterOptions, type Settings, settingsOf } from './cluster-options.ts';
import { formatTime, LATEST_START_MS, present } from '../schema/values/index.ts';
import { controlPlane, reconfigured } from './control-plane.ts';
import { restore, RESTORED_BEFORE_MS, starterOf, takenUidsOf, worldFor } from './restored.ts';
import { controllers as registered } from './controllers/index.ts';
import { createMetered, type Metered } from './usage/index.ts';
import {
  ObserverBus,
  EventExpiry,
  describeCluster,
  describePending,
  install,
  channelOf,
  refusalOf,
  withPrograms,
  RenewalElision,
  Operations,
  Runtime,
} from './runtime/index.ts';
import type { ClusterEvent, FaultRules, Observation, QuietObserver, RuntimeContext } from './runtime/index.ts';
import { bootstrap, createBootstrapObjects, createDefinitions, createServer, RESTORE, type Server } from '../apiserver/handlers/index.ts';
import { envelopeOf, type ApiResponse, type Envelope } from '../apiserver/request/index.ts';
import { servedKinds } from '../apiserver/served/index.ts';
import { createCompaction, createStore, type Change, type WritableStore } from '../apiserver/store/index.ts';

// Long enough for nodes and leaders; no multiple of the periods of control loops: at zero they are in mid-period, as in an older cluster.
const WARM_UP_MS = 49_500;
export type { Cluster, ClusterOptions } from './cluster-options.ts';

/** The parts of a cluster. */
interface Parts extends Settings {
  readonly options: ClusterOptions;
  readonly startAt: number;
  readonly random: Random;
  readonly digest: Digest;
  readonly store: WritableStore;
  readonly subject: Subject<Observation>;
  readonly faults: FaultRules[];
  readonly operations: Operations;
  readonly kernel: Kernel<ClusterEvent>;
  readonly observerBus: ObserverBus;
  readonly server: Server;
  /** Another server on the same store, with a random stream of its own. */
  serverOf(stream: string): Server;
}

interface RunningCluster extends Parts {
  readonly metered: Metered;
  readonly runtime: Runtime;
  readonly world: World;
  readonly agentOptions: AgentOptions;
  readonly renewalElision: Pick<RenewalElision, 'size' | 'describe'>;
}

/** Creates a running cluster: warmed up, its clock at `startAt`. `quiet`: an observer in place of `onObservation`. */
export function createCluster(options: ClusterOptions = {}, quiet?: QuietObserver): Cluster {
  const hooks: Hooks = { on: { handle: notYet, advance: notYet, describe: notYet } };
  const parts = partsOf(options, hooks, quiet);
  const cluster = startRuntime(parts, hooks);
  populate(cluster);
  parts.kernel.runUntil(parts.startAt - 1);
  parts.kernel.runUntil(parts.startAt);
  return interfaceOf(cluster);
}

/** The kernel's callbacks; set once the parts exist, as one value (see `test/layers/bans.ts`). */
interface Hooks {
  on: Pick<KernelOptions<ClusterEvent>, 'handle' | 'describe'> & { advance(to: number): void };
}

const notYet = (): never => {
  throw new Error('the cluster is not put together yet');
};

function partsOf(options: ClusterOptions, hooks: Hooks, quiet: QuietObserver | undefined): Parts {
  const startAt = options.startAt ?? Date.UTC(2024, 0, 1);
  if (startAt > LATEST_START_MS)
    throw new RangeError(`startAt: expected at most ${formatTime(LATEST_START_MS)}, found ${startAt} ms since the epoch`);
  const { names, gates, rules, kinds: builtIn } = settingsOf(options);
  const random = createRandom(options.seed ?? 1);
  const digest = createDigest();
  const store = createStore();
  const kinds = servedKinds(builtIn, store);
  const subject = new Subject<Observation>();
  const kernel = new Kernel<ClusterEvent>({
    startAt: startAt - (options.from === undefined ? (options.warmUpMs ?? WARM_UP_MS) : RESTORED_BEFORE_MS),
    countFrom: startAt,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.choose === undefined ? {} : { choose: options.choose, channel: channelOf }),
    describe: (event, part) => hooks.on.describe(event, part),
    onAdvance: (to) => hooks.on.advance(to),
    handle: (event, pending, part) => hooks.on.handle(event, pending, part),
  });
  const observerBus = new ObserverBus({
    now: () => kernel.now,
    digest: options.digest === false ? undefined : digest,
    listening: () => options.onObservation !== undefined || subject.observed,
    publish(observation) {
      options.onObservation?.(observation);
      subject.next(observation);
    },
    quiet,
  });
  const known = { names, gates, rules, kinds, store, ...takenUidsOf(options.from) };
  const serverOf = (stream: string): Server => {
    const made = createServer({
      random: random.stream(stream),
      now: () => kernel.now,
      entry: () => observerBus.draw(),
      ...present({ webhooks: options.webhooks, maxObjects: options.maxObjects }),
      // Processes of the cluster have no user agent; clients from outside have one, and need field management.
      trackFields: ({ userAgent }) => userAgent !== undefined,
      ...known,
    });
    return options.managedFields === true ? withPrograms(made, names) : made;
  };
  return {
    options,
    startAt,
    random,
    digest,
    subject,
    faults: [],
    operations: new Operations(kernel),
    kernel,
    observerBus,
    server: serverOf('server'),
    serverOf,
    ...known,
  };
}

/** Passes an envelope to the server; a refusal is observed. */
function call({ server, observerBus, kernel, options, kinds }: Parts, envelope: Envelope): ApiResponse {
  const response = server.handle(envelope);
  options.onRequest?.({ envelope, response, at: kernel.now, kinds });
  if (!response.ok) observerBus.observe(refusalOf(envelope, response.status));
  return response;
}

function startRuntime(parts: Parts, hooks: Hooks): RunningCluster {
  const { options, kernel, store, random, names, kinds, gates, rules, observerBus, faults } = parts;
  const expiry = new EventExpiry(kernel, (key, revision, causes) => expire(parts, key, revision, causes));
  // The first listener of the store: the write is observed before its deliveries are planned.
  store.onChange((change: Change, envelope) => {
    observerBus.written(change, envelope);
    if (change.kind === 'Event' && change.type !== 'DELETED') expiry.written(change.key, change.revision, change.entry);
    if (change.kind === 'Node' && change.type === 'ADDED' && envelope.by.process !== RESTORE) adoptNode(cluster, change.object);
  });
  const renewalElision = new RenewalElision({
    store,
    now: () => kernel.now,
    onReal: (object) => runtime.notifyProcess(object),
    onDisturbed: (elided, nextDecisionAt) => runtime.goOn(elided, nextDecisionAt),
    enabled: options.eagerLeases !== true,
    onRenewalInterval: options.onRenewalInterval,
  });
  const context: RuntimeContext = {
    kernel,
    store,
    random,
    names,
    kinds,
    gates,
    rules,
    call: (envelope) => call(parts, envelope),
    latency: options.latency ?? { api: 0, watch: 0 },
    observers: observerBus,
    faults: () => faults,
    renewalElision,
    sameInstantLimit: kernel.limits.sameInstant,
    broadcast: options.broadcast === true,
  };
  const runtime = new Runtime(context);
  const world = worldFor(context.latency.api, parts.startAt, options.agents?.images, options.from);
  const agentOptions: AgentOptions = {
    world,
    podBehaviors: [],
    storageDrivers: [],
    nodeLeaseDurationSeconds: 40,
    startAt: parts.startAt,
    ...(options.featureGates === undefined ? {} : { featureGates: options.featureGates }),
    ...options.agents,
  };
  const metered = createMetered(options.agents?.usage, options.metrics, parts.startAt, world.unthrottled);
  const cluster: RunningCluster = { runtime, world, agentOptions, renewalElision, metered, ...parts };
  const compaction = createCompaction(store, kernel.startAt);
  hooks.on = {
    advance(to) {
      compaction.advance(to);
      renewalElision.advance(to);
    },
    describe: (event, part) => describePending(event, part, runtime.resolver),
    handle(event, pending, part) {
      if (event.type === 'operation') parts.operations.run(event.id, pending.causes);
      else if (event.type === 'expire') expiry.run();
      else runtime.handle(event, pending, part);
    },
  };
  return cluster;
}

/** A new Node with the agent's label gets an agent, as scenarios that add nodes expect. */
function adoptNode({ runtime, agentOptions }: RunningCluster, { metadata }: ApiObject): void {
  if (metadata.labels?.[`${SIM}/agent`] === 'true' && runtime.process(`agent/${metadata.name}`) === undefined)
    runtime.add(agentOf({ name: metadata.name, capacity: {} }, agentOptions));
}

/** The time-to-live of an Event is over, unless it was written again meanwhile. */
function expire(parts: Parts, key: string, revision: number, causes: readonly number[]): void {
  const event = parts.store.get('Event', key);
  if (event?.metadata.resourceVersion !== String(revision)) return;
  const { namespace, name } = event.metadata;
  call(parts, envelopeOf('server', { verb: 'delete', kind: 'Event', name, ...(namespace === undefined ? {} : { namespace }) }, causes));
}

function populate(cluster: RunningCluster): void {
  const { options, server, serverOf, names, kinds, agentOptions } = cluster;
  if (options.from !== undefined) restore(options.from, cluster);
  bootstrap(server, names);
  // With a random stream of their own, so that later objects get the same names as without them.
  if (options.bootstrap === true) createBootstrapObjects(serverOf('bootstrap'), names);
  for (const { name, labels } of options.namespaces ?? []) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } };
    call(cluster, envelopeOf('server', { verb: 'create', kind: 'Namespace', body }));
  }
  createDefinitions(server, names, options.kinds ?? []);
  const start = starterOf(cluster);
  const given = { ...cluster.metered, ...present({ timeZone: options.timeZone, certificateAuthority: options.certificateAuthority }) };
  const controllers = (options.controllers ?? registered)(kinds.now(), given);
  const { controlPlane: plane = {}, featureGates } = options;
  for (const process of controlPlane(controllers, plane, names, featureGates, agentOptions.podBehaviors)) start(process);
  for (const name of options.clients ?? []) cluster.runtime.add({ name, controllers: [], isClient: true });
  for (const process of agentProcesses(options.nodes ?? [], agentOptions)) start(process);
}

function interfaceOf(cluster: RunningCluster): Cluster {
  const { startAt, names, gates, rules, kinds, kernel, store, server, runtime, observerBus, world, subject, digest, faults } = cluster;
  return withNow(
    { now: () => kernel.now },
    {
      startAt,
      names,
      gates,
      rules,
      kinds,
      kernel,
      store,
      server,
      runtime,
      counters: observerBus.counters,
      world,
      logOf: logReader(world, cluster.agentOptions.podBehaviors, names),
      metered: cluster.metered,
      observations: subject.asObservable(),
      request: (by, request, causes) => call(cluster, envelopeOf(by, request, causes)),
      send: (envelope) => call(cluster, envelope),
      note: (observed) => observerBus.observe(observed),
      configure(process, how) {
        const spec = reconfigured(cluster, process, how);
        return spec !== undefined && runtime.configure(cluster.options.alter?.(spec) ?? spec);
      },
      plan: (at, label, act, what) => cluster.operations.plan(at, label, act, what),
      describe: (report, group) => describeCluster(cluster, report, group),
      compact: store.compact,
      faults,
      addFaults: (fault) => install(faults, fault, runtime),
      setStrategy(points) {
        runtime.setStrategy(points);
        world.begins = points === undefined ? undefined : (process, pod) => points.start(process, pod);
      },
      step: (until) => kernel.step(until),
      runUntil: (at) => kernel.runUntil(at),
      runUntilSettled(by) {
        while (!kernel.settled) if (!kernel.step(by)) return kernel.settled;
        return true;
      },
      digest: digest.text,
    },
  );
}
