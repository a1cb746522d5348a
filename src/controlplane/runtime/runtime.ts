/**
 * The runtime: processes by name, and the handler of every pending event. While any fault rule is installed, every lease is renewed for
 * real.
 */
import type { Pending } from '../../engine/index.ts';
import { PRIVILEGED } from '../../apiserver/access/index.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { isDecidedNow } from './choice-verdicts.ts';
import type { RuntimeContext, Points, FaultRules } from './context.ts';
import { describeRuntime, type ReportGroup, type ReportPart } from './described.ts';
import { deliver, fanOut, relist, notifyProcess } from './delivery.ts';
import { apply, reconcile } from './outcome-runner.ts';
import { addSkew, forbidElision, goOn, setSkew } from './elided-renewals.ts';
import type { ElidedLease } from './renewal-elision.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { crash, followDefined, lead, retire, start } from './lifecycle.ts';
import { newProcess, resolverOf, touch, type RuntimeState, type Control, createStreams, type TimerListener } from './runtime-state.ts';
import { type ClusterEvent, type EventResolver, createRecurrences, type Recurrences } from './pending.ts';
import type { Process, ProcessSpec, Running } from './process.ts';
import { createRecorder } from './recorder.ts';

export interface Runtime {
  /** Adds a process and plans its start. */
  add(spec: ProcessSpec, at?: number): void;
  /** Crashes a process: caches, queues and memory are lost. False when none is running by that name. */
  crash(name: string, causes?: readonly number[]): boolean;
  /** Stops a process gracefully: a leader releases its lease first. False when none is running by that name. */
  stop(name: string, causes?: readonly number[]): boolean;
  /** Plans the start of a process that is down; `atRevision`: the revision of its lists. */
  restart(name: string, at: number, causes?: readonly number[], atRevision?: number): boolean;
  /** Sets the specification of a process from its next start on; returns whether there is such a process. */
  configure(spec: ProcessSpec): boolean;
  /** Makes a process relist a kind (or all that it watches), as of a revision. */
  relist(name: string, kind: string | undefined, atRevision?: number, causes?: readonly number[]): boolean;
  /** Enqueues a key of a controller, after a change outside its watches. */
  enqueue(name: string, controller: string, key: string, causes?: readonly number[]): boolean;
  process(name: string): Process | undefined;
  /** Sets the strategy that is called at choice points; undefined: none. */
  setStrategy(points: Points | undefined): void;
  /** Skews a process's clock, milliseconds; 0: no skew. */
  setSkew(name: string, skewMs: number): boolean;
  /** The same until the returned function is called; of several skews the latest active one counts. */
  addSkew(name: string, skewMs: number): () => void;
  /** All renewals are real until the returned function is called: a client watches leases, or a fault may affect renewals. */
  forbidElision(): () => void;
  /** A lease's renewals are real again. */
  notifyProcess(object: ApiObject): void;
  /** A lease whose renewals were elided was written by another client: its holder makes the next renewal for real. */
  goOn(elided: ElidedLease, nextDecisionAt: number): void;
  /** Calls the listener for each key whose delay, back-off or wake-up time ends, until the returned function is called. */
  onTimer(listener: TimerListener): () => void;
  /** Resolves the numbers in pending events. */
  readonly resolver: EventResolver;
  /** Wake-ups that recur indefinitely. */
  readonly recurrences: Pick<Recurrences, 'pending' | 'atMost'>;
  /** Names in order of addition. */
  names(): readonly string[];
  /** Reports the complete state, part by part, as plain data. */
  describe(report: ReportPart, group: ReportGroup): void;
  handle(event: RuntimeEvent, pending: Pending<ClusterEvent>, part: number): void;
}

/** Events that are handled in processes. */
type RuntimeEvent = Exclude<ClusterEvent, { type: 'operation' | 'expire' }>;

/** A process that exits by itself is restarted by its supervisor after this delay: an init system, or the node's agent. */
const SUPERVISOR_MS = 1_000;

