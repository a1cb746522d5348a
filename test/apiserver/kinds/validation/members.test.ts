/** What is valid of structs by the facets of their members, and members that do not change. */
import { describe, expect, it } from 'vitest';
import { excessErrors, facetErrors, fixedErrors, memberErrors } from '../../../../src/apiserver/machinery/index.ts';
import { bool, int32, map, obj, ptr, str, time } from '../../../../src/schema/shape/build.ts';
import type { Facets, Schema } from '../../../../src/schema/shape/index.ts';
import { line } from './causes.ts';

const withFacets = <S extends Schema>(schema: S, facets: Facets): S => ({ ...schema, ...facets });
const errors = (schema: Schema, value: unknown, ...members: readonly string[]): readonly string[] =>
  facetErrors(schema, value, 'at', ...members).map(line);

describe('a struct', () => {
  const short = withFacets(str(), { longest: 1 });
  const inner = obj('I', { x: short, y: short });
  const outer = obj(
    'O',
    {
      b: short,
      a: withFacets(short, { spelt: 'alpha' }),
      i: inner,
      plain: bool,
      hidden: withFacets(obj('H', { z: short }), { spelt: '' }),
      m: map(str()),
    },
    { order: ['a', 'b', 'i', 'hidden', 'plain'] },
  );
  const bad = { a: 'aa', b: 'bb', i: { x: 'xx', y: 'yy' }, hidden: { z: 'zz' } };

  it('is judged by its members, in its order', () => {
    expect([
      errors(outer, bad),
      errors(obj('P', { p: short, q: short }), { q: 'qq', p: 'pp' }),
      errors(outer, {}),
      errors(outer, 'text'),
    ]).toEqual([
      [
        'at.alpha Invalid "" can have at most 1 characters',
        'at.b Invalid "" can have at most 1 characters',
        'at.i.x Invalid "" can have at most 1 characters',
        'at.i.y Invalid "" can have at most 1 characters',
        'at.z Invalid "" can have at most 1 characters',
      ],
      ['at.p Invalid "" can have at most 1 characters', 'at.q Invalid "" can have at most 1 characters'],
      [],
      [],
    ]);
    expect([errors(outer, bad, 'b', 'a', 'i'), errors(outer, bad, 'plain'), errors(str(), bad, 'b')]).toEqual([
      [
        'at.b Invalid "" can have at most 1 characters',
        'at.alpha Invalid "" can have at most 1 characters',
        'at.i.x Invalid "" can have at most 1 characters',
        'at.i.y Invalid "" can have at most 1 characters',
      ],
      [],
      [],
    ]);
    expect(facetErrors(outer, bad, '').map(line)).toEqual([
      'alpha Invalid "" can have at most 1 characters',
      'b Invalid "" can have at most 1 characters',
      'i.x Invalid "" can have at most 1 characters',
      'i.y Invalid "" can have at most 1 characters',
      'z Invalid "" can have at most 1 characters',
    ]);
  });

  it('is judged by one member, without some of its own', () => {
    const of = (path: string, except?: readonly string[]) => memberErrors(outer, path, except)(bad).map(line);
    expect([of('b'), of('i'), of('i.x'), of('i', ['x']), of('i', ['x', 'y'])]).toEqual([
      ['b Invalid "" can have at most 1 characters'],
      ['i.x Invalid "" can have at most 1 characters', 'i.y Invalid "" can have at most 1 characters'],
      ['i.x Invalid "" can have at most 1 characters'],
      ['i.y Invalid "" can have at most 1 characters'],
      [],
    ]);
    expect(memberErrors(outer, 'i.x')({}).map(line)).toEqual([]);
    expect(() => memberErrors(outer, 'i.w')).toThrow('O has no member i.w');
    expect(() => memberErrors(outer, 'a.b')).toThrow('O has no member a.b');
    expect(() => memberErrors(outer, 'plain')).toThrow('O: nothing is said of what is valid of plain');
  });
});

