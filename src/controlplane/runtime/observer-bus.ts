/**
 * Distributes observations: counts them, mixes them into the run's digest, and passes them to the observers. The most frequent ones have
 * methods of their own, which build no record and no text while there is no observer.
 */
import type { Digest } from '../../engine/digest.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Delta, Outcome } from './contract.ts';
import type { Observation, Observed } from './observation.ts';
import type { Process } from './process.ts';
import { phraseOf } from './requests.ts';

/** Deterministic counters for tests and benchmarks. */
export interface Counters {
  commits: number;
  deliveries: number;
  reconciles: number;
  refusals: number;
}

export interface ObserverBus {
  readonly counters: Readonly<Counters>;
  /** Any observation; returns its identity. */
  observe(observed: Observed): number;
  /** For observers only: it has the identity of the last observation, and no effect on the digest. */
  observeUnsequenced(observed: Observed): void;
  delivered(process: Process, delta: Delta, revision: number, causes: readonly number[]): number;
  reconciled(
    process: string,
    controller: string,
    key: string,
    outcome: Outcome,
    wakeAt: number | undefined,
    failures: number,
    causes: readonly number[],
  ): number;
  /** A commit, whose identity the server has drawn. */
  written(change: Change, envelope: Envelope): void;
  /** The next identity. */
  draw(): number;
}

interface Options {
  now(): number;
  /** Absent: the run has no digest. */
  readonly digest: Digest | undefined;
  listening(): boolean;
  publish(observation: Observation): void;
}

/** The types of observation in the digest. */
const DELIVERY = 1;
const RECONCILE = 2;
const WRITE = 3;
const OTHER = 4;

interface State extends Options {
  readonly counters: Counters;
  /** The last identity that was given. */
  last: number;
}

export function createObserverBus(options: Options): ObserverBus {
  const state: State = { counters: { commits: 0, deliveries: 0, reconciles: 0, refusals: 0 }, last: 0, ...options };
  return {
    counters: state.counters,
    draw: () => ++state.last,
    observe: (observed) => observe(state, observed),
    observeUnsequenced(observed) {
      if (state.listening()) state.publish({ id: state.last, at: state.now(), ...observed });
    },
    delivered: (process, delta, revision, causes) => delivered(state, process, delta, revision, causes),
    reconciled: (process, controller, key, outcome, wakeAt, failures, causes) =>
      reconciled(state, process, controller, key, outcome, wakeAt, failures, causes),
    written: (change, envelope) => written(state, change, envelope),
  };
}

function observe(state: State, observed: Observed): number {
  const { counters, digest, now, listening, publish } = state;
  const id = ++state.last;
  if (observed.type === 'refusal') counters.refusals++;
  if (digest !== undefined) {
    digest.mixNumber(now());
    digest.mixNumber(OTHER);
    mixOther(digest, observed);
  }
  if (listening()) publish({ id, at: now(), ...observed });
  return id;
}

function delivered(state: State, process: Process, { type, kind, key }: Delta, revision: number, causes: readonly number[]): number {
  const { counters, digest, now, listening, publish } = state;
  const id = ++state.last;
  counters.deliveries++;
  if (digest !== undefined) {
    digest.mixNumber(now());
    digest.mixNumber(DELIVERY);
    digest.mixNumber(process.number);
    digest.mixNumber(revision);
  }
  if (listening()) publish({ id, at: now(), type: 'delivery', causes, process: process.spec.name, delta: type, kind, key, revision });
  return id;
}

function reconciled(
  state: State,
  process: string,
  controller: string,
  key: string,
  { why, writes }: Outcome,
  wakeAt: number | undefined,
  failures: number,
  causes: readonly number[],
): number {
  const { counters, digest, now, listening, publish } = state;
  const id = ++state.last;
  counters.reconciles++;
  if (digest !== undefined) {
    digest.mixNumber(now());
    digest.mixNumber(RECONCILE);
    digest.mixText(key);
    digest.mixText(why);
  }
  if (!listening()) return id;
  const made = writes.length;
  publish(
    wakeAt === undefined
      ? { id, at: now(), type: 'reconcile', causes, process, controller, key, why, writes: made, failures }
      : { id, at: now(), type: 'reconcile', causes, process, controller, key, why, writes: made, failures, wakeAt },
  );
  return id;
}

function written(state: State, change: Change, { request, by: { process, controller, key }, causes }: Envelope): void {
  const { counters, digest, now, listening, publish } = state;
  counters.commits++;
  if (digest !== undefined) {
    digest.mixNumber(now());
    digest.mixNumber(WRITE);
    digest.mixText(change.type);
    digest.mixText(change.key);
    digest.mixRevision(change.previous, change.object);
  }
  if (!listening()) return;
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
    default: {
      const never: never = observed;
      return never;
    }
  }
}

/** The observation of a refused request, with its author as far as known. */
export const refusalOf = (
  { request, by: { process, controller, key }, causes }: Envelope,
  status: Extract<Observed, { type: 'refusal' }>['status'],
): Observed => ({
  type: 'refusal',
  actor: process,
  request: phraseOf(request),
  causes,
  status,
  ...(controller === undefined ? {} : { controller }),
  ...(key === undefined ? {} : { key }),
});
