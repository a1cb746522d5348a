/** The types of fields: what a message calls their values, the shape of these in a file, and their JSON Schema (draft 2020-12). */
import { given, JSON_SCHEMA_DRAFT, jsonEmitter, jsonMembers, type JsonSchema } from '../../schema/shape/index.ts';
import { faultField, type Field, type Fields, type Vocabulary } from './fields.ts';
import { SCENARIO, TARGET_FIELDS } from './format.ts';
import { RECORDED_LINE } from './recorded-writes.ts';
import type { Located } from '../../schema/yaml/index.ts';

interface FieldType<F extends Field> {
  /** `a duration such as 500ms or 1h30m`. */
  readonly wants: string | ((field: F) => string);
  /** Names of faults, kinds and gates are those of the vocabulary. */
  readonly schema: JsonSchema | ((field: F, schemaOf: (field: Field) => JsonSchema, vocabulary: Partial<Vocabulary>) => JsonSchema);
  readonly shape?: 'list' | 'map';
}

const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const names = (known: readonly string[] | undefined): JsonSchema => ({ type: 'string', ...(known === undefined ? {} : { enum: known }) });

/** A group that is none of the built-in ones, and a version. */
const FOREIGN = { type: 'string', pattern: '^(?![^/]*\\.(?:k8s|orch)\\.io/)[^/]+\\.[^/]+/[^/]+$' };

const FLAGS = { wants: 'a list of flags', schema: { type: 'array', items: { type: 'string', pattern: '^-' } }, shape: 'list' } as const;
const DOCUMENT = {
  wants: 'a mapping or { file: path }',
  schema: { anyOf: [reference('file'), { type: 'object' }] },
  shape: 'map',
} as const;

const TYPES: { readonly [T in Field['type']]: FieldType<Extract<Field, { readonly type: T }>> } = {
  string: {
    wants: (field) => (field.among !== undefined ? oneOf(field.among) : (field.pattern?.means ?? 'a text')),
    schema: ({ among, pattern }) => ({ type: 'string', enum: among, pattern: pattern?.source }),
  },
  boolean: { wants: 'true or false', schema: { type: 'boolean' } },
  integer: {
    wants: ({ min, max }) => {
      if (min !== undefined && max !== undefined) return `a whole number from ${min} to ${max}`;
      return min === undefined ? 'a whole number' : `a whole number, at least ${min}`;
    },
    schema: ({ min, max }) => ({ type: 'integer', minimum: min, maximum: max }),
  },
  duration: { wants: 'a duration such as 500ms or 1h30m', schema: reference('duration') },
  instant: { wants: 'an RFC 3339 instant such as "2024-03-01T00:00:00Z"', schema: { type: 'string', format: 'date-time' } },
  recordedWrites: { wants: `lines of ${RECORDED_LINE}`, schema: { type: 'string' } },
  quantity: { wants: 'a quantity such as 4, 500m or 8Gi', schema: reference('quantity') },
  name: {
    wants: (field) => (field.of === 'kinds' ? 'a kind' : 'a feature gate'),
    schema: (field, _, vocabulary) => names(vocabulary[field.of]),
  },
  invariantPattern: {
    wants: 'the name or pattern of an invariant',
    schema: (_, __, { invariants }) => ({ type: 'string', examples: invariants }),
  },
  map: {
    wants: 'a mapping',
    schema: ({ values, keys }, schemaOf, vocabulary) => ({
      type: 'object',
      additionalProperties: schemaOf(values),
      propertyNames: keys === undefined ? undefined : names(vocabulary[keys]),
    }),
    shape: 'map',
  },
  list: {
    wants: (field) => (field.orOne === true ? `${describeField(field.items)} or a list` : 'a list'),
    schema: ({ items, minItems, maxItems, orOne }, schemaOf) => {
      const list = given({ type: 'array', items: schemaOf(items), minItems, maxItems });
      return orOne === true ? { anyOf: [list['items'], list] } : list;
    },
    shape: 'list',
  },
  object: {
    wants: 'a mapping',
    schema: (field, schemaOf) => ({ ...objectSchema(field.fields, schemaOf), ...groups(field) }),
    shape: 'map',
  },
  either: {
    wants: (field) => field.forms.map(describeField).join(' or '),
    schema: (field, schemaOf) => ({ anyOf: field.forms.map(schemaOf) }),
  },
  expression: {
    wants: 'a CEL expression',
    schema: ({ about }) => ({
      type: 'string',
      examples: [about !== 'world' ? "self.status.phase == 'Running'" : "objects('Pod').all(p, p.status.phase != 'Running')"],
    }),
  },
  target: { wants: 'a target (Kind/name, Kind/namespace/name, Kind or a mapping with a kind)', schema: reference('target') },
  match: { wants: 'a partial object with a kind', schema: reference('manifest'), shape: 'map' },
  manifests: {
    wants: 'an object, { file: path } or a list of these',
    schema: {
      anyOf: [
        reference('file'),
        reference('manifest'),
        { type: 'array', minItems: 1, items: { anyOf: [reference('file'), reference('manifest')] } },
      ],
    },
  },
  schedulerFlags: FLAGS,
  agentFlags: FLAGS,
  agentConfig: DOCUMENT,
  document: DOCUMENT,
  fault: {
    wants: 'a mapping with the name of a fault',
    schema: (_, schemaOf, { faults = [] }) => faultSchema(faults, schemaOf),
    shape: 'map',
  },
  any: { wants: 'a value', schema: {} },
};

