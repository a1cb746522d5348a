/**
 * The runtime: processes by name, and the handler of every pending event. While any fault rule is installed, every lease is renewed for
 * real.
 */
import type { Pending } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { FaultRules, Points, RuntimeContext } from './context.ts';
import { isDecidedNow } from './decision.ts';
import { deliver, fanOut, notifyProcess, relist } from './delivery.ts';
import { describeRuntime, type ReportGroup, type ReportPart } from './described.ts';
import { addSkew, forbidElision, goOn } from './elided-renewals.ts';
import { Recorder } from './events.ts';
import { crash, followDefined, lead, newProcess, retire, start } from './lifecycle.ts';
import { apply, reconcile } from './outcome-runner.ts';
import { Recurrences, type ClusterEvent, type EventResolver } from './pending.ts';
import { Streams, touch, type Process, type ProcessSpec, type Running } from './process.ts';
import type { ElidedLease } from './renewal-elision.ts';
import type { RuntimeState, TimerListener } from './runtime-state.ts';

/** Events that are handled in processes. */
type RuntimeEvent = Exclude<ClusterEvent, { type: 'operation' | 'expire' }>;

/** A process that exits by itself is restarted by its supervisor after this delay: an init system, or the node's agent. */
const SUPERVISOR_MS = 1_000;

export class Runtime {
  /** Wake-ups that recur indefinitely. */
  readonly recurrences: Pick<Recurrences, 'pending' | 'atMost'>;
  /** Resolves the numbers in pending events. */
  readonly resolver: EventResolver;
  private readonly state: RuntimeState;

  /** A runtime without processes. It subscribes to the store's changes. */
  constructor(context: RuntimeContext) {
    const { watch } = context.latency;
    this.state = {
      context,
      processes: new Map(),
      runnings: [],
      streams: new Streams(),
      recorder: new Recorder(context),
      recurrences: new Recurrences(),
      renewalInterval(namespace, name) {
        const last = context.renewalElision.renewalInterval(`${namespace}/${name}`);
        // The reader observes an elided renewal with the latency of a watch, like any change.
        return last === undefined || typeof watch !== 'number' ? last : { ...last, at: last.at + watch };
      },
      lastWhys: new Map(),
      skews: new Map(),
      points: undefined,
      held: new Set(),
      onTimer: new Set(),
      crash: (process, causes) => void this.end(process, 'crashed', causes),
      turn: (process, what, causes) => this.turn(process, what, causes),
    };
    this.recurrences = this.state.recurrences;
    this.resolver = resolverOf(this.state);
    context.store.onChange((change) => passOn(this.state, change));
  }

  /** Adds a process and plans its start. */
  add(spec: ProcessSpec, at = this.state.context.kernel.now): void {
    const { processes, context } = this.state;
    const process = newProcess(spec, processes.size, context.kernel.now);
    processes.set(spec.name, process);
    if (at < Infinity) context.kernel.schedule(at, { type: 'start', process: spec.name, incarnation: process.incarnation });
  }

  /** Names in order of addition. */
  names(): readonly string[] {
    return [...this.state.processes.keys()];
  }

  process(name: string): Process | undefined {
    return this.state.processes.get(name);
  }

  private running(name: string): Process | undefined {
    const process = this.process(name);
    return process?.up === true ? process : undefined;
  }

  private end(process: Process | undefined, what: 'crashed' | 'stopped', causes: readonly number[]): boolean {
    if (process?.up !== true) return false;
    this.state.context.renewalElision.stopAll(process.spec.name, () => undefined);
    crash(this.state, process, what, causes);
    return true;
  }

  /** Applies an outcome's decision about its process. */
  private turn(process: Process, what: 'lead' | 'exit' | 'stop', causes: readonly number[]): void {
    if (what === 'lead') {
      lead(this.state, process, causes);
      return;
    }
    this.end(process, what === 'exit' ? 'crashed' : 'stopped', causes);
    if (what === 'exit') this.restart(process.spec.name, this.state.context.kernel.now + SUPERVISOR_MS, causes);
  }

  /** Crashes a process: caches, queues and memory are lost. False when none is running by that name. */
  crash(name: string, causes: readonly number[] = []): boolean {
    return this.end(this.running(name), 'crashed', causes);
  }

  /** Stops a process gracefully: a leader releases its lease first. False when none is running by that name. */
  stop(name: string, causes: readonly number[] = []): boolean {
    const process = this.running(name);
    const elector = process?.spec.elector === undefined ? undefined : process.running.get(process.spec.elector.name);
    const last = elector?.controller.stop?.(elector.observing) ?? [];
    if (process === undefined || elector === undefined || last.length === 0) return this.end(process, 'stopped', causes);
    this.state.context.renewalElision.stopAll(name, () => undefined);
    retire(this.state, process, causes);
    for (const key of last) enqueueKey(elector, typeof key === 'string' ? key : key.key, causes);
    return true;
  }

  /** Plans the start of a process that is down; `atRevision`: the revision of its lists. */
  restart(name: string, at: number, causes: readonly number[] = [], atRevision?: number): boolean {
    const process = this.process(name);
    if (process === undefined || process.up) return false;
    const event = { type: 'start', process: name, incarnation: process.incarnation } as const;
    const start = atRevision === undefined ? event : { ...event, atRevision };
    this.state.context.kernel.schedule(at, start, [...causes]);
    return true;
  }

  /** Sets the specification of a process from its next start on; returns whether there is such a process. */
  configure(spec: ProcessSpec): boolean {
    const process = this.process(spec.name);
    if (process !== undefined) process.next = spec;
    return process !== undefined;
  }

