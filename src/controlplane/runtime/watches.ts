/**
 * Watches: which changes of which kinds reach a controller, and the keys that they enqueue. A controller manager runs two dozen controllers,
 * most of which read two or three fields of a pod. The fields that a predicate declares are compared once per change, and only listeners
 * whose fields differ are called. A watch without a predicate receives every change. The same run with predicates ignored has the same
 * digest (a test checks it).
 */
import { memo } from '../../engine/index.ts';
import type { CustomObjects, KindRegistry, ObjectByKind, ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Names } from '../../apiserver/machinery/index.ts';
import type { Change, Table } from '../../apiserver/store/index.ts';
import type { CacheView } from './cache.ts';
import type { Enqueue } from './outcome.ts';

/** Which changes of an object matter to a controller. Creations and deletions change every field. */
export interface Predicate {
  /** Fields whose change matters: `metadata.labels`, `status.phase`, `spec`; absent: all. */
  readonly fields?: readonly string[];
  /** Only objects with a controller reference to one of these kinds, before the change or after it; '' stands for those without. */
  readonly owners?: readonly string[];
  /** Only objects that have one of these fields, before the change or after it: `spec.volumes`. */
  readonly has?: readonly string[];
  /** Only while the cache has objects of this kind: `Service`. The controller must watch it, and list that watch first. */
  readonly whileThereAre?: string;
}

export type DeltaType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change of a cache; the type of its objects follows from the kind. */
export interface Delta<K extends string = string> {
  readonly type: DeltaType;
  readonly kind: K;
  readonly key: string;
  readonly object: ObjectOf<K>;
  readonly old: ObjectOf<K> | undefined;
}

/** The input of a function that maps a delta to keys. */
export interface ObserveContext<State = unknown> {
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly gates: FeatureGates;
  readonly cache: CacheView;
  /** The process's clock, milliseconds since the epoch. */
  readonly now: number;
  /** A monotonic clock, milliseconds: only differences have a meaning. */
  readonly elapsed: number;
  /** Agents only: state of the whole component, updated by `observe`. */
  readonly state: State;
  /** The name of the process: `controller-manager`, `agent/node-0`. */
  readonly process: string;
  /** Consecutive failures of a key. */
  failures(key: string): number;
}

/** Which objects of a kind are watched, and which keys their changes enqueue. */
export interface Interest<K extends string = string, State = unknown> {
  /** Only objects with this indexed value reach the process: the pods of a node agent's node. */
  readonly only?: { readonly index: 'nodeName' | 'name'; value(process: string): string };
  /** False: renewals of leases may be elided (read `renewalInterval` instead); every other change is delivered as usual. */
  readonly renewals?: false;
  /** Which changes matter; absent: all. Other changes are neither observed nor mapped to keys. */
  readonly predicate?: Predicate;
  /** The keys to enqueue for a change; absent: the object's own key. */
  enqueue?(delta: Delta<K>, context: ObserveContext<State>): readonly Enqueue[] | Enqueue | undefined;
}

/** A watch on a kind; made by `watch`, which infers the kind's type. */
export interface Watch<State = unknown> extends Interest<string, State> {
  readonly kind: string;
}

type Enqueues<K extends string, State> = NonNullable<Interest<K, State>['enqueue']>;

/** Watches a kind; `enqueue` returns the keys that a change concerns, and receives the kind's own type. */
export const watch = <K extends string, State = unknown>(
  kind: K,
  enqueue?: Enqueues<K, State>,
  rest: Omit<Interest<K, State>, 'enqueue'> = {},
): Watch<State> => ({ kind, ...rest, ...(enqueue === undefined ? {} : { enqueue }) });

/** For `watch`: changes enqueue no key; the kind is watched because it is read. */
export const watchOnly = (): undefined => undefined;

interface Observer<K extends string, State> {
  observe(delta: Delta<K>, context: ObserveContext<State>): void;
}

/** Updates of a component's state by kind; kinds without a handler are ignored. */
type Handlers<State> = { readonly [K in keyof (ObjectByKind & CustomObjects)]?: Observer<K, State>['observe'] };

/** The kinds for which an `observe` made by `observing` has a handler. */
const handled = memo(new WeakMap<object, ReadonlySet<string>>());

/** Makes an `observe` of handlers by kind, each with the type of its kind. */
export const observing = <State = unknown>(handlers: Handlers<State>): ((delta: Delta, context: ObserveContext<State>) => void) => {
  const byKind: Readonly<Record<string, Observer<string, State>['observe'] | undefined>> = handlers;
  const observe = (delta: Delta, context: ObserveContext<State>): void => byKind[delta.kind]?.(delta, context);
  handled.set(observe, new Set(Object.keys(handlers)));
  return observe;
};

/** A handler in place of another one: it receives the same kinds. */
export function withHandledKinds<F extends object>(observe: F, inPlaceOf: object): F {
  const kinds = handled.get(inPlaceOf);
  if (kinds !== undefined) handled.set(observe, kinds);
  return observe;
}

