/**
 * Server-side apply: the configuration is merged into the object. Fields that its manager applied before and omits now are removed, unless
 * another manager owns them. Changing fields of other managers is a conflict, or with force takes them over. Models: v1.24 apiserver
 * pkg/endpoints/handlers/fieldmanager (structuredmerge, skipnonapplied, managedfieldsupdater), structured-merge-diff v4 merge/update.go.
 */
import type { ManagedFieldsEntry } from '../machinery/index.ts';
import { jsonWord, type Schema } from '../../schema/shape/index.ts';
import { badRequest, internal } from '../request/index.ts';
import { conflictError, conflictsOf, tooDeep } from './errors.ts';
import { difference, hasPath, intersection, NO_FIELDS, recursiveDifference, union, withNamedParents, type FieldSet } from './field-set.ts';
import { goJson } from './go-text.ts';
import { contested, ignoredFields, reconciled, settle, stripped, track, withoutMeta, type ManagedWrite } from './managed-fields.ts';
import { applierId, decodeManagers, encodeManagers, managerKey, type Managers } from './managers.ts';
import { compare, isSame } from './typed-compare.ts';
import { fieldsOf, removeFields, mergeTyped } from './typed-fields.ts';
import { misfits, zeroValue } from './typed-schema.ts';
import { byteLength, formatTime } from '../../schema/values/index.ts';
import { deeperThan, isList, isMap, MAX_DEPTH, member, memberAt, sameJson, unboxed, withMember, withoutMember } from './values.ts';
import type { JsonMap } from './values.ts';

export interface ApplyRequest extends ManagedWrite {
  /** The configuration as sent by the client, without defaults. */
  readonly config: unknown;
  /** Whether to take over fields from other managers in place of conflicts. */
  readonly force: boolean;
  /** The kind that the configuration must name; default: that of the live object. */
  readonly kind?: string;
}

export interface Applied {
  /** The object with new `metadata.managedFields`; the live one when nothing changed. It is to be decoded like a request body. */
  readonly object: unknown;
  readonly managedFields: readonly ManagedFieldsEntry[];
}

/** The manager of the fields that existed before the first apply to an unmanaged object. */
const BEFORE_FIRST_APPLY = 'before-first-apply';

/**
 * Applies a configuration to the live object, or creates it.
 *
 * @throws {Refusal} for conflicts, and for a configuration that does not fit.
 */
export function apply(request: ApplyRequest): Applied {
  const { schema, live } = request;
  const config = checked(request);
  const liveValue = stripped(live) ?? zeroValue(schema);
  const wrongLive = misfits(schema, liveValue);
  if (wrongLive !== undefined) throw internal(`failed to create typed live object (${titleOf(liveValue)}): ${wrongLive}`);
  const managers = known(request, liveValue);
  const merged = merge(request, managers, liveValue, config);
  const object = request.manager === 'kubectl' ? renewLastApplied(merged.object, config) : merged.object;
  return finished(request, liveValue, object, merged.managers);
}

