/** The format as JSON Schema for editors: each type of field, groups of members, and the names of a vocabulary; and its words in messages. */
import { describe, expect, it } from 'vitest';
import { describeField, oneOf, shapeOf } from '../../../src/lab/scenario/field-types.ts';
import type { Field } from '../../../src/lab/scenario/fields.ts';
import { scenarioJsonSchema } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from './vocabulary.ts';

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
}

/** A schema without its descriptions. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (key === 'description' && typeof each === 'string' ? [] : [[key, bare(each)]])),
  );
}
const schema = scenarioJsonSchema(vocabulary) as unknown as Node & { readonly $defs: Readonly<Record<string, Node>> };
const memberOf = (path: string, of: Node = schema): unknown =>
  bare(
    path
      .split('.')
      .reduce(
        (node: Node | undefined, name) =>
          name === '[]' ? node?.items : name === '*' ? node?.additionalProperties : node?.properties?.[name],
        of,
      ),
  );
const spec = (path: string, of?: Node): unknown => memberOf(`spec.${path}`, of);

const duration = { $ref: '#/$defs/duration' };
const target = { $ref: '#/$defs/target' };
const text = { type: 'string' };
const required = (...names: readonly string[]) => names.map((name) => ({ required: [name] }));
const atMostOne = (...names: readonly string[]) => ({ oneOf: [...required(...names), { not: { anyOf: required(...names) } }] });

describe('the schema', () => {
  it('is that of a file', () => {
    const { properties: _, $defs, ...head } = schema as unknown as Readonly<Record<string, unknown>>;
    expect(head).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://scenario.orch.io/v1/scenario.schema.json',
      title: 'Scenario',
      type: 'object',
      required: ['apiVersion', 'kind', 'metadata', 'spec'],
      additionalProperties: false,
      description: 'A scenario: a cluster, actions, and expectations.',
    });
    expect(Object.keys($defs as object)).toEqual(['duration', 'quantity', 'target', 'file', 'manifest']);
    expect([memberOf('apiVersion'), memberOf('kind')]).toEqual([
      { type: 'string', enum: ['scenario.orch.io/v1'] },
      { type: 'string', enum: ['Scenario'] },
    ]);
    expect(schema.properties?.['spec']?.properties?.['seed']?.description).toBe('The seed of all random choices; 1 if absent.');
  });

  it.each<[string, unknown]>([
    ['seed', { type: 'integer', minimum: 0 }],
    ['startTime', { type: 'string', format: 'date-time' }],
    ['until', duration],
    [
      'limits',
      {
        type: 'object',
        properties: { steps: { type: 'integer', minimum: 1 }, time: duration, objects: { type: 'integer', minimum: 1 } },
        additionalProperties: false,
      },
    ],
    ['domain', { type: 'string', enum: ['orch.io', 'k8s.io'] }],
    ['allowUnknownFields', { type: 'boolean' }],
    [
      'featureGates',
      { type: 'object', additionalProperties: { type: 'boolean' }, propertyNames: { type: 'string', enum: vocabulary.featureGates } },
    ],
    [
      'recorded',
      {
        type: 'object',
        properties: { within: duration, until: duration, covers: { type: 'array', items: text }, writes: text },
        required: ['writes'],
        additionalProperties: false,
      },
    ],
    ['webhooks.*.warn', { anyOf: [text, { type: 'array', items: text, minItems: 1 }] }],
    ['webhooks.*.mutate', {}],
    [
      'clients.*',
      { type: 'object', properties: { userAgent: text, user: text, holder: text, timers: duration }, additionalProperties: false },
    ],
    ['cluster.agent', { anyOf: [{ $ref: '#/$defs/file' }, { type: 'object' }] }],
    ['cluster.agentFlags', { type: 'array', items: { type: 'string', pattern: '^-' } }],
    ['cluster.scheduler', { type: 'array', items: { type: 'string', pattern: '^-' } }],
    ['steps.[].at', duration],
    [
      'steps.[].look',
      { anyOf: [target, { type: 'object', properties: { at: target, as: text }, required: ['at'], additionalProperties: false }] },
    ],
    ['steps.[].waitFor.match', { $ref: '#/$defs/manifest' }],
    ['steps.[].waitFor.cel', { type: 'string', examples: ["objects('Pod').all(p, p.status.phase != 'Running')"] }],
    [
      'steps.[].apply',
      {
        anyOf: [
          { $ref: '#/$defs/file' },
          { $ref: '#/$defs/manifest' },
          { type: 'array', minItems: 1, items: { anyOf: [{ $ref: '#/$defs/file' }, { $ref: '#/$defs/manifest' }] } },
        ],
      },
    ],
  ])('of %s', (path, expected) => {
    expect(spec(path)).toEqual(expected);
  });

  it('has the names of the vocabulary, where one is given', () => {
    const fault = spec('steps.[].fault') as { readonly oneOf: readonly unknown[] };
    expect(fault.oneOf).toHaveLength(vocabulary.faults.length);
    expect(fault.oneOf[0]).toEqual({
      type: 'object',
      properties: { crash: { type: 'string', enum: ['controller-manager', 'scheduler'] }, restartAfter: duration },
      required: ['crash'],
      additionalProperties: false,
    });
    const [pattern] = (spec('invariants.[]') as { readonly anyOf: readonly unknown[] }).anyOf;
    expect(pattern).toEqual({ type: 'string', examples: vocabulary.invariants });
    const without = scenarioJsonSchema() as Node;
    expect(spec('steps.[].fault', without)).toEqual({ type: 'object', minProperties: 1 });
    expect(spec('featureGates', without)).toEqual({
      type: 'object',
      additionalProperties: { type: 'boolean' },
      propertyNames: { type: 'string' },
    });
    expect(spec('invariants.[]', without)).toMatchObject({ anyOf: [{ type: 'string' }, {}] });
  });

  it('has groups of members', () => {
    expect(spec('choices.[]')).toMatchObject({
      oneOf: required('hold', 'freeze', 'gap', 'late', 'refuse', 'lose', 'crash', 'relist', 'cut', 'skew', 'hang', 'slow', 'meddle'),
    });
    expect(spec('choices.[]')).not.toHaveProperty('dependentRequired');
    const { anyOf, allOf, dependentRequired } = spec('steps.[]') as {
      anyOf: readonly unknown[];
      allOf: readonly unknown[];
      dependentRequired: object;
    };
    expect(anyOf).toEqual(expect.arrayContaining(required('apply', 'expect', 'note')));
    expect(allOf[0]).toEqual(atMostOne('at', 'after', 'when'));
    expect(dependentRequired).toEqual({ assert: ['note'], ask: ['note'], try: ['note'] });
    expect(spec('webhooks.*')).toMatchObject({ dependentRequired: { message: ['allow'], when: ['mutate'] } });
    for (const group of ['anyOf', 'allOf']) expect(spec('webhooks.*')).not.toHaveProperty(group);
    expect(spec('limits')).not.toHaveProperty('dependentRequired');
  });

  it('has objects with a kind of the vocabulary, or of another group', () => {
    expect(bare(schema.$defs['manifest'])).toEqual({
      type: 'object',
      properties: { apiVersion: text, kind: text, metadata: { type: 'object' } },
      required: ['kind'],
      anyOf: [
        { properties: { kind: { type: 'string', enum: vocabulary.kinds } } },
        {
          required: ['apiVersion'],
          properties: { apiVersion: { type: 'string', pattern: '^(?![^/]*\\.(?:k8s|orch)\\.io/)[^/]+\\.[^/]+/[^/]+$' } },
        },
      ],
    });
    expect(bare(schema.$defs['target'])).toMatchObject({
      anyOf: [{ type: 'string' }, { required: ['kind'], additionalProperties: false }],
    });
  });
});

describe('a type of field', () => {
  it.each<[Field, string, string]>([
    [{ type: 'string' }, 'a text', 'scalar'],
    [{ type: 'string', among: ['a', 'b'] }, 'a or b', 'scalar'],
    [{ type: 'string', pattern: { source: '^a', means: 'an a' } }, 'an a', 'scalar'],
    [{ type: 'boolean' }, 'true or false', 'scalar'],
    [{ type: 'instant' }, 'an RFC 3339 instant such as "2024-03-01T00:00:00Z"', 'scalar'],
    [{ type: 'recordedWrites' }, 'lines of TIME  OBJECT  WHAT  AUTHOR  FILE:LINE', 'scalar'],
    [{ type: 'quantity' }, 'a quantity such as 4, 500m or 8Gi', 'scalar'],
    [{ type: 'name', of: 'kinds' }, 'a kind', 'scalar'],
    [{ type: 'name', of: 'featureGates' }, 'a feature gate', 'scalar'],
    [{ type: 'invariantPattern' }, 'the name or pattern of an invariant', 'scalar'],
    [{ type: 'map', values: { type: 'string' } }, 'a mapping', 'map'],
    [{ type: 'list', items: { type: 'string' } }, 'a list', 'list'],
    [{ type: 'list', items: { type: 'string' }, orOne: true }, 'a text or a list', 'list'],
    [{ type: 'object', fields: {} }, 'a mapping', 'map'],
    [{ type: 'either', forms: [{ type: 'string' }, { type: 'boolean' }] }, 'a text or true or false', 'scalar'],
    [{ type: 'expression', about: 'world' }, 'a CEL expression', 'scalar'],
    [{ type: 'match' }, 'a partial object with a kind', 'map'],
    [{ type: 'manifests' }, 'an object, { file: path } or a list of these', 'scalar'],
    [{ type: 'schedulerFlags' }, 'a list of flags', 'list'],
    [{ type: 'agentConfig' }, 'a mapping or { file: path }', 'map'],
    [{ type: 'fault' }, 'a mapping with the name of a fault', 'map'],
    [{ type: 'any' }, 'a value', 'scalar'],
  ])('%j', (field, words, shape) => {
    expect([describeField(field), shapeOf(field)]).toEqual([words, shape]);
  });

  it('is one of several names', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(oneOf)).toEqual(['', 'a', 'a or b', 'one of a, b, c']);
  });
});
