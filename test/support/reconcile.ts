/** One decision of a controller from a list of objects: builds the cache, aggregates and input as the runtime does. */
import { createRandom } from '../../src/engine/index.ts';
import { deepFreeze } from '../../src/schema/shape/index.ts';
import { kindsFor } from '../../src/apiserver/kinds/index.ts';
import { type ApiObject, type Domain, type FeatureGates, keyOf, namesFor, type RulesMode } from '../../src/apiserver/machinery/index.ts';
import { createCache } from '../../src/controlplane/runtime/index.ts';
import type {
  Answer,
  Cache,
  Controller,
  Delta,
  Enqueue,
  Failure,
  ObserveContext,
  Outcome,
  Write,
} from '../../src/controlplane/runtime/index.ts';
import { at } from './objects.ts';

export interface Situation {
  /** The objects in the cache, oldest first. */
  readonly objects: readonly ApiObject[];
  /** Default: the key of the first object of the reconciled kind. */
  readonly key?: string;
  readonly now?: number;
  /** The start of the process; default: now. */
  readonly startedAt?: number;
  readonly domain?: Domain;
  readonly gates?: FeatureGates;
  readonly rules?: RulesMode;
  readonly memory?: unknown;
  readonly expectationsSatisfied?: boolean;
  readonly failures?: number;
  /** The renewals of a lease that are elided. */
  readonly renewalInterval?: { readonly beating: boolean; readonly at: number };
  /** Makes reads of whole groups of objects an error: a decision in steady state must not need them. */
  readonly noScans?: boolean;
}

// Tests pass controllers of every kind; the contract's variance would require their types.
type AnyController = Controller<string, never, never> | object;

/** Returns the context of event handlers in which only the component's state matters. */
export const observingWith = <State>(state: State): ObserveContext<State> => ({
  names: namesFor('k8s.io'),
  kinds: kindsFor(namesFor('k8s.io')),
  gates: {},
  cache: createCache(),
  now: at(0),
  elapsed: at(0),
  state,
  process: 'test',
  failures: () => 0,
});

interface Bench {
  readonly cache: Cache;
  readonly context: ObserveContext;
  input(): Record<string, unknown>;
  readonly self: ApiObject | undefined;
}

function benchOf(
  given: AnyController,
  {
    objects,
    key,
    now = at(0),
    startedAt = now,
    domain = 'k8s.io',
    gates = { JobReadyPods: true },
    rules,
    memory,
    expectationsSatisfied = true,
    failures = 0,
    renewalInterval,
    noScans = false,
  }: Situation,
): Bench {
  const controller = given as Controller;
  const names = namesFor(domain);
  const kinds = kindsFor(names);
  const cache = createCache();
  for (const kind of new Set([controller.reconciles ?? '', ...(controller.watches ?? []).map((watch) => watch.kind)]))
    if (kind !== '') cache.open(kind);
  for (const aggregate of controller.aggregates ?? []) cache.addAggregate(aggregate);
  const random = createRandom('test').stream('test');
  const state = controller.start?.({ names, gates, rules, now: startedAt, process: 'test', random });
  const context: ObserveContext = { names, kinds, gates, cache, now, elapsed: now, state, process: 'test', failures: () => failures };
  const frozen = objects.map((object) => deepFreeze(structuredClone(object)));
  for (const object of frozen) cache.set(object.kind, keyOf(object), object);
  for (const object of frozen)
    controller.observe?.({ type: 'ADDED', kind: object.kind, key: keyOf(object), object, old: undefined }, context);
  const self = frozen.find((object) =>
    key === undefined ? object.kind === controller.reconciles : keyOf(object) === key && object.kind === controller.reconciles,
  );
  return {
    cache,
    context,
    self,
    input: () => ({
      key: key ?? (self === undefined ? '' : keyOf(self)),
      self,
      now,
      elapsed: now,
      wall: now,
      names,
      kinds,
      gates,
      rules,
      cache: noScans ? withoutScans(cache) : cache,
      memory,
      state,
      expectationsSatisfied,
      failures,
      random: createRandom('test').stream('test'),
      process: 'test',
      renewalInterval: () => renewalInterval,
    }),
  };
}

function withoutScans(cache: Cache): Cache {
  const refuse = (): never => {
    throw new Error('a steady decision looked at a whole group of objects');
  };
  return { ...cache, list: refuse, by: refuse, controlledBy: refuse };
}

/** Returns the outcome of the controller. */
export function decide(controller: AnyController, situation: Situation): Outcome {
  const { input } = benchOf(controller, situation);
  return (controller as Controller).reconcile(input() as never);
}

/** Returns the outcome after a failed write. */
export function recover(controller: AnyController, situation: Situation, failure: Failure): Outcome | undefined {
  const { input } = benchOf(controller, situation);
  return (controller as Controller).recover?.(input() as never, failure);
}