describe('a fixed member', () => {
  const fixed = <S extends Schema>(schema: S, how: Facets['fixed'] = true): S => withFacets(schema, { fixed: how });
  const shape = obj('O', {
    text: fixed(str()),
    number: fixed(int32),
    pointer: fixed(ptr(int32)),
    labels: fixed(map(str())),
    instant: fixed(time),
    selector: fixed(obj('LabelSelector', { matchLabels: map(str()) })),
    struct: fixed(obj('S', { a: str() })),
    shown: fixed(obj('S', { a: str() }), { go: 'apps' }),
    named: fixed(str(), { as: 'spec.other' }),
    said: fixed(str(), { words: 'stays as it is' }),
    inside: obj('I', { deep: fixed(str()), free: str() }),
    free: obj('F', { x: str() }),
  });
  const before = {
    text: 'a',
    number: 1,
    pointer: 1,
    labels: { a: 'b' },
    instant: '2024-01-01T00:00:00Z',
    selector: { matchLabels: { a: 'b' } },
    struct: { a: 'b' },
    shown: { a: 'b' },
    named: 'a',
    said: 'a',
    inside: { deep: 'a', free: 'b' },
    free: { x: 'y' },
  };
  const changes = (now: object, old: object = before) =>
    fixedErrors(shape, now, old, 'spec').map(
      ({ type, field, value, detail }) => `${field} ${type} ${typeof value === 'object' ? JSON.stringify(value) : String(value)} ${detail}`,
    );

  it('does not change', () => {
    expect(changes(structuredClone({ ...before, inside: { deep: 'a', free: 'c' }, free: {} }))).toEqual([]);
    expect(
      changes({
        text: 'b',
        number: 2,
        pointer: 2,
        labels: {},
        instant: '2025-01-01T00:00:00Z',
        selector: {},
        struct: {},
        shown: {},
        named: 'b',
        said: 'b',
        inside: { deep: 'b' },
      }),
    ).toEqual([
      'spec.text Invalid b field is immutable',
      'spec.number Invalid 2 field is immutable',
      'spec.pointer Invalid 2 field is immutable',
      'spec.labels Invalid {} field is immutable',
      'spec.instant Invalid {"text":"2025-01-01 00:00:00 +0000 UTC"} field is immutable',
      'spec.selector Invalid {"text":"v1.LabelSelector{MatchLabels:map[string]string(nil)}"} field is immutable',
      'spec.struct Invalid {} field is immutable',
      'spec.shown Invalid {"text":"apps.S{A:\\"\\"}"} field is immutable',
      'spec.other Invalid b field is immutable',
      'spec.said Forbidden undefined stays as it is',
      'spec.inside.deep Invalid b field is immutable',
    ]);
    expect(changes({})).toEqual([
      'spec.text Invalid  field is immutable',
      'spec.number Invalid 0 field is immutable',
      'spec.pointer Invalid undefined field is immutable',
      'spec.labels Invalid undefined field is immutable',
      'spec.instant Invalid undefined field is immutable',
      'spec.selector Invalid undefined field is immutable',
      'spec.struct Invalid undefined field is immutable',
      'spec.shown Invalid undefined field is immutable',
      'spec.other Invalid  field is immutable',
      'spec.said Forbidden undefined stays as it is',
      'spec.inside.deep Invalid  field is immutable',
    ]);
    expect([changes({ labels: {} }, {}), changes({}, { labels: {} }), changes({ number: 0 }, {})]).toEqual([
      [],
      [],
      ['spec.number Invalid 0 field is immutable'],
    ]);
  });
});

it('a share is at most all', () => {
  expect(['100%', '101%', 500, 'x', '1000%'].map((value) => excessErrors(value, 'at').map(line))).toEqual([
    [],
    ['at Invalid {"text":"intstr.IntOrString{Type:1, IntVal:0, StrVal:\\"101%\\"}"} must not be greater than 100%'],
    [],
    [],
    ['at Invalid {"text":"intstr.IntOrString{Type:1, IntVal:0, StrVal:\\"1000%\\"}"} must not be greater than 100%'],
  ]);
});
