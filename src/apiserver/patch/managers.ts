/**
 * The managers of an object's fields, and their entries in `metadata.managedFields`. Models: v1.24
 * pkg/endpoints/handlers/fieldmanager/internal/{managedfields,capmanagers}.go; structured-merge-diff v4 serialize.go.
 */
import { memo, perObject } from '../../engine/index.ts';
import type { ManagedFieldsEntry, Time } from '../machinery/index.ts';
import { difference, lasting, LEAF, NO_FIELDS, nodeOf, remembered, sortedElements, union } from './field-set.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { parsePathElement } from './path-element.ts';
import { compareText, put } from '../../schema/values/index.ts';
import { isList, isMap, type JsonMap, MAX_DEPTH } from './values.ts';

/** The identity of a manager: for apply it does not depend on the version, for update it does. */
export interface ManagerId {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly subresource?: string;
}

export interface Manager {
  readonly id: ManagerId;
  readonly apiVersion: string;
  readonly set: FieldSet;
  readonly time?: Time;
  /** The entry that this was decoded from, and its set: the entry is encoded again while nothing changes. */
  readonly entry?: ManagedFieldsEntry;
  readonly entrySet?: FieldSet;
}

export type Managers = ReadonlyMap<string, Manager>;

/** The maximum number of update managers of an object; beyond it the oldest are merged into `ancient-changes`. */
const MAX_UPDATE_MANAGERS = 10;

/** Returns the identity of a manager that applies, which is independent of the version. */
export const applierId = (manager: string, subresource: string | undefined): ManagerId => idOf(manager, 'Apply', undefined, subresource);

export const updaterId = (manager: string, apiVersion: string, subresource: string | undefined): ManagerId =>
  idOf(manager === '' ? 'unknown' : manager, 'Update', apiVersion, subresource);

function idOf(manager: string, operation: 'Apply' | 'Update', apiVersion: string | undefined, subresource: string | undefined): ManagerId {
  if (apiVersion === undefined) return subresource === undefined ? { manager, operation } : { manager, operation, subresource };
  return subresource === undefined ? { manager, operation, apiVersion } : { manager, operation, apiVersion, subresource };
}

/** Returns the id as text. Its order is the order of conflicts, and of managers of the same age. */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerId): string {
  const name = manager === '' ? '' : `"manager":${JSON.stringify(manager)},`;
  const version = apiVersion === undefined ? '' : `,"apiVersion":${JSON.stringify(apiVersion)}`;
  return `{${name}"operation":"${operation}"${version}${subresource === undefined ? '' : `,"subresource":${JSON.stringify(subresource)}`}}`;
}

/** Returns the managers; undefined where an entry is invalid: then all are ignored. */
export function decodeManagers(entries: unknown): Managers | undefined {
  if (entries === undefined || entries === null) return NO_MANAGERS;
  if (!isList(entries)) return undefined;
  const managers = new Map<string, Manager>();
  for (const entry of entries) {
    const manager = isMap(entry) ? decodeManager(entry) : undefined;
    if (manager === undefined) return undefined;
    managers.set(managerKey(manager.id), manager);
  }
  return managers;
}

export const NO_MANAGERS: Managers = new Map();

function decodeManager(entry: ManagedFieldsEntry): Manager | undefined {
  const { operation, apiVersion, fieldsType } = entry;
  if ((operation !== 'Apply' && operation !== 'Update') || typeof apiVersion !== 'string' || apiVersion === '' || fieldsType !== 'FieldsV1')
    return undefined;
  const set = fromFieldsV1(entry.fieldsV1);
  if (set === undefined) return undefined;
  const subresource = entry.subresource === '' ? undefined : entry.subresource;
  const id = idOf(entry.manager ?? '', operation, operation === 'Update' ? apiVersion : undefined, subresource);
  return typeof entry.time === 'string'
    ? { id, apiVersion, set, time: entry.time, entry, entrySet: set }
    : { id, apiVersion, set, entry, entrySet: set };
}

/** Returns the entries ordered by operation, age, name and version; `former` itself, and its entries, where they are unchanged. */
export function encodeManagers(managers: Managers, former: readonly ManagedFieldsEntry[] | undefined): readonly ManagedFieldsEntry[] {
  const entries = [...managers.values()].map(encodeManager).sort(compareEntries);
  return former?.length === entries.length && entries.every((entry, i) => entry === former[i]) ? former : entries;
}