/** A runtime without processes. It subscribes to the store's changes. */
export function createRuntime(context: RuntimeContext): Runtime {
  const runnings: RuntimeState['runnings'] = [];
  const streams = createStreams();
  const recorder = createRecorder(context);
  const { watch } = context.latency;
  const renewalInterval: RuntimeState['renewalInterval'] = (namespace, name) => {
    const last = context.renewalElision.renewalInterval(`${namespace}/${name}`);
    // The reader observes an elided renewal with the latency of a watch, like any change.
    return last === undefined || typeof watch !== 'number' ? last : { ...last, at: last.at + watch };
  };
  const recurrences = createRecurrences();
  const runtimeState: RuntimeState = {
    context,
    processes: new Map(),
    runnings,
    streams,
    recorder,
    recurrences,
    renewalInterval,
    lastWhys: new Map(),
    skews: new Map(),
    points: undefined,
    held: new Set(),
    onTimer: new Set(),
  };
  const control: Control = {
    crash: (process, causes) => void end(runtimeState, process, 'crashed', causes),
    turn: (process, what, causes) => turn(runtimeState, process, what, causes),
  };
  const { processes } = runtimeState;
  context.store.onChange((change) => passOn(runtimeState, change));
  const upright = (name: string): Process | undefined => {
    const process = processes.get(name);
    return process?.up === true ? process : undefined;
  };

  return {
    add: (spec, at) => add(runtimeState, spec, at),
    crash: (name, causes = []) => end(runtimeState, upright(name), 'crashed', causes),
    stop: (name, causes = []) => stop(runtimeState, upright(name), causes),
    restart: (name, at, causes = [], atRevision) => restart(runtimeState, processes.get(name), at, causes, atRevision),
    configure(spec) {
      const process = processes.get(spec.name);
      if (process !== undefined) process.next = spec;
      return process !== undefined;
    },
    relist: (name, kind, atRevision, causes = []) => relistAll(runtimeState, upright(name), kind, causes, atRevision),
    enqueue: (name, controller, key, causes = []) => enqueueIn(upright(name)?.running.get(controller), key, causes),
    process: (name) => processes.get(name),
    setStrategy(points) {
      runtimeState.points = points;
    },
    setSkew: (name, skewMs) => setSkew(runtimeState, processes.get(name), skewMs),
    addSkew: (name, skewMs) => addSkew(runtimeState, processes.get(name), skewMs),
    forbidElision: () => forbidElision(runtimeState),
    notifyProcess: (object) => notifyProcess(runtimeState, object),
    goOn: (elided, nextDecisionAt) => goOn(runtimeState, elided, nextDecisionAt),
    onTimer: (listener) => addTimerListener(runtimeState, listener),
    resolver: resolverOf(runtimeState),
    recurrences,
    names: () => [...processes.keys()],
    describe: (report, group) => describeRuntime(runtimeState, report, group),
    handle: (event, pending, part) => handle(runtimeState, control, event, pending, part),
  };
}

/** Passes a change to the processes that watch its kind; one of a definition first makes them watch the kind that it defines. */
function passOn(runtimeState: RuntimeState, change: Change): void {
  if (change.kind === 'CustomResourceDefinition')
    for (const process of runtimeState.processes.values()) if (process.up) followDefined(runtimeState, process, [change.entry]);
  fanOut(runtimeState, change);
}

function enqueueIn(running: Running | undefined, key: string, causes: readonly number[]): boolean {
  if (running === undefined) return false;
  touch(running);
  running.queue.add(key, [...causes]);
  return true;
}

function addTimerListener({ onTimer }: RuntimeState, listener: TimerListener): () => void {
  onTimer.add(listener);
  return () => void onTimer.delete(listener);
}

/** Handles a due event. Numbers of a crashed process find nothing, so its events have no effect. */
function handle(runtimeState: RuntimeState, control: Control, event: RuntimeEvent, pending: Pending<ClusterEvent>, part: number): void {
  if (event.type === 'deliver') {
    const stream = runtimeState.streams.byNumber(event.to[part] ?? -1);
    if (stream !== undefined) deliver(runtimeState, stream, event.revision, pending.causes);
    return;
  }
  if (event.type === 'start') {
    const process = runtimeState.processes.get(event.process);
    // A start may have been planned twice.
    if (process?.incarnation === event.incarnation && !process.up) start(runtimeState, process, pending.causes, event.atRevision);
    return;
  }
  if (event.type === 'skew') {
    const process = runtimeState.processes.get(event.process);
    if (process !== undefined) process.skewMs = event.skewMs;
    return;
  }
  const running = runtimeState.runnings[event.running];
  if (running === undefined) return;
  touch(running);
  act(runtimeState, control, running, event, pending);
}

