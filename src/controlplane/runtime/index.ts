/**
 * The runtime of controllers: caches filled by watches, work queues, aggregates, back-off, the outcome runner, and processes that crash.
 * Start reading at `contract.ts`.
 */
export {
  withHandledKinds,
  defineController,
  forKinds,
  idle,
  wakeAt,
  write,
  watch,
  type Watch,
  watchOnly,
  observing,
  type Answer,
  type Controller,
  type Delta,
  type DeltaType,
  type Enqueue,
  type Failure,
  type ObserveContext,
  type Outcome,
  type ReconcileInput,
  type RecoverInput,
} from './contract.ts';
export { onElapsed } from './decision.ts';
export { addressOf, readLive, remove, mergePatch, update, writeStatus, create, record, type EventText, type Write } from './writes.ts';
export { defineAggregate, recount, type AnyAggregate, createCache, type Cache, type CacheView } from './cache.ts';
export { isOf, type ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';
export type { ClientView, FaultNotice, FaultRules, RequestVerdict, RuntimeContext, DecidePoint, DecideVerdict, Points } from './context.ts';
export { verdictOfRules } from './choice-verdicts.ts';
export {
  introspectionOf,
  type ControllerIntrospection,
  type Introspection,
  type KeyIntrospection,
  type ProcessIntrospection,
} from './introspection.ts';
export { describeCluster, type ReportGroup, type ReportPart } from './described.ts';
export { createOperations, type Operations, createEventExpiry } from './operations.ts';
export { type Delay, type RequestRate, createTokenBucket, exponentialDelayMs, LONGEST_BACKOFF_MS } from './rate.ts';
export type { Lists, Observation, Observed, RenewalInterval } from './observation.ts';
export { channelOf, describePending, type ClusterEvent } from './pending.ts';
export { install, createRuntime, type Runtime } from './runtime.ts';
export type { ProcessSpec } from './process.ts';
export { createObserverBus, refusalOf, type ObserverBus, type Counters, type QuietObserver } from './observer-bus.ts';
export { createRenewalElision, LEASE, type RenewalElision } from './renewal-elision.ts';
export { withPrograms } from './requests.ts';
export type { Predicate } from './predicates.ts';
