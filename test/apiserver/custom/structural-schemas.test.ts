/** What is wrong with a structural schema before its form: what is no schema, and what upstream's schemas must not have. */
import { describe, expect, it } from 'vitest';
import { structuralErrors } from '../../../src/apiserver/structural/index.ts';

const of = (schema: unknown): readonly string[] =>
  structuralErrors(schema, 's').map(({ type, field, value, detail }) => `${field} ${type} ${JSON.stringify(value) ?? '-'} ${detail}`);
const withFields = (properties: Readonly<Record<string, unknown>>) => of({ type: 'object', properties });

describe('what is no schema', () => {
  it('is named, with what it should be', () => {
    expect([
      of(7),
      of({
        type: 1,
        nullable: 'x',
        minLength: -1,
        maxLength: 1.5,
        minimum: '1',
        required: ['a', 1],
        enum: 'x',
        'x-kubernetes-list-map-keys': 'k',
        default: 1,
        unknown: 1,
      }),
    ]).toEqual([
      ['s Invalid 7 must be a schema'],
      [
        's.type Invalid 1 must be a string',
        's.nullable Invalid "x" must be true or false',
        's.minLength Invalid -1 must be a whole number from 0',
        's.maxLength Invalid 1.5 must be a whole number from 0',
        's.minimum Invalid "1" must be a number',
        's.required Invalid ["a",1] must be a list of strings',
        's.enum Invalid "x" must be a list',
        's.x-kubernetes-list-map-keys Invalid "k" must be a list of strings',
      ],
    ]);
    expect(
      of({
        items: [],
        not: 1,
        additionalProperties: 1,
        properties: [],
        allOf: {},
        anyOf: [1],
        oneOf: [{ type: 1 }],
        'x-kubernetes-validations': {},
      }),
    ).toEqual([
      's.items Forbidden - items must be a schema object and not an array',
      's.not Invalid 1 must be a schema',
      's.additionalProperties Invalid 1 must be a schema',
      's.properties Invalid [] must be a mapping from names to schemas',
      's.allOf Invalid {} must be a list of schemas',
      's.anyOf[0] Invalid 1 must be a schema',
      's.oneOf[0].type Invalid 1 must be a string',
      's.x-kubernetes-validations Invalid {} must be a list of rules',
    ]);
    expect(
      of({
        properties: { a: 1, b: { type: 2 } },
        items: { type: 3 },
        additionalProperties: true,
        'x-kubernetes-validations': [1, {}, { rule: ' ' }, { rule: 'true', message: 1 }, { rule: 'true' }],
      }),
    ).toEqual([
      's.properties[a] Invalid 1 must be a schema',
      's.properties[b].type Invalid 2 must be a string',
      's.items.type Invalid 3 must be a string',
      's.x-kubernetes-validations[0] Invalid 1 must be a rule',
      's.x-kubernetes-validations[1].rule Required - rule is not specified',
      's.x-kubernetes-validations[2].rule Required - rule is not specified',
      's.x-kubernetes-validations[3].message Invalid 1 must be a string',
    ]);
  });

  it('is too deep', () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((inner) => ({ type: 'object', properties: { a: inner } }), { type: 'string' });
    expect(structuralErrors(nested(60), 's')).toEqual([]);
    expect(structuralErrors(nested(61), 's').map(({ detail }) => detail)).toEqual(['must have at most 60 levels']);
  });

  it('is named about a hundred times', () => {
    expect(of({ allOf: Array.from({ length: 200 }, () => 1) })).toHaveLength(101);
  });
});

