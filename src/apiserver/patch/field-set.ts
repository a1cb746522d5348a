/**
 * Sets of fields of an object, as managed fields hold them: a persistent tree keyed by serialized path elements (`f:name`,
 * `k:{"name":"c1"}`, `v:"x"`, `i:0`). Operations return their left operand when nothing changes, so that unchanged sets are recognised by
 * reference. Models: structured-merge-diff v4 fieldpath/set.go.
 */
import { memo } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { fieldElement, sortedPathElements } from './path-element.ts';

export interface FieldNode {
  /** Whether the field itself is in the set, not only fields below it. */
  readonly member: boolean;
  readonly children: FieldSet;
}

/** A node is a member or has children. */
export type FieldSet = ReadonlyMap<string, FieldNode>;

export const NO_FIELDS: FieldSet = new Map();

/** A member without fields below it. */
export const LEAF: FieldNode = Object.freeze({ member: true, children: NO_FIELDS });

/** Returns the node; undefined if it would be empty. */
export const nodeOf = (member: boolean, children: FieldSet): FieldNode | undefined =>
  children.size > 0 ? { member, children } : member ? LEAF : undefined;

export const setOfPath = (path: readonly string[]): FieldSet =>
  path.reduceRight<FieldNode>((node, element) => ({ member: false, children: new Map([[element, node]]) }), LEAF).children;

export const setOfFields = (paths: readonly (readonly string[])[]): FieldSet =>
  paths.reduce<FieldSet>((set, path) => union(set, setOfPath(path.map(fieldElement))), NO_FIELDS);

/** Returns the members of either set; `a` itself where `b` adds nothing. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (b.size === 0 || a === b) return a;
  if (a.size === 0) return b;
  let out: Map<string, FieldNode> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    const node = left === undefined ? right : unionNodes(left, right);
    if (node !== left) (out ??= new Map(a)).set(element, node);
  }
  return out ?? a;
}

function unionNodes(a: FieldNode, b: FieldNode): FieldNode {
  const children = union(a.children, b.children);
  const member = a.member || b.member;
  return children === a.children && member === a.member ? a : { member, children };
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a;
  const out = new Map<string, FieldNode>();
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  for (const [element, left] of small) {
    const right = large.get(element);
    const node = right === undefined ? undefined : nodeOf(left.member && right.member, intersection(left.children, right.children));
    if (node !== undefined) out.set(element, node);
  }
  return out;
}

/** Returns `a` without the members of `b`; a field is kept when only its parent is in `b`. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, false);

/** Returns `a` without the members of `b` and everything below them. */
export const recursiveDifference = (a: FieldSet, b: FieldSet): FieldSet => subtract(a, b, true);

function subtract(a: FieldSet, b: FieldSet, below: boolean): FieldSet {
  if (a.size === 0 || b.size === 0) return a;
  let out: Map<string, FieldNode> | undefined;
  for (const [element, right] of b) {
    const left = a.get(element);
    if (left === undefined) continue;
    const children = below && right.member ? NO_FIELDS : subtract(left.children, right.children, below);
    const member = left.member && !right.member;
    if (children === left.children && member === left.member) continue;
    out ??= new Map(a);
    const node = nodeOf(member, children);
    if (node === undefined) out.delete(element);
    else out.set(element, node);
  }
  return out ?? a;
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let at: FieldNode | undefined;
  for (const element of path) at = (at === undefined ? set : at.children).get(element);
  return at?.member === true;
}

/** Returns the elements in upstream's order. */
export const sortedElements = (set: FieldSet): string[] => sortedPathElements(set.keys());

/** Returns every member as a path; members of a level come before those below it. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): (readonly string[])[] {
  const elements = sortedElements(set);
  const members = elements.filter((element) => set.get(element)?.member).map((element) => [...prefix, element]);
  return members.concat(
    elements.flatMap((element) => pathsOf(set.get(element)?.children ?? NO_FIELDS, [...prefix, element]) as string[][]),
  );
}

/** Adds the struct fields above each member: `a.b` also owns `a`, so that removing the last field of a struct removes the struct. */
export function withNamedParents(set: FieldSet, schema: Schema | undefined): FieldSet {
  let out: Map<string, FieldNode> | undefined;
  for (const [element, node] of set) {
    if (node.children.size === 0) continue;
    const [child, declared] = childSchema(schema, element);
    const children = withNamedParents(node.children, child);
    const member = node.member || declared;
    if (children !== node.children || member !== node.member) (out ??= new Map(set)).set(element, { member, children });
  }
  return out ?? set;
}

/** Returns the schema below a path element, if one is declared, and whether a struct declares the element by name. */
export function childSchema(schema: Schema | undefined, element: string): readonly [Schema | undefined, boolean] {
  if (!element.startsWith('f:')) return [schema?.type === 'list' ? schema.items : undefined, false];
  if (schema?.type === 'map') return [schema.values, false];
  const name = element.slice(2);
  const declares = schema?.type === 'object' && Object.hasOwn(schema.fields, name);
  return [declares ? schema.fields[name] : undefined, declares];
}

// Interning: thousands of pods of one template have the same few sets. Equal sets are shared, and operations on them are cached. Dropping a
// set from the cache is always correct, only slower.

/** The maximum number of interned sets; beyond it all are dropped at once. */
const MAX_SETS = 10_000;

/** The sets by their content, which names the sets below them by number; `next`: the number of the next one. */
const interned = memo({ next: 1, ids: new WeakMap<FieldSet, number>(), byContent: new Map<string, FieldSet>() });

/** Returns the interned set with these nodes. The map must not be changed afterwards. */
export function canonical(nodes: ReadonlyMap<string, FieldNode>): FieldSet {
  const { ids, byContent } = interned;
  let content = '';
  for (const [element, { member, children }] of nodes) {
    const below = children === NO_FIELDS ? 0 : ids.get(children);
    if (below === undefined) return nodes;
    content += `${element.length}:${element}${member ? '!' : '?'}${below};`;
  }
  const known = byContent.get(content);
  if (known !== undefined) return known;
  if (byContent.size >= MAX_SETS) byContent.clear();
  byContent.set(content, nodes);
  return lasting(nodes);
}

/** Marks a set, so that operations on it are cached. */
export function lasting(set: FieldSet): FieldSet {
  if (set !== NO_FIELDS && !interned.ids.has(set)) interned.ids.set(set, interned.next++);
  return set;
}

/** Caches an operation for marked sets; its result is then marked, too. */
export function remembered(operation: (a: FieldSet, b: FieldSet) => FieldSet): (a: FieldSet, b: FieldSet) => FieldSet {
  const results = memo(new WeakMap<FieldSet, WeakMap<FieldSet, FieldSet>>());
  return (a, b) => {
    if (a.size === 0 || b.size === 0 || !interned.ids.has(a) || !interned.ids.has(b)) return operation(a, b);
    let row = results.get(a);
    if (row === undefined) results.set(a, (row = memo(new WeakMap())));
    let result = row.get(b);
    if (result === undefined) row.set(b, (result = lasting(operation(a, b))));
    return result;
  };
}
