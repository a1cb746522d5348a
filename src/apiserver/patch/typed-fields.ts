/** The fields of a configuration, which its applier owns. Models: structured-merge-diff v4 typed/tofieldset.go. */
import type { Schema } from '../../schema/shape/index.ts';
import { NO_FIELDS, nodeOf, type FieldNode, type FieldSet } from './field-set.ts';
import { fieldElement } from './path-element.ts';
import { identify, memberSchema, shapeOf } from './typed-schema.ts';
import { isList, isMap } from './values.ts';

/** Returns all leaves, list items and map members of a value that fits its schema. */
export const fieldsOf = (schema: Schema, value: unknown): FieldSet => collect(schema, value)?.children ?? NO_FIELDS;

function collect(schema: Schema, value: unknown): FieldNode | undefined {
  const shape = shapeOf(schema, value);
  if (shape.kind === 'leaf') return nodeOf(true, NO_FIELDS);
  const children = new Map<string, FieldNode>();
  const add = (element: string, node: FieldNode | undefined): void => {
    if (node !== undefined) children.set(element, node);
  };
  if (shape.kind === 'map' && isMap(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = memberSchema(shape.schema, key);
      if (field === undefined) continue;
      const below = collect(field, item);
      // A struct field is owned through its members; a map member, and an explicitly empty value, is owned itself.
      const empty = item === null || (isMap(item) && Object.keys(item).length === 0);
      const self = below?.member === true || empty || shape.schema.type !== 'object';
      add(fieldElement(key), nodeOf(self, below?.children ?? NO_FIELDS));
    }
  }
  if (shape.kind === 'list' && isList(value)) {
    for (const item of value) {
      const { element } = identify(shape.schema, shape.identity, item);
      if (element !== undefined) add(element, nodeOf(true, collect(shape.schema.items, item)?.children ?? NO_FIELDS));
    }
  }
  return nodeOf(false, children);
}
