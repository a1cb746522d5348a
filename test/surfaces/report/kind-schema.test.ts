/** The JSON Schema of a kind, whole: every type of field, structs of one name, and the partial objects of scenarios. */
import { expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import { OTHER_GROUPS } from '../../../src/surfaces/report/kind-schema.ts';
import { kindJsonSchema, scenarioSchema } from '../../../src/surfaces/report/index.ts';
import { bytes, field, microTime, oneOf } from '../../../src/schema/shape/index.ts';
import { defineKind, schema } from '../../../src/index.ts';

const { any, bool, def, int32, int64, intOrString, list, map, obj, quantity, req, str, time, typeMeta } = schema;
const kinds = kindsFor(namesFor('orch.io'));

const item = obj('Item', { name: req(str()), count: field(1, 'How many.', int32) });
const spec = obj('WidgetSpec', {
  on: bool,
  total: int64,
  items: list(item),
  labels: map(str()),
  size: quantity,
  at: time,
  exactly: microTime,
  port: intOrString,
  raw: bytes,
  anything: any,
  mode: def(oneOf(str(), ['a', 'b']), 'a'),
  again: item,
  other: obj('Item', { x: obj('Item', { z: str() }) }),
  third: obj('Item', { y: str() }),
});
const widget = defineKind({ kind: 'Widget', group: 'example.com', schema: obj('Widget', { ...typeMeta, spec }) }) as unknown as Kind;

const TIME = { type: ['string', 'null'], format: 'date-time' };
const INT32 = { type: 'integer', format: 'int32', minimum: -2_147_483_648, maximum: 2_147_483_647 };
const text = { type: 'string' };
const texts = { type: 'object', additionalProperties: text };
const closed = (properties: object) => ({ type: 'object', properties, additionalProperties: false });

it('the schema of a kind has its fields, with a definition for each struct', () => {
  expect(kindJsonSchema(widget, kinds)).toEqual({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Widget',
    description: 'Custom kind: Widget in example.com/v1.',
    ...closed({
      apiVersion: { const: 'example.com/v1' },
      kind: { const: 'Widget' },
      // What the server sets is left out.
      metadata: {
        type: 'object',
        properties: {
          name: text,
          generateName: text,
          namespace: text,
          labels: texts,
          annotations: texts,
          finalizers: { type: 'array', items: text },
        },
      },
      spec: { $ref: '#/$defs/WidgetSpec', description: 'The desired state.' },
    }),
    required: ['apiVersion', 'kind', 'metadata'],
    $defs: {
      WidgetSpec: closed({
        on: { type: 'boolean' },
        total: { type: 'integer', format: 'int64' },
        items: { type: ['array', 'null'], items: { $ref: '#/$defs/Item' } },
        labels: { type: ['object', 'null'], additionalProperties: text },
        size: { anyOf: [text, { type: 'number' }], examples: ['500m', '8Gi'] },
        at: TIME,
        exactly: TIME,
        port: { anyOf: [{ type: 'integer' }, text] },
        raw: { type: 'string', contentEncoding: 'base64' },
        anything: {},
        mode: { type: 'string', default: 'a', enum: ['a', 'b'] },
        again: { $ref: '#/$defs/Item' },
        other: { $ref: '#/$defs/Item2' },
        third: { $ref: '#/$defs/Item4' },
      }),
      Item: { ...closed({ name: text, count: { ...INT32, description: 'How many.' } }), required: ['name'] },
      Item2: closed({ x: { $ref: '#/$defs/Item3' } }),
      Item3: closed({ z: text }),
      Item4: closed({ y: text }),
    },
  });
});

it('a kind of another group may have the name of a built-in one', () => {
  const isOther = (apiVersion: string): boolean => new RegExp(OTHER_GROUPS).test(apiVersion);
  expect(['v1', 'batch/v1', 'batch/v1.1', 'storage.k8s.io/v1', 'storage.orch.io/v1'].map(isOther)).not.toContain(true);
  expect(['serving.example.dev/v1', 'x.io/v1'].map(isOther)).toEqual([true, true]);
});

it('objects of scenarios are partial: nothing is required, and the server’s fields are there', () => {
  const { $defs } = scenarioSchema(kinds) as {
    readonly $defs: Readonly<Record<string, { readonly required?: unknown; readonly allOf?: unknown }>>;
  };
  expect($defs['manifest']).toMatchObject({ type: 'object', required: ['kind'] });
  expect($defs['manifest']?.allOf).toHaveLength(kinds.list().length);
  expect($defs['manifest']?.allOf).toContainEqual({
    if: { properties: { kind: { const: 'ConfigMap' }, apiVersion: { not: { pattern: OTHER_GROUPS } } }, required: ['kind'] },
    then: closed({
      apiVersion: { const: 'v1' },
      kind: { const: 'ConfigMap' },
      metadata: { $ref: '#/$defs/ObjectMeta' },
      immutable: { type: 'boolean', description: expect.stringMatching(/\.$/) },
      data: { type: ['object', 'null'], additionalProperties: text, description: expect.stringMatching(/\.$/) },
      binaryData: {
        type: ['object', 'null'],
        additionalProperties: { type: 'string', contentEncoding: 'base64' },
        description: expect.stringMatching(/\.$/),
      },
    }),
  });
  expect($defs).toMatchObject({ ObjectMeta: { properties: { uid: { type: 'string' }, resourceVersion: { type: 'string' } } } });
  const structs = kinds.list().flatMap((kind) => Object.keys((kindJsonSchema(kind, kinds) as { readonly $defs: object }).$defs));
  for (const name of new Set(structs)) expect([name, $defs[name]?.required]).toEqual([name, undefined]);
});
