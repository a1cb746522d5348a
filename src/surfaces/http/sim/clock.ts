/**
 * How virtual time moves while a cluster is served. `manual`: only when told. `auto`: what is due at once happens after a write; while
 * clients only look (a read, a quiet watch), the clock jumps to the next thing that changes something, and stands still once nothing but
 * heartbeats is left. `realtime`: at a multiple of the host's time. Long stretches run in slices, so that replies and streams go out
 * meanwhile.
 */
import type { Cluster } from '../../../controlplane/cluster.ts';
import { LimitTripped } from '../../../engine/index.ts';

export type ClockMode = 'manual' | 'auto' | 'realtime';

/** Why a stretch of time ended before its end. */
export interface Halt {
  /** `stuck`: a limit tripped, for good; `full`: no more objects fit in; `off`: it was called off. */
  readonly why: 'stuck' | 'full' | 'off';
  readonly text: string;
}

export interface Clock {
  readonly mode: ClockMode;
  readonly speed: number;
  /** The instant that time is on its way to because somebody asked for it. */
  readonly toward: number | undefined;
  /** Why it moves no more: a limit that tripped. */
  readonly stuck: string | undefined;
  /** Call before a request is answered. */
  beforeRequest(): void;
  /** Call after it. */
  afterRequest(wrote: boolean): void;
  /** Runs up to an instant; answers when it is there, or why it is not. Not to be asked while it is on its way: see `toward`. */
  advanceTo(at: number): Promise<Halt | undefined>;
  /** Runs until only heartbeats are left, or up to an instant. */
  settle(by: number): Promise<Halt | undefined>;
  /** Ends such a stretch between two events. False when there is none. */
  callOff(text: string): boolean;
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
const STEPS_A_LOOK = 8;
const TICK_MS = 20;
/** The most that one jump of the automatic clock may handle. */
const JUMP_STEPS = 20_000;
/** A world that was full has room again, and its being full is news again, when it is no fuller than this. */
const ROOM_AGAIN = 0.9;

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

interface State extends ClockOptions {
  readonly cluster: Cluster;
  stuck: string | undefined;
  stopped: boolean;
  /** The long stretch that was asked for, and who called it off. */
  journey: { readonly toward: number; off: string | undefined } | undefined;
  /** Whether somebody was told that no more objects fit in. */
  reportedFull: boolean;
  /** Creations refused until then. */
  refused: number;
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
    journey: undefined,
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
      return state.journey?.toward;
    },
    get stuck() {
      return state.stuck;
    },
    beforeRequest() {
      if (mode === 'realtime') tick(state);
    },
    afterRequest: (wrote) => afterRequest(state, wrote),
    advanceTo: (at) => travel(state, at, () => runUntil(state, at)),
    settle: (by) => travel(state, by, () => settle(state, by)),
    callOff(text) {
      if (state.journey === undefined) return false;
      state.journey.off ??= text;
      return true;
    },
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
      if (performance.now() > end || haltOf(state) !== undefined) return false;
    }
  });
}

/** To the next instant at which something changes. */
function jump(state: State): void {
  const { cluster } = state;
  if (cluster.kernel.settled || state.stuck !== undefined) return;
  const seen = cluster.store.revision;
  const end = performance.now() + SLICE_MS;
  unlessStuck(state, undefined, () => {
    for (let steps = 0; steps < JUMP_STEPS && cluster.store.revision === seen && !cluster.kernel.settled; steps++)
      if ((steps % STEPS_A_LOOK === 0 && performance.now() > end) || !cluster.step()) return;
  });
  finishInstant(state);
}

/** What else is due at this instant, a slice now and others between requests. */
function finishInstant(state: State): void {
  if (state.stopped || state.stuck !== undefined || slice(state, state.cluster.now)) return;
  later(state, () => {
    finishInstant(state);
  });
}

/** Does something as soon as requests that wait are answered, unless something is planned already. */
function later(state: State, act: () => void): void {
  state.due ??= setImmediate(() => {
    state.due = undefined;
    act();
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
  if (state.mode !== 'auto') return;
  later(state, () => {
    if (state.stopped || state.stuck !== undefined) return;
    if (wrote) finishInstant(state);
    else jump(state);
  });
}

/** Why the stretch that is under way goes no further. */
function haltOf({ journey, stopped, stuck, reportedFull, refused, cluster }: State): Halt | undefined {
  if (stuck !== undefined) return { why: 'stuck', text: stuck };
  if (stopped) return { why: 'off', text: 'the world began anew' };
  if (journey?.off !== undefined) return { why: 'off', text: journey.off };
  const { capacity } = cluster.server;
  return journey !== undefined && !reportedFull && capacity.refused > refused ? { why: 'full', text: capacity.why ?? '' } : undefined;
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

/**
 * One long stretch; answers why it is not at its end, if it is not. That the world is full ends the stretch in which it fills up; the next
 * goes on all the same, since what makes room needs time to pass.
 */
async function travel(state: State, toward: number, go: () => Promise<void>): Promise<Halt | undefined> {
  const { capacity } = state.cluster.server;
  if (capacity.used <= capacity.limit * ROOM_AGAIN) state.reportedFull = false;
  state.refused = capacity.refused;
  state.journey = { toward, off: undefined };
  try {
    await go();
    const halt = haltOf(state);
    if (halt?.why === 'full') state.reportedFull = true;
    return halt;
  } finally {
    state.journey = undefined;
    state.virtualBase = state.cluster.now;
    state.realBase = performance.now();
  }
}
