/**
 * How virtual time moves while a cluster is served. `manual`: only on request. `auto`: after a write, events that are due happen
 * immediately; while clients only read (a get, a quiet watch), the clock jumps to the next change, and stops when only lease renewals are
 * left. `realtime`: at a multiple of the host's time. A long advance runs in slices, so that replies and streams are sent meanwhile.
 */
import type { Cluster } from '../../../controlplane/cluster.ts';
import { LimitTripped } from '../../../engine/index.ts';

export type ClockMode = 'manual' | 'auto' | 'realtime';

export interface Halt {
  /** `stuck`: a limit was reached, which is permanent; `full`: the limit of objects; `cancelled`: on request. */
  readonly why: 'stuck' | 'full' | 'cancelled';
  readonly text: string;
}

export interface Clock {
  readonly mode: ClockMode;
  readonly speed: number;
  /** The target of the current advance. */
  readonly toward: number | undefined;
  /** Why time cannot move any more: a limit was reached. */
  readonly stuck: string | undefined;
  /** Call before a request is handled. */
  beforeRequest(): void;
  /** Call after it. */
  afterRequest(wrote: boolean): void;
  /** Advances to an instant. Returns undefined when it is reached, or why it is not. Not during another advance: see `toward`. */
  advanceTo(at: number): Promise<Halt | undefined>;
  /** Advances until only lease renewals are left, or up to an instant. */
  settle(by: number): Promise<Halt | undefined>;
  /** Cancels the current advance between two events. Returns false if there is none. */
  cancel(text: string): boolean;
  stop(): void;
}

export interface ClockOptions {
  readonly mode: ClockMode;
  readonly speed: number;
  watched(): boolean;
}

/** Milliseconds of work in a slice. */
const SLICE_MS = 15;
/** Steps between two reads of the host's clock. */
const STEPS_PER_CHECK = 8;
const TICK_MS = 20;
/** Maximum steps of one jump of the automatic clock. */
const JUMP_STEPS = 20_000;
/** Below this share of the limit the cluster no longer counts as full: then reaching the limit is reported again. */
const NO_LONGER_FULL = 0.9;

const pause = (): Promise<void> => new Promise((go) => setImmediate(go));

interface State extends ClockOptions {
  readonly cluster: Cluster;
  stuck: string | undefined;
  stopped: boolean;
  /** The current advance, and why it was cancelled. */
  advance: { readonly toward: number; cancelled: string | undefined } | undefined;
  /** Whether a client was told that the limit of objects is reached. */
  reportedFull: boolean;
  /** Refused creations at that time. */
  refused: number;
  /** The host's time of the last request. */
  lastActivity: number;
  /** The origin of realtime, in both clocks. */
  virtualBase: number;
  realBase: number;
  /** The scheduled work after the last reply. */
  due: NodeJS.Immediate | undefined;
}

export function createClock(cluster: Cluster, options: ClockOptions): Clock {
  const { mode, speed } = options;
  const now = performance.now();
  const state: State = {
    ...options,
    cluster,
    stuck: undefined,
    stopped: false,
    advance: undefined,
    reportedFull: false,
    refused: cluster.server.capacity.refused,
    lastActivity: now,
    virtualBase: cluster.now,
    realBase: now,
    due: undefined,
  };
  const timer = mode === 'manual' ? undefined : setInterval(() => tick(state), TICK_MS);
  timer?.unref();
  return {
    mode,
    speed,
    get toward() {
      return state.advance?.toward;
    },
    get stuck() {
      return state.stuck;
    },
    beforeRequest() {
      if (mode === 'realtime') tick(state);
    },
    afterRequest: (wrote) => afterRequest(state, wrote),
    advanceTo: (at) => runAdvance(state, at, () => runUntil(state, at)),
    settle: (by) => runAdvance(state, by, () => settle(state, by)),
    cancel(text) {
      if (state.advance === undefined) return false;
      state.advance.cancelled ??= text;
      return true;
    },
    stop() {
      state.stopped = true;
      clearInterval(timer);
      if (state.due !== undefined) clearImmediate(state.due);
    },
  };
}

