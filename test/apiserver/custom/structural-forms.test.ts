/** What is not structural of a schema: what lacks a type, contradicts itself, or says in an alternative what belongs outside. */
import { describe, expect, it } from 'vitest';
import { type Structural, structuralErrors } from '../../../src/apiserver/structural/index.ts';

const of = (schema: unknown): readonly string[] =>
  structuralErrors(schema, 's').map(({ type, field, value, detail }) => `${field} ${type} ${JSON.stringify(value) ?? '-'} ${detail}`);
const withFields = (properties: Readonly<Record<string, unknown>>) => of({ type: 'object', properties });

describe('what is not structural', () => {
  const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };
  const EMBEDDED = { 'x-kubernetes-embedded-resource': true };
  const EITHER = { 'x-kubernetes-int-or-string': true };

  it('lacks a type', () => {
    expect([
      of({}),
      of(OPEN),
      of({ type: 'string' }),
      of({ type: 'object', additionalProperties: { type: 'string' } }),
      withFields({
        a: {},
        b: { type: 'array' },
        c: { type: 'array', items: {} },
        d: { type: 'object', additionalProperties: {} },
        e: EITHER,
        f: OPEN,
      }),
    ]).toEqual([
      ['s.type Required - must not be empty at the root'],
      [],
      ['s.type Invalid "string" must be object at the root'],
      ['s.additionalProperties Forbidden - must not be used at the root'],
      [
        's.properties[a].type Required - must not be empty for specified object fields',
        's.properties[b].items Required - must be specified',
        's.properties[c].items.type Required - must not be empty for specified array items',
        's.properties[d].additionalProperties.type Required - must not be empty for specified object fields',
      ],
    ]);
  });

  it('contradicts itself', () => {
    expect(
      withFields({
        a: { ...EITHER, ...OPEN },
        b: { ...EITHER, ...EMBEDDED },
        c: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      }),
    ).toEqual([
      's.properties[a].x-kubernetes-preserve-unknown-fields Invalid true must be false if x-kubernetes-int-or-string is true',
      's.properties[b].properties Required - must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      's.properties[b].type Required - must be object if x-kubernetes-embedded-resource is true',
      's.properties[b].x-kubernetes-embedded-resource Invalid true must be false if x-kubernetes-int-or-string is true',
      's.properties[c].x-kubernetes-preserve-unknown-fields Invalid false must be true or undefined',
    ]);
    expect(
      withFields({
        a: EMBEDDED,
        b: { ...EMBEDDED, type: 'string' },
        c: { ...EMBEDDED, type: 'object' },
        d: { ...EMBEDDED, ...OPEN, type: 'object' },
        e: { ...EMBEDDED, type: 'object', additionalProperties: { type: 'string' } },
        f: { ...EMBEDDED, type: 'object', properties: { spec: { type: 'object' } } },
      }),
    ).toEqual([
      's.properties[a].properties Required - must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      's.properties[a].type Required - must be object if x-kubernetes-embedded-resource is true',
      's.properties[b].properties Required - must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      's.properties[b].type Invalid "string" must be object if x-kubernetes-embedded-resource is true',
      's.properties[c].properties Required - must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      's.properties[e].additionalProperties Forbidden - must not be used if x-kubernetes-embedded-resource is set',
      's.properties[e].properties Required - must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    ]);
  });

  it('says too much of metadata', () => {
    const metadata = (value: object) => withFields({ metadata: value });
    expect([
      metadata({ type: 'object' }),
      metadata({ type: 'object', properties: { name: { type: 'string', pattern: 'a' }, generateName: { type: 'string' } } }),
      metadata({ type: 'object', properties: { labels: { type: 'object' } } }),
      metadata({ type: 'string' }),
      metadata({ type: 'object', description: 'x', nullable: true }),
      withFields({ apiVersion: { type: 'string' }, kind: { type: 'integer' } }),
    ]).toEqual([
      [],
      [],
      [
        's.properties[metadata] Forbidden - must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
      ['s.properties[metadata].type Invalid "string" must be object'],
      [
        's.properties[metadata] Forbidden - must not specify anything other than name and generateName, but metadata is implicitly specified',
      ],
      ['s.properties[kind].type Invalid "integer" must be string'],
    ]);
  });

  it('says in an alternative what belongs outside', () => {
    const outside = {
      type: 'object',
      properties: { a: { type: 'string' }, l: { type: 'array', items: { type: 'object', properties: { x: { type: 'string' } } } } },
    };
    const alternatives: Readonly<Record<string, Structural>> = {
      fine: { anyOf: [{ required: ['a'] }, { properties: { a: { minLength: 1 } } }], not: { properties: { a: { pattern: 'x' } } } },
      typed: { anyOf: [{ type: 'object' }], oneOf: [{ description: 'x', title: 'x', default: 1, nullable: true }] },
      more: { allOf: [{ additionalProperties: { type: 'string' } }, { 'x-kubernetes-list-type': 'set' }, OPEN] },
      unknown: { allOf: [{ properties: { b: {}, l: { items: { properties: { y: {} } } } } }], not: { items: {} } },
      nested: { anyOf: [{ allOf: [{ properties: { c: { anyOf: [{ type: 'string' }] } } }] }] },
      metadata: { anyOf: [{ properties: { metadata: {} } }] },
      empty: { anyOf: [{ type: '', nullable: false, properties: { a: { default: undefined } } }] },
    };
    expect(Object.fromEntries(Object.entries(alternatives).map(([name, more]) => [name, of({ ...outside, ...more })]))).toEqual({
      fine: [],
      typed: [
        's.anyOf[0].type Forbidden - must be empty to be structural',
        's.oneOf[0].default Forbidden - must be undefined to be structural',
        's.oneOf[0].description Forbidden - must be empty to be structural',
        's.oneOf[0].nullable Forbidden - must be false to be structural',
        's.oneOf[0].title Forbidden - must be empty to be structural',
      ],
      more: ['s.allOf[1].type Invalid "" must be array if x-kubernetes-list-type is specified'],
      unknown: [
        's.items Required - because it is defined in s.not.items',
        's.properties[b] Required - because it is defined in s.allOf[0].properties[b]',
        's.properties[l].items.properties[y] Required - because it is defined in s.allOf[0].properties[l].items.properties[y]',
      ],
      nested: [
        's.anyOf[0].allOf[0].properties[c].anyOf[0].type Forbidden - must be empty to be structural',
        's.properties[c] Required - because it is defined in s.anyOf[0].allOf[0].properties[c]',
      ],
      metadata: [
        's.anyOf[0].properties[metadata] Forbidden - must not be specified in a nested context',
        's.properties[metadata] Required - because it is defined in s.anyOf[0].properties[metadata]',
      ],
      empty: [],
    });
  });

  it('but an integer or a text may be said in one pattern', () => {
    const both = [{ type: 'integer' }, { type: 'string' }];
    expect([
      withFields({ a: { ...EITHER, anyOf: both } }),
      withFields({ a: { ...EITHER, allOf: [{ anyOf: both }, { anyOf: [{ minimum: 1 }] }] } }),
      withFields({ a: { ...EITHER, anyOf: [...both].reverse() } }),
      withFields({ a: { ...EITHER, anyOf: [...both, {}] } }),
      withFields({ a: { ...EITHER, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] } }),
    ]).toEqual([
      [],
      [],
      [
        's.properties[a].anyOf[0].type Forbidden - must be empty to be structural',
        's.properties[a].anyOf[1].type Forbidden - must be empty to be structural',
      ],
      [
        's.properties[a].anyOf[0].type Forbidden - must be empty to be structural',
        's.properties[a].anyOf[1].type Forbidden - must be empty to be structural',
      ],
      [
        's.properties[a].anyOf[0].type Forbidden - must be empty to be structural',
        's.properties[a].anyOf[1].type Forbidden - must be empty to be structural',
      ],
    ]);
  });

  it('has a pattern that is none', () => {
    expect(
      withFields({
        a: { type: 'string', pattern: '[' },
        b: { type: 'string', pattern: '' },
        c: { type: 'string', pattern: 'x'.repeat(4097) },
        d: { type: 'string', pattern: 'x'.repeat(4096) },
      }).map((each) => each.replaceAll(/x{99,}/g, 'x…')),
    ).toEqual([
      's.properties[a].pattern Invalid "[" must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ]: `[`',
      's.properties[c].pattern Invalid "x…" must be a valid regular expression, but isn\'t: it has 4097 characters, and 4096 are the most',
    ]);
  });
});
