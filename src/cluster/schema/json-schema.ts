/** Shapes as JSON Schema (and so OpenAPI v3), with the extensions that say how lists merge. Models: v1.24 published OpenAPI, x-kubernetes-* extensions. */
import type { ObjectShape, Schema } from './types.ts';

export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly [extension: `x-${string}`]: unknown;
}

/** A self-contained document: every Go struct is a definition, named after it. */
export function toJsonSchema(schema: Schema): JsonSchema {
  const book = new Book();
  const root = book.write(schema);
  return { ...root, $defs: book.definitions() };
}

/** Collects definitions; two structs of one name are told apart by a number. */
class Book {
  readonly #names = new Map<ObjectShape['fields'], string>();
  readonly #made = new Map<string, JsonSchema>();

  definitions(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#made].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  write(schema: Schema): JsonSchema {
    const notes = { ...(schema.description === undefined ? {} : { description: schema.description }), ...(schema.default === undefined ? {} : { default: schema.default }) };
    return { ...this.#plain(schema), ...notes };
  }

  #plain(schema: Schema): JsonSchema {
    switch (schema.type) {
      case 'object': return { ...merging(schema), $ref: `#/$defs/${this.#define(schema)}` };
      case 'list': return { type: 'array', items: this.write(schema.items), ...merging(schema) };
      case 'map': return { type: 'object', additionalProperties: this.write(schema.values), ...merging(schema) };
      case 'string': return { type: 'string', ...(schema.enum === undefined ? {} : { enum: schema.enum }) };
      case 'boolean': return { type: 'boolean' };
      case 'int32': case 'int64': return { type: 'integer', format: schema.type };
      case 'float64': return { type: 'number', format: 'double' };
      case 'time': case 'microTime': return { type: 'string', format: 'date-time' };
      case 'intOrString': return { type: 'string', format: 'int-or-string' };
      case 'bytes': return { type: 'string', format: 'byte' };
      case 'quantity': case 'duration': return { type: 'string' };
      case 'any': return { type: 'object' };
    }
  }

  #define(shape: ObjectShape): string {
    const known = this.#names.get(shape.fields);
    if (known !== undefined) return known;
    let name = shape.go;
    for (let again = 2; this.#made.has(name); again += 1) name = `${shape.go}${again}`;
    this.#names.set(shape.fields, name);
    this.#made.set(name, {});
    const entries = Object.entries(shape.fields);
    const required = entries.filter(([, field]) => field.required === true).map(([key]) => key);
    this.#made.set(name, {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, field]) => [key, this.write(field)])),
      ...(required.length === 0 ? {} : { required }),
      ...(shape.mapType === undefined ? {} : { 'x-kubernetes-map-type': shape.mapType }),
    });
    return name;
  }
}

/** How a field merges: what patches and apply read. */
function merging(schema: Schema): JsonSchema {
  const marks: Record<`x-kubernetes-${string}`, unknown> = {};
  if (schema.type === 'list') {
    if (schema.listType !== undefined) marks['x-kubernetes-list-type'] = schema.listType;
    if (schema.listMapKeys !== undefined) marks['x-kubernetes-list-map-keys'] = schema.listMapKeys;
    if (schema.patchMergeKey !== undefined && schema.patchMergeKey !== '') marks['x-kubernetes-patch-merge-key'] = schema.patchMergeKey;
  }
  if ((schema.type === 'list' || schema.type === 'object') && schema.patchStrategy !== undefined) marks['x-kubernetes-patch-strategy'] = schema.patchStrategy;
  if (schema.type === 'map' && schema.mapType !== undefined) marks['x-kubernetes-map-type'] = schema.mapType;
  return marks;
}
