/**
 * Field sets of an older schema, or written by hand: fields below a value that is now atomic become that value. Models:
 * structured-merge-diff v4 typed/reconcile_schema.go.
 */
import type { Schema } from '../../schema/shape/index.ts';
import { childSchema, LEAF, type FieldNode, type FieldSet } from './field-set.ts';
import { identityOf } from './typed-schema.ts';

const reconciled = new WeakMap<FieldSet, { readonly schema: Schema; readonly set: FieldSet }>();

/** Returns the set for the current schema; the same reference when it fits already. */
export function reconcileFields(schema: Schema, set: FieldSet): FieldSet {
  const known = reconciled.get(set);
  if (known?.schema === schema) return known.set;
  const result = reconcile(schema, set);
  reconciled.set(set, { schema, set: result });
  return result;
}

function reconcile(schema: Schema, set: FieldSet): FieldSet {
  let out: Map<string, FieldNode> | undefined;
  for (const [element, node] of set) {
    const [child] = childSchema(schema, element);
    if (child === undefined || child.type === 'any' || node.children.size === 0) continue;
    const children = isOneValue(child) ? undefined : reconcile(child, node.children);
    if (children !== node.children) (out ??= new Map(set)).set(element, children === undefined ? LEAF : { member: node.member, children });
  }
  return out ?? set;
}

const isOneValue = (schema: Schema): boolean =>
  schema.type === 'list'
    ? identityOf(schema) === 'atomic'
    : (schema.type === 'map' || schema.type === 'object') && schema.mapType === 'atomic';
