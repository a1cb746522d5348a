/**
 * The runtime of controllers: caches filled by watches, work queues, aggregates, back-off, the outcome runner, and processes that crash.
 * Start reading at `contract.ts`.
 */
export {
  defineController,
  forKinds,
  type Answer,
  type Controller,
  type Failure,
  type ReconcileInput,
  type RecoverInput,
} from './contract.ts';
export {
  observing,
  watch,
  watchOnly,
  withHandledKinds,
  type Delta,
  type DeltaType,
  type ObserveContext,
  type Predicate,
  type Watch,
} from './watches.ts';
export { onElapsed } from './decision.ts';
export * from './outcome.ts';
export { defineAggregate, recount, type AnyAggregate, createCache, type Cache, type CacheView } from './cache.ts';
export { isOf, type ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';
export type { ClientView, FaultNotice, FaultRules, RequestVerdict, RuntimeContext, DecidePoint, DecideVerdict, Points } from './context.ts';
export {
  introspectionOf,
  type ControllerIntrospection,
  type Introspection,
  type KeyIntrospection,
  type ProcessIntrospection,
} from './introspection.ts';
export { describeCluster, type ReportGroup, type ReportPart } from './described.ts';
export { EventExpiry } from './events.ts';
export { type Delay, type RequestRate, createTokenBucket, exponentialDelayMs, LONGEST_BACKOFF_MS } from './rate.ts';
export { refusalOf, type Lists, type Observation, type Observed, type RenewalInterval } from './observation.ts';
export { channelOf, describePending, Operations, type ClusterEvent } from './pending.ts';
export { install, Runtime } from './runtime.ts';
export type { ProcessSpec } from './process.ts';
export { ObserverBus, type Counters, type QuietObserver } from './observer-bus.ts';
export { LEASE, RenewalElision } from './renewal-elision.ts';
export { verdictOfRules, withPrograms } from './requests.ts';
