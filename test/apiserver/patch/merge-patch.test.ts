import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, type Schema } from '../../../src/schema/shape/index.ts';
import { abyss, applyMergePatch, deepFreeze, json } from './support.ts';

describe('the examples of RFC 7386', () => {
  it.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j patched with %j', (doc, patch, expected) => expect(applyMergePatch(deepFreeze(doc), deepFreeze(patch))).toEqual({ ok: expected }));
});

describe('beyond the RFC', () => {
  it('drops nulls from objects in replacing lists, and keeps null items', () => {
    expect(applyMergePatch({ a: 1 }, { a: [{ b: null, c: 1 }, null], d: [{ e: null }] })).toEqual({ ok: { a: [{ c: 1 }, null], d: [{}] } });
  });

  it.each([null, 5, 'x', true])('refuses %j', (patch) =>
    expect(applyMergePatch({ a: 1 }, patch).error).toMatchObject({ code: 400, reason: 'BadRequest', message: 'Invalid JSON Patch' }),
  );

  it.each([{}, { b: 1 }, { a: { c: [2] } }, { gone: null }, { a: { gone: null } }])(
    'returns the same document where %j changes nothing',
    (patch) => {
      const doc = deepFreeze({ b: 1, a: { c: [2], d: 3 } });
      expect(applyMergePatch(doc, patch).ok).toBe(doc);
    },
  );

  it('writes changed levels in key order', () => {
    expect(JSON.stringify(applyMergePatch({ z: 1, b: { y: 1, a: 1 }, a: { z: 1, y: 1 } }, { b: { c: 1 } }).ok)).toBe(
      '{"a":{"z":1,"y":1},"b":{"a":1,"c":1,"y":1},"z":1}',
    );
  });

  it('treats keys such as __proto__ as ordinary keys', () => {
    const { ok } = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":{"a":1}}'));
    expect(JSON.stringify(ok)).toBe('{"__proto__":{"polluted":1},"constructor":{"a":1}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('refuses endless nesting', () => expect(applyMergePatch({}, abyss()).error?.code).toBe(400));
});

describe('with the schema of the document', () => {
  const item: Schema = { type: 'object', go: 'Item', fields: { b: { type: 'any' }, a: { type: 'any' } } };
  const schema: Schema = { type: 'object', go: 'Top', fields: { ...item.fields, sub: item, list: { type: 'list', items: item } } };

  it.each<[string, object, object, string]>([
    ['keeps the order of a level that is declared whole', { b: 1 }, { a: 1, sub: { b: 1, a: 1 } }, '{"b":1,"a":1,"sub":{"b":1,"a":1}}'],
    ['sorts a level with an undeclared member', { b: 1 }, { zz: 1, a: 1 }, '{"a":1,"b":1,"zz":1}'],
    [
      'leaves nulls of declared members to decoding',
      {},
      { sub: { a: null }, list: [{ a: null }, null] },
      '{"sub":{"a":null},"list":[{"a":null},null]}',
    ],
    [
      'drops nulls of undeclared parts',
      {},
      { sub: { zz: 1, a: null }, list: [{ zz: null, b: 1 }, { a: 1 }] },
      '{"sub":{"zz":1},"list":[{"b":1},{"a":1}]}',
    ],
    [
      'drops nulls inside open members',
      {},
      { sub: { b: [{ x: null }], a: 1 }, b: { z: null, y: 1 } },
      '{"sub":{"b":[{}],"a":1},"b":{"y":1}}',
    ],
    ['drops nulls where a scalar becomes a map', { b: 1, sub: 1 }, { b: { x: null }, sub: { a: { x: null } } }, '{"b":{},"sub":{"a":{}}}'],
    ['keeps nulls where a map becomes a list', { sub: {} }, { sub: [{ a: null }] }, '{"sub":[{"a":null}]}'],
  ])('%s', (_, doc, patch, expected) => {
    for (const time of ['once', 'again, from memory'])
      expect(JSON.stringify(applyMergePatch(deepFreeze(doc), deepFreeze(patch), schema).ok), time).toBe(expected);
  });

  it('takes over the parts of the patch where all of them are declared', () => {
    const patch = deepFreeze({ list: [{ a: 1 }, { b: 2 }], sub: { a: 'x' } });
    const { list, sub } = applyMergePatch({}, patch, schema).ok as typeof patch;
    expect([list, sub]).toEqual([patch.list, patch.sub]);
    expect(list).toBe(patch.list);
    expect(sub).toBe(patch.sub);
  });

  it('refuses endless nesting in open members, in undeclared ones, and in place of maps', () => {
    for (const patch of [{ b: abyss() }, { zz: abyss() }, { list: [{ zz: abyss() }] }, { sub: [abyss()] }])
      expect(applyMergePatch({ sub: {} }, patch, schema).error?.code).toBe(400);
  });

  it('gives what decoding gives without it', () => {
    const body = fc.dictionary(fc.constantFrom('a', 'b', 'zz'), json);
    const document = fc.record({ sub: body, list: fc.array(body, { maxLength: 3 }), a: json, zz: json }, { requiredKeys: [] });
    fc.assert(
      fc.property(document, document, (doc, patch) => {
        deepFreeze([doc, patch]);
        const of = (result: unknown): string => JSON.stringify(decode(schema, result));
        expect(of(applyMergePatch(doc, patch, schema).ok)).toBe(of(applyMergePatch(doc, patch).ok));
      }),
    );
  });
});

describe('properties', () => {
  const map = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), json);

  it('does nothing the second time', () => {
    fc.assert(
      fc.property(map, map, (doc, patch) => {
        // A list that replaces a map keeps the nulls in its objects until the next patch.
        fc.pre(!/\[.*null/.test(JSON.stringify(patch)));
        const { ok } = applyMergePatch(deepFreeze(doc), deepFreeze(patch));
        const again = applyMergePatch(ok, patch).ok;
        expect(again).toEqual(ok);
        if (!JSON.stringify(patch).includes('null')) expect(again).toBe(ok);
      }),
    );
  });

  it('shares the parts that the patch does not name', () => {
    fc.assert(
      fc.property(map, map, (doc, patch) => {
        const { ok } = applyMergePatch(doc, patch);
        for (const key of Object.keys(doc)) if (!Object.hasOwn(patch, key)) expect((ok as Record<string, unknown>)[key]).toBe(doc[key]);
      }),
    );
  });
});
