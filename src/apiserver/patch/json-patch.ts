/**
 * JSON patch (RFC 6902) as upstream's library reads it: missing members are null to `test`, `replace` and `copy`, `-1` counts
 * from the end, `add` without a value adds null. Models: v1.24 vendor/github.com/evanphx/json-patch/patch.go and its use in handlers/patch.go.
 */
import { attempt, badRequest, PatchFailure, tooDeep, tooLarge, unprocessable, type Patched } from './errors.ts';
import { jsonKind } from './go-text.ts';
import { deeperThan, isList, isMap, MAX_DEPTH, member, put, sameJson, sortedMap, type JsonMap } from './values.ts';

const MAX_OPERATIONS = 10_000;
/** Characters that `copy` may add in one patch: it can double a document in every step. */
const MAX_COPIED = 3 * 1024 * 1024;

/** The patched document; the same reference when nothing changes. `null` is a patch without operations. */
export function applyJsonPatch(doc: unknown, ops: unknown): Patched {
  return attempt(() => {
    if (ops === null) return doc;
    if (!isList(ops)) throw new PatchFailure(badRequest(`json: cannot unmarshal ${jsonKind(ops)} into Go value of type jsonpatch.Patch`));
    if (deeperThan(ops, MAX_DEPTH)) throw new PatchFailure(tooDeep);
    for (const op of ops)
      if (!isMap(op) && op !== null)
        throw new PatchFailure(badRequest(`json: cannot unmarshal ${jsonKind(op)} into Go value of type jsonpatch.Operation`));
    if (ops.length > MAX_OPERATIONS)
      throw new PatchFailure(tooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${ops.length}`));
    const budget = { copied: 0 };
    let result = doc;
    for (const op of ops) result = step(result, isMap(op) ? op : {}, budget);
    return sameJson(doc, result) ? doc : result;
  });
}

function step(doc: unknown, op: JsonMap, budget: { copied: number }): unknown {
  const kind = member(op, 'op');
  switch (kind) {
    case 'add':
      return edit(doc, pointer(op, 'path'), (container, key) => added(container, key, member(op, 'value') ?? null));
    case 'remove':
      return edit(doc, pointer(op, 'path'), removed);
    case 'replace':
      return replace(doc, op);
    case 'move': {
      const value = shallow(read(doc, pointer(op, 'from')));
      return edit(edit(doc, pointer(op, 'from'), removed), pointer(op, 'path'), (container, key) => added(container, key, value));
    }
    case 'copy': {
      const value = shallow(read(doc, pointer(op, 'from')));
      budget.copied += JSON.stringify(value).length;
      if (budget.copied > MAX_COPIED)
        fail(`Unable to complete the copy, the accumulated size increase of copy is ${budget.copied}, exceeding the limit ${MAX_COPIED}`);
      return edit(doc, pointer(op, 'path'), (container, key) => added(container, key, value));
    }
    case 'test':
      return test(doc, op);
    default:
      return fail(`Unexpected kind: ${typeof kind === 'string' ? kind : 'unknown'}`);
  }
}

function replace(doc: unknown, op: JsonMap): unknown {
  const path = pointer(op, 'path');
  if (path === '') {
    if (!Object.hasOwn(op, 'value')) fail('replace operation does not apply: no value');
    const value = op['value'];
    return isMap(value) || isList(value) ? value : doc; // upstream loses this error and goes on
  }
  return edit(doc, path, (container, key) => replaced(container, key, member(op, 'value') ?? null));
}

function test(doc: unknown, op: JsonMap): unknown {
  const path = pointer(op, 'path');
  if (!Object.hasOwn(op, 'value')) fail(`testing value ${path} failed`);
  const found = path === '' ? doc : read(doc, path);
  return sameJson(found, op['value']) ? doc : fail(`testing value ${path} failed`);
}

/** Copies into themselves would nest without end. */
const shallow = (value: unknown): unknown => (deeperThan(value, MAX_DEPTH) ? fail('the value nests too deep') : value);

function pointer(op: JsonMap, name: 'path' | 'from'): string {
  const path = member(op, name);
  return typeof path === 'string' ? path : fail(`operation missing ${name} field`);
}

/** The reference tokens. What stands before the first slash is not looked at. */
function tokens(path: string): readonly string[] {
  const parts = path.split('/');
  if (parts.length < 2) fail(`doc is missing path: "${path}"`);
  return parts.slice(1).map((part) => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~')));
}

type Container = JsonMap | readonly unknown[];

function read(doc: unknown, path: string): unknown {
  let at = doc;
  for (const token of tokens(path)) {
    if (!isMap(at) && !isList(at)) return fail(`doc is missing path: "${path}"`);
    at = child(at, token);
  }
  return at ?? null;
}

/** Rebuilds the containers on the way to the last token; all else is shared. */
function edit(doc: unknown, path: string, change: (container: Container, key: string) => Container): unknown {
  const keys = tokens(path);
  const last = keys[keys.length - 1] ?? '';
  const descend = (at: unknown, depth: number): unknown => {
    if (!isMap(at) && !isList(at)) return fail(`doc is missing path: "${path}"`);
    if (depth === keys.length - 1) return change(at, last);
    const key = keys[depth] ?? '';
    const before = child(at, key);
    const after = descend(before, depth + 1);
    return after === before ? at : replaced(at, key, after);
  };
  if (keys.length > 2 * MAX_DEPTH) fail(`doc is missing path: "${path}"`);
  return descend(doc, 0);
}

function child(container: Container, key: string): unknown {
  return isList(container) ? container[index(container, key, container.length - 1)] : member(container, key);
}

/** Go's Atoi, then negative numbers from the end; `max` is the last valid position. */
function index(list: readonly unknown[], key: string, max: number): number {
  if (!/^[+-]?\d+$/.test(key)) return fail(`value was not a proper array index: '${key}'`);
  const position = Number(key);
  const absolute = position < 0 ? position + max + 1 : position;
  if (absolute < 0 || absolute > max) return fail(`Unable to access invalid index: ${position} in a list of ${list.length}`);
  return absolute;
}

function added(container: Container, key: string, value: unknown): Container {
  if (!isList(container)) return replaced(container, key, value);
  if (key === '-') return [...container, value];
  const at = index(container, key, container.length);
  return [...container.slice(0, at), value, ...container.slice(at)];
}

function removed(container: Container, key: string): Container {
  if (isList(container)) {
    const at = index(container, key, container.length - 1);
    return container.filter((_, i) => i !== at);
  }
  if (!Object.hasOwn(container, key)) return fail(`Unable to remove nonexistent key: ${key}`);
  const copy: Record<string, unknown> = { ...container };
  delete copy[key];
  return sortedMap(copy);
}

function replaced(container: Container, key: string, value: unknown): Container {
  if (isList(container)) {
    const at = index(container, key, container.length - 1);
    return container.map((item, i) => (i === at ? value : item));
  }
  const copy: Record<string, unknown> = { ...container };
  put(copy, key, value);
  return sortedMap(copy);
}

function fail(why: string): never {
  throw new PatchFailure(unprocessable(why));
}