  /** Makes a process relist a kind (or all that it watches), as of a revision. */
  relist(name: string, kind: string | undefined, atRevision?: number, causes: readonly number[] = []): boolean {
    const process = this.running(name);
    if (process === undefined) return false;
    const streams = [...process.streams.values()];
    for (const stream of streams) if (kind === undefined || stream.kind === kind) relist(this.state, stream, causes, atRevision);
    return true;
  }

  /** Enqueues a key of a controller, after a change outside its watches. */
  enqueue(name: string, controller: string, key: string, causes: readonly number[] = []): boolean {
    const running = this.running(name)?.running.get(controller);
    if (running !== undefined) enqueueKey(running, key, causes);
    return running !== undefined;
  }

  /** Sets the strategy that is called at choice points; undefined: none. */
  setStrategy(points: Points | undefined): void {
    this.state.points = points;
  }

  /** Skews a process's clock, milliseconds, until the returned function is called; of several skews the latest active one counts. */
  addSkew(name: string, skewMs: number): () => void {
    return addSkew(this.state, this.process(name), skewMs);
  }

  /** All renewals are real until the returned function is called: a client watches leases, or a fault may affect renewals. */
  forbidElision(): () => void {
    return forbidElision(this.state);
  }

  /** A lease's renewals are real again. */
  notifyProcess(object: ApiObject): void {
    notifyProcess(this.state, object);
  }

  /** A lease whose renewals were elided was written by another client: its holder makes the next renewal for real. */
  goOn(elided: ElidedLease, nextDecisionAt: number): void {
    goOn(this.state, elided, nextDecisionAt);
  }

  /** Calls the listener for each key whose delay, back-off or wake-up time ends, until the returned function is called. */
  onTimer(listener: TimerListener): () => void {
    const { onTimer } = this.state;
    onTimer.add(listener);
    return () => void onTimer.delete(listener);
  }

  /** Reports the complete state, part by part, as plain data. */
  describe(report: ReportPart, group: ReportGroup): void {
    describeRuntime(this.state, report, group);
  }

  handle(event: RuntimeEvent, pending: Pending<ClusterEvent>, part: number): void {
    handle(this.state, event, pending, part);
  }
}

const resolverOf = ({ runnings, streams }: RuntimeState): EventResolver => ({
  controllerOf(number) {
    const running = runnings[number];
    return running === undefined ? undefined : { process: running.process.spec.name, controller: running.controller.name };
  },
  keyOf: (number, keyId) => runnings[number]?.queue.at(keyId)?.key,
  receiverOf: (number) => streams.byNumber(number)?.process.spec.name,
});

/** Passes a change to the processes that watch its kind; one of a definition first makes them watch the kind that it defines. */
function passOn(runtimeState: RuntimeState, change: Change): void {
  if (change.kind === 'CustomResourceDefinition')
    for (const process of runtimeState.processes.values()) if (process.up) followDefined(runtimeState, process, [change.entry]);
  fanOut(runtimeState, change);
}

function enqueueKey(running: Running, key: string, causes: readonly number[]): void {
  touch(running);
  running.queue.add(running.queue.open(key), [...causes]);
}

/** Handles a due event. Numbers of a crashed process find nothing, so its events have no effect. */
function handle(runtimeState: RuntimeState, event: RuntimeEvent, pending: Pending<ClusterEvent>, part: number): void {
  const { causes } = pending;
  if (event.type === 'deliver') {
    const stream = runtimeState.streams.byNumber(event.to[part] ?? -1);
    if (stream !== undefined) deliver(runtimeState, stream, event.revision, causes);
    return;
  }
  if (event.type === 'start' || event.type === 'skew') {
    const process = runtimeState.processes.get(event.process);
    if (process === undefined) return;
    if (event.type === 'skew') process.skewMs = event.skewMs;
    // A start may have been planned twice.
    else if (process.incarnation === event.incarnation && !process.up) start(runtimeState, process, causes, event.atRevision);
    return;
  }
  const running = runtimeState.runnings[event.running];
  if (running === undefined) return;
  touch(running);
  switch (event.type) {
    case 'reconcile':
      if (runtimeState.points === undefined || isDecidedNow(runtimeState, running, event.keyId, pending))
        reconcile(runtimeState, running, event.keyId, causes);
      return;
    case 'apply':
      apply(runtimeState, running, event);
      return;
    case 'emit':
      runtimeState.recorder.emit(running, event.ticket, causes);
      return;
    case 'due':
      due(runtimeState, running, event, pending);
      return;
  }
}

/** A delay ends: if it was not cancelled, the key is enqueued. */
function due(
  { context, onTimer }: RuntimeState,
  { process, controller, queue }: Running,
  { keyId, because }: Extract<RuntimeEvent, { type: 'due' }>,
  pending: Pending<ClusterEvent>,
): void {
  const state = queue.ends(keyId, pending);
  if (state === undefined) return;
  const { name } = process.spec;
  for (const listener of onTimer) listener(name, controller.name, state.key);
  queue.add(state, context.observers.woken(name, controller.name, state.key, because, pending.causes));
}

/** Installs rules among the active ones; the returned function removes them. */
export function install(about: FaultRules[], rules: FaultRules, runtime: Pick<Runtime, 'forbidElision'>): () => void {
  about.push(rules);
  const lift = runtime.forbidElision();
  return () => {
    lift();
    const at = about.indexOf(rules);
    if (at >= 0) about.splice(at, 1);
  };
}
