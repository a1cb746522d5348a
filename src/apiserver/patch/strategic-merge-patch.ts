/**
 * Strategic merge patch: maps are merged, lists are merged by the schema's merge key, and directives in the patch override this. The
 * document is not modified: changed levels are copied, the rest is shared. Models: v1.24 apimachinery pkg/util/strategicpatch/patch.go (as
 * applied by the server: null members of new values are dropped, directives below new values are kept).
 */
import { isLong, type Schema } from '../../schema/shape/index.ts';
import { badRequest, internal } from '../request/index.ts';
import { tooDeep, undecodablePatch } from './errors.ts';
import { goKind, goText, goType, goValue, jsonKind } from './go-text.ts';
import { mergeLists, orderedLists } from './strategic-lists.ts';
import type { ListSchema } from './typed-schema.ts';
import { put } from '../../schema/values/index.ts';
import { deeperThan, isList, isMap, MAX_DEPTH, member, sameJson, unboxed, withoutNulls, type JsonMap } from './values.ts';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_FROM = '$deleteFromPrimitiveList';
const SET_ORDER = '$setElementOrder';

/** Returns the patched document; itself when nothing changes. A result that does not fit gives upstream's error of decoding it. */
export function applyStrategicPatch(schema: Schema, doc: unknown, sent: unknown): unknown {
  if (sent === null) return doc;
  if (deeperThan(sent, MAX_DEPTH)) throw tooDeep();
  const patch = unboxed(sent);
  if (!isMap(patch)) throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`);
  const patched = mergeMap(schema, isMap(doc) ? doc : {}, patch);
  const problem = restoreProblem(schema, patched, doc);
  if (problem !== undefined) throw undecodablePatch(patch, problem);
  return patched;
}

/** Merges one map; list items are merged in the same way. */
function mergeMap(schema: Schema | undefined, original: JsonMap, patch: JsonMap): JsonMap {
  if (Object.hasOwn(patch, DIRECTIVE)) return directed(patch);
  const draft = new Draft(original);
  retainKeys(draft, patch);
  const done = setElementOrders(schema, draft, patch);
  for (const key in patch) {
    if (key === RETAIN_KEYS || done.has(key) || key.startsWith(SET_ORDER)) continue;
    const deletes = key.startsWith(DELETE_FROM);
    mergeMember(schema, draft, deletes ? listOf(key, DELETE_FROM, 'invalid patch format of primitive list') : key, patch[key], deletes);
  }
  return draft.result();
}

function mergeMember(schema: Schema | undefined, draft: Draft, key: string, value: unknown, deletes: boolean): void {
  if (value === null) return draft.remove(key);
  if (!draft.has(key)) return deletes ? undefined : draft.set(key, withoutNulls(value, 'kept'));
  const before = draft.get(key);
  if (isMap(before) && isMap(value)) {
    const field = fieldOf(schema, key);
    return draft.set(key, strategy(field) === 'replace' ? value : mergeMap(field, before, value));
  }
  if (isList(before) && isList(value)) return draft.set(key, mergeList(fieldOf(schema, key), before, value, deletes));
  if (!deletes) draft.set(key, withoutNulls(value, 'kept'));
}

function mergeList(field: Schema, original: readonly unknown[], patch: readonly unknown[], deletes: boolean): readonly unknown[] {
  if (field.type !== 'list') throw internal('expected slice or array type, but got: struct');
  if (strategy(field) !== 'merge') return patch;
  return mergeLists(original, patch, {
    mergeKey: mergeKeyOf(field),
    deletes,
    mergeItem: (item, change) => mergeMap(field.items, item, change),
  });
}

/** `$patch: replace` returns the patch itself, `delete` an empty map. */
function directed(patch: JsonMap): JsonMap {
  const directive = patch[DIRECTIVE];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw internal(`unknown patch type: ${goText(directive)} in map: ${goValue(patch)}`);
  const rest: Record<string, unknown> = { ...patch };
  delete rest[DIRECTIVE];
  return rest;
}

/** Drops members that `$retainKeys` does not name; the patch may set only named members. */
function retainKeys(draft: Draft, patch: JsonMap): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS];
  const wrong = badRequest('invalid patch format of retainKeys');
  if (!isList(list)) throw wrong;
  const retained = new Set(list);
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || patch[key] === null || key.startsWith(DELETE_FROM) || key.startsWith(SET_ORDER)) continue;
    if (!retained.has(key)) throw wrong;
  }
  for (const key of Object.keys(draft.result())) if (!retained.has(key)) draft.remove(key);
}

const NONE = new Set<string>();

/** Merges and orders every list with a given order; returns the members of the patch that have been handled. */
function setElementOrders(schema: Schema | undefined, draft: Draft, patch: JsonMap): ReadonlySet<string> {
  let done = NONE;
  for (const directive in patch) {
    if (!directive.startsWith(SET_ORDER)) continue;
    const order = expectList(patch[directive]);
    const key = listOf(directive, SET_ORDER, 'invalid patch format of setElementOrder list');
    const original = draft.has(key) ? expectList(draft.get(key)) : undefined;
    const change = Object.hasOwn(patch, key) ? expectList(patch[key]) : undefined;
    const field = fieldOf(schema, key);
    if (field.type !== 'list') throw internal('expected slice or array type, but got: struct');
    if (done === NONE) done = new Set();
    done.add(key);
    const merge = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] => mergeList(field, before, after, false);
    const ordered = orderedLists(original, change, order, mergeKeyOf(field), merge);
    if (ordered !== undefined) draft.set(key, ordered);
  }
  return done;
}

function expectList(value: unknown): readonly unknown[] {
  if (isList(value)) return value;
  throw internal(`expected a []interface {}, but received a ${value === null ? '%!s(<nil>)' : goType(value)}`);
}

/** Returns the name of the list in `$directive/name`. */
function listOf(directive: string, prefix: string, wrong: string): string {
  if (!directive.startsWith(`${prefix}/`)) throw badRequest(wrong);
  return directive.slice(prefix.length + 1);
}

const mergeKeyOf = ({ patchMergeKey }: ListSchema): string | undefined => (patchMergeKey === '' ? undefined : patchMergeKey);

/** Returns the patch strategy without retainKeys. */
function strategy(field: Schema): string {
  const named = field.type === 'list' || field.type === 'object' ? field.patchStrategy : undefined;
  if (named === undefined) return '';
  return named.includes(',') || named === 'retainKeys' ? (named.split(',').find((name) => name !== 'retainKeys') ?? '') : named;
}

function fieldOf(schema: Schema | undefined, key: string): Schema {
  if (schema?.type === 'object') {
    const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
    if (field !== undefined) return field;
    throw internal(`unable to find api field in struct ${schema.go} for the json field ${JSON.stringify(key)}`);
  }
  if (schema?.type === 'any') throw internal(`unable to find api field in struct RawExtension for the json field ${JSON.stringify(key)}`);
  throw internal('merging an object in json but data type is not struct, instead is: map');
}

/** A map being changed: it is copied at the first change, and stays the same reference without one. */
class Draft {
  readonly #original: JsonMap;
  #copy: Record<string, unknown> | undefined;
  constructor(original: JsonMap) {
    this.#original = original;
  }
  has(key: string): boolean {
    return Object.hasOwn(this.result(), key);
  }
  get(key: string): unknown {
    return member(this.result(), key);
  }
  set(key: string, value: unknown): void {
    if (this.has(key) && sameJson(this.get(key), value)) return;
    put((this.#copy ??= { ...this.#original }), key, value);
  }
  remove(key: string): void {
    if (this.has(key)) delete (this.#copy ??= { ...this.#original })[key];
  }
  result(): JsonMap {
    return this.#copy ?? this.#original;
  }
}

// Whether a merged map fits its kind. The server converts it directly into a struct, without encoding it. Models: v1.24 apimachinery
// pkg/runtime/converter.go (fromUnstructured). Texts, instants and quantities are not parsed here.

/** Returns the error of a value; undefined: none. Unknown members are accepted, as is everything shared with `before`, a valid value. */
function restoreProblem(schema: Schema, value: unknown, before?: unknown): string | undefined {
  if (value === null || value === undefined || value === before) return undefined;
  switch (schema.type) {
    case 'object':
      return objectProblem(schema.fields, value, before);
    case 'map':
      return mapProblem(schema.values, value);
    case 'list':
      return listProblem(schema.items, value);
    case 'bytes':
      return typeof value === 'string' ? undefined : `cannot restore slice from ${goKind(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : scalarProblem(value, 'string', schema.go);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : scalarProblem(value, 'bool');
    case 'int32':
    case 'int64':
      return Number.isInteger(value) || isLong(value) ? undefined : scalarProblem(value, schema.type);
    case 'float64':
      return typeof value === 'number' || isLong(value) ? undefined : scalarProblem(value, 'float64');
    case 'time':
    case 'microTime':
    case 'duration':
      return typeof value === 'string' ? undefined : `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`;
    case 'intOrString':
      return typeof value === 'string' || typeof value === 'number'
        ? undefined
        : `json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`;
    case 'quantity':
      return isMap(value) || isList(value) || typeof value === 'boolean'
        ? "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        : undefined;
    case 'any':
      return undefined;
  }
}

function objectProblem(fields: Readonly<Record<string, Schema>>, value: unknown, before: unknown): string | undefined {
  if (!isMap(value)) return `cannot restore struct from: ${goKind(value)}`;
  const known = isMap(before) ? before : undefined;
  // The fields are checked in order, so that the first error is reported.
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined || !Object.hasOwn(value, name)) continue;
    const problem = restoreProblem(field, value[name], known === undefined ? undefined : member(known, name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mapProblem(values: Schema, value: unknown): string | undefined {
  if (!isMap(value)) return `cannot restore map from ${goKind(value)}`;
  for (const key in value) {
    const problem = restoreProblem(values, value[key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listProblem(items: Schema, value: unknown): string | undefined {
  if (!isList(value)) return `cannot restore slice from ${goKind(value)}`;
  for (const item of value) {
    const problem = restoreProblem(items, item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Go can convert numbers to each other and whole numbers to text, which gives other errors than values without a conversion. */
function scalarProblem(value: unknown, wanted: string, named = wanted): string {
  const whole = Number.isInteger(value) || isLong(value);
  const convertible = wanted === 'string' ? whole : wanted !== 'bool' && (whole || typeof value === 'number');
  return convertible ? `cannot convert ${goType(value)} to ${named}` : `unrecognized type: ${wanted}`;
}
