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
export interface KeyInside {
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

export interface ControllerInside {
  readonly name: string;
  /** The kind that its keys name. */
  readonly reconciles?: string;
  readonly keys: readonly KeyInside[];
}

export interface ProcessInside {
  readonly name: string;
  /** The node whose agent it is, where that is called otherwise than its machine. */
  readonly node?: string;
  readonly up: boolean;
  /** Since when it is up, or down. */
  readonly since: number;
  /** False: it stands by while another holds the lease. */
  readonly leading: boolean;
  /** Those that run; of one that is down or stands by, those that would. */
  readonly controllers: readonly ControllerInside[];
  /** Changes that are on their way to it, by kind. */
  readonly underway: readonly { readonly kind: string; readonly changes: number }[];
}

/**
 * What of a cluster is in nobody's sight: what is pending, queues and back-offs of each process, faults under way. Instants are
 * milliseconds since the epoch.
 */
export interface Inside {
  readonly now: number;
  /** What may happen next, in order. */
  readonly pending: readonly { readonly what: string; readonly at: number; readonly background: boolean }[];
  readonly processes: readonly ProcessInside[];
  readonly faults: readonly FaultNotice[];
}

/** Looks inside. */
export function insideOf(cluster: {
  readonly kernel: Kernel<ClusterEvent>;
  readonly runtime: Runtime;
  readonly faults: readonly FaultRules[];
}): Inside {
  const { kernel, runtime, faults } = cluster;
  return {
    now: kernel.now,
    pending: kernel
      .pending()
      .map(({ event, part, at, background }) => ({ what: describePending(event, part, runtime.roster), at, background })),
    processes: runtime.names().flatMap((name) => {
      const process = runtime.process(name);
      return process === undefined ? [] : [processInside(process)];
    }),
    faults: faults.flatMap(({ notice }) => (notice === undefined ? [] : [notice])),
  };
}

function processInside({ spec, up, changedAt, leading, running, streams }: Process): ProcessInside {
  const idle = spec.controllers.filter(({ name }) => !running.has(name));
  return {
    name: spec.name,
    ...(spec.node === undefined ? {} : { node: spec.node }),
    up,
    since: changedAt,
    leading,
    controllers: [...[...running.values()].map(controllerInside), ...idle.map((controller) => ({ ...nameOf(controller), keys: [] }))],
    underway: [...streams.values()].flatMap(({ kind, inFlight, head }) =>
      inFlight.length > head ? [{ kind, changes: inFlight.length - head }] : [],
    ),
  };
}

const nameOf = ({ name, reconciles }: Running['controller']): Pick<ControllerInside, 'name' | 'reconciles'> => ({
  name,
  ...(reconciles === undefined ? {} : { reconciles }),
});

const controllerInside = ({ controller, queue }: Running): ControllerInside => ({
  ...nameOf(controller),
  keys: [...queue.states()].map(keyInside),
});

function keyInside({ key, waiting, delayed, wake, failures, flight, ownWrites = [] }: KeyState): KeyInside {
  const backingOff = delayed?.event.type === 'due' && delayed.event.because === 'backoff';
  const awaits = ownWrites.filter(({ stream, revision }) => stream.seenRevision < revision);
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
