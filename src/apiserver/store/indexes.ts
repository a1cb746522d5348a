/** The secondary indexes of the store and of caches: by owner, by controller, by node, by namespace, and pods without a controller. */
import { type ApiObject, controllerOf } from '../machinery/index.ts';

export type IndexName = 'ownerUid' | 'controllerUid' | 'nodeName' | 'namespace' | 'unmanagedInNamespace' | 'uid';

const nodeNameOf = (object: ApiObject): string | undefined => {
  const spec = object['spec'] as { readonly nodeName?: unknown } | undefined;
  return typeof spec?.nodeName === 'string' ? spec.nodeName : undefined;
};

export interface IndexRule {
  /** Returns the values under which an object is found. */
  readonly values: (object: ApiObject) => readonly string[] | string | undefined;
  /** Returns the part that the values depend on: two revisions that share it have equal values. */
  readonly source: (object: ApiObject) => unknown;
}

const owners = (object: ApiObject): unknown => object.metadata.ownerReferences;

export const OBJECT_INDEXES: Readonly<Record<IndexName, IndexRule>> = {
  uid: { values: (object) => object.metadata.uid, source: (object) => object.metadata.uid },
  ownerUid: { values: (object) => object.metadata.ownerReferences?.map((owner) => owner.uid), source: owners },
  controllerUid: { values: (object) => controllerOf(object)?.uid, source: owners },
  nodeName: { values: nodeNameOf, source: (object) => object['spec'] },
  namespace: { values: (object) => object.metadata.namespace, source: (object) => object.metadata.namespace },
  // The namespace of an object never changes.
  unmanagedInNamespace: {
    values: (object) => (controllerOf(object) === undefined ? object.metadata.namespace : undefined),
    source: owners,
  },
};

export interface Derivation {
  /** Updates the current values before objects are read: of one key, or (undefined) of all. */
  refresh(key: string | undefined): void;
}

export interface Derived {
  /** Returns an object as it was last written or put. */
  stored(key: string): ApiObject | undefined;
  /** Replaces an object silently: without a new revision and without a change event. */
  put(key: string, object: ApiObject): void;
  /** Skips this many revisions, of writes that no watcher has observed. */
  pass(revisions: number): void;
}

type Values = readonly string[] | string | undefined;

export interface Index {
  update(key: string, before: ApiObject | undefined, after: ApiObject | undefined): void;
  /** Returns the keys with this value, oldest first. */
  keys(value: string): Iterable<string>;
  count(value: string): number;
  clear(): void;
}

const NONE: ReadonlySet<string> = new Set();

const same = (a: Values, b: Values): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => value === b[i]));

export function createIndex({ values: valuesOf, source }: IndexRule): Index {
  const byValue = new Map<string, Set<string>>();
  const add = (value: string, key: string): void => {
    const keys = byValue.get(value);
    if (keys === undefined) byValue.set(value, new Set([key]));
    else keys.add(key);
  };
  const drop = (value: string, key: string): void => {
    const keys = byValue.get(value);
    if (keys?.delete(key) === true && keys.size === 0) byValue.delete(value);
  };
  // Without closures, which would be allocated at each change.
  const addAll = (values: Values, key: string): void => {
    if (typeof values === 'string') add(values, key);
    else if (values !== undefined) for (const value of values) add(value, key);
  };
  const dropAll = (values: Values, key: string): void => {
    if (typeof values === 'string') drop(values, key);
    else if (values !== undefined) for (const value of values) drop(value, key);
  };
  return {
    update(key, before, after) {
      if (before !== undefined && after !== undefined && source(before) === source(after)) return;
      const was = before === undefined ? undefined : valuesOf(before);
      const is = after === undefined ? undefined : valuesOf(after);
      if (same(was, is)) return;
      dropAll(was, key);
      addAll(is, key);
    },
    keys: (value) => byValue.get(value) ?? NONE,
    count: (value) => byValue.get(value)?.size ?? 0,
    clear: () => byValue.clear(),
  };
}
