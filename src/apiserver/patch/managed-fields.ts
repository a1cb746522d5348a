/**
 * Field ownership after a write other than apply. Every changed field goes to the writer; a manager without fields is removed; the
 * timestamp changes only when the writer got fields. Models: v1.24 apiserver pkg/endpoints/handlers/fieldmanager (fieldmanager,
 * managedfieldsupdater, stripmeta, skipnonapplied), structured-merge-diff v4 merge/update.go.
 */
import { perObject } from '../../engine/index.ts';
import type { ApiObject, ManagedFieldsEntry } from '../machinery/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { lasting, intersection, NO_FIELDS, setOfFields, type FieldSet } from './field-set.ts';
import { capUpdaters, decodeManagers, disown, encodeManagers, managerKey, minus, NO_MANAGERS, plus, updaterId } from './managers.ts';
import type { Manager, Managers } from './managers.ts';
import { compare, type Changes } from './typed-compare.ts';
import { reconcileFields } from './typed-fields.ts';
import { zeroValue } from './typed-schema.ts';
import { formatTime } from '../../schema/values/index.ts';
import { isList, isMap, member, memberAt, sameJson, withoutMember, withMember } from './values.ts';

export interface ManagedWrite {
  readonly schema: Schema;
  /** The stored object; undefined on create. */
  readonly live: ApiObject | undefined;
  /** The name of the manager; '' means `unknown`. */
  readonly manager: string;
  /** `group/version` of the request. */
  readonly apiVersion: string;
  /** The instant of the request, milliseconds since the epoch. */
  readonly now: number;
  readonly subresource?: string | undefined;
  /** Fields that this endpoint resets, as paths of names: no manager owns them. Default: the status; for a status write the spec. */
  readonly resetFields?: readonly (readonly string[])[];
  /** The other versions that the object may be written in, `group/version`: their managers stay. */
  readonly otherVersions?: readonly string[];
}

/** Fields that no manager owns. */
const NEVER_OWNED: FieldSet = lasting(
  setOfFields([
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ...['name', 'namespace', 'creationTimestamp', 'selfLink', 'uid', 'clusterName', 'generation', 'managedFields', 'resourceVersion'].map(
      (name) => ['metadata', name],
    ),
  ]),
);
const RESET_BY_MAIN = lasting(setOfFields([['status']]));
const RESET_BY_STATUS = lasting(setOfFields([['spec']]));

const resetSet = perObject((paths: NonNullable<ManagedWrite['resetFields']>) => lasting(setOfFields(paths)));

export const withoutMeta = (set: FieldSet): FieldSet => minus(set, NEVER_OWNED);

export function ignoredFields({ resetFields, subresource }: Pick<ManagedWrite, 'resetFields' | 'subresource'>): FieldSet {
  if (resetFields !== undefined) return resetSet(resetFields);
  return subresource === undefined ? RESET_BY_MAIN : subresource === 'status' ? RESET_BY_STATUS : NO_FIELDS;
}

/**
 * Returns `metadata.managedFields` of an object to be stored by a create, update or patch. `next` is the requested object after defaults,
 * before hooks. An empty list means that the object has none; the list of `live` is returned itself when nothing changes. A client resets
 * all entries by sending `[]` or `[{}]`.
 */
export function trackUpdate(write: ManagedWrite & { readonly next: unknown }): readonly ManagedFieldsEntry[] {
  const { live, next } = write;
  const former = live?.metadata.managedFields;
  const managers = startingManagers(live, next, write.subresource);
  // An unmanaged object stays unmanaged: tracking starts only at creation.
  if (managers.size === 0 && live !== undefined) return former?.length === 0 ? former : [];
  const tracked = track(managers, write, live, next, write.manager);
  return tracked === undefined ? [] : encodeManagers(tracked, former);
}

/** Returns the object without `metadata.managedFields`, which comparisons ignore. */
export function stripped(object: unknown): unknown {
  if (!isMap(object)) return object;
  const metadata = member(object, 'metadata');
  return isMap(metadata) ? withMember(object, 'metadata', withoutMember(metadata, 'managedFields')) : object;
}

/** A request may contain its own managers (except for a sub-resource); invalid ones are ignored. */
function startingManagers(live: ApiObject | undefined, next: unknown, subresource: string | undefined): Managers {
  const ofLive = (): Managers => decodeManagers(live?.metadata.managedFields) ?? NO_MANAGERS;
  if (subresource !== undefined) return ofLive();
  const sent = memberAt(next, 'metadata', 'managedFields');
  if (sent === live?.metadata.managedFields) return ofLive();
  if (isList(sent) && (sent.length === 0 || (sent.length === 1 && isMap(sent[0]) && Object.keys(sent[0]).length === 0))) return NO_MANAGERS;
  const managers = decodeManagers(sent);
  return managers === undefined || managers.size === 0 ? ofLive() : managers;
}

/** Returns the managers after an update; undefined where an object does not fit the schema: then upstream drops all of them. */
export function track(managers: Managers, write: ManagedWrite, live: unknown, next: unknown, manager: string): Managers | undefined {
  const { schema, apiVersion, subresource } = write;
  const ignored = ignoredFields(write);
  const changes = compare(schema, live ?? zeroValue(schema), next, ignored);
  if (changes === undefined) return undefined;
  const id = updaterId(manager, apiVersion, subresource);
  const key = managerKey(id);
  const current = settle(reconciled(managers, write), changes);
  const taken = withoutMeta(minus(plus(changes.modified, changes.added), changes.removed));
  if (taken.size === 0) return capUpdaters(current);
  const set = plus(current.get(key)?.set ?? NO_FIELDS, taken);
  return capUpdaters(current.set(key, { id, apiVersion, set, time: formatTime(write.now) }));
}

/** Returns the managers whose version exists, with sets that fit the schema. */
export function reconciled(managers: Managers, { schema, apiVersion, otherVersions = [] }: ManagedWrite): Map<string, Manager> {
  const kept = new Map<string, Manager>();
  for (const [key, manager] of managers) {
    if (otherVersions.includes(manager.apiVersion)) kept.set(key, manager);
    if (manager.apiVersion !== apiVersion) continue;
    const set = reconcileFields(schema, manager.set);
    kept.set(key, set === manager.set ? manager : { ...manager, set });
  }
  return kept;
}

/** Removes changed and removed fields from every manager but `except`. */
export function settle(managers: Map<string, Manager>, changes: Changes, except?: string): Map<string, Manager> {
  const lost = plus(changes.modified, changes.added);
  for (const key of managers.keys()) {
    if (key === except) continue;
    disown(managers, key, lost);
    disown(managers, key, changes.removed);
  }
  return managers;
}

/** Returns the fields that each manager but `except` would lose. */
export function contested(managers: Managers, changes: Changes, except: string): ReadonlyMap<string, FieldSet> {
  const lost = plus(changes.modified, changes.added);
  const conflicts = new Map<string, FieldSet>();
  for (const [key, manager] of managers) {
    const set = key === except ? NO_FIELDS : intersection(manager.set, lost);
    if (set.size > 0) conflicts.set(key, set);
  }
  return conflicts;
}

/** Returns the former list when the new one differs only in timestamps: such a difference must not cause a write. */
export function ignoringTimes(former: readonly ManagedFieldsEntry[], next: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const timeless = ({ time: _, ...rest }: ManagedFieldsEntry): unknown => rest;
  return former.length === next.length && former.every((entry, i) => sameJson(timeless(entry), timeless(next[i] ?? {}))) ? former : next;
}