function checked(request: ApplyRequest): JsonMap {
  const { schema, apiVersion } = request;
  if (deeperThan(request.config, MAX_DEPTH)) throw tooDeep();
  const config = unboxed(request.config);
  if (config !== null && config !== undefined && !isMap(config)) {
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonWord(config, false)} into Go value of type map[string]interface {}`,
    );
  }
  const map = isMap(config) ? config : {};
  const version = groupVersion(member(map, 'apiVersion'));
  if (version !== apiVersion)
    throw badRequest(`Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersion}`);
  if (isList(memberAt(map, 'metadata', 'managedFields'))) throw badRequest('metadata.managedFields must be nil');
  const title = titleOf(map);
  const kind = member(map, 'kind');
  const expected = request.kind ?? request.live?.kind ?? kind;
  if (typeof kind !== 'string' || kind === '' || kind !== expected) {
    throw internal(`failed to create typed patch object (${title}): no corresponding type for ${groupVersionKind(map)}`);
  }
  const wrong = misfits(schema, map);
  if (wrong !== undefined) throw internal(`failed to create typed patch object (${title}): ${wrong}`);
  return map;
}

/** Go's group and version of an `apiVersion`; empty for one with two slashes. */
const groupVersion = (apiVersion: unknown): string =>
  typeof apiVersion !== 'string' || apiVersion.split('/').length > 2 || apiVersion === '/' ? '' : apiVersion;

function groupVersionKind(map: JsonMap): string {
  const version = groupVersion(member(map, 'apiVersion'));
  const kind = member(map, 'kind');
  return `${version.includes('/') ? version : `/${version}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** Returns `namespace/name; group/version, Kind=kind`, with the parts that the object has. */
function titleOf(object: unknown): string {
  const map = isMap(object) ? object : {};
  const text = (name: string): string => {
    const value = memberAt(map, 'metadata', name);
    return typeof value === 'string' ? value : '';
  };
  return `${text('namespace')}/${text('name')}; ${groupVersionKind(map)}`;
}

/** Returns the managers of the live object. At the first apply to an unmanaged object, the existing fields get a manager of their own. */
function known(request: ApplyRequest, liveValue: unknown): Managers {
  const { live } = request;
  const managers = decodeManagers(live?.metadata.managedFields);
  if (managers === undefined) throw internal('failed to decode managed fields: an entry cannot be read');
  if (managers.size > 0 || live === undefined) return managers;
  return track(managers, request, undefined, liveValue, BEFORE_FIRST_APPLY) ?? managers;
}

/** Returns the merged object, with its managers. Fields that client-side apply wrote are no conflicts for kubectl. */
function merge(request: ApplyRequest, former: Managers, live: unknown, config: JsonMap) {
  const { schema, apiVersion, manager, subresource, now, force } = request;
  const ignored = ignoredFields(request);
  const id = applierId(manager, subresource);
  const key = managerKey(id);
  const managers = reconciled(former, request);
  const previous = managers.get(key);
  const set = recursiveDifference(fieldsOf(schema, config), ignored);
  managers.set(key, { ...previous, id, apiVersion, set });
  const object = prune(schema, mergeTyped(schema, live, config), managers, previous?.set ?? NO_FIELDS);
  const changes = compare(schema, live, object, ignored);
  if (changes === undefined) throw internal('failed to compare objects: a list has items with the same key');
  const lost = contested(managers, changes, key);
  if (lost.size > 0 && !force) {
    const excused = manager === 'kubectl' ? fieldsOfLastApplied(schema, apiVersion, live) : undefined;
    const conflicts = conflictsOf(lost, (other) => managers.get(other)?.id ?? id);
    const remaining = excused === undefined ? conflicts : conflicts.filter(({ path }) => !hasPath(excused, path));
    if (remaining.length > 0) throw conflictError(remaining);
  }
  settle(managers, changes, key);
  const unchanged = isSame(changes);
  const owned = withoutMeta(set);
  // An apply that changes nothing keeps its timestamp.
  if (owned.size === 0) managers.delete(key);
  else managers.set(key, { ...previous, id, apiVersion, set: owned, ...(unchanged ? {} : { time: formatTime(now) }) });
  return { object: unchanged ? live : object, managers };
}

/** Removes the fields that the applier owned before and does not name now, unless another manager owns them. */
function prune(schema: Schema, merged: unknown, managers: Managers, last: FieldSet): unknown {
  if (last.size === 0) return merged;
  const named = (set: FieldSet): FieldSet => withNamedParents(set, schema);
  const lastNamed = named(last);
  const mergedSet = named(fieldsOf(schema, merged));
  const without = removeFields(schema, merged, lastNamed);
  let owned: FieldSet = NO_FIELDS;
  for (const manager of managers.values()) owned = union(owned, manager.set);
  const kept = union(named(fieldsOf(schema, without)), named(owned));
  const candidate = removeFields(schema, merged, difference(mergedSet, kept));
  const removed = intersection(difference(mergedSet, named(fieldsOf(schema, candidate))), lastNamed);
  return removeFields(schema, merged, removed);
}

/** Sets the managers of the object, sharing all unchanged parts. */
function finished({ live }: ApplyRequest, liveValue: unknown, object: unknown, managers: Managers): Applied {
  const former = live?.metadata.managedFields;
  const encoded = encodeManagers(managers, former);
  const managedFields = former !== undefined && sameJson(former, encoded) ? former : encoded;
  const nothingChanged =
    live !== undefined && object === liveValue && (managedFields === former || (former === undefined && managedFields.length === 0));
  if (nothingChanged) return { object: live, managedFields };
  const map = isMap(object) ? object : {};
  const metadata = member(map, 'metadata');
  const meta = isMap(metadata) ? metadata : {};
  const managed = managedFields.length === 0 ? withoutMember(meta, 'managedFields') : withMember(meta, 'managedFields', managedFields);
  return { object: managed === metadata ? map : withMember(map, 'metadata', managed), managedFields };
}

// The annotation of client-side apply. Models: v1.24 pkg/endpoints/handlers/fieldmanager/lastapplied{manager,updater}.go.

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** The maximum size of all annotations in bytes; beyond it the annotation is removed. */
const MAX_ANNOTATIONS = 256 * 1024;

/** Returns the fields of the annotation that equal the live ones: they cause no conflicts. Undefined without a valid annotation. */
function fieldsOfLastApplied(schema: Schema, apiVersion: string, live: unknown): FieldSet | undefined {
  const config = parsed(annotationOf(live));
  if (!isMap(config) || member(config, 'apiVersion') !== apiVersion || misfits(schema, config) !== undefined) return undefined;
  const changes = compare(schema, config, live);
  if (changes === undefined) return undefined;
  return [changes.modified, changes.added, changes.removed].reduce(difference, fieldsOf(schema, config));
}

function annotationOf(object: unknown): string | undefined {
  const value = memberAt(object, 'metadata', 'annotations', ANNOTATION);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return deeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Writes the applied configuration into the annotation of an object that has one already. The annotation must not contain itself. */
function renewLastApplied(object: unknown, config: JsonMap): unknown {
  if (annotationOf(object) === undefined || !isMap(object)) return object;
  const text = `${goJson(withAnnotations(config, (annotations) => withoutMember(annotations, ANNOTATION)))}\n`;
  return withAnnotations(object, (annotations) => {
    const wanted = withMember(annotations, ANNOTATION, text);
    return sizeOf(wanted) > MAX_ANNOTATIONS ? withoutMember(annotations, ANNOTATION) : wanted;
  });
}

const sizeOf = (annotations: JsonMap): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + byteLength(key + String(value)), 0);

function withAnnotations(object: JsonMap, change: (annotations: JsonMap) => JsonMap): JsonMap {
  const metadata = member(object, 'metadata');
  const annotations = memberAt(metadata, 'annotations');
  if (!isMap(metadata) || !isMap(annotations)) return object;
  return withMember(object, 'metadata', withMember(metadata, 'annotations', change(annotations)));
}
