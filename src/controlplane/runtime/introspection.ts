/**
 * A look inside a cluster as plain data: what is pending, what every process holds for every key, which faults are about. Nothing of it is
 * kept up: it is put together when somebody asks.
 */
import type { Kernel } from '../../engine/index.ts';
import type { FaultNotice, FaultRules } from './context.ts';
import type { KeyState } from './key-state.ts';
import { describePending, type ClusterEvent } from './pending.ts';
import type { Process, Running } from './process.ts';
import type { Runtime } from './runtime.ts';

/** What a controller holds for a key. Instants are milliseconds since the epoch, of the cluster's clock. */
export interface KeyIntrospection {
  readonly key: string;
  /** It will be looked at in this instant. */
  readonly queued: boolean;
  /** The decision that is being carried out, and how many of its writes are left. */
  readonly writing?: { readonly why: string; readonly left: number };
  readonly delayedUntil?: number;
  /** That delay is a back-off. */
  readonly backingOff: boolean;
  /** When it asked to be woken. */
  readonly wakesAt?: number;
  /** Failures in a row. */
  readonly failures: number;
  /** Its own writes that its cache does not show yet. */
  readonly awaits: readonly { readonly kind: string; readonly revision: number }[];
}

export interface ControllerIntrospection {
  readonly name: string;
  /** The kind that its keys name. */
  readonly reconciles?: string;
  readonly keys: readonly KeyIntrospection[];
}

export interface ProcessIntrospection {
  readonly name: string;
  /** The node whose agent it is, where that is called otherwise than its machine. */
  readonly node?: string;
  readonly up: boolean;
  /** Since when it is up, or down. */
  readonly since: number;
  /** False: it stands by while another holds the lease. */
  readonly leading: boolean;
  /** Those that run; of one that is down or stands by, those that would. */
  readonly controllers: readonly ControllerIntrospection[];
  /** Changes that are on their way to it, by kind. */
  readonly underway: readonly { readonly kind: string; readonly changes: number }[];
}

/**
 * What of a cluster is in nobody's sight: what is pending, queues and back-offs of each process, faults under way. Instants are
 * milliseconds since the epoch.
 */
export interface Introspection {
  readonly now: number;
  /** What may happen next, in order. */
  readonly pending: readonly { readonly what: string; readonly at: number; readonly background: boolean }[];
  readonly processes: readonly ProcessIntrospection[];
  readonly faults: readonly FaultNotice[];
}

/** Looks inside. */
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
      .map(({ event, part, at, background }) => ({ what: describePending(event, part, runtime.roster), at, background })),
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
    underway: [...streams.values()].flatMap(({ kind, inFlight, head }) =>
      inFlight.length > head ? [{ kind, changes: inFlight.length - head }] : [],
    ),
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
