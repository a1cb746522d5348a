/**
 * The changes between two states of an object, as field sets. Shared subtrees are skipped, and the fields of a frozen subtree are computed
 * once: of a thousand pods of one template only the metadata is compared. Models: structured-merge-diff v4 typed/{merge,typed}.go
 * (Compare).
 */
import { memo } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { canonical, remembered as lookedUp, LEAF, NO_FIELDS, nodeOf, recursiveDifference } from './field-set.ts';
import type { FieldNode, FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { identify, identityOf, isOneValue, memberSchema, type ListSchema, type MapSchema } from './typed-schema.ts';
import { isList, isMap, member, sameJson, type JsonMap } from './values.ts';

const PARTS = ['added', 'removed', 'modified'] as const;
type Part = (typeof PARTS)[number];
export type Changes = Readonly<Record<Part, FieldSet>>;
type Delta = { readonly [part in Part]?: FieldNode | undefined };

const SAME: Delta = Object.freeze({});
const ADDED: Delta = Object.freeze({ added: LEAF });
const REMOVED: Delta = Object.freeze({ removed: LEAF });
const MODIFIED: Delta = Object.freeze({ modified: LEAF });

interface Run {
  /** False once a list has items with equal keys. */
  sound: boolean;
}

/** Returns the changes but those in `ignored` and managed fields; undefined where a changed list has items with equal keys. */
export function compare(schema: Schema, before: unknown, after: unknown, ignored: FieldSet = NO_FIELDS): Changes | undefined {
  const run: Run = { sound: true };
  const delta =
    isMap(before) && isMap(after) && schema.type === 'object'
      ? compareObjects(run, schema, before, after)
      : compareValues(run, schema, before, after);
  if (!run.sound) return undefined;
  const part = (node: FieldNode | undefined): FieldSet => withoutIgnored(node?.children ?? NO_FIELDS, ignored);
  return { added: part(delta.added), removed: part(delta.removed), modified: part(delta.modified) };
}

export const isSame = (changes: Changes): boolean => changes.added.size === 0 && changes.removed.size === 0 && changes.modified.size === 0;

const withoutIgnored = lookedUp(recursiveDifference);
const MANAGED = fieldElement('managedFields');

function compareObjects(run: Run, schema: MapSchema, before: JsonMap, after: JsonMap): Delta {
  if (before === after) return SAME;
  const found = compareMembers(run, schema, before, after);
  const metadata = fieldElement('metadata');
  // Removed afterwards, because this is cheap and rarely needed.
  return { added: without(found.added, metadata), removed: without(found.removed, metadata), modified: without(found.modified, metadata) };
}

function without(node: FieldNode | undefined, metadata: string): FieldNode | undefined {
  const below = node?.children.get(metadata);
  if (node === undefined || below?.children.has(MANAGED) !== true) return node;
  const rest = new Map(below.children);
  rest.delete(MANAGED);
  const kept = nodeOf(below.member, canonical(rest));
  const children = new Map(node.children);
  if (kept === undefined) children.delete(metadata);
  else children.set(metadata, kept);
  return nodeOf(node.member, canonical(children));
}

/** Undefined means absent, which differs from null. */
function compareValues(run: Run, schema: Schema, before: unknown, after: unknown): Delta {
  if (before === after) return SAME;
  if (schema.type === 'any') return compareOpen(run, before, after);
  if ((schema.type !== 'object' && schema.type !== 'map' && schema.type !== 'list') || isOneValue(schema)) return leaf(before, after);
  return schema.type === 'object' ? remembered(run, schema, before, after) : compareContainers(run, schema, before, after);
}

function leaf(before: unknown, after: unknown): Delta {
  if (before === undefined) return after === undefined ? SAME : ADDED;
  if (after === undefined) return REMOVED;
  return sameJson(before, after) ? SAME : MODIFIED;
}

const known = memo(new WeakMap<object, { readonly schema: Schema; readonly before: unknown; readonly delta: Delta }>());

/** Caches the changes between a frozen subtree and another one, or none. */
function remembered(run: Run, schema: MapSchema, before: unknown, after: unknown): Delta {
  if (!isMap(after) || !Object.isFrozen(after) || !(before === undefined || Object.isFrozen(before)))
    return compareContainers(run, schema, before, after);
  const hit = known.get(after);
  if (hit !== undefined && hit.before === before && hit.schema === schema) return hit.delta;
  const inner: Run = { sound: true };
  const delta = compareContainers(inner, schema, before, after);
  if (inner.sound) known.set(after, { schema, before, delta });
  run.sound &&= inner.sound;
  return delta;
}

function compareContainers(run: Run, schema: MapSchema | ListSchema, before: unknown, after: unknown): Delta {
  // Empty containers are leaves, so that emptying one differs from removing it.
  if (isEmpty(before) && isEmpty(after)) return leaf(before, after);
  const found =
    schema.type === 'list'
      ? compareItems(run, schema, before, after)
      : compareMembers(run, schema, isMap(before) ? before : NONE, isMap(after) ? after : NONE);
  if (before === undefined) return { ...found, added: nodeOf(true, found.added?.children ?? NO_FIELDS) };
  return after === undefined ? { ...found, removed: nodeOf(true, found.removed?.children ?? NO_FIELDS) } : found;
}

const NONE: JsonMap = Object.freeze({});

function isEmpty(value: unknown): boolean {
  if (isList(value)) return value.length === 0;
  if (!isMap(value)) return true;
  for (const _ in value) return false;
  return true;
}

/** Compares values of open type: maps by member, others as leaves. When the type changes, all is removed and all is added. */
function compareOpen(run: Run, before: unknown, after: unknown): Delta {
  const open: MapSchema = { type: 'any' };
  const left = isMap(before) || before === null;
  const right = isMap(after) || after === null;
  if (left === right || before === undefined || after === undefined)
    return left || right ? compareContainers(run, open, before, after) : leaf(before, after);
  const parts = compareMembers(run, open, isMap(before) ? before : NONE, isMap(after) ? after : NONE);
  return { ...parts, modified: nodeOf(true, parts.modified?.children ?? NO_FIELDS) };
}

function compareMembers(run: Run, schema: MapSchema, before: JsonMap, after: JsonMap): Delta {
  const tally = new Tally();
  for (const key in before) {
    const [left, right] = [member(before, key), member(after, key)];
    if (left === right) continue;
    const field = memberSchema(schema, key);
    if (field !== undefined) tally.add(fieldElement(key), compareValues(run, field, left, right));
  }
  for (const key in after) {
    if (Object.hasOwn(before, key)) continue;
    const field = memberSchema(schema, key);
    if (field !== undefined) tally.add(fieldElement(key), compareValues(run, field, undefined, member(after, key)));
  }
  return tally.delta();
}

function compareItems(run: Run, schema: ListSchema, before: unknown, after: unknown): Delta {
  const tally = new Tally();
  const left = indexed(run, schema, before);
  const right = indexed(run, schema, after);
  for (const [element, item] of left) tally.add(element, compareValues(run, schema.items, item, right.get(element)));
  for (const [element, item] of right) if (!left.has(element)) tally.add(element, compareValues(run, schema.items, undefined, item));
  return tally.delta();
}

function indexed(run: Run, schema: ListSchema, list: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const identity = identityOf(schema);
  if (!isList(list) || identity === 'atomic') return found;
  for (const item of list) {
    const { element } = identify(schema, identity, item);
    if (element === undefined || found.has(element)) run.sound = false;
    else found.set(element, item);
  }
  return found;
}

/** Collects the changes below a container, creating maps only for changes. */
class Tally {
  #found: { [part in Part]?: Map<string, FieldNode> } | undefined;
  add(element: string, delta: Delta): void {
    if (delta === SAME) return;
    const found = (this.#found ??= {});
    for (const part of PARTS) {
      const node = delta[part];
      if (node !== undefined) (found[part] ??= new Map()).set(element, node);
    }
  }
  delta(): Delta {
    const found = this.#found;
    if (found === undefined) return SAME;
    const node = (children: Map<string, FieldNode> | undefined): FieldNode | undefined =>
      children === undefined ? undefined : { member: false, children: canonical(children) };
    return { added: node(found.added), removed: node(found.removed), modified: node(found.modified) };
  }
}
