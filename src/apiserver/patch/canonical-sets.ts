/**
 * Interning of field sets: thousands of pods of one template have the same few sets. Equal sets are shared, and operations on them are
 * cached. Dropping a set from the cache is always correct, only slower.
 */
import { NO_FIELDS, type FieldNode, type FieldSet } from './field-set.ts';

/** The maximum number of interned sets; beyond it all are dropped at once. */
const MAX_SETS = 10_000;

let next = 1;
const ids = new WeakMap<FieldSet, number>([[NO_FIELDS, 0]]);
const byContent = new Map<string, FieldSet>();

/** Returns the interned set with these nodes. The map must not be changed afterwards. */
export function canonical(nodes: ReadonlyMap<string, FieldNode>): FieldSet {
  let content = '';
  for (const [element, { member, children }] of nodes) {
    const below = ids.get(children);
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
  if (!ids.has(set)) ids.set(set, next++);
  return set;
}

/** Caches an operation for marked sets; its result is then marked, too. */
export function remembered(operation: (a: FieldSet, b: FieldSet) => FieldSet): (a: FieldSet, b: FieldSet) => FieldSet {
  const results = new WeakMap<FieldSet, WeakMap<FieldSet, FieldSet>>();
  return (a, b) => {
    if (a.size === 0 || b.size === 0 || !ids.has(a) || !ids.has(b)) return operation(a, b);
    let row = results.get(a);
    if (row === undefined) results.set(a, (row = new WeakMap()));
    let result = row.get(b);
    if (result === undefined) row.set(b, (result = lasting(operation(a, b))));
    return result;
  };
}