/** Whether a controller reacts to changes of a watched kind; some kinds are only read from the cache. */
export function listens({ observe }: { readonly observe?: object }, { kind, enqueue }: Watch): boolean {
  return enqueue !== watchOnly || (observe !== undefined && handled.get(observe)?.has(kind) !== false);
}

/** The fields that listeners of a stream have declared: each has the bit of its place. */
export interface FieldBits {
  /** Those whose change matters. */
  readonly changed: Field[];
  /** Those that an object must have. */
  readonly held: Field[];
}

interface Field {
  readonly name: string;
  readonly path: readonly string[];
}

/** A listener's predicate as bits of its stream. */
export interface Wanted {
  readonly mask: number;
  readonly owners: ReadonlySet<string> | undefined;
  /** Bits of fields of which an object must have one; 0: none. */
  readonly held: number;
  /** Nothing is wanted while this table is empty. */
  readonly beside: Pick<Table, 'size'> | undefined;
}

/** What predicates ask of a change. Changes of one class go to the same listeners. */
export interface ChangeClass {
  /** The fields that differ. */
  readonly bits: number;
  /** The fields that the object has, before or after. */
  readonly held: number;
  /** The kinds of its controller after and before the change; '' without one. */
  readonly owner: string;
  readonly former: string;
}

/** Set in the bits of every change, for listeners without declared fields. */
const ANY = 1 << 30;
/** Set for objects that are added or removed, which matter to every listener. */
const EXISTENCE = 1 << 31;
const MOST_FIELDS = 30;
const EVERYTHING: Wanted = { mask: ANY | EXISTENCE, owners: undefined, held: 0, beside: undefined };

/** Whether every change is wanted. */
export const wantsAll = (wanted: Wanted): boolean => wanted === EVERYTHING;

/** No fields yet. */
export const noFields = (): FieldBits => ({ changed: [], held: [] });

/**
 * A declaration as bits; fields without a bit get the next ones. `tableOf`: the cached objects of a kind that the process watches already.
 * Throws for more than thirty fields on one kind.
 */
export function wantedBy(bits: FieldBits, predicate: Predicate | undefined, tableOf: (kind: string) => Wanted['beside']): Wanted {
  if (predicate === undefined) return EVERYTHING;
  const { fields, owners, has = [], whileThereAre } = predicate;
  let mask = fields === undefined ? EVERYTHING.mask : EXISTENCE;
  for (const field of fields ?? []) mask |= 1 << bitOf(bits.changed, field);
  let held = 0;
  for (const field of has) held |= 1 << bitOf(bits.held, field);
  const beside = whileThereAre === undefined ? undefined : tableOf(whileThereAre);
  if (whileThereAre !== undefined && beside === undefined)
    throw new Error(`a predicate names ${whileThereAre}, which the controller does not watch before: list that watch first`);
  return { mask, owners: owners === undefined ? undefined : new Set(owners), held, beside };
}

/** Whether a predicate lets a class of changes pass, as long as there are objects of the kind that it names. */
export const passes = ({ mask, owners, held }: Wanted, change: ChangeClass): boolean =>
  (mask & change.bits) !== 0 &&
  (held === 0 || (held & change.held) !== 0) &&
  (owners === undefined || owners.has(change.owner) || owners.has(change.former));

function bitOf(fields: Field[], name: string): number {
  const known = fields.findIndex((field) => field.name === name);
  if (known >= 0) return known;
  if (fields.length === MOST_FIELDS)
    throw new Error(
      `controllers of one process declare more than ${MOST_FIELDS} fields of a kind in predicates: name a field that encloses several (${name})`,
    );
  return fields.push({ name, path: name.split('.') }) - 1;
}

const pathAt = (fields: readonly Field[], at: number): readonly string[] => fields[at]?.path ?? [];

/**
 * The bits of the fields that differ; all bits for an object that is added or removed. Revisions share unchanged parts, so references are
 * compared.
 */
export function changedBits({ changed }: FieldBits, type: Change['type'], object: ApiObject, old: ApiObject | undefined): number {
  if (type !== 'MODIFIED' || old === undefined) return -1;
  let bits = ANY;
  for (let at = 0; at < changed.length; at++) if (differs(pathAt(changed, at), object, old)) bits |= 1 << at;
  return bits;
}

function differs(path: readonly string[], object: ApiObject, old: ApiObject): boolean {
  let is: unknown = object;
  let was: unknown = old;
  for (let at = 0; at < path.length; at++) {
    is = memberOf(is, path[at] ?? '');
    was = memberOf(was, path[at] ?? '');
    if (is === was) return false;
  }
  return true;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** The bits of the fields that an object has, before a change or after it. */
export function heldBits({ held }: FieldBits, object: ApiObject, old: ApiObject | undefined): number {
  let bits = 0;
  for (let at = 0; at < held.length; at++) if (hasField(pathAt(held, at), object) || hasField(pathAt(held, at), old)) bits |= 1 << at;
  return bits;
}

function hasField(path: readonly string[], object: unknown): boolean {
  let value = object;
  for (let at = 0; at < path.length; at++) value = memberOf(value, path[at] ?? '');
  return value !== undefined;
}
