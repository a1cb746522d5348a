/** The schemas of kinds as JSON Schema (draft 2020-12), with a definition for each Go struct, so that types may be recursive. */
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import { fieldText, type Kind } from '../../apiserver/machinery/index.ts';
import { type Definitions, NO_DEFINITIONS } from '../../lab/definitions/index.ts';
import { scenarioJsonSchema } from '../../lab/scenario/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { given, JSON_SCHEMA_DRAFT, jsonEmitter, jsonMembers } from '../../schema/shape/index.ts';
import type { JsonRow, JsonSchema, ObjectShape, Schema } from '../../schema/shape/index.ts';

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
    $schema: JSON_SCHEMA_DRAFT,
    title: kind.kind,
    description: kind.schema.about ?? kind.models,
    ...rootSchema(kind, kinds, definitions),
    required: ['apiVersion', 'kind', 'metadata'],
    $defs: definitions.made,
  };
}

/** Matches an apiVersion of a group that is neither built in nor in k8s.io or orch.io: its kinds may have the names of built-in kinds. */
export const OTHER_GROUPS = '^(?![^/]*(?:k8s|orch)\\.io/)[^/]*\\.';

/** Returns a schema in which `kind` selects the schema of the other fields, with the definitions that it refers to. */
function partialObjectSchema(kinds: KindRegistry) {
  const definitions: SchemaNames = { kinds, names: new Map(), made: {}, partial: true };
  const branches = kinds.list().map((kind) => {
    const apiVersion = new RegExp(OTHER_GROUPS).test(kinds.apiVersionOf(kind)) ? {} : { apiVersion: { not: { pattern: OTHER_GROUPS } } };
    return {
      if: { properties: { kind: { const: kind.kind }, ...apiVersion }, required: ['kind'] },
      then: rootSchema(kind, kinds, definitions),
    };
  });
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

const TIME: JsonSchema = { type: ['string', 'null'], format: 'date-time' };

type Rows = { readonly [T in Exclude<Schema['type'], 'object'>]: JsonRow<Extract<Schema, { readonly type: T }>, Schema> };

const ROWS: Rows = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number' },
  quantity: { anyOf: [{ type: 'string' }, { type: 'number' }], examples: ['500m', '8Gi'] },
  time: TIME,
  microTime: TIME,
  intOrString: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  bytes: { type: 'string', contentEncoding: 'base64' },
  duration: { type: 'string', examples: ['1h30m0s'] },
  any: {},
  list: ({ items }, emit) => ({ type: ['array', 'null'], items: emit(items) }),
  map: ({ values }, emit) => ({ type: ['object', 'null'], additionalProperties: emit(values) }),
};

const schemaOf = (schema: Schema, definitions: SchemaNames): JsonSchema =>
  jsonEmitter<Schema>(
    // Every schema has the row of its own type, which TypeScript cannot infer of a union.
    (each) => (each.type === 'object' ? objectSchema(each, definitions) : (ROWS[each.type] as JsonRow<Schema>)),
    (each) => ({ default: each.default }),
  )(schema);

function objectSchema(schema: ObjectShape, definitions: SchemaNames): JsonSchema {
  const { go, fields } = schema;
  const taken = definitions.names.get(fields);
  const name = taken ?? nameFor(go, definitions);
  if (taken === undefined) {
    definitions.names.set(fields, name);
    definitions.made[name] = {};
    definitions.made[name] = jsonMembers(
      fields,
      (inner, field) => aboutField(schema, field, schemaOf(inner, definitions)),
      ({ required }) => required === true && !definitions.partial,
    );
  }
  return { $ref: `#/$defs/${name}` };
}

const aboutField = (struct: ObjectShape, field: string, schema: JsonSchema): JsonSchema =>
  given({ ...schema, enum: struct.fields[field]?.oneOf, description: fieldText(struct, field) });

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
