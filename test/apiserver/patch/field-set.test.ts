import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  intersection,
  NO_FIELDS,
  pathsOf,
  recursiveDifference,
  setOfPath,
  union,
  withNamedParents,
} from '../../../src/apiserver/patch/field-set.ts';
import type { FieldSet } from '../../../src/apiserver/patch/field-set.ts';
import { fromFieldsV1, toFieldsV1 } from '../../../src/apiserver/patch/managers.ts';
import { parsePathElement, showPath, sortedPathElements } from '../../../src/apiserver/patch/path-element.ts';
import { fieldsOf, reconcileFields } from '../../../src/apiserver/patch/typed-fields.ts';
import type { Schema } from '../../../src/schema/shape/index.ts';
import { schemaOfKind } from './facts.ts';
import { abyss } from './support.ts';

const pod = schemaOfKind('Pod');
const of = (json: object): FieldSet => {
  const set = fromFieldsV1(json);
  if (set === undefined) throw new Error('no field set');
  return set;
};

describe('FieldsV1', () => {
  it('writes elements in order: names, keys, values, indexes; the field itself first', () => {
    const shuffled = {
      'i:10': {},
      'v:"b"': {},
      'v:2': {},
      'v:10': {},
      'v:true': {},
      'v:null': {},
      'k:{"name":"b"}': { 'f:x': {}, '.': {} },
      'k:{"name":"a"}': {},
      'f:é': {},
      'f:b': {},
      'f:B': {},
      'f:😀': {},
      'f:\uffff': {},
      'i:9': {},
    };
    expect(JSON.stringify(toFieldsV1(of(shuffled)))).toBe(
      '{"f:B":{},"f:b":{},"f:é":{},"f:\uffff":{},"f:😀":{},"k:{\\"name\\":\\"a\\"}":{},"k:{\\"name\\":\\"b\\"}":{".":{},"f:x":{}},"v:2":{},"v:10":{},"v:\\"b\\"":{},"v:true":{},"v:null":{},"i:9":{},"i:10":{}}',
    );
  });

  it('reads keys in any order as the same', () => expect(toFieldsV1(of({ 'k:{"b":1,"a":"x"}': {} }))).toEqual({ 'k:{"a":"x","b":1}': {} }));
  it('reads the same element twice as both', () => {
    const twice = (a: object, b: object) => toFieldsV1(of({ 'k:{"a":1,"b":2}': a, 'k:{"b":2,"a":1}': b }));
    const key = 'k:{"a":1,"b":2}';
    expect(twice({ '.': {}, 'f:x': {} }, { 'f:y': {} })).toEqual({ [key]: { '.': {}, 'f:x': {}, 'f:y': {} } });
    expect(twice({ 'f:x': {} }, {})).toEqual({ [key]: { '.': {}, 'f:x': {} } });
    expect(twice({ 'f:x': {} }, { 'f:y': {} })).toEqual({ [key]: { 'f:x': {}, 'f:y': {} } });
  });
  it('ignores unknown element types', () => expect(of({ 'z:x': { 'f:a': {} }, 'f:a': {} })).toEqual(of({ 'f:a': {} })));
  it.each([[{ f: {} }], [{ fa: {} }], [{ 'k:x': {} }], [{ 'k:[]': {} }], [{ 'v:': {} }], [{ 'i:x': {} }], [{ 'f:a': 5 }], [[]], ['x']])(
    'refuses %j',
    (json) => expect(fromFieldsV1(json)).toBeUndefined(),
  );
  it('refuses endless nesting', () => {
    let json: object = {};
    for (let i = 0; i < 20_000; i++) json = { 'f:a': json };
    expect(fromFieldsV1(json)).toBeUndefined();
    expect(fromFieldsV1(abyss())).toBeUndefined();
  });

  it('caches both directions', () => {
    const json = Object.freeze({ 'f:a': { 'f:b': {} } });
    expect(fromFieldsV1(json)).toBe(fromFieldsV1(json));
    const set = setOfPath(['f:a']);
    expect(fromFieldsV1(toFieldsV1(set))).toBe(set);
  });

  it('shows paths', () =>
    expect(showPath(['f:spec', 'k:{"containerPort":80,"protocol":"TCP"}', 'v:"x"', 'i:3'])).toBe(
      '.spec[containerPort=80,protocol="TCP"][="x"][3]',
    ));
  it('shows keys that are null', () => expect(showPath(['k:{"name":null}'])).toBe('[name=null]'));
  it('shows composite values as Go prints them', () =>
    expect(showPath(['k:{"b":{"z":null,"y":true},"a":[1,"x"]}', 'v:1e300', 'v:{}', 'k:[]'])).toBe(
      '[a=[1,"x"],b={y=true;z=null}][=1e+300][={}][=[]]',
    ));

  it('compares composite values', () => {
    for (const inOrder of [
      ['k:{"a":[1,2]}', 'k:{"a":[1,3]}'],
      ['k:{"a":1}', 'k:{"a":1,"b":1}'],
      ['k:{"a":2}', 'k:{"b":1}', 'k:{"b":1,"c":0}'],
      ['v:false', 'v:true'],
      ['v:[]', 'v:[1]', 'v:[1,0]', 'v:[2]'],
      ['v:{}', 'v:{"a":1}', 'v:{"a":1,"b":0}', 'v:{"a":2}', 'v:{"b":0}'],
      ['v:9', 'v:"1"', 'v:true', 'v:[1]', 'v:{"a":1}', 'v:null'],
      ['f:a', 'f:b', 'k:{"a":1}', 'v:1', 'i:0'],
    ])
      expect(sortedPathElements(inOrder.toReversed())).toEqual(inOrder);
  });

  it.each<[string, string | undefined]>([
    ['f:', 'f:'],
    ['i:+3', 'i:3'],
    ['i:-12', 'i:-12'],
    ['i:1x', undefined],
    ['i:x1', undefined],
    ['v:1.0', 'v:1'],
    ['v:[1, null]', 'v:[1,null]'],
    ['v:x', undefined],
    ['k:{"b":1,"a":{"z":1}}', 'k:{"a":{"z":1},"b":1}'],
    ['k:{}', 'k:{}'],
    ['k:"a"', undefined],
    ['q:x', ''],
    ['', undefined],
    ['ff:', undefined],
    ['ii:1', undefined],
    ['i: i:1', undefined],
  ])('reads the element %j as %j', (text, element) => expect(parsePathElement(text)).toBe(element));
});