// Every field has the type of its own name, which TypeScript cannot infer of a union.
const typeOf = (field: Field): FieldType<Field> => TYPES[field.type] as FieldType<Field>;

/** Describes the values of a field for a message: `a duration such as 500ms or 1h30m`. */
export function describeField(field: Field): string {
  const { wants } = typeOf(field);
  return typeof wants === 'string' ? wants : wants(field);
}

/** Returns the shape of a field's values in a file. */
export const shapeOf = (field: Field): Located['shape'] => typeOf(field).shape ?? 'scalar';

/** Joins names: `a`, `a or b`, `one of a, b, c`. */
export const oneOf = (all: readonly string[]): string => (all.length <= 2 ? all.join(' or ') : `one of ${all.join(', ')}`);

const emitterOf = (vocabulary: Partial<Vocabulary>): ((field: Field) => JsonSchema) =>
  jsonEmitter<Field>(
    (field) => {
      const { schema } = typeOf(field);
      return typeof schema === 'function' ? (each, schemaOf) => schema(each, schemaOf, vocabulary) : schema;
    },
    ({ says }) => ({ description: says }),
  );

/** Returns the schema; with a vocabulary, names of faults, kinds and gates are completed too. */
export function scenarioJsonSchema(vocabulary?: Partial<Vocabulary>): JsonSchema {
  const schemaOf = emitterOf(vocabulary ?? {});
  return {
    $schema: JSON_SCHEMA_DRAFT,
    $id: 'https://scenario.orch.io/v1/scenario.schema.json',
    title: 'Scenario',
    ...schemaOf(SCENARIO),
    $defs: {
      duration: { type: 'string', pattern: '^(0|(\\d+(\\.\\d{1,6})?(ms|s|m|h|d))+)$', examples: ['500ms', '1h30m', '400d'] },
      quantity: {
        anyOf: [{ type: 'string', pattern: '^[+-]?[0-9.]+([eEinumkKMGTP]*[-+]?[0-9]*)$' }, { type: 'number' }],
        examples: ['4', '8Gi', '500m'],
      },
      target: {
        anyOf: [
          { type: 'string', pattern: '^[^/\\s]+(/[^/\\s]+){0,2}$', examples: ['Job/a', 'Job/default/a', 'Job'] },
          objectSchema(TARGET_FIELDS, schemaOf),
        ],
      },
      file: {
        type: 'object',
        properties: { file: { type: 'string', description: 'A path, relative to this file.' } },
        required: ['file'],
        additionalProperties: false,
      },
      manifest: {
        type: 'object',
        properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
        required: ['kind'],
        // A kind of another group may be defined by an object of the file.
        anyOf: [{ properties: { kind: names(vocabulary?.kinds) } }, { required: ['apiVersion'], properties: { apiVersion: FOREIGN } }],
      },
    },
  };
}

const objectSchema = (fields: Fields, schemaOf: (field: Field) => JsonSchema): JsonSchema =>
  jsonMembers(fields, schemaOf, ({ needed }) => needed === true);

/** Converts groups of members: "exactly one" to a schema, "at most one" to "not two of them". */
function groups(field: Field & { readonly type: 'object' }): JsonSchema {
  const require = (each: string) => ({ required: [each] });
  if (field.exactlyOneOf !== undefined) return { oneOf: field.exactlyOneOf.map(require) };
  const needs = Object.entries(field.needs ?? {}).map(([name, other]) => [name, [other]]);
  const exclusive = (field.atMostOneOf ?? []).map((group) => ({ oneOf: [...group.map(require), { not: { anyOf: group.map(require) } }] }));
  return given({
    anyOf: field.atLeastOneOf?.map(require),
    allOf: exclusive.length === 0 ? undefined : exclusive,
    dependentRequired: needs.length === 0 ? undefined : Object.fromEntries(needs),
  });
}

const faultSchema = (faults: Vocabulary['faults'], schemaOf: (field: Field) => JsonSchema): JsonSchema =>
  faults.length === 0 ? { type: 'object', minProperties: 1 } : { oneOf: faults.map(faultField).map(schemaOf) };
