/** The schemas of kinds as JSON Schema (draft 2020-12), with a definition for each Go struct, so that types may be recursive. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { fieldText, type Kind } from '../../apiserver/machinery/index.ts';
import { type Definitions, NO_DEFINITIONS } from '../../lab/definitions/index.ts';
import { scenarioJsonSchema } from '../../lab/scenario/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import type { ObjectShape, Schema } from '../../schema/shape/index.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

const METADATA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    generateName: { type: 'string' },
    namespace: { type: 'string' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    finalizers: { type: 'array', items: { type: 'string' } },
  },
};

/** Definitions by name, and the name of each field set. */
interface SchemaNames {
  readonly kinds: KindRegistry;
  readonly names: Map<object, string>;
  readonly made: Record<string, JsonSchema>;
  /** True: nothing is required, because patches and expected objects contain only the relevant fields. */ readonly partial: boolean;
}

/** Returns the schema of a kind's manifests. `apiVersion`, `kind` and `metadata` are the same for every kind. */
export function kindJsonSchema(kind: Kind, kinds: KindRegistry): JsonSchema {
  const definitions: SchemaNames = { kinds, names: new Map(), made: {}, partial: false };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: kind.kind,
    description: kind.schema.about ?? kind.models,
    ...rootSchema(kind, kinds, definitions),
    required: ['apiVersion', 'kind', 'metadata'],
    $defs: definitions.made,
  };
}

/** Returns a schema in which `kind` selects the schema of the other fields, with the definitions that it refers to. */
function partialObjectSchema(kinds: KindRegistry): {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
} {
  const definitions: SchemaNames = { kinds, names: new Map(), made: {}, partial: true };
  const branches = kinds.list().map((kind) => ({
    if: { properties: { kind: { const: kind.kind } }, required: ['kind'] },
    then: rootSchema(kind, kinds, definitions),
  }));
  return { schema: { allOf: branches }, definitions: definitions.made };
}

function rootSchema(kind: Kind, kinds: KindRegistry, definitions: SchemaNames): JsonSchema {
  const { apiVersion: _, kind: __, metadata, ...fields } = kind.schema.fields;
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, aboutField(kind.schema, name, schemaOf(field, definitions))]),
  );
  // A manifest must not set fields that the server sets; an expected object may have them.
  const meta = definitions.partial && metadata !== undefined ? schemaOf(metadata, definitions) : METADATA;
  return {
    type: 'object',
    properties: { apiVersion: { const: kinds.apiVersionOf(kind) }, kind: { const: kind.kind }, metadata: meta, ...properties },
    additionalProperties: false,
  };
}

function schemaOf(schema: Schema, definitions: SchemaNames): JsonSchema {
  const about = schema.default === undefined ? {} : { default: schema.default };
  switch (schema.type) {
    case 'string':
      return { type: 'string', ...about };
    case 'boolean':
      return { type: 'boolean', ...about };
    case 'int32':
      return { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647, ...about };
    case 'int64':
      return { type: 'integer', format: 'int64', ...about };
    case 'float64':
      return { type: 'number', ...about };
    case 'quantity':
      return { anyOf: [{ type: 'string' }, { type: 'number' }], examples: ['500m', '8Gi'], ...about };
    case 'time':
    case 'microTime':
      return { type: ['string', 'null'], format: 'date-time', ...about };
    case 'intOrString':
      return { anyOf: [{ type: 'integer' }, { type: 'string' }], ...about };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64', ...about };
    case 'duration':
      return { type: 'string', examples: ['1h30m0s'], ...about };
    case 'any':
      return { ...about };
    case 'list':
      return { type: ['array', 'null'], items: schemaOf(schema.items, definitions), ...about };
    case 'map':
      return { type: ['object', 'null'], additionalProperties: schemaOf(schema.values, definitions), ...about };
    case 'object':
      return objectSchema(schema, definitions, about);
  }
}

function objectSchema(schema: Schema & { readonly type: 'object' }, definitions: SchemaNames, about: JsonSchema): JsonSchema {
  const { go, fields } = schema;
  const taken = definitions.names.get(fields);
  const name = taken ?? nameFor(go, definitions);
  if (taken === undefined) {
    definitions.names.set(fields, name);
    definitions.made[name] = {};
    const required = definitions.partial ? [] : Object.keys(fields).filter((field) => fields[field]?.required === true);
    definitions.made[name] = {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([field, inner]) => [field, aboutField(schema, field, schemaOf(inner, definitions))]),
      ),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    };
  }
  return { $ref: `#/$defs/${name}`, ...about };
}

/** Adds what editors show and complete. */
function aboutField(struct: ObjectShape, field: string, schema: JsonSchema): JsonSchema {
  const [description, values] = [fieldText(struct, field), struct.fields[field]?.oneOf];
  return { ...schema, ...(values === undefined ? {} : { enum: values }), ...(description === undefined ? {} : { description }) };
}

/** Returns a unique definition name: a Job's spec and that of a CronJob's template share a Go name, and the second gets a number. */
function nameFor(go: string, { made }: SchemaNames): string {
  let name = go;
  for (let n = 2; Object.hasOwn(made, name); n++) name = `${go}${n}`;
  return name;
}

/** Returns the schema that `orchsim schema scenario` prints. */
export function scenarioSchema(kinds: KindRegistry, definitions: Definitions = NO_DEFINITIONS): JsonSchema {
  const format = scenarioJsonSchema(vocabulary(definitions));
  const { $defs, ...root } = format as { readonly $defs: Readonly<Record<string, JsonSchema>> };
  const objects = partialObjectSchema(kinds);
  return { ...root, $defs: { ...$defs, manifest: { ...$defs['manifest'], ...objects.schema }, ...objects.definitions } };
}
