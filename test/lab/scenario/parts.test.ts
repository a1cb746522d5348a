import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatInstant,
  formatTarget,
  matchesPattern,
  parseInstant,
  parseTarget,
  scenarioJsonSchema,
  selectInvariants,
  targetNamespace,
} from '../../../src/lab/scenario/index.ts';
import { vocabulary } from './vocabulary.ts';

describe('instants', () => {
  it.each([
    ['2024-03-01T00:00:00Z', Date.UTC(2024, 2, 1)],
    ['2024-03-01t01:00:00.5+01:00', Date.UTC(2024, 2, 1) + 500],
    ['2026-11-20T05:13:17.472Z', Date.UTC(2026, 10, 20, 5, 13, 17, 472)],
    ['2024-02-29T23:59:59.999999999-00:30', Date.UTC(2024, 2, 1, 0, 29, 59, 999)],
  ])('%s', (text, at) => {
    expect(parseInstant(text)).toBe(at);
  });
  it.each([
    '2023-02-29T00:00:00Z',
    '2024-03-01',
    '2024-03-01T00:00:00',
    '2024-13-01T00:00:00Z',
    '2024-03-01T24:00:00Z',
    '2024-03-01T00:00:60Z',
    'now',
    '0000-01-01T00:00:00Z',
  ])('%s is none', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
  it('written ones read back', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4_000_000_000_000 }), (at) => {
        expect(parseInstant(formatInstant(at))).toBe(at);
      }),
    );
  });
});

describe('targets', () => {
  it.each([
    ['Job/a', { kind: 'Job', name: 'a' }],
    ['Job/other/a', { kind: 'Job', namespace: 'other', name: 'a' }],
  ])('%s', (text, target) => {
    expect(parseTarget(text)).toEqual(target);
    expect(formatTarget(target)).toBe(text);
  });
  it('are the only one of a kind where there is no name', () => {
    expect(parseTarget('Job')).toEqual({ kind: 'Job', only: true });
    expect(formatTarget({ kind: 'Job', only: true })).toBe('Job');
  });
  it.each(['', 'Job/', '/a', 'a/b/c/d', 'Job/a b', 'Job//a'])('%j is none', (text) => {
    expect(parseTarget(text)).toBeUndefined();
  });
  it('looks in the default namespace, in one, in all or in none', () => {
    expect([
      targetNamespace({ kind: 'Job' }, true),
      targetNamespace({ kind: 'Job', namespace: 'a' }, true),
      targetNamespace({ kind: 'Job', namespace: '*' }, true),
      targetNamespace({ kind: 'Node' }, false),
    ]).toEqual(['default', 'a', undefined, undefined]);
  });
  it('a long one reads as a sentence', () => {
    expect(formatTarget({ kind: 'Pod', namespace: 'x', labels: { app: 'web' }, nth: 2 })).toBe('Pod/x with app=web (number 2 by creation)');
  });
});

describe('patterns of invariants', () => {
  it.each([
    ['job/*', 'job/a', true],
    ['*', 'x/y', true],
    ['job/*', 'cron-job/a', false],
    ['*/a', 'job/a', true],
    ['j*b/*a', 'job/a', true],
    ['a*a', 'a', false],
    ['job', 'job/a', false],
  ])('%s and %s: %s', (pattern, name, result) => {
    expect(matchesPattern(pattern, name)).toBe(result);
  });
  it('select', () => {
    const names = ['job/a', 'job/b', 'pod/a'];
    expect(
      [undefined, ['job/*'], ['!job/a'], ['job/*', '!job/a'], ['pod/a', 'job/b'], []].map((patterns) => selectInvariants(patterns, names)),
    ).toEqual([names, ['job/a', 'job/b'], ['job/b', 'pod/a'], ['job/b'], ['job/b', 'pod/a'], []]);
  });
});

describe('the JSON Schema', () => {
  const schema = scenarioJsonSchema(vocabulary);

  it('has a description everywhere a key can stand, and no broken reference', () => {
    const definitions = Object.keys(schema['$defs'] as object);
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { $ref, properties } = node as {
        readonly $ref?: string;
        readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
      };
      if ($ref !== undefined) expect(definitions).toContain($ref.replace('#/$defs/', ''));
      if (!path.includes('$defs'))
        for (const [name, member] of Object.entries(properties ?? {})) expect(member.description, `${path}.${name}`).toMatch(/\S/);
      for (const [key, value] of Object.entries(node)) visit(value, `${path}.${key}`);
    };
    visit(schema, '');
  });

  it('offers the names of the registries', () => {
    const text = JSON.stringify(schema);
    for (const name of ['restartAfter', 'JobReadyPods', 'StatefulSet', 'job/finished-is-final']) expect(text).toContain(name);
  });
});
