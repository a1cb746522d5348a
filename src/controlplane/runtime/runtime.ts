/** The runtime: processes by name and the one handler of everything that can be pending. */
import type { Pending } from '../../engine/index.ts';
import type { ApiObject } from '../../apiserver/vocabulary/index.ts';
import type { RuntimeContext } from './context.ts';
import type { Heart } from './hearts.ts';
import { createLifecycle } from './lifecycle.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process, ProcessSpec, Running } from './process.ts';
import { createRecorder } from './recorder.ts';
import { createRunner } from './runner.ts';

export interface Runtime {
  /** Adds a process and plans its start. */
  add(spec: ProcessSpec, at?: number): void;
  /** Kills a process: caches, queues and memory are lost. False when there is none running by that name. */
  crash(name: string, causes?: readonly number[]): boolean;
  /** Stops a process in good order: one that leads lets go of its lease first. */
  stop(name: string, causes?: readonly number[]): boolean;
  /** Plans the start of a process that is down; `atRevision`: its lists are this old. */
  restart(name: string, at: number, causes?: readonly number[], atRevision?: number): boolean;
  /** Makes a process list a kind (or all it watches) again, as of a revision. */
  relist(name: string, kind: string | undefined, atRevision?: number, causes?: readonly number[]): boolean;
  /** Enqueues a key of a controller, as something outside its watches changed. */
  enqueue(name: string, controller: string, key: string, causes?: readonly number[]): boolean;
  process(name: string): Process | undefined;
  /** Sets a process's clock wrong (or right again, 0), milliseconds. */
  setSkew(name: string, skewMs: number): boolean;
  /** Every lease is renewed for real until the answer is called: somebody watches, or a fault may hit renewals. */
  forbidHearts(): () => void;
  /** A lease that beat unseen is real again. */
  tellReal(object: ApiObject): void;
  /** A lease that beat unseen was written by somebody else: its holder renews it for real when that is due. */
  goOn(heart: Heart, nextDecisionAt: number): void;
  /** Names in order of addition. */
  names(): readonly string[];
  handle(event: RuntimeEvent, pending: Pending<ClusterEvent>, part: number): void;
}

/** What happens in processes. */
type RuntimeEvent = Exclude<ClusterEvent, { type: 'operation' | 'expire' }>;

/** A process that ends by itself is brought back by whoever keeps it running: a supervisor, the node's agent. */
const SUPERVISOR_MS = 1_000;