/** Runs events up to an instant, for at most a slice. Returns whether it got there. */
function slice(state: State, until: number): boolean {
  const { cluster } = state;
  const end = performance.now() + SLICE_MS;
  return unlessStuck(state, true, () => {
    for (;;) {
      for (let i = 0; i < STEPS_PER_CHECK; i++) if (!cluster.step(until)) return true;
      if (performance.now() > end || haltOf(state) !== undefined) return false;
    }
  });
}

/** Jumps to the next instant with a change. */
function jump(state: State): void {
  const { cluster } = state;
  if (cluster.kernel.settled || state.stuck !== undefined) return;
  const seen = cluster.store.revision;
  const end = performance.now() + SLICE_MS;
  unlessStuck(state, undefined, () => {
    for (let steps = 0; steps < JUMP_STEPS && cluster.store.revision === seen && !cluster.kernel.settled; steps++)
      if ((steps % STEPS_PER_CHECK === 0 && performance.now() > end) || !cluster.step()) return;
  });
  finishInstant(state);
}

/** Runs the other events of this instant: a slice now, the rest between requests. */
function finishInstant(state: State): void {
  if (state.stopped || state.stuck !== undefined || slice(state, state.cluster.now)) return;
  later(state, () => finishInstant(state));
}

/** Schedules work after the pending replies, unless some is scheduled already. */
function later(state: State, act: () => void): void {
  state.due ??= setImmediate(() => {
    state.due = undefined;
    act();
  });
}

/** Moves time; a limit that is reached stops it permanently. */
function unlessStuck<T>(state: State, otherwise: T, move: () => T): T {
  try {
    return move();
  } catch (error) {
    if (!(error instanceof LimitTripped)) throw error;
    state.stuck = error.culprit;
    return otherwise;
  }
}

function tick(state: State): void {
  if (state.stuck !== undefined) return;
  const { mode, cluster, virtualBase, realBase, speed } = state;
  if (mode === 'realtime') {
    const target = Math.floor(virtualBase + (performance.now() - realBase) * speed);
    if (target > cluster.now && slice(state, target) && state.stuck === undefined) cluster.runUntil(target);
  } else if (state.watched() && performance.now() - state.lastActivity >= TICK_MS) jump(state);
}

function afterRequest(state: State, wrote: boolean): void {
  state.lastActivity = performance.now();
  if (state.mode !== 'auto') return;
  later(state, () => {
    if (state.stopped || state.stuck !== undefined) return;
    if (wrote) finishInstant(state);
    else jump(state);
  });
}

function haltOf({ advance, stopped, stuck, reportedFull, refused, cluster }: State): Halt | undefined {
  if (stuck !== undefined) return { why: 'stuck', text: stuck };
  if (stopped) return { why: 'cancelled', text: 'the cluster was reset' };
  if (advance?.cancelled !== undefined) return { why: 'cancelled', text: advance.cancelled };
  const { capacity } = cluster.server;
  return advance !== undefined && !reportedFull && capacity.refused > refused ? { why: 'full', text: capacity.why ?? '' } : undefined;
}

async function runUntil(state: State, at: number): Promise<void> {
  while (haltOf(state) === undefined && !slice(state, at)) await pause();
  if (haltOf(state) === undefined) state.cluster.runUntil(at);
}

async function settle(state: State, by: number): Promise<void> {
  const { cluster } = state;
  while (haltOf(state) === undefined && !cluster.kernel.settled && cluster.now < by) {
    const next = cluster.kernel.nextAt();
    if (next === undefined || next > by) break;
    await runUntil(state, next);
  }
}

/** Runs one advance; returns why it ended early. The limit of objects ends only this one: deletions need time to pass. */
async function runAdvance(state: State, toward: number, go: () => Promise<void>): Promise<Halt | undefined> {
  const { capacity } = state.cluster.server;
  if (capacity.used <= capacity.limit * NO_LONGER_FULL) state.reportedFull = false;
  state.refused = capacity.refused;
  state.advance = { toward, cancelled: undefined };
  try {
    await go();
    const halt = haltOf(state);
    if (halt?.why === 'full') state.reportedFull = true;
    return halt;
  } finally {
    state.advance = undefined;
    state.virtualBase = state.cluster.now;
    state.realBase = performance.now();
  }
}