function encodeManager({ id, apiVersion, set, time, entry, entrySet }: Manager): ManagedFieldsEntry {
  if (entry !== undefined && entry.time === time && entry.apiVersion === apiVersion && entrySet === set) return entry;
  // Written member by member: conditional spreads would cost more than the rest of the encoding.
  const made: { -readonly [K in keyof ManagedFieldsEntry]: ManagedFieldsEntry[K] } = {};
  if (id.manager !== '') made.manager = id.manager;
  made.operation = id.operation;
  made.apiVersion = apiVersion;
  if (time !== undefined) made.time = time;
  made.fieldsType = 'FieldsV1';
  made.fieldsV1 = toFieldsV1(set);
  if (id.subresource !== undefined) made.subresource = id.subresource;
  return made;
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  );
}

export const minus = remembered(difference);
export const plus = remembered(union);

/** Removes fields from one manager, and the manager when it has none left. */
export function disown(managers: Map<string, Manager>, key: string, removed: FieldSet): void {
  const manager = managers.get(key);
  if (manager === undefined) return;
  const set = minus(manager.set, removed);
  if (set.size === 0) managers.delete(key);
  else if (set !== manager.set) managers.set(key, { ...manager, set });
}

/** Merges the oldest update managers, by version, until their number is within the limit. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { id }]) => id.operation === 'Update');
  if (updaters.length <= MAX_UPDATE_MANAGERS) return managers;
  updaters.sort(([a, { time: s }], [b, { time: t }]) => compareText(s ?? '', t ?? '') || compareText(a, b));
  const capped = new Map(managers);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [key, updater] of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) break;
    const first = firstOf.get(updater.apiVersion);
    if (first === undefined) {
      firstOf.set(updater.apiVersion, key);
      continue;
    }
    const id = updaterId('ancient-changes', updater.apiVersion, undefined);
    const bucketKey = managerKey(id);
    const bucket = capped.get(bucketKey) ?? capped.get(first);
    if (!capped.has(bucketKey)) capped.delete(first);
    capped.delete(key);
    capped.set(bucketKey, {
      id,
      apiVersion: updater.apiVersion,
      set: union(updater.set, bucket?.set ?? NO_FIELDS),
      ...(updater.time === undefined ? {} : { time: updater.time }),
    });
    count--;
  }
  return capped;
}

// Field sets as `fieldsV1`, cached in both directions.

const decodedSets = memo(new WeakMap<JsonMap, FieldSet>());

/** Returns the encoded form: members in upstream's order, `.` first where a field with children is itself a member. */
export const toFieldsV1 = perObject((set: FieldSet): JsonMap => {
  const json = encode(set, false);
  decodedSets.set(json, set);
  return json;
});

function encode(set: FieldSet, self: boolean): JsonMap {
  const out: Record<string, unknown> = self ? { '.': EMPTY } : {};
  for (const element of sortedElements(set)) {
    const node = set.get(element);
    if (node !== undefined) put(out, element, encodeNode(node));
  }
  return Object.freeze(out);
}

const EMPTY: JsonMap = Object.freeze({});

const encodeNode = perObject(({ children, member }: FieldNode): JsonMap => (children.size === 0 ? EMPTY : encode(children, member)));

/** Returns the set; undefined where the JSON is not a field set. */
export function fromFieldsV1(json: unknown): FieldSet | undefined {
  if (json === undefined || json === null) return NO_FIELDS;
  if (!isMap(json)) return undefined;
  const known = decodedSets.get(json);
  if (known !== undefined) return known;
  const node = decode(json, 0);
  if (node === undefined) return undefined;
  if (Object.isFrozen(json)) decodedSets.set(json, lasting(node.children));
  return node.children;
}

function decode(json: unknown, depth: number): FieldNode | undefined {
  if (json === null) return LEAF;
  if (!isMap(json) || depth > MAX_DEPTH) return undefined;
  let self = false;
  const children = new Map<string, FieldNode>();
  for (const [key, value] of Object.entries(json)) {
    if (key === '.') {
      self = true;
      continue;
    }
    const element = parsePathElement(key);
    if (element === '') continue;
    const child = element === undefined ? undefined : decode(value, depth + 1);
    if (element === undefined || child === undefined) return undefined;
    const twin = children.get(element);
    children.set(
      element,
      twin === undefined ? child : { member: twin.member || child.member, children: union(twin.children, child.children) },
    );
  }
  return nodeOf(self || children.size === 0, children);
}