describe('algebra', () => {
  const element = fc.constantFrom('f:a', 'f:b', 'f:constructor', 'k:{"name":"x"}', 'v:1');
  const set = fc
    .array(fc.array(element, { minLength: 1, maxLength: 4 }), { maxLength: 8 })
    .map((paths) => paths.map(setOfPath).reduce(union, NO_FIELDS));
  const texts = (fields: FieldSet): string[] =>
    pathsOf(fields)
      .map((path) => path.join(' '))
      .sort((a, b) => (a < b ? -1 : 1));

  it('matches sets of paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const [left, right] = [new Set(texts(a)), new Set(texts(b))];
        expect(texts(union(a, b))).toEqual([...new Set([...left, ...right])].sort((x, y) => (x < y ? -1 : 1)));
        expect(texts(intersection(a, b))).toEqual(texts(a).filter((path) => right.has(path)));
        expect(texts(difference(a, b))).toEqual(texts(a).filter((path) => !right.has(path)));
        const below = (path: string): boolean => [...right].some((other) => path === other || path.startsWith(`${other} `));
        expect(texts(recursiveDifference(a, b))).toEqual(texts(a).filter((path) => !below(path)));
      }),
    );
  });

  it('round-trips through FieldsV1', () => {
    const written = (a: FieldSet): string => JSON.stringify(toFieldsV1(a));
    fc.assert(fc.property(set, (a) => written(of(JSON.parse(written(a)) as object)) === written(a)));
  });

  it('keeps the reference when nothing changes', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        expect(union(a, intersection(a, b))).toBe(a);
        const rest = difference(a, b);
        expect(difference(rest, b)).toBe(rest);
        expect(recursiveDifference(a, NO_FIELDS)).toBe(a);
      }),
    );
  });
});

