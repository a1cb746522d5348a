/** The schema of a kind from a structural schema. Given values are kept, even if they are empty or do not fit. */
import {
  any,
  atomicList,
  bool,
  deepFreeze,
  def,
  int32,
  int64,
  intOrString,
  list,
  map,
  mapList,
  obj,
  ptr,
  type Schema,
  setList,
  str,
} from '../../schema/shape/index.ts';
import { compareText } from '../../schema/values/index.ts';
import { coerced } from './coerce.ts';
import type { Structural } from './structural.ts';

const float64: Schema = { type: 'float64' };
const titled = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);

/**
 * Returns the schema of a node, and collects the descriptions of its fields by struct. `struct`: the name of the struct at this position.
 */
const shapeOf = (node: Structural, struct: string, texts: Record<string, Record<string, string>>): Schema => ({
  ...typeOf(node, struct, texts),
  coerce: (value) => coerced(value, node),
});

function typeOf(node: Structural, struct: string, texts: Record<string, Record<string, string>>): Schema {
  if (node['x-kubernetes-int-or-string'] === true) return intOrString;
  switch (node.type) {
    case 'string':
      return str();
    case 'boolean':
      return bool;
    case 'integer':
      return node.format === 'int32' ? int32 : int64;
    case 'number':
      return float64;
    case 'array':
      return listOf(node, shapeOf(node.items ?? {}, struct, texts));
    case 'object':
      return objectOf(node, struct, texts);
    default:
      return any;
  }
}

function listOf(node: Structural, items: Schema): Schema {
  const [first, ...others] = node['x-kubernetes-list-map-keys'] ?? [];
  switch (node['x-kubernetes-list-type']) {
    case 'map':
      return first === undefined ? list(items) : mapList(items, first, ...others);
    case 'set':
      return setList(items);
    case 'atomic':
      return atomicList(items);
    default:
      return list(items);
  }
}

function objectOf(node: Structural, struct: string, texts: Record<string, Record<string, string>>): Schema {
  if (node['x-kubernetes-preserve-unknown-fields'] === true) return any;
  if (node.properties === undefined) {
    const values = node.additionalProperties;
    if (values === true) return any;
    return values === undefined || values === false ? obj(struct, {}) : map(shapeOf(values, struct, texts));
  }
  return obj(struct, fieldsOf(node, struct, texts), node['x-kubernetes-map-type'] === 'atomic' ? { mapType: 'atomic' } : {});
}

/** Returns the fields of an object, with defaults. */
export function fieldsOf(
  node: Structural,
  struct: string,
  texts: Record<string, Record<string, string>>,
): Readonly<Record<string, Schema>> {
  texts[struct] = {
    ...(node.description === undefined ? {} : { '': node.description }),
    ...Object.fromEntries(
      Object.entries(node.properties ?? {}).flatMap(([name, { description }]) => (description === undefined ? [] : [[name, description]])),
    ),
  };
  // The fields are in the order in which they are stored.
  const properties = Object.entries(node.properties ?? {}).sort(([one], [other]) => compareText(one, other));
  return Object.fromEntries(
    properties.map(([name, inner]) => {
      const shape = ptr(shapeOf(inner, `${struct}${titled(name)}`, texts));
      const filled = inner.default === undefined ? shape : def(shape, deepFreeze(coerced(inner.default, inner)));
      return [name, node.required?.includes(name) === true ? { ...filled, required: true as const } : filled];
    }),
  );
}
