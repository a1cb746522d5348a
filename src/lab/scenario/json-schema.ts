/** The scenario format as JSON Schema (draft 2020-12), with which editors complete and check scenario files. */
import type { Field, Fields, Vocabulary } from './fields.ts';
import { SCENARIO, TARGET_FIELDS } from './format.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns the schema; with a vocabulary, names of faults, kinds and gates are completed too. */
export function scenarioJsonSchema(vocabulary?: Partial<Vocabulary>): JsonSchema {
  const schemaOf = (field: Field): JsonSchema => describe(field, shape(field, vocabulary ?? {}, schemaOf));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
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
        properties: { apiVersion: { type: 'string' }, kind: kindNames(vocabulary ?? {}), metadata: { type: 'object' } },
        required: ['kind'],
      },
    },
  };
}

const describe = (field: Field, schema: JsonSchema): JsonSchema => ({ ...schema, description: field.description });
const reference = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const names = (known: readonly string[] | undefined): JsonSchema => ({ type: 'string', ...(known === undefined ? {} : { enum: known }) });
const kindNames = (vocabulary: Partial<Vocabulary>) => names(vocabulary.kinds);

type SchemaOf = (field: Field) => JsonSchema;

function shape(field: Field, vocabulary: Partial<Vocabulary>, schemaOf: SchemaOf): JsonSchema {
  switch (field.type) {
    case 'string':
      return {
        type: 'string',
        ...(field.enum === undefined ? {} : { enum: field.enum }),
        ...(field.pattern === undefined ? {} : { pattern: field.pattern.source }),
      };
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return {
        type: 'integer',
        ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
        ...(field.maximum === undefined ? {} : { maximum: field.maximum }),
      };
    case 'duration':
      return reference('duration');
    case 'instant':
      return { type: 'string', format: 'date-time' };
    case 'quantity':
      return reference('quantity');
    case 'name':
      return names(vocabulary[field.of]);
    case 'invariantPattern':
      return { type: 'string', ...(vocabulary.invariants === undefined ? {} : { examples: vocabulary.invariants }) };
    case 'map':
      return {
        type: 'object',
        additionalProperties: schemaOf(field.values),
        ...(field.keys === undefined ? {} : { propertyNames: names(vocabulary[field.keys]) }),
      };
    case 'list':
      return listSchema(field, schemaOf);
    case 'object':
      return { ...objectSchema(field.fields, schemaOf), ...groups(field) };
    case 'either':
      return { anyOf: field.forms.map(schemaOf) };
    case 'expression':
      return {
        type: 'string',
        examples: [field.about !== 'world' ? "self.status.phase == 'Running'" : "objects('Pod').all(p, p.status.phase != 'Running')"],
      };
    case 'target':
      return reference('target');
    case 'match':
      return reference('manifest');
    case 'manifests':
      return {
        anyOf: [
          reference('file'),
          reference('manifest'),
          { type: 'array', minItems: 1, items: { anyOf: [reference('file'), reference('manifest')] } },
        ],
      };
    case 'schedulerFlags':
    case 'agentFlags':
      return { type: 'array', items: { type: 'string', pattern: '^-' } };
    case 'agentConfig':
    case 'document':
      return { anyOf: [reference('file'), { type: 'object' }] };
    case 'fault':
      return faultSchema(vocabulary, schemaOf);
    case 'any':
      return {};
    default:
      return field satisfies never;
  }
}

function listSchema(field: Field & { readonly type: 'list' }, schemaOf: SchemaOf): JsonSchema {
  const items = schemaOf(field.items);
  const list = {
    type: 'array',
    items,
    ...(field.minItems === undefined ? {} : { minItems: field.minItems }),
    ...(field.maxItems === undefined ? {} : { maxItems: field.maxItems }),
  };
  return field.orOne === true ? { anyOf: [items, list] } : list;
}

function objectSchema(fields: Fields, schemaOf: SchemaOf): JsonSchema {
  const required = Object.keys(fields).filter((name) => fields[name]?.required === true);
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

/** Converts groups of members: "exactly one" to a schema, "at most one" to "not two of them". */
function groups(field: Field & { readonly type: 'object' }): JsonSchema {
  const require = (each: string) => ({ required: [each] });
  if (field.exactlyOneOf !== undefined) return { oneOf: field.exactlyOneOf.map(require) };
  const needs = Object.entries(field.needs ?? {}).map(([name, other]) => [name, [other]]);
  const exclusive = (field.atMostOneOf ?? []).map((group) => ({ oneOf: [...group.map(require), { not: { anyOf: group.map(require) } }] }));
  return {
    ...(field.atLeastOneOf === undefined ? {} : { anyOf: field.atLeastOneOf.map(require) }),
    ...(exclusive.length === 0 ? {} : { allOf: exclusive }),
    ...(needs.length === 0 ? {} : { dependentRequired: Object.fromEntries(needs) }),
  };
}

function faultSchema(vocabulary: Partial<Vocabulary>, schemaOf: SchemaOf): JsonSchema {
  if (vocabulary.faults === undefined || vocabulary.faults.length === 0) return { type: 'object', minProperties: 1 };
  return {
    oneOf: vocabulary.faults.map((fault) => ({
      ...objectSchema({ [fault.name]: { ...fault.subject, required: true }, ...fault.parameters }, schemaOf),
      description: fault.description,
    })),
  };
}