describe('fields of values', () => {
  it('are leaves, items and members of maps; an atomic value is one field', () => {
    const value = {
      metadata: { labels: { a: '1' }, finalizers: ['x/y'], ownerReferences: [{ uid: 'u', name: 'n', kind: 'K', apiVersion: 'v1' }] },
      spec: {
        nodeSelector: { a: 'b' },
        containers: [{ name: 'c', ports: [{ containerPort: 1 }], args: ['x'], resources: {} }],
        volumes: [],
      },
    };
    expect(toFieldsV1(fieldsOf(pod, value))).toEqual({
      'f:metadata': { 'f:labels': { 'f:a': {} }, 'f:finalizers': { 'v:"x/y"': {} }, 'f:ownerReferences': { 'k:{"uid":"u"}': {} } },
      'f:spec': {
        'f:nodeSelector': {},
        'f:containers': {
          'k:{"name":"c"}': {
            '.': {},
            'f:name': {},
            'f:ports': { 'k:{"containerPort":1,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
            'f:args': {},
            'f:resources': {},
          },
        },
      },
    });
  });

  it('include named parents where a struct declares them', () => {
    expect(
      toFieldsV1(
        withNamedParents(of({ 'f:spec': { 'f:affinity': { 'f:nodeAffinity': {} } }, 'f:metadata': { 'f:labels': { 'f:a': {} } } }), pod),
      ),
    ).toEqual({
      'f:metadata': { '.': {}, 'f:labels': { '.': {}, 'f:a': {} } },
      'f:spec': { '.': {}, 'f:affinity': { '.': {}, 'f:nodeAffinity': {} } },
    });
  });

  it('include declared parents below items, values of maps and open structs, and no members of open values', () => {
    const item: Schema = { type: 'object', go: 'Item', fields: { sub: { type: 'object', go: 'Sub', fields: { a: { type: 'string' } } } } };
    const top: Schema = {
      type: 'object',
      go: 'Top',
      open: true,
      fields: { items: { type: 'list', items: item }, byName: { type: 'map', values: item }, free: { type: 'any' } },
    };
    const sub = { 'f:sub': { 'f:a': {} } };
    const set = of({
      'f:items': { 'i:0': sub, 'f:zz': sub },
      'f:byName': { 'f:x': sub, 'i:0': sub },
      'f:free': { 'f:x': sub, 'i:0': sub },
      'f:unknown': sub,
    });
    const named = { 'f:sub': { '.': {}, 'f:a': {} } };
    expect(toFieldsV1(withNamedParents(set, top))).toEqual({
      'f:items': { '.': {}, 'i:0': named, 'f:zz': sub },
      'f:byName': { '.': {}, 'f:x': named, 'i:0': sub },
      'f:free': { '.': {}, 'f:x': sub, 'i:0': sub },
      'f:unknown': sub,
    });
    expect(withNamedParents(set, undefined)).toBe(set);
  });

  it('collapse below an atomic value', () => {
    const set = of({ 'f:spec': { 'f:nodeSelector': { 'f:a': {} }, 'f:tolerations': { 'i:0': {} }, 'f:nodeName': {} } });
    expect(toFieldsV1(reconcileFields(pod, set))).toEqual({ 'f:spec': { 'f:nodeName': {}, 'f:nodeSelector': {}, 'f:tolerations': {} } });
    const fine = of({ 'f:spec': { 'f:nodeSelector': {} } });
    expect(reconcileFields(pod, fine)).toBe(fine);
  });
});