/** A runtime without processes. The store's changes flow to them from now on. */
export function createRuntime(context: RuntimeContext): Runtime {
  const processes = new Map<string, Process>();
  const lifecycle = createLifecycle(context, (name) => processes.get(name));
  const recorder = createRecorder(context);
  const runner = createRunner({
    context,
    recorder,
    crash: (process, causes) => {
      end(process.spec.name, 'crashed', causes);
    },
    turn: (process, what, causes) => turn(process, what, causes),
  });
  context.store.onChange(lifecycle.fanOut);

  const runningOf = (process: Process, controller: string): Running | undefined => process.running.get(controller);

  const act = (process: Process, event: Exclude<RuntimeEvent, { type: 'deliver' }>, pending: Pending<ClusterEvent>): void => {
    switch (event.type) {
      // Two may have asked for it.
      case 'start':
        if (!process.up) lifecycle.start(process, pending.causes, event.atRevision);
        return;
      case 'emit':
        recorder.emit(process, event.ticket, pending.causes);
        return;
      case 'due': {
        const { controller, key, because } = event;
        const queue = runningOf(process, controller)?.queue;
        if (queue?.ends(key, pending) === true)
          queue.add(key, [
            context.observe({ type: 'timer', causes: pending.causes, process: process.spec.name, controller, key, because }),
          ]);
        return;
      }
      case 'reconcile': {
        const running = runningOf(process, event.controller);
        if (running !== undefined) runner.reconcile(process, running, event.key, pending);
        return;
      }
      case 'apply': {
        const running = runningOf(process, event.controller);
        if (running !== undefined) runner.apply(process, running, event.key, event.index);
        return;
      }
      default: {
        const never: never = event;
        return never;
      }
    }
  };

  /** Hearts go on the long way: their keys wake up when the next renewal is due. */
  const goOn = ({ process, controller, key }: Heart, nextDecisionAt: number): void => {
    const queue = processes.get(process)?.running.get(controller)?.queue;
    queue?.wakeAt(queue.open(key), nextDecisionAt, undefined, true);
  };
  const endHearts = (name: string | undefined): void => context.hearts.stopAll(name, goOn);

  const end = (name: string, what: 'crashed' | 'stopped', causes: readonly number[]): boolean => {
    const process = processes.get(name);
    if (process?.up !== true) return false;
    context.hearts.stopAll(name, () => undefined);
    lifecycle.crash(process, what, causes);
    return true;
  };

  const restart = (name: string, at: number, causes: readonly number[], atRevision?: number): boolean => {
    const process = processes.get(name);
    if (process === undefined || process.up) return false;
    context.kernel.schedule(
      at,
      { type: 'start', process: name, incarnation: process.incarnation, ...(atRevision === undefined ? {} : { atRevision }) },
      [...causes],
    );
    return true;
  };

  const turn = (process: Process, what: 'lead' | 'exit' | 'stop', causes: readonly number[]): void => {
    const { name } = process.spec;
    if (what === 'lead') {
      lifecycle.lead(process, causes);
      return;
    }
    end(name, what === 'exit' ? 'crashed' : 'stopped', causes);
    if (what === 'exit') restart(name, context.kernel.now + SUPERVISOR_MS, causes);
  };

  /** A process with an elector lets go of what it holds first; any other just ends. */
  const stop = (name: string, causes: readonly number[]): boolean => {
    const process = processes.get(name);
    const elector = process?.up === true && process.spec.elector !== undefined ? runningOf(process, process.spec.elector.name) : undefined;
    const last = elector?.controller.stop?.(elector.observing) ?? [];
    if (process === undefined || elector === undefined || last.length === 0) return end(name, 'stopped', causes);
    context.hearts.stopAll(name, () => undefined);
    lifecycle.retire(process);
    for (const key of last) elector.queue.add(typeof key === 'string' ? key : key.key, [...causes]);
    return true;
  };

  return {
    add(spec, at = context.kernel.now) {
      const process = lifecycle.create(spec);
      processes.set(spec.name, process);
      context.kernel.schedule(at, { type: 'start', process: spec.name, incarnation: process.incarnation });
    },
    crash: (name, causes = []) => end(name, 'crashed', causes),
    stop: (name, causes = []) => stop(name, causes),
    restart: (name, at, causes = [], atRevision) => restart(name, at, causes, atRevision),
    relist(name, kind, atRevision, causes = []) {
      const process = processes.get(name);
      if (process?.up !== true) return false;
      for (const each of kind === undefined ? [...process.streams.keys()] : [kind]) lifecycle.relist(process, each, causes, atRevision);
      return true;
    },
    enqueue(name, controller, key, causes = []) {
      const process = processes.get(name);
      const running = process?.up === true ? runningOf(process, controller) : undefined;
      running?.queue.add(key, [...causes]);
      return running !== undefined;
    },
    process: (name) => processes.get(name),
    setSkew(name, skewMs) {
      const process = processes.get(name);
      if (process === undefined) return false;
      endHearts(name);
      process.skewMs = skewMs;
      return true;
    },
    forbidHearts() {
      const lift = context.hearts.forbid();
      endHearts(undefined);
      return lift;
    },
    tellReal: lifecycle.tellReal,
    goOn,
    names: () => [...processes.keys()],
    handle(event, pending, part) {
      if (event.type === 'deliver') {
        const receiver = event.to[part];
        const process = receiver === undefined ? undefined : processes.get(receiver.process);
        if (process?.up === true && process.incarnation === receiver?.incarnation)
          lifecycle.deliver(process, event.kind, event.revision, pending.causes);
        return;
      }
      const process = processes.get(event.process);
      // What a process had planned before it crashed means nothing any more.
      if (process?.incarnation === event.incarnation && (process.up || event.type === 'start')) act(process, event, pending);
    },
  };
}
