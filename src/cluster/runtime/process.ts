/** One process of the cluster: a cache, watch streams, controllers with their queues and memory. A crash loses all of it; only the store survives. */
import type { RandomStream } from '../../engine/index.ts';
import type { Cache } from './cache.ts';
import type { Controller, Outcome, Watch } from './contract.ts';
import type { Correlator } from './event-correlator.ts';
import type { Stream } from './streams.ts';
import type { WorkQueue } from './work-queue.ts';

/** An outcome whose writes are being made. */
export interface InFlight { readonly outcome: Outcome; readonly entry: number; index: number }

/** A controller as one process runs it. */
export interface Running {
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly memory: Map<string, unknown>;
  /** Per key, the revision by kind that its own creates and deletes reached. */
  readonly ownWrites: Map<string, Map<string, number>>;
  readonly inFlight: Map<string, InFlight>;
  readonly correlator: Correlator;
  readonly random: RandomStream;
  state: unknown;
  /** Reconciles of a key at one instant, for the limit that names who loops. */
  readonly loops: { at: number; readonly counts: Map<string, number> };
}

export interface ProcessSpec {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** Added to the process's clock, milliseconds. */
  readonly skewMs?: number;
}

export interface Process {
  readonly spec: ProcessSpec;
  incarnation: number;
  up: boolean;
  /** Added to its clock, milliseconds. A fault may change it. */
  skewMs: number;
  /** What ends with the process. */
  ends: (() => void)[];
  cache: Cache;
  streams: Map<string, Stream>;
  running: Map<string, Running>;
  /** What each kind's deltas go to. */
  listeners: Map<string, { readonly running: Running; readonly watch: Watch }[]>;
}

/** The watches of a controller: its own kind first. */
export function watchesOf(controller: Controller): readonly Watch[] {
  const own: Watch[] = controller.reconciles === undefined ? [] : [{ ...controller.self, kind: controller.reconciles }];
  return [...own, ...(controller.watches ?? [])];
}