function act(
  runtimeState: RuntimeState,
  control: Control,
  running: Running,
  event: Exclude<RuntimeEvent, { type: 'deliver' | 'start' | 'skew' }>,
  pending: Pending<ClusterEvent>,
): void {
  switch (event.type) {
    case 'reconcile':
      if (runtimeState.points === undefined || isDecidedNow(runtimeState, control, running, event.keyId, pending))
        reconcile(runtimeState, control, running, event.keyId, pending.causes);
      return;
    case 'apply':
      apply(runtimeState, control, running, event);
      return;
    case 'emit':
      runtimeState.recorder.emit(running, event.ticket, pending.causes);
      return;
    case 'due':
      due(runtimeState, running, event, pending);
      return;
    default: {
      const never: never = event;
      return never;
    }
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
  const { causes } = pending;
  const { key } = state;
  const { name } = process.spec;
  for (const listener of onTimer) listener(name, controller.name, key);
  queue.addState(state, context.woken(name, controller.name, key, because, causes));
}

function add(runtimeState: RuntimeState, spec: ProcessSpec, at = runtimeState.context.kernel.now): void {
  const process = newProcess(spec, runtimeState.processes.size, [PRIVILEGED], runtimeState.context.kernel.now);
  runtimeState.processes.set(spec.name, process);
  if (at < Infinity) runtimeState.context.kernel.schedule(at, { type: 'start', process: spec.name, incarnation: process.incarnation });
}

function end(runtimeState: RuntimeState, process: Process | undefined, what: 'crashed' | 'stopped', causes: readonly number[]): boolean {
  if (process?.up !== true) return false;
  runtimeState.context.renewalElision.stopAll(process.spec.name, () => undefined);
  crash(runtimeState, process, what, causes);
  return true;
}

function restart(
  { context: { kernel } }: RuntimeState,
  process: Process | undefined,
  at: number,
  causes: readonly number[],
  atRevision: number | undefined,
): boolean {
  if (process === undefined || process.up) return false;
  const { incarnation, spec } = process;
  kernel.schedule(at, { type: 'start', process: spec.name, incarnation, ...(atRevision === undefined ? {} : { atRevision }) }, [...causes]);
  return true;
}

/** Applies an outcome's decision about its process. */
function turn(runtimeState: RuntimeState, process: Process, what: 'lead' | 'exit' | 'stop', causes: readonly number[]): void {
  if (what === 'lead') {
    lead(runtimeState, process, causes);
    return;
  }
  end(runtimeState, process, what === 'exit' ? 'crashed' : 'stopped', causes);
  if (what === 'exit') restart(runtimeState, process, runtimeState.context.kernel.now + SUPERVISOR_MS, causes, undefined);
}

/** An elector releases its lease before its process ends; any other process ends at once. */
function stop(runtimeState: RuntimeState, process: Process | undefined, causes: readonly number[]): boolean {
  const elector = process?.spec.elector === undefined ? undefined : process.running.get(process.spec.elector.name);
  const last = elector?.controller.stop?.(elector.observing) ?? [];
  if (process === undefined || elector === undefined || last.length === 0) return end(runtimeState, process, 'stopped', causes);
  runtimeState.context.renewalElision.stopAll(process.spec.name, () => undefined);
  retire(runtimeState, process, causes);
  touch(elector);
  for (const key of last) elector.queue.add(typeof key === 'string' ? key : key.key, [...causes]);
  return true;
}

function relistAll(
  runtimeState: RuntimeState,
  process: Process | undefined,
  kind: string | undefined,
  causes: readonly number[],
  atRevision: number | undefined,
): boolean {
  if (process === undefined) return false;
  const streams = [...process.streams.values()];
  for (const stream of streams) if (kind === undefined || stream.kind === kind) relist(runtimeState, stream, causes, atRevision);
  return true;
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
