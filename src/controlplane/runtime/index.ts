/**
 * What controllers stand on: caches fed by watches, work queues, aggregates, back-off, the runner, and processes that crash.
 * Start reading at `contract.ts`.
 */
export {
  asListening,
  defineController,
  forKinds,
  idle,
  wakeAt,
  write,
  watch,
  type Watch,
  nobody,
  observing,
  type Answer,
  type Controller,
  type Delta,
  type DeltaType,
  type Enqueue,
  type Failure,
  type News,
  type ObserveContext,
  type Outcome,
  type ReconcileInput,
} from './contract.ts';
export { onElapsed } from './elapsed.ts';
export { remove, update, writeStatus, create, record, type EventText, type Write } from './writes.ts';
export { defineAggregate, recount, type AnyAggregate } from './aggregate.ts';
export { createCache, type Cache, type CacheView } from './cache.ts';
export { isOf, type ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';
export type { FaultNotice, FaultRules, RequestVerdict, RuntimeContext } from './context.ts';
export { insideOf, type ControllerInside, type Inside, type KeyInside, type ProcessInside } from './inside.ts';
export { describeCluster, type Tell } from './described.ts';
export { createOperations, type Operations } from './operations.ts';
export type { Delay } from './delay.ts';
export type { Lists, Observation, Observed, Pulse } from './observation.ts';
export { laneOf } from './lanes.ts';
export { install } from './rules.ts';
export { describePending, type ClusterEvent } from './pending.ts';
export type { DecidePoint, DecideVerdict, Points } from './points.ts';
export type { ProcessSpec } from './process.ts';
export type { RequestRate } from './rate.ts';
export { createRuntime, type Runtime } from './runtime.ts';
export { createAnnouncer, refusalOf, type Announcer, type Counters } from './announcer.ts';
export { createEventExpiry } from './event-expiry.ts';
export { createHearts, LEASE, type Hearts } from './hearts.ts';
export { createTokenBucket, exponentialDelayMs, LONGEST_BACKOFF_MS } from './backoff.ts';
export { knowingPrograms } from './programs.ts';
