import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, deepFreeze, json } from './support.ts';

const { applyPatch, compare } = fastJsonPatch;
const doc = deepFreeze({ kind: 'X', spec: { list: ['a', 'b'], map: { k: { deep: 1 } }, none: null } });

describe('operations', () => {
  it.each<[string, unknown, unknown]>([
    ['add a member', [{ op: 'add', path: '/spec/new', value: 1 }], { ...doc, spec: { ...doc.spec, new: 1 } }],
    ['add without a value adds null', [{ op: 'add', path: '/new' }], { ...doc, new: null }],
    ['add before an item', [{ op: 'add', path: '/spec/list/1', value: 'x' }], { ...doc, spec: { ...doc.spec, list: ['a', 'x', 'b'] } }],
    ['add at the end', [{ op: 'add', path: '/spec/list/-', value: 'x' }], { ...doc, spec: { ...doc.spec, list: ['a', 'b', 'x'] } }],
    [
      'add counting from the end',
      [{ op: 'add', path: '/spec/list/-1', value: 'x' }],
      { ...doc, spec: { ...doc.spec, list: ['a', 'b', 'x'] } },
    ],
    ['remove counting from the end', [{ op: 'remove', path: '/spec/list/-2' }], { ...doc, spec: { ...doc.spec, list: ['b'] } }],
    ['replace of a missing member sets it', [{ op: 'replace', path: '/spec/zz', value: 1 }], { ...doc, spec: { ...doc.spec, zz: 1 } }],
    ['replace of the document', [{ op: 'replace', path: '', value: { a: 1 } }], { a: 1 }],
    ['replace of the document by a scalar is ignored', [{ op: 'replace', path: '', value: 5 }], doc],
    ['copy of a missing member sets null', [{ op: 'copy', from: '/spec/zz', path: '/y' }], { ...doc, y: null }],
    ['move', [{ op: 'move', from: '/spec/list/0', path: '/first' }], { ...doc, first: 'a', spec: { ...doc.spec, list: ['b'] } }],
    ['test of a missing member against null', [{ op: 'test', path: '/spec/zz', value: null }], doc],
    ['test of the document', [{ op: 'test', path: '', value: doc }], doc],
    ['escapes', [{ op: 'add', path: '/a~1b~0c~01', value: 1 }], { ...doc, 'a/b~c~1': 1 }],
    ['text before the first slash is ignored', [{ op: 'add', path: 'x/new', value: 1 }], { ...doc, new: 1 }],
    ['no operations', [], doc],
    ['null', null, doc],
  ])('%s', (_, ops, expected) => expect(applyJsonPatch(doc, ops)).toEqual({ ok: expected }));

  it.each<[string, unknown]>([
    ['test that fails', [{ op: 'test', path: '/kind', value: 'Y' }]],
    ['test without a value', [{ op: 'test', path: '/zz' }]],
    ['remove of a missing member', [{ op: 'remove', path: '/zz' }]],
    ['a path through a missing member', [{ op: 'add', path: '/zz/y', value: 1 }]],
    ['a path through a scalar', [{ op: 'add', path: '/kind/y', value: 1 }]],
    ['a path through null', [{ op: 'add', path: '/spec/none/y', value: 1 }]],
    ['an index past the end', [{ op: 'add', path: '/spec/list/3', value: 1 }]],
    ['an index that is not a number', [{ op: 'add', path: '/spec/list/x', value: 1 }]],
    ['an index too far from the end', [{ op: 'remove', path: '/spec/list/-3' }]],
    ['an unknown operation', [{ op: 'merge', path: '/spec', value: {} }]],
    ['no operation', [{ path: '/spec' }]],
    ['no path', [{ op: 'add', value: 1 }]],
    ['a path without a slash', [{ op: 'add', path: 'spec', value: 1 }]],
    ['an operation that is null', [null]],
    ['the prototype', [{ op: 'add', path: '/__proto__/polluted', value: 1 }]],
    ['a function of the prototype', [{ op: 'add', path: '/constructor/polluted', value: 1 }]],
  ])('refuses %s', (_, ops) =>
    expect(applyJsonPatch(doc, ops).error).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
      details: {},
    }),
  );

  it.each([
    [{}, 'object', 'Patch'],
    ['x', 'string', 'Patch'],
    [true, 'bool', 'Patch'],
    [[1], 'number', 'Operation'],
    [[[]], 'array', 'Operation'],
  ])('%j is no patch', (ops, kind, type) =>
    expect(applyJsonPatch(doc, ops).error).toEqual({
      code: 400,
      reason: 'BadRequest',
      message: `json: cannot unmarshal ${kind} into Go value of type jsonpatch.${type}`,
    }),
  );

  it('names the limit of operations', () => {
    const ops = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/kind', value: 'X' }));
    expect(applyJsonPatch(doc, ops).error).toEqual({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    });
  });

  it('limits doubling copies', () => {
    const ops = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(applyJsonPatch({ a: ['x'] }, ops).error?.code).toBe(422);
  });

  it('limits copies into themselves', () => {
    const deep = `/a${'/a'.repeat(200)}`;
    const ops = [
      { op: 'add', path: '/a', value: JSON.parse('{"a":'.repeat(200) + '1' + '}'.repeat(200)) as unknown },
      ...Array.from({ length: 20 }, () => ({ op: 'copy', from: '/a', path: deep })),
    ];
    expect(applyJsonPatch({}, ops).error?.code).toBe(422);
  });

  it('sets keys such as __proto__ as plain members', () => {
    const { ok } = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]);
    expect(Object.hasOwn(ok as object, '__proto__')).toBe(true);
    expect((ok as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('properties', () => {
  // The other implementation refuses this key.
  const documents = fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    json,
    { noNullPrototype: true },
  );

  it('agrees with another implementation on the differences of two documents', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const ops = compare(structuredClone(before), structuredClone(after));
        const expected = applyPatch(structuredClone(before), structuredClone(ops)).newDocument;
        expect(applyJsonPatch(deepFreeze(before), ops)).toEqual({ ok: expected });
      }),
    );
  });

  it('agrees with it on random operations that both accept', () => {
    const path = fc.array(fc.constantFrom('a', 'b', '0', '1', '-'), { minLength: 1, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
    const op = fc.oneof(
      fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path, value: json }),
      fc.record({ op: fc.constant('remove'), path }),
      fc.record({ op: fc.constantFrom('move', 'copy'), from: path, path }),
    );
    const small = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b'), small), fc.array(op, { maxLength: 4 }), (before, ops) => {
        let expected: unknown;
        try {
          expected = applyPatch(structuredClone(before), structuredClone(ops) as never, true).newDocument;
        } catch {
          return;
        }
        const result = applyJsonPatch(deepFreeze(before), ops);
        // The other implementation does not validate the destination of moves and copies.
        if (String(result.error?.why).includes('invalid index') && ops.some(({ op: kind }) => kind === 'move' || kind === 'copy')) return;
        expect(result).toEqual({ ok: expected });
      }),
      { numRuns: 500 },
    );
  });

  it('returns the same document when nothing changes', () => {
    fc.assert(
      fc.property(documents, (before) => {
        const ops = Object.entries(before).map(([key, value]) => ({
          op: 'replace',
          path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          value: structuredClone(value),
        }));
        expect(applyJsonPatch(before, ops).ok).toBe(before);
      }),
    );
  });
});

describe('copies of one patch', () => {
  const MIB = 2 ** 20;
  const copying = (times: number) =>
    applyJsonPatch(
      { a: 'x'.repeat(MIB - 2) },
      Array.from({ length: times }, (_, at) => ({ op: 'copy', from: '/a', path: `/b${at}` })),
    );

  it('may add three mebibytes in total', () => {
    expect(Object.keys(copying(3).ok as object)).toHaveLength(4);
    expect(copying(4).error).toMatchObject({
      code: 422,
      why: expect.stringContaining(`of copy is ${4 * MIB}, exceeding the limit ${3 * MIB}`),
    });
  });
});
