/**
 * How virtual time moves while a cluster is served. `manual`: only when told. `auto`: what is due at once happens after a write; while
 * clients only look (a read, a quiet watch), the clock jumps to the next thing that changes something, and stands still once nothing but
 * heartbeats is left. `realtime`: at a multiple of the host's time. Long stretches run in slices, so that replies and streams go out
 * meanwhile.
 */
import type { Cluster } from '../../../controlplane/cluster.ts';
import { LimitTripped } from '../../../engine/index.ts';

export type ClockMode = 'manual' | 'auto' | 'realtime';

export interface Clock {
  readonly mode: ClockMode;
  readonly speed: number;
  /** Why it moves no more: a limit that tripped. */
  readonly stuck: string | undefined;
  /** Call before a request is answered. */
  beforeRequest(): void;
  /** Call after it. */
  afterRequest(wrote: boolean): void;
  /** Runs up to an instant; answers when it is there, or why it is not. */
  advanceTo(at: number): Promise<string | undefined>;
  /** Runs until only heartbeats are left, or up to an instant. */
  settle(by: number): Promise<string | undefined>;
  stop(): void;
}

export interface ClockOptions {
  readonly mode: ClockMode;
  readonly speed: number;
  /** Whether somebody is watching. */
  watched(): boolean;
}

/** Milliseconds of work at a time. */
const SLICE_MS = 15;
/** Steps between two looks at the host's clock. */
const STEPS_A_LOOK = 32;
const TICK_MS = 20;
/** The most that one jump of the automatic clock may handle. */
const JUMP_STEPS = 20_000;

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface State extends ClockOptions {
  readonly cluster: Cluster;
  stuck: string | undefined;
  stopped: boolean;
  /** The last of the long stretches that were asked for: they take turns. */
  queue: Promise<unknown>;
  /** The host's time of the last request. */
  lastActivity: number;
  /** Where realtime counts from, on either clock. */
  virtualBase: number;
  realBase: number;
  /** What happens after a request that was just answered. */
  due: NodeJS.Immediate | undefined;
}

export function createClock(cluster: Cluster, options: ClockOptions): Clock {
  const { mode, speed } = options;
  const now = performance.now();
  const state: State = {
    mode,
    speed,
    watched: () => options.watched(),
    cluster,
    stuck: undefined,
    stopped: false,
    queue: Promise.resolve(),
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
    get stuck() {
      return state.stuck;
    },
    beforeRequest() {
      if (mode === 'realtime') tick(state);
    },
    afterRequest: (wrote) => afterRequest(state, wrote),
    advanceTo: (at) => inTurn(state, () => runUntil(state, at)),
    settle: (by) => inTurn(state, () => settle(state, by)),
    stop() {
      state.stopped = true;
      clearInterval(timer);
      if (state.due !== undefined) clearImmediate(state.due);
    },
  };
}

/** Runs events up to an instant for at most a slice; answers whether it got there. */
function slice(state: State, until: number): boolean {
  const { cluster } = state;
  const end = performance.now() + SLICE_MS;
  return unlessStuck(state, true, () => {
    for (;;) {
      for (let i = 0; i < STEPS_A_LOOK; i++) if (!cluster.step(until)) return true;
      if (performance.now() > end) return false;
    }
  });
}

/** To the next instant at which something changes. */
function jump(state: State): void {
  const { cluster } = state;
  if (cluster.kernel.settled || state.stuck !== undefined) return;
  const seen = cluster.store.revision;
  unlessStuck(state, undefined, () => {
    for (let steps = 0; steps < JUMP_STEPS && cluster.store.revision === seen && !cluster.kernel.settled; steps++)
      if (!cluster.step()) return;
    cluster.runUntil(cluster.now);
  });
}

/** Lets time move; a limit that trips stops it for good. */
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
  if (state.mode !== 'auto' || state.due !== undefined) return;
  state.due = setImmediate(() => {
    state.due = undefined;
    if (state.stopped || state.stuck !== undefined) return;
    if (wrote) slice(state, state.cluster.now);
    else jump(state);
  });
}

async function runUntil(state: State, at: number): Promise<void> {
  while (!state.stopped && state.stuck === undefined && !slice(state, at)) await pause();
  if (state.stuck === undefined && !state.stopped) state.cluster.runUntil(at);
}

async function settle(state: State, by: number): Promise<void> {
  const { cluster } = state;
  while (!state.stopped && state.stuck === undefined && !cluster.kernel.settled && cluster.now < by) {
    const next = cluster.kernel.nextAt();
    if (next === undefined || next > by) break;
    await runUntil(state, next);
  }
}

/** One long stretch after the other; answers why time stands still, if it does. */
function inTurn(state: State, work: () => Promise<void>): Promise<string | undefined> {
  const done = state.queue.then(work).then(() => {
    state.virtualBase = state.cluster.now;
    state.realBase = performance.now();
    return state.stuck;
  });
  state.queue = done.catch(() => undefined);
  return done;
}
