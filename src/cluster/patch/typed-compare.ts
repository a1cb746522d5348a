/** What changed between two states of an object, as field sets; shared subtrees cost nothing. Models: structured-merge-diff v4 typed/{merge,typed}.go (Compare). */
import type { Schema } from '../api/schema.ts';
import { LEAF, NO_FIELDS, nodeOf, recursiveDifference, type FieldNode, type FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { identify, memberSchema, shapeOf, type Shape } from './typed-schema.ts';
import { isList, isMap, member, sameJson } from './values.ts';

export interface Changes { readonly added: FieldSet; readonly removed: FieldSet; readonly modified: FieldSet }

const KINDS = ['added', 'removed', 'modified'] as const;

interface Run { sound: boolean }

interface Delta { readonly added?: FieldNode | undefined; readonly removed?: FieldNode | undefined; readonly modified?: FieldNode | undefined }

const SAME: Delta = {};

/** The changes without those in or below `ignored`; undefined where a list that changed has items that cannot be told apart. Both values must have the types of the schema. */
export function compare(schema: Schema, before: unknown, after: unknown, ignored: FieldSet = NO_FIELDS): Changes | undefined {
  const run: Run = { sound: true };
  const delta = compareValues(run, schema, before, after);
  if (!run.sound) return undefined;
  const part = (node: FieldNode | undefined): FieldSet => recursiveDifference(node?.children ?? NO_FIELDS, ignored);
  return { added: part(delta.added), removed: part(delta.removed), modified: part(delta.modified) };
}

export const isSame = (changes: Changes): boolean => changes.added.size === 0 && changes.removed.size === 0 && changes.modified.size === 0;

/** Undefined stands for absent, which differs from null. */
function compareValues(run: Run, schema: Schema, before: unknown, after: unknown): Delta {
  if (Object.is(before, after)) return SAME;
  const left = shapeOf(schema, before);
  const right = shapeOf(schema, after);
  if (left.kind !== right.kind && before !== undefined && after !== undefined) return retyped(run, schema, before, after, left, right);
  const shape = before === undefined ? right : left;
  if (shape.kind === 'leaf' || (isEmpty(before) && isEmpty(after))) return leaf(before, after);
  const self: Delta = before === undefined ? { added: LEAF } : after === undefined ? { removed: LEAF } : SAME;
  return gather(self, shape.kind === 'map' ? members(run, shape, before, after) : items(run, shape, before, after));
}

function leaf(before: unknown, after: unknown): Delta {
  if (before === undefined) return { added: LEAF };
  if (after === undefined) return { removed: LEAF };
  return sameJson(before, after) ? SAME : { modified: LEAF };
}

const isEmpty = (value: unknown): boolean => (isMap(value) ? Object.keys(value).length === 0 : isList(value) ? value.length === 0 : true);

/** A value of open type that became another kind of thing: the old parts go, the new ones come. */
function retyped(run: Run, schema: Schema, before: unknown, after: unknown, left: Shape, right: Shape): Delta {
  const gone = left.kind === 'map' && !isEmpty(before) ? gather(SAME, members(run, left, before, undefined)) : SAME;
  const come = right.kind === 'map' && !isEmpty(after) ? gather(SAME, members(run, right, undefined, after)) : SAME;
  return { added: come.added, removed: gone.removed, modified: schema.type === 'any' ? LEAF : undefined };
}

type Step = readonly [string, Delta];

function* members(run: Run, shape: Shape & { kind: 'map' }, before: unknown, after: unknown): Iterable<Step> {
  const left = isMap(before) ? before : {};
  const right = isMap(after) ? after : {};
  const step = (key: string): Step => {
    const field = memberSchema(shape.schema, key);
    return [fieldElement(key), field === undefined ? SAME : compareValues(run, field, member(left, key), member(right, key))];
  };
  for (const key of Object.keys(left)) yield step(key);
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) yield step(key);
}

function* items(run: Run, shape: Shape & { kind: 'list' }, before: unknown, after: unknown): Iterable<Step> {
  const index = (list: unknown): Map<string, unknown> => {
    const found = new Map<string, unknown>();
    for (const item of isList(list) ? list : []) {
      const { element } = identify(shape.schema, shape.identity, item);
      if (element === undefined || found.has(element)) run.sound = false;
      else found.set(element, item);
    }
    return found;
  };
  const left = index(before);
  const right = index(after);
  for (const [element, item] of left) yield [element, compareValues(run, shape.schema.items, item, right.get(element))];
  for (const [element, item] of right) if (!left.has(element)) yield [element, compareValues(run, shape.schema.items, undefined, item)];
}

function gather(self: Delta, steps: Iterable<Step>): Delta {
  const children: Partial<Record<(typeof KINDS)[number], Map<string, FieldNode>>> = {};
  for (const [element, delta] of steps) {
    if (delta === SAME) continue;
    for (const kind of KINDS) {
      const node = delta[kind];
      if (node !== undefined) (children[kind] ??= new Map()).set(element, node);
    }
  }
  const join = (kind: (typeof KINDS)[number]): FieldNode | undefined => nodeOf(self[kind] !== undefined, children[kind] ?? NO_FIELDS);
  return { added: join('added'), removed: join('removed'), modified: join('modified') };
}
