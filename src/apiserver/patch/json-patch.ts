/**
 * JSON patch (RFC 6902) as upstream's library implements it: missing members are null to `test`, `replace` and `copy`, `-1` counts from the
 * end, `add` without a value adds null. A container is copied at the first change and modified in place afterwards, so that the cost of an
 * operation depends on its path, not on the size of the document. Models: v1.24 vendor/github.com/evanphx/json-patch/patch.go and its use
 * in handlers/patch.go.
 */
import { badRequest } from '../request/index.ts';
import { tooDeep, tooLarge, unprocessable } from './errors.ts';
import { jsonKind } from './go-text.ts';
import { compareText, put } from '../../schema/values/index.ts';
import { deeperThan, isList, isMap, type JsonMap, MAX_DEPTH, member, sameJson } from './values.ts';

const MAX_OPERATIONS = 10_000;
/** The maximum number of characters that `copy` may add in one patch: it could double the document in every step. */
const MAX_COPIED = 3 * 1024 * 1024;

/**
 * Returns the patched document; the same reference when nothing changes. A patch of `null` has no operations.
 *
 * @throws {Refusal} where it cannot be applied.
 */
export function applyJsonPatch(doc: unknown, ops: unknown): unknown {
  if (ops === null) return doc;
  if (!isList(ops)) throw badRequest(`json: cannot unmarshal ${jsonKind(ops)} into Go value of type jsonpatch.Patch`);
  if (deeperThan(ops, MAX_DEPTH)) throw tooDeep();
  for (const op of ops)
    if (!isMap(op) && op !== null) throw badRequest(`json: cannot unmarshal ${jsonKind(op)} into Go value of type jsonpatch.Operation`);
  if (ops.length > MAX_OPERATIONS) throw tooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${ops.length}`);
  const work: Work = { copied: 0, spent: 0, created: new Set() };
  let result = doc;
  for (const op of ops) result = step(result, isMap(op) ? op : {}, work);
  // The keys of changed maps are sorted, as they are encoded.
  for (const container of work.created) if (isMap(container)) sortMembers(container);
  return sameJson(doc, result) ? doc : result;
}

function step(doc: unknown, op: JsonMap, work: Work): unknown {
  const kind = member(op, 'op');
  switch (kind) {
    case 'add':
      return add(doc, op, member(op, 'value') ?? null, work);
    case 'remove':
      return edit(doc, pointer(op, 'path'), remove, work);
    case 'replace':
      return replace(doc, op, work);
    case 'move': {
      const value = shallow(read(doc, pointer(op, 'from')));
      return add(edit(doc, pointer(op, 'from'), remove, work), op, value, work);
    }
    case 'copy': {
      const value = shallow(read(doc, pointer(op, 'from')));
      work.copied += JSON.stringify(value).length;
      if (work.copied > MAX_COPIED)
        fail(`Unable to complete the copy, the accumulated size increase of copy is ${work.copied}, exceeding the limit ${MAX_COPIED}`);
      return add(doc, op, cloned(value, work), work);
    }
    case 'test':
      return test(doc, op, work);
    default:
      return fail(`Unexpected kind: ${typeof kind === 'string' ? kind : 'unknown'}`);
  }
}

function add(doc: unknown, op: JsonMap, value: unknown, work: Work): unknown {
  return edit(
    doc,
    pointer(op, 'path'),
    (container, key) => {
      if (!isList(container)) put(container, key, value);
      else if (key === '-') container.push(value);
      else {
        const at = index(container, key, container.length);
        spend(work, 'moved', container.length - at);
        container.splice(at, 0, value);
      }
    },
    work,
  );
}

function replace(doc: unknown, op: JsonMap, work: Work): unknown {
  const path = pointer(op, 'path');
  if (path === '') {
    if (!Object.hasOwn(op, 'value')) fail('replace operation does not apply: no value');
    const value = op['value'];
    return isMap(value) || isList(value) ? value : doc; // upstream ignores this error
  }
  return edit(doc, path, (container, key) => set(container, key, member(op, 'value') ?? null), work);
}

function test(doc: unknown, op: JsonMap, work: Work): unknown {
  const path = pointer(op, 'path');
  if (!Object.hasOwn(op, 'value')) fail(`testing value ${path} failed`);
  const found = path === '' ? doc : read(doc, path);
  return sameJson(found, op['value'], (members) => spend(work, 'compared', members)) ? doc : fail(`testing value ${path} failed`);
}

/** Copies into themselves would nest without limit. */
const shallow = (value: unknown): unknown => (deeperThan(value, MAX_DEPTH) ? fail('the value nests too deep') : value);

function pointer(op: JsonMap, name: 'path' | 'from'): string {
  const path = member(op, name);
  return typeof path === 'string' ? path : fail(`operation missing ${name} field`);
}

/** Returns the reference tokens. The text before the first slash is ignored. */
function tokens(path: string): readonly string[] {
  const parts = path.split('/');
  if (parts.length < 2) fail(`doc is missing path: "${path}"`);
  return parts.slice(1).map((part) => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')));
}

type Container = JsonMap | readonly unknown[];
/** A container created by the patch. */
type Writable = Record<string, unknown> | unknown[];

function read(doc: unknown, path: string): unknown {
  let at = doc;
  for (const token of tokens(path)) {
    if (!isMap(at) && !isList(at)) return fail(`doc is missing path: "${path}"`);
    at = child(at, token);
  }
  return at ?? null;
}

/** Makes all containers on the path writable, changes the last one, and returns the root. */
function edit(doc: unknown, path: string, change: (container: Writable, key: string, work: Work) => void, work: Work): unknown {
  const keys = tokens(path);
  if (keys.length > 2 * MAX_DEPTH || (!isMap(doc) && !isList(doc))) return fail(`doc is missing path: "${path}"`);
  const root = writable(doc, work);
  let at: Writable = root;
  for (const key of keys.slice(0, -1)) {
    const before = child(at, key);
    if (!isMap(before) && !isList(before)) return fail(`doc is missing path: "${path}"`);
    const after = writable(before, work);
    if (after !== before) set(at, key, after);
    at = after;
  }
  change(at, keys[keys.length - 1] ?? '', work);
  return root;
}

const child = (container: Container, key: string): unknown =>
  isList(container) ? container[index(container, key, container.length - 1)] : member(container, key);

/** Parses an index as Go's Atoi does; negative numbers count from the end. `max` is the last valid index. */
function index(list: readonly unknown[], key: string, max: number): number {
  if (!/^[+-]?\d+$/.test(key)) return fail(`value was not a proper array index: '${key}'`);
  const position = Number(key);
  const absolute = position < 0 ? position + max + 1 : position;
  if (absolute < 0 || absolute > max) return fail(`Unable to access invalid index: ${position} in a list of ${list.length}`);
  return absolute;
}

function remove(container: Writable, key: string, work: Work): void {
  if (isList(container)) {
    const at = index(container, key, container.length - 1);
    spend(work, 'moved', container.length - at);
    container.splice(at, 1);
    return;
  }
  if (!Object.hasOwn(container, key)) fail(`Unable to remove nonexistent key: ${key}`);
  delete container[key];
}

function set(container: Writable, key: string, value: unknown): void {
  if (isList(container)) container[index(container, key, container.length - 1)] = value;
  else put(container, key, value);
}

function fail(why: string): never {
  throw unprocessable(why);
}

interface Work {
  copied: number;
  /** The cost of comparing and moving, in visited members. */
  spent: number;
  /** Containers created by the patch, which no other code refers to. */
  readonly created: Set<unknown>;
}

/** The most members that one patch may visit to compare and move. Ten thousand operations on a thousand items need a sixth of it. */
const MOST_WORK = 2_000_000;
/** The number of moved list items that cost as much as one compared member. */
const MOVED_AT_ONCE = 32;

/** Adds to the cost of work that is not proportional to the size of the operation; fails beyond the limit. */
function spend(work: Work, how: 'compared' | 'moved', members: number): void {
  work.spent += how === 'moved' ? members / MOVED_AT_ONCE : members;
  if (work.spent > MOST_WORK)
    throw tooLarge(`the operations of this JSON patch compare and move more than ${MOST_WORK} members; send it in parts`);
}

/** Returns the container itself if the patch created it, otherwise a copy that the patch may change. */
function writable(container: Container, { created }: Work): Writable {
  if (created.has(container)) return container as Writable;
  const made = isList(container) ? [...container] : { ...container };
  created.add(made);
  return made;
}

/** Returns a copy that shares nothing that the patch may still change. */
function cloned(value: unknown, work: Work): unknown {
  if (isList(value)) return value.map((item) => cloned(item, work));
  if (!isMap(value)) return value;
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) put(made, key, cloned(value[key], work));
  if (work.created.has(value)) sortMembers(made);
  return made;
}

function sortMembers(map: Record<string, unknown>): void {
  const keys = Object.keys(map);
  if (keys.every((key, at) => at === 0 || compareText(keys[at - 1] ?? '', key) < 0)) return;
  const entries = keys.sort(compareText).map((key) => [key, map[key]] as const);
  for (const [key] of entries) delete map[key];
  for (const [key, value] of entries) put(map, key, value);
}
