/**
 * A snapshot of a cluster's inner state as plain data: what is pending, what every process holds for every key, which faults are active. It
 * is computed on request.
 */
import type { Kernel } from '../../engine/index.ts';
import type { FaultNotice, FaultRules } from './context.ts';
import type { KeyState } from './work-queue.ts';
import { describePending, type ClusterEvent } from './pending.ts';
import type { Process, Running } from './process.ts';
import type { Runtime } from './runtime.ts';

/** The state that a controller holds for a key. Instants are milliseconds since the epoch, of the cluster's clock. */
export interface KeyIntrospection {
  readonly key: string;
  /** It will be reconciled at this instant. */
  readonly queued: boolean;
  /** The outcome that is being written, and how many of its writes remain. */
  readonly writing?: { readonly why: string; readonly left: number };
  readonly delayedUntil?: number;
  /** The delay is a back-off. */
  readonly backingOff: boolean;
  /** When it wakes up, as its last outcome says. */
  readonly wakesAt?: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Its writes that the cache does not show yet. */
  readonly awaits: readonly { readonly kind: string; readonly revision: number }[];
}

export interface ControllerIntrospection {
  readonly name: string;
  /** The kind of the objects that its keys name. */
  readonly reconciles?: string;
  readonly keys: readonly KeyIntrospection[];
}

export interface ProcessIntrospection {
  readonly name: string;
  /** The node of this agent, where its name differs from that of the machine. */
  readonly node?: string;
  readonly up: boolean;
  /** Since when it has been up, or down. */
  readonly since: number;
  /** False: it is on standby while another process holds the lease. */
  readonly leading: boolean;
  /** The running controllers; of a process that is down or on standby, those that it would run. */
  readonly controllers: readonly ControllerIntrospection[];
  /** Changes in flight to the process, by kind. */
  readonly underway: readonly { readonly kind: string; readonly changes: number }[];
}

/**
 * The inner state of a cluster that its objects do not show: pending events, queues and back-offs of each process, active faults. Instants
 * are milliseconds since the epoch.
 */
export interface Introspection {
  readonly now: number;
  /** Pending events, in order. */
  readonly pending: readonly { readonly what: string; readonly at: number; readonly background: boolean }[];
  readonly processes: readonly ProcessIntrospection[];
  readonly faults: readonly FaultNotice[];
}

/** Returns a snapshot of a cluster's inner state. */
export function introspectionOf(cluster: {
  readonly kernel: Kernel<ClusterEvent>;
  readonly runtime: Runtime;
  readonly faults: readonly FaultRules[];
}): Introspection {
  const { kernel, runtime, faults } = cluster;
  return {
    now: kernel.now,
    pending: kernel
      .pending()
      .map(({ event, part, at, background }) => ({ what: describePending(event, part, runtime.resolver), at, background })),
    processes: runtime.names().flatMap((name) => {
      const process = runtime.process(name);
      return process === undefined ? [] : [processIntrospection(process)];
    }),
    faults: faults.flatMap(({ notice }) => (notice === undefined ? [] : [notice])),
  };
}

function processIntrospection({ spec, up, changedAt, leading, running, streams }: Process): ProcessIntrospection {
  const idle = spec.controllers.filter(({ name }) => !running.has(name));
  return {
    name: spec.name,
    ...(spec.node === undefined ? {} : { node: spec.node }),
    up,
    since: changedAt,
    leading,
    controllers: [
      ...[...running.values()].map(controllerIntrospection),
      ...idle.map((controller) => ({ ...nameOf(controller), keys: [] })),
    ],
    underway: [...streams.values()].flatMap(({ kind, head, tail }) => (tail > head ? [{ kind, changes: tail - head }] : [])),
  };
}

const nameOf = ({ name, reconciles }: Running['controller']): Pick<ControllerIntrospection, 'name' | 'reconciles'> => ({
  name,
  ...(reconciles === undefined ? {} : { reconciles }),
});

const controllerIntrospection = ({ controller, queue }: Running): ControllerIntrospection => ({
  ...nameOf(controller),
  keys: [...queue.states()].map(keyIntrospection),
});

function keyIntrospection({ key, waiting, delayed, wake, failures, flight, expectations = [] }: KeyState): KeyIntrospection {
  const backingOff = delayed?.event.type === 'due' && delayed.event.because === 'backoff';
  const awaits = expectations.filter(({ stream, revision }) => stream.seenRevision < revision);
  return {
    key,
    queued: waiting !== undefined,
    ...(flight === undefined ? {} : { writing: { why: flight.outcome.why, left: flight.outcome.writes.length - flight.index } }),
    ...(delayed === undefined ? {} : { delayedUntil: delayed.at }),
    backingOff,
    ...(wake === undefined ? {} : { wakesAt: wake.at }),
    failures,
    awaits: awaits.map(({ stream: { kind }, revision }) => ({ kind, revision })),
  };
}
