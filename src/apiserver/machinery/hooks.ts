/**
 * Drafts, and the hooks that change them: what a hook reads, and those that restore the parts which an update may not change. A draft is an
 * object under construction, made with immer: defaults, admission and hooks assign to it at any depth, parts without changes stay shared
 * with the sent or stored object, and the completed object is frozen. There is one draft for each write. Models: v1.24 pkg/registry, the
 * strategies' PrepareForUpdate.
 */
import { castDraft, current, isDraft, type Draft as Drafted } from 'immer';
import type { Schema } from '../../schema/shape/index.ts';
import type { ApiObject, KindContext } from '../objects/index.ts';

export { castDraft, createDraft, finishDraft, produce } from 'immer';

/** A mutable object. */
export type Draft<O = ApiObject> = Drafted<O>;

/**
 * Returns the current value of a part of a draft, for reading. An unchanged part is returned by reference, so it can be compared by
 * identity. Read only the parts that are needed: a changed part is copied, with drafts of all its members.
 */
export function currentOf<T>(part: T | Draft<T>): T;
export function currentOf(part: unknown): unknown {
  return isDraft(part) ? current<unknown>(part) : part;
}

/** Sets a member, or removes it when the value is undefined. */
export function assign<T extends object, K extends keyof T>(draft: T, name: K, value: T[K] | undefined): void {
  if (value !== undefined) draft[name] = value;
  else if (draft[name] !== undefined) Reflect.deleteProperty(draft, name);
}

/** Sets members of a struct in published order, so that members added by the server are in the order of a decoded object. */
export function insertInOrder<T extends object>(
  shape: Schema | undefined,
  draft: T,
  members: { readonly [K in keyof T]?: T[K] | undefined },
): void {
  for (const name in members) {
    const isNew = members[name] !== undefined && !(name in draft);
    assign(draft, name, members[name]);
    if (!isNew || shape?.type !== 'object') continue;
    // Members that are published later are moved behind it, in their order.
    const names = Object.keys(shape.fields);
    for (const later of names.slice(names.indexOf(name) + 1) as (keyof T & string)[]) {
      if (!(later in draft)) continue;
      const value = draft[later];
      Reflect.deleteProperty(draft, later);
      draft[later] = value;
    }
  }
}

const BITS = {
  labels: 1,
  annotations: 2,
  ownerReferences: 4,
  finalizers: 8,
  /** All other metadata: name, uid, resourceVersion, times, managed fields. */
  identity: 16,
  spec: 32,
  status: 64,
  /** All other members, such as the data of a ConfigMap. */
  other: 128,
} as const;

export type Part = keyof typeof BITS;

export type Parts = number;

/** In the set of a write whose changed parts are unknown. */
export const UNKNOWN: Parts = 256;

/** In the set of every write, even of one that changes nothing: a stage that reads it always runs. */
export const ALWAYS: Parts = 512;

/** Everything: for a stage that reads the whole object, or a write whose changed parts are unknown. */
export const WHOLE: Parts = 1023;

export const partsOf = (...names: readonly Part[]): Parts => names.reduce((set, name) => set | BITS[name], 0);

/** Returns the part that a member of an object belongs to; not of metadata, which has several. */
export const partOf = (member: string): Parts => (member === 'spec' ? BITS.spec : member === 'status' ? BITS.status : BITS.other);

/** Returns the names of the parts in a set that a stage reads, for people. */
export function partNames(set: Parts): readonly string[] {
  if (set === WHOLE) return ['everything'];
  if ((set & ALWAYS) !== 0) return ['always runs'];
  const names = (Object.keys(BITS) as Part[]).filter((name) => (set & BITS[name]) !== 0);
  return names.length > 0 ? names : set === UNKNOWN ? ['unknown changes'] : ['nothing: for new objects alone'];
}

/** A hook that says what it reads. It runs where a write changes one of these parts. */
interface Reading<O, F> {
  readonly reads: readonly Part[];
  /** Whether the hook could change the object; absent: true. It is called before a draft is created. */
  concerns?(object: O, context: KindContext, old: O | undefined): boolean;
  readonly run: F;
}

/** A hook, or several in order. A bare function reads the whole object, unless it only restores a part. */
type Hooks<O, F> = F | Reading<O, F> | readonly (F | Reading<O, F>)[];

// Method types, so that a kind may declare hooks for its own object type.
type CreateHook<O extends ApiObject> = { hook(draft: Draft<O>, context: KindContext): void }['hook'];
type UpdateHook<O extends ApiObject> = { hook(draft: Draft<O>, old: O, context: KindContext): void }['hook'];

/** Hooks of a creation, and defaults: they get the draft. */
export type CreateHooks<O extends ApiObject = ApiObject> = Hooks<O, CreateHook<O>>;
/** Hooks of an update: they get the draft and the stored object. */
export type UpdateHooks<O extends ApiObject = ApiObject> = Hooks<O, UpdateHook<O>>;

export function keepStatus(draft: Draft, old: ApiObject): void {
  assign(draft, 'status', old['status']);
}

export function keepSpec(draft: Draft, old: ApiObject): void {
  assign(draft, 'spec', old['spec']);
}

export function keepSpecAndOwners(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  assign(draft.metadata, 'ownerReferences', castDraft(old.metadata.ownerReferences));
}

/** Restores the specification and most of the metadata, for status updates. Models: rest.ResetObjectMetaForStatus. */
export function keepSpecAndMeta(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const kept = old.metadata[field];
    assign<Draft['metadata'], typeof field>(draft.metadata, field, kept === undefined ? undefined : castDraft(kept));
  }
}

/**
 * Restores everything but the status, even labels, for status updates of custom resources. Models: v1.24 apiextensions-apiserver
 * pkg/registry/customresource status_strategy.go.
 */
export function keepAllButStatus(draft: Draft, old: ApiObject): void {
  for (const field in { ...draft, ...old }) if (field !== 'status' && field !== 'metadata') assign(draft, field, old[field]);
  const { metadata } = draft;
  const kept: ApiObject['metadata'] = old.metadata;
  for (const field of new Set([...Object.keys(metadata), ...Object.keys(kept)]) as Set<keyof ApiObject['metadata']>)
    if (field !== 'managedFields') assign<Draft['metadata'], typeof field>(metadata, field, castDraft(kept[field]));
}

/** What the restoring hooks read: the parts that they restore. */
const RESTORED: ReadonlyMap<unknown, Parts> = new Map([
  [keepStatus, partsOf('status')],
  [keepSpec, partsOf('spec')],
  [keepSpecAndOwners, partsOf('spec', 'ownerReferences')],
  [keepSpecAndMeta, partsOf('spec', 'labels', 'annotations', 'finalizers', 'ownerReferences')],
]);

export interface PlannedHook<F> {
  readonly reads: Parts;
  readonly concerns: ((object: ApiObject, context: KindContext, old: ApiObject | undefined) => boolean) | undefined;
  readonly run: F;
}

/** Returns the hooks of a member of a kind, in order, each with what it reads. */
export function hooksOf<F extends (...args: never[]) => void>(hooks: Hooks<ApiObject, F> | undefined): readonly PlannedHook<F>[] {
  if (hooks === undefined) return [];
  const all = (Array.isArray(hooks) ? hooks : [hooks]) as readonly (F | Reading<ApiObject, F>)[];
  return all.map((hook) =>
    typeof hook === 'function'
      ? { reads: RESTORED.get(hook) ?? WHOLE, concerns: undefined, run: hook }
      : { reads: partsOf(...hook.reads), concerns: hook.concerns?.bind(hook), run: hook.run },
  );
}
