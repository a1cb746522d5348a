/** The schema of a kind from a structural schema. Given values are kept, even if they are empty or do not fit. */
import {
  any,
  type Fieldset,
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

/** The shape of a node. `struct`: the name that a struct at this place has. */
const shapeOf = (node: Structural, struct: string): Schema => ({
  ...typeOf(node, struct),
  coerce: (value) => coerced(value, node),
});

function typeOf(node: Structural, struct: string): Schema {
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
      return listOf(node, shapeOf(node.items ?? {}, struct));
    case 'object':
      return objectOf(node, struct);
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

function objectOf(node: Structural, struct: string): Schema {
  if (node['x-kubernetes-preserve-unknown-fields'] === true) return any;
  if (node.properties === undefined) {
    const values = node.additionalProperties;
    if (values === true) return any;
    return values === undefined || values === false ? structOf(node, struct, {}) : map(shapeOf(values, struct));
  }
  return structOf(node, struct, fieldsOf(node, struct));
}

/** Returns the schema of a struct with these fields, described as its node is. */
export function structOf({ description, 'x-kubernetes-map-type': mapType }: Structural, struct: string, fields: Fieldset) {
  const flags = mapType === 'atomic' ? ({ mapType } as const) : {};
  return description === undefined ? obj(struct, fields, flags) : obj(struct, description, fields, flags);
}

/** Returns the fields of an object, with defaults. */
export function fieldsOf(node: Structural, struct: string): Readonly<Record<string, Schema>> {
  // The fields are in the order in which they are stored.
  const properties = Object.entries(node.properties ?? {}).sort(([one], [other]) => compareText(one, other));
  return Object.fromEntries(
    properties.map(([name, inner]) => {
      const shape = ptr(shapeOf(inner, `${struct}${titled(name)}`));
      const filled = inner.default === undefined ? shape : def(shape, deepFreeze(coerced(inner.default, inner)));
      const said = inner.description === undefined ? filled : { ...filled, says: inner.description };
      return [name, node.required?.includes(name) === true ? { ...said, required: true as const } : said];
    }),
  );
}
