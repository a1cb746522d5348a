/**
 * How virtual time moves while a cluster is served. `manual`: only on request. `auto`: after a write, events that are due happen
 * immediately; while clients only read (a get, a quiet watch), the clock jumps to the next change, and stops when only lease renewals are
 * left. `realtime`: at a multiple of the host's time. A long advance runs in slices, so that replies and streams are sent meanwhile.
 */
import type { Cluster } from '../../../controlplane/cluster.ts';
import { LimitTripped } from '../../../engine/index.ts';

export type ClockMode = 'manual' | 'auto' | 'realtime';

interface Halt {
  /** `stuck`: a limit was reached, which is permanent; `full`: the limit of objects; `cancelled`: on request. */
  readonly why: 'stuck' | 'full' | 'cancelled';
  readonly text: string;
}

interface ClockOptions {
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

/** The clock of one cluster. */
export class Clock {
  readonly mode: ClockMode;
  readonly speed: number;
  readonly #cluster: Cluster;
  readonly #watched: () => boolean;
  readonly #timer: NodeJS.Timeout | undefined;
  #stuck: string | undefined;
  #stopped = false;
  /** The current advance, and why it was cancelled. */
  #advance: { readonly toward: number; cancelled: string | undefined } | undefined;
  /** Whether a client was told that the limit of objects is reached. */
  #reportedFull = false;
  /** Refused creations at that time. */
  #refused: number;
  /** The host's time of the last request. */
  #lastActivity = performance.now();
  /** The origin of realtime, in both clocks. */
  #virtualBase: number;
  #realBase = performance.now();
  /** The scheduled work after the last reply. */
  #due: NodeJS.Immediate | undefined;

  constructor(cluster: Cluster, { mode, speed, watched }: ClockOptions) {
    this.mode = mode;
    this.speed = speed;
    this.#cluster = cluster;
    this.#watched = watched;
    this.#refused = cluster.server.capacity.refused;
    this.#virtualBase = cluster.now;
    this.#timer = mode === 'manual' ? undefined : setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** The target of the current advance. */
  get toward(): number | undefined {
    return this.#advance?.toward;
  }

  /** Why time cannot move any more: a limit was reached. */
  get stuck(): string | undefined {
    return this.#stuck;
  }

  /** Call before a request is handled. */
  beforeRequest(): void {
    if (this.mode === 'realtime') this.#tick();
  }

  /** Call after it. */
  afterRequest(wrote: boolean): void {
    this.#lastActivity = performance.now();
    if (this.mode !== 'auto') return;
    this.#later(() => {
      if (this.#stopped || this.#stuck !== undefined) return;
      if (wrote) this.#finishInstant();
      else this.#jump();
    });
  }

  /** Advances to an instant. Returns undefined when it is reached, or why it is not. Not during another advance: see `toward`. */
  advanceTo(at: number): Promise<Halt | undefined> {
    return this.#runAdvance(at, () => this.#runUntil(at));
  }

  /** Advances until only lease renewals are left, or up to an instant. */
  settle(by: number): Promise<Halt | undefined> {
    return this.#runAdvance(by, async () => {
      const { kernel } = this.#cluster;
      while (this.#halt() === undefined && !kernel.settled && this.#cluster.now < by) {
        const next = kernel.nextAt();
        if (next === undefined || next > by) break;
        await this.#runUntil(next);
      }
    });
  }

  /** Cancels the current advance between two events. Returns false if there is none. */
  cancel(text: string): boolean {
    if (this.#advance === undefined) return false;
    this.#advance.cancelled ??= text;
    return true;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearImmediate(this.#due);
  }

  /** Runs events up to an instant, for at most a slice. Returns whether it got there. */
  #slice(until: number): boolean {
    const end = performance.now() + SLICE_MS;
    return this.#unlessStuck(true, () => {
      for (;;) {
        for (let i = 0; i < STEPS_PER_CHECK; i++) if (!this.#cluster.step(until)) return true;
        if (performance.now() > end || this.#halt() !== undefined) return false;
      }
    });
  }

  /** Jumps to the next instant with a change. */
  #jump(): void {
    const { kernel, store } = this.#cluster;
    if (kernel.settled) return;
    const seen = store.revision;
    const end = performance.now() + SLICE_MS;
    this.#unlessStuck(undefined, () => {
      for (let steps = 0; steps < JUMP_STEPS && store.revision === seen && !kernel.settled; steps++)
        if ((steps % STEPS_PER_CHECK === 0 && performance.now() > end) || !this.#cluster.step()) return;
    });
    this.#finishInstant();
  }

  /** Runs the other events of this instant: a slice now, the rest between requests. */
  #finishInstant(): void {
    if (this.#stopped || this.#stuck !== undefined || this.#slice(this.#cluster.now)) return;
    this.#later(() => this.#finishInstant());
  }

  /** Schedules work after the pending replies, unless some is scheduled already. */
  #later(act: () => void): void {
    this.#due ??= setImmediate(() => {
      this.#due = undefined;
      act();
    });
  }

  /** Moves time; a limit that is reached stops it permanently. */
  #unlessStuck<T>(otherwise: T, move: () => T): T {
    try {
      return move();
    } catch (error) {
      if (!(error instanceof LimitTripped)) throw error;
      this.#stuck = error.culprit;
      return otherwise;
    }
  }

  #tick(): void {
    if (this.#stuck !== undefined) return;
    if (this.mode === 'realtime') {
      const target = Math.floor(this.#virtualBase + (performance.now() - this.#realBase) * this.speed);
      if (target > this.#cluster.now && this.#slice(target) && this.#halt()?.why !== 'stuck') this.#cluster.runUntil(target);
    } else if (this.#watched() && performance.now() - this.#lastActivity >= TICK_MS) this.#jump();
  }

  #halt(): Halt | undefined {
    if (this.#stuck !== undefined) return { why: 'stuck', text: this.#stuck };
    if (this.#stopped) return { why: 'cancelled', text: 'the cluster was reset' };
    if (this.#advance?.cancelled !== undefined) return { why: 'cancelled', text: this.#advance.cancelled };
    const { refused, why = '' } = this.#cluster.server.capacity;
    return this.#advance !== undefined && !this.#reportedFull && refused > this.#refused ? { why: 'full', text: why } : undefined;
  }

  async #runUntil(at: number): Promise<void> {
    while (this.#halt() === undefined && !this.#slice(at)) await pause();
    if (this.#halt() === undefined) this.#cluster.runUntil(at);
  }

  /** Runs one advance; returns why it ended early. The limit of objects ends only this one: deletions need time to pass. */
  async #runAdvance(toward: number, go: () => Promise<void>): Promise<Halt | undefined> {
    const { used, limit, refused } = this.#cluster.server.capacity;
    if (used <= limit * NO_LONGER_FULL) this.#reportedFull = false;
    this.#refused = refused;
    this.#advance = { toward, cancelled: undefined };
    try {
      await go();
      const halt = this.#halt();
      if (halt?.why === 'full') this.#reportedFull = true;
      return halt;
    } finally {
      this.#advance = undefined;
      this.#virtualBase = this.#cluster.now;
      this.#realBase = performance.now();
    }
  }
}