describe('what no definition may have', () => {
  it('is JSON Schema that is not supported, and contradictions', () => {
    expect(
      of({
        type: 'object',
        $ref: '#',
        definitions: {},
        dependencies: {},
        id: 'x',
        patternProperties: {},
        additionalItems: true,
        uniqueItems: true,
      }),
    ).toEqual([
      's.$ref Forbidden - $ref is not supported',
      's.additionalItems Forbidden - additionalItems is not supported',
      's.definitions Forbidden - definitions is not supported',
      's.dependencies Forbidden - dependencies is not supported',
      's.id Forbidden - id is not supported',
      's.patternProperties Forbidden - patternProperties is not supported',
      's.uniqueItems Forbidden - uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    ]);
    expect(
      withFields({
        a: { type: 'null' },
        b: { type: 'text' },
        c: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false },
        d: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: { type: 'string' } },
        e: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
        f: { type: 'string', uniqueItems: false },
      }),
    ).toEqual([
      's.properties[a].type Forbidden - type cannot be set to null, use nullable as an alternative',
      's.properties[b].type NotSupported "text" supported values: "array", "boolean", "integer", "number", "object", "string"',
      's.properties[c].additionalProperties Forbidden - additionalProperties and properties are mutual exclusive',
      's.properties[d].additionalProperties Forbidden - additionalProperties and properties are mutual exclusive',
    ]);
    expect(
      withFields({
        a: { type: 'object', 'x-kubernetes-map-type': 'odd' },
        b: { type: 'string', 'x-kubernetes-map-type': 'atomic' },
        c: { 'x-kubernetes-map-type': 'granular', 'x-kubernetes-preserve-unknown-fields': true },
      }),
    ).toEqual([
      's.properties[a].x-kubernetes-map-type NotSupported "odd" supported values: "atomic", "granular"',
      's.properties[b].type Invalid "string" must be object if x-kubernetes-map-type is specified',
      's.properties[c].type Invalid "" must be object if x-kubernetes-map-type is specified',
    ]);
  });

  it('is a list without what its type needs', () => {
    const list = (more: object) => withFields({ a: { type: 'array', items: { type: 'string' }, ...more } });
    const keyed = (keys: readonly string[], items?: object) =>
      list({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, ...(items === undefined ? {} : { items }) });
    expect([
      list({ 'x-kubernetes-list-type': 'set' }),
      list({ 'x-kubernetes-list-type': 'bag' }),
      list({ type: 'string', items: undefined, 'x-kubernetes-list-type': 'atomic' }),
      list({ 'x-kubernetes-list-map-keys': ['k'] }),
      list({ 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['k'] }),
    ]).toEqual([
      [],
      ['s.properties[a].x-kubernetes-list-type NotSupported "bag" supported values: "atomic", "set", "map"'],
      ['s.properties[a].items Invalid - must be a schema'],
      ['s.properties[a].x-kubernetes-list-type Required - must be map if x-kubernetes-list-map-keys is non-empty'],
      ['s.properties[a].x-kubernetes-list-type Invalid "set" must be map if x-kubernetes-list-map-keys is non-empty'],
    ]);
    expect([
      keyed([]),
      keyed(['k']),
      keyed(['k'], { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] }),
      keyed(['k'], { type: 'object', properties: { k: { type: 'string', default: 'x' } } }),
      keyed(['k', 'l', 'm'], { type: 'object', properties: { k: { type: 'string' }, l: { type: 'object' } } }),
      keyed(['k'], { type: 'object', properties: { k: { type: 'array', items: { type: 'string' } } } }),
    ]).toEqual([
      [
        's.properties[a].items.type Invalid "string" must be object if parent array\'s x-kubernetes-list-type is map',
        's.properties[a].x-kubernetes-list-map-keys Required - must not be empty if x-kubernetes-list-type is map',
      ],
      [
        's.properties[a].items.type Invalid "string" must be object if parent array\'s x-kubernetes-list-type is map',
        's.properties[a].x-kubernetes-list-map-keys[0] Invalid "k" entries must all be names of item properties',
      ],
      [],
      [],
      [
        's.properties[a].items.properties[k].default Required - this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
        's.properties[a].items.properties[l].type Invalid "object" must be a scalar type if parent array\'s x-kubernetes-list-type is map',
        's.properties[a].x-kubernetes-list-map-keys[2] Invalid "m" entries must all be names of item properties',
      ],
      ['s.properties[a].items.properties[k].type Invalid "array" must be a scalar type if parent array\'s x-kubernetes-list-type is map'],
    ]);
    expect(withFields({ a: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] } })).toEqual([
      's.properties[a].items Required - must have a schema if x-kubernetes-list-type is map',
      's.properties[a].x-kubernetes-list-map-keys[0] Invalid "k" entries must all be names of item properties',
    ]);
  });
});