/** Returns the outcome after an answer. */
export function resume(controller: AnyController, situation: Situation, answer: Answer): Outcome {
  const { input } = benchOf(controller, situation);
  const next = (controller as Controller).resume?.(input() as never, answer);
  if (next === undefined) throw new Error('the controller does not go on after answers');
  return next;
}

/** Returns the keys that a change enqueues. */
export function enqueued(
  controller: AnyController,
  situation: Situation,
  delta: Pick<Delta, 'type' | 'object'> & { readonly old?: ApiObject },
): readonly Enqueue[] {
  const { context } = benchOf(controller, situation);
  const { object } = delta;
  const watch = (controller as Controller).watches?.find(({ kind }) => kind === object.kind);
  const full: Delta = { type: delta.type, kind: object.kind, key: keyOf(object), object, old: delta.old };
  // As in the runtime: without a mapping the object's own key.
  const found = watch !== undefined && watch.enqueue === undefined ? full.key : watch?.enqueue?.(full, context);
  return found === undefined ? [] : Array.isArray(found) ? (found as readonly Enqueue[]) : [found as Enqueue];
}

/** Prints a write: `create Pod a-`, `update Job/status a`. */
export function phrase(write: Write): string {
  switch (write.op) {
    case 'create':
      return `create ${write.object.kind} ${write.object.metadata.name ?? write.object.metadata.generateName ?? ''}`;
    case 'update':
      return `update ${write.object.kind}${write.subresource === undefined ? '' : `/${write.subresource}`} ${write.object.metadata.name}`;
    case 'patch':
    case 'delete':
    case 'post':
    case 'get':
    case 'check':
      return `${write.op} ${write.kind} ${write.name}`;
    case 'list':
      return `list ${write.kind} in ${write.namespace ?? 'all namespaces'}`;
    case 'deleteCollection':
      return `delete all ${write.kind} in ${write.namespace}`;
    case 'event':
      return `event ${write.event.reason}`;
    default: {
      const never: never = write;
      return never;
    }
  }
}

/** Returns the status that an outcome writes. */
export function statusIn<S = Record<string, unknown>>(outcome: Outcome): S | undefined {
  for (const write of outcome.writes) if (write.op === 'update' && write.subresource === 'status') return write.object['status'] as S;
  return undefined;
}

/** Prints an outcome as lines: the reason, each write with all that it changes, and what else it says. */
export function linesOf(outcome: Outcome | undefined): readonly string[] {
  if (outcome === undefined) return [];
  const { why, writes, ...rest } = outcome;
  return [why, ...writes.map(lineOf), ...Object.entries(rest).map(([name, value]) => `${name}: ${json(value)}`)];
}

function lineOf(write: Write): string {
  const { op, ...all } = write;
  if (write.op === 'event') {
    const { about, type, reason, message } = write.event;
    return `event ${type} ${reason} of ${about.kind} ${about.metadata.name ?? ''}: ${message}`;
  }
  const { kind: _, name: __, namespace: ___, object, patch, ...more } = all as Record<string, unknown>;
  const content = patch ?? (object === undefined ? undefined : contentOf(object as ApiObject, more['subresource']));
  if (write.op === 'update') delete more['subresource'];
  return [phrase({ op, ...all } as Write), ...[content, more].map((value) => json(value ?? {})).filter((text) => text !== '{}')].join(' ');
}

/** What a request to create or update an object writes, without what identifies the object. */
function contentOf({ apiVersion: _, kind: __, metadata, spec, status, ...rest }: ApiObject, subresource: unknown): object {
  const { name, generateName, namespace, uid, resourceVersion, creationTimestamp, generation, ...meta } = metadata;
  void [name, generateName, namespace, uid, resourceVersion, creationTimestamp, generation];
  return {
    ...(Object.keys(meta).length === 0 ? {} : { metadata: meta }),
    ...(subresource === 'status' ? {} : { spec, ...rest }),
    ...(subresource === undefined ? {} : { status }),
  };
}

/** As JSON, without the quotes that no reader needs, and with times of the first day as `@seconds`; conditions and owners are one text each. */
const json = (value: unknown): string =>
  JSON.stringify(value, (key, member: unknown): unknown => {
    if (member instanceof Map || member instanceof Set) return [...member];
    if (key === 'about') return aboutText(member as ApiObject);
    if (typeof member === 'number' && member >= at(0) && member < at(86_400)) return `@${(member - at(0)) / 1000}`;
    return key === 'conditions' && Array.isArray(member) ? member.map(conditionText) : member;
  })
    .replace(/"([\w./$@:^~-]+)"/g, '$1')
    .replace(/2024-01-01T(\d\d:\d\d:\d\d)Z/g, '$1');
const aboutText = ({ kind, metadata }: ApiObject): string => `${kind} ${metadata.name}`;
const conditionText = ({ type, status, ...more }: Readonly<Record<string, unknown>>): string =>
  [`${String(type)}=${String(status)}`, ...Object.entries(more).map(([name, value]) => `${name}: ${String(value)}`)].join(', ');
