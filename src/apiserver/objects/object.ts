/** The parts that objects of all kinds share: metadata, references, conditions. Field names and JSON forms are those published by v1.24. */
import { lastOf } from '../../engine/index.ts';

/** An RFC 3339 instant with second precision, UTC, e.g. `2024-03-01T00:00:00Z`. */
export type Time = string;

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: Time;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: Time;
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** An object of any kind, as the store holds it: deeply frozen. */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** An object as a client sends it: the server completes its metadata. */
export interface ObjectInput {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<Omit<ObjectMeta, 'creationTimestamp'>> & { readonly creationTimestamp?: string | null };
  readonly [field: string]: unknown;
}

export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastProbeTime?: Time | null;
  readonly lastTransitionTime?: Time | null;
}

/** Returns the controller reference of an object; undefined: it has none. */
export function controllerOf(object: {
  readonly metadata: { readonly ownerReferences?: readonly OwnerReference[] };
}): OwnerReference | undefined {
  const owners = object.metadata.ownerReferences;
  return owners === undefined ? undefined : controllerAmong(owners);
}

/** Cached, because it is called many times in a row with one list, which all pods of a Job share. */
const controllerAmong = lastOf((owners: readonly OwnerReference[]) => owners.find((owner) => owner.controller === true));

/** Returns the key that controllers reconcile: `namespace/name`, or `name` alone for a cluster-scoped object. */
export function keyOf(object: { readonly metadata: { readonly namespace?: string; readonly name: string } }): string {
  const { metadata } = object;
  return metadata.namespace === undefined ? metadata.name : keyWithin(metadata.namespace, metadata.name);
}

/** Places for recent keys, by the end of their names: a power of two. */
const PLACES = 1024;
const recent = {
  names: new Array<string>(PLACES).fill(''),
  namespaces: new Array<string>(PLACES).fill(''),
  keys: new Array<string>(PLACES).fill('/'),
};

/** Cached, because the requests and changes of an instant concern few objects; a new text would be hashed again by each table. */
function keyWithin(namespace: string, name: string): string {
  const { names, namespaces, keys } = recent;
  const { length } = name;
  // The ends of generated and of counted names differ. A missing character is NaN, which is place 0.
  const place = ((name.charCodeAt(length - 3) * 31 + name.charCodeAt(length - 2)) * 31 + name.charCodeAt(length - 1)) & (PLACES - 1);
  const known = keys[place];
  if (known !== undefined && name === names[place] && namespace === namespaces[place]) return known;
  const key = `${namespace}/${name}`;
  names[place] = name;
  namespaces[place] = namespace;
  keys[place] = key;
  return key;
}

/** Returns the key for a name without an object: `namespace/name`, or `name` alone. */
export const storeKey = (namespace: string | undefined, name: string): string =>
  namespace === undefined || namespace === '' ? name : keyWithin(namespace, name);

/** Prints a reference as upstream prints a NamespacedName: `/name` without a namespace. */
export const namespacedName = ({
  namespace = '',
  name = '',
}: {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}): string => `${namespace}/${name}`;

/** Splits a key made by `keyOf`. */
export function splitKey(key: string): { readonly namespace?: string; readonly name: string } {
  const slash = key.indexOf('/');
  return slash < 0 ? { name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** The finalizers with which the server requests a deletion in two steps from the garbage collector. */
export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';
