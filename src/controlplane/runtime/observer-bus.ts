/**
 * Distributes observations: counts them, mixes them into the run's digest, and passes them to the observers. The most frequent ones have
 * methods of their own, which build no record and no text while there is no observer.
 */
import type { Digest } from '../../engine/digest.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { phraseOf, type Observation, type Observed } from './observation.ts';
import type { Outcome } from './outcome.ts';
import type { Process } from './process.ts';
import type { DeltaType } from './watches.ts';

/** Deterministic counters for tests and benchmarks. */
export interface Counters {
  commits: number;
  deliveries: number;
  reconciles: number;
  refusals: number;
}

type Because = Extract<Observation, { type: 'timer' }>['because'];

/** An observer for whom no record is built of what happens most. */
export interface QuietObserver {
  /** A delivery, a decision or a timer. */
  onCounted(id: number, at: number): void;
  /** A write, and its author. */
  onChange(change: Change, by: Envelope['by']): void;
  /** Any other observation. */
  onOther(observation: Observation): void;
}

interface Options {
  now(): number;
  /** Absent: the run has no digest. */
  readonly digest: Digest | undefined;
  listening(): boolean;
  publish(observation: Observation): void;
  readonly quiet?: QuietObserver | undefined;
}

/** The types of observation in the digest. */
const DELIVERY = 1;
const RECONCILE = 2;
const WRITE = 3;
const OTHER = 4;

export class ObserverBus {
  private readonly options: Options;
  private readonly counts: Counters = { commits: 0, deliveries: 0, reconciles: 0, refusals: 0 };
  /** The last identity that was given. */
  private last = 0;

  constructor(options: Options) {
    this.options = options;
  }

  get counters(): Readonly<Counters> {
    return this.counts;
  }

  /** The next identity. */
  draw(): number {
    return ++this.last;
  }

  /** Any observation; returns its identity. */
  observe(observed: Observed): number {
    const { digest, now } = this.options;
    const id = ++this.last;
    if (observed.type === 'refusal') this.counts.refusals++;
    if (digest !== undefined) {
      digest.mixNumber(now());
      digest.mixNumber(OTHER);
      mixOther(digest, observed);
    }
    this.observeUnsequenced(observed);
    return id;
  }

  /** For observers only: it has the identity of the last observation, and no effect on the digest. */
  observeUnsequenced(observed: Observed): void {
    const { quiet, listening, publish, now } = this.options;
    if (quiet === undefined && !listening()) return;
    const observation: Observation = { id: this.last, at: now(), ...observed };
    quiet?.onOther(observation);
    if (listening()) publish(observation);
  }

  /** The delay, back-off or wake-up time of a key has ended. */
  woken(process: string, controller: string, key: string, because: Because, causes: readonly number[]): number {
    const { digest, now, listening, publish, quiet } = this.options;
    const id = ++this.last;
    if (digest !== undefined) {
      digest.mixNumber(now());
      digest.mixNumber(OTHER);
      digest.mixText('timer');
      digest.mixText(key);
    }
    quiet?.onCounted(id, now());
    if (listening()) publish({ id, at: now(), type: 'timer', causes, process, controller, key, because });
    return id;
  }

  delivered(process: Process, delta: DeltaType, kind: string, key: string, revision: number, causes: readonly number[]): number {
    const { digest, now, listening, publish, quiet } = this.options;
    const id = ++this.last;
    this.counts.deliveries++;
    if (digest !== undefined) {
      digest.mixNumber(now());
      digest.mixNumber(DELIVERY);
      digest.mixNumber(process.number);
      digest.mixNumber(revision);
    }
    quiet?.onCounted(id, now());
    if (listening()) publish({ id, at: now(), type: 'delivery', causes, process: process.spec.name, delta, kind, key, revision });
    return id;
  }

  reconciled(
    process: string,
    controller: string,
    key: string,
    { why, writes }: Outcome,
    wakeAt: number | undefined,
    failures: number,
    causes: readonly number[],
  ): number {
    const { digest, now, listening, publish, quiet } = this.options;
    const id = ++this.last;
    this.counts.reconciles++;
    if (digest !== undefined) {
      digest.mixNumber(now());
      digest.mixNumber(RECONCILE);
      digest.mixText(key);
      digest.mixText(why);
    }
    quiet?.onCounted(id, now());
    if (!listening()) return id;
    const made = writes.length;
    publish(
      wakeAt === undefined
        ? { id, at: now(), type: 'reconcile', causes, process, controller, key, why, writes: made, failures }
        : { id, at: now(), type: 'reconcile', causes, process, controller, key, why, writes: made, failures, wakeAt },
    );
    return id;
  }

  /** A commit, whose identity the server has drawn. */
  written(change: Change, { request, by, causes }: Envelope): void {
    const { digest, now, listening, publish, quiet } = this.options;
    this.counts.commits++;
    if (digest !== undefined) {
      digest.mixNumber(now());
      digest.mixNumber(WRITE);
      digest.mixText(change.type);
      digest.mixText(change.key);
      digest.mixRevision(change.previous, change.object);
    }
    quiet?.onChange(change, by);
    if (!listening()) return;
    const { process, controller, key } = by;
    publish({
      id: change.entry,
      at: now(),
      type: 'write',
      actor: process,
      request: phraseOf(request),
      causes,
      change,
      ...(controller === undefined ? {} : { controller }),
      ...(key === undefined ? {} : { key }),
    });
  }
}

function mixOther(digest: Digest, observed: Observed): void {
  digest.mixText(observed.type);
  switch (observed.type) {
    case 'write':
    case 'delivery':
    case 'reconcile':
      return;
    case 'refusal':
      digest.mixText(observed.status.message ?? '');
      return;
    case 'timer':
      digest.mixText(observed.key);
      return;
    case 'process':
      digest.mixText(observed.process);
      digest.mixText(observed.what);
      return;
    case 'operation':
      digest.mixText(observed.label);
      return;
    case 'fault':
      digest.mixText(observed.fault);
      digest.mixText(observed.detail);
      return;
  }
}
