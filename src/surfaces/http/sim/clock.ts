/**
 * How virtual time moves while a cluster is served. `manual`: only when told. `auto`: what is due at once happens after a write; while
 * clients only look (a read, a quiet watch), the clock jumps to the next thing that changes something, and stands still once nothing but
 * heartbeats is left. `realtime`: at a multiple of the host's time. Long stretches run in slices, so that replies and streams go out meanwhile.
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

export function createClock(cluster: Cluster, { mode, speed, watched }: ClockOptions): Clock {
  let stuck: string | undefined;
  let stopped = false;
  let queue: Promise<unknown> = Promise.resolve();
  let lastActivity = performance.now();
  let virtualBase = cluster.now;
  let realBase = performance.now();
  let due: NodeJS.Immediate | undefined;

  /** Runs events up to an instant for at most a slice; answers whether it got there. */
  const slice = (until: number): boolean => {
    const end = performance.now() + SLICE_MS;
    try {
      for (;;) {
        for (let i = 0; i < STEPS_A_LOOK; i++) if (!cluster.step(until)) return true;
        if (performance.now() > end) return false;
      }
    } catch (error) {
      if (!(error instanceof LimitTripped)) throw error;
      stuck = error.culprit;
      return true;
    }
  };
  const runUntil = async (at: number): Promise<void> => {
    while (!stopped && stuck === undefined && !slice(at)) await pause();
    if (stuck === undefined && !stopped) cluster.runUntil(at);
  };
  const chained = (work: () => Promise<void>): Promise<string | undefined> => {
    const done = queue.then(work).then(() => {
      virtualBase = cluster.now;
      realBase = performance.now();
      return stuck;
    });
    queue = done.catch(() => undefined);
    return done;
  };

  /** To the next instant at which something changes. */
  const jump = (): void => {
    if (cluster.kernel.settled || stuck !== undefined) return;
    const seen = cluster.store.revision;
    try {
      for (let steps = 0; steps < JUMP_STEPS && cluster.store.revision === seen && !cluster.kernel.settled; steps++)
        if (!cluster.step()) return;
      cluster.runUntil(cluster.now);
    } catch (error) {
      if (!(error instanceof LimitTripped)) throw error;
      stuck = error.culprit;
    }
  };
  const tick = (): void => {
    if (stuck !== undefined) return;
    if (mode === 'realtime') {
      const target = Math.floor(virtualBase + (performance.now() - realBase) * speed);
      if (target > cluster.now && slice(target) && stuck === undefined) cluster.runUntil(target);
    } else if (watched() && performance.now() - lastActivity >= TICK_MS) jump();
  };
  const timer = mode === 'manual' ? undefined : setInterval(tick, TICK_MS);
  timer?.unref();

  return {
    mode,
    speed,
    get stuck() {
      return stuck;
    },
    beforeRequest() {
      if (mode === 'realtime') tick();
    },
    afterRequest(wrote) {
      lastActivity = performance.now();
      if (mode !== 'auto' || due !== undefined) return;
      due = setImmediate(() => {
        due = undefined;
        if (stopped || stuck !== undefined) return;
        if (wrote) slice(cluster.now);
        else jump();
      });
    },
    advanceTo: (at) => chained(() => runUntil(at)),
    settle: (by) =>
      chained(async () => {
        while (!stopped && stuck === undefined && !cluster.kernel.settled && cluster.now < by) {
          const next = cluster.kernel.nextAt();
          if (next === undefined || next > by) break;
          await runUntil(next);
        }
      }),
    stop() {
      stopped = true;
      clearInterval(timer);
      if (due !== undefined) clearImmediate(due);
    },
  };
}
