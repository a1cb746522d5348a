/** Removes fields from a value. Models: structured-merge-diff v4 typed/remove.go. */
import type { Schema } from '../../schema/shape/index.ts';
import { fieldElement } from './path-element.ts';
import type { FieldSet } from './field-set.ts';
import { identify, memberSchema, shapeOf } from './typed-schema.ts';
import { isList, isMap, put } from './values.ts';

/**
 * Returns the value without the members of the set; the same reference when it has none of them. A container that loses its last member
 * becomes null.
 */
export function removeFields(schema: Schema, value: unknown, removed: FieldSet): unknown {
  if (removed.size === 0) return value;
  const shape = shapeOf(schema, value);
  if (shape.kind === 'map' && isMap(value)) {
    const kept: Record<string, unknown> = {};
    let changed = false;
    for (const [key, item] of Object.entries(value)) {
      const node = removed.get(fieldElement(key));
      const field = memberSchema(shape.schema, key);
      const after = node === undefined || node.member || field === undefined ? item : removeFields(field, item, node.children);
      changed ||= node?.member === true || after !== item;
      if (node?.member !== true) put(kept, key, after);
    }
    return !changed ? value : Object.keys(kept).length === 0 ? null : kept;
  }
  if (shape.kind === 'list' && isList(value)) {
    const kept: unknown[] = [];
    let changed = false;
    for (const item of value) {
      const { element } = identify(shape.schema, shape.identity, item);
      const node = element === undefined ? undefined : removed.get(element);
      const after = node === undefined || node.member ? item : removeFields(shape.schema.items, item, node.children);
      changed ||= node?.member === true || after !== item;
      if (node?.member !== true) kept.push(after);
    }
    return !changed ? value : kept.length === 0 ? null : kept;
  }
  return value;
}
