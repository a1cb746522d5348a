/** The differences between two values, and the value at the path of one. */
import { describe, expect, it } from 'vitest';
import { diffValues, valueAt } from '../../../src/lab/trace/index.ts';

const changes = (before: unknown, after: unknown, path?: string): readonly (readonly [string, unknown, unknown])[] =>
  diffValues(before, after, path).map(({ path: at, before: was, after: is }) => [at, was, is]);

describe('differences', () => {
  it.each<[string, unknown, unknown, readonly unknown[]]>([
    ['the same', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
    ['a value itself', 1, 2, [['', 1, 2]]],
    ['a mapping and a list', { a: {} }, { a: [] }, [['a', {}, []]]],
    ['null and a mapping', { a: null }, { a: { b: 1 } }, [['a', null, { b: 1 }]]],
    [
      'members in the order of the newer value, then those that are gone',
      { x: 1, b: 1 },
      { c: 1, b: 2 },
      [
        ['c', undefined, 1],
        ['b', 1, 2],
        ['x', 1, undefined],
      ],
    ],
    ['a member that is undefined on both sides', { a: undefined }, {}, []],
    [
      'revision and managers',
      { metadata: { resourceVersion: '1', managedFields: [1], name: 'a' } },
      { metadata: { resourceVersion: '2', name: 'b' } },
      [['metadata.name', 'a', 'b']],
    ],
    [
      'a revision elsewhere',
      { resourceVersion: '1', spec: { managedFields: 1 } },
      { resourceVersion: '2', spec: { managedFields: 2 } },
      [
        ['resourceVersion', '1', '2'],
        ['spec.managedFields', 1, 2],
      ],
    ],
    ['numbers of a list', { l: [1, 2] }, { l: [2, 1] }, [['l', [1, 2], [2, 1]]]],
    ['items by name', { l: [{ name: 'a', v: 1 }, { name: 'b' }] }, { l: [{ name: 'b' }, { name: 'a', v: 2 }] }, [['l[a].v', 1, 2]]],
    [
      'items by type, uid or key',
      [
        { type: 't', v: 1 },
        { uid: 'u', v: 1 },
        { key: 'k', v: 1 },
      ],
      [
        { type: 't', v: 2 },
        { uid: 'u', v: 2 },
        { key: 'k', v: 2 },
      ],
      [
        ['[t].v', 1, 2],
        ['[u].v', 1, 2],
        ['[k].v', 1, 2],
      ],
    ],
    ['the name before the type', [{ type: 't', name: 'n', v: 1 }], [{ type: 'u', name: 'n', v: 1 }], [['[n].type', 't', 'u']]],
    [
      'an item that goes and one that comes',
      [{ name: 'a' }],
      [{ name: 'b' }],
      [
        ['[b]', undefined, { name: 'b' }],
        ['[a]', { name: 'a' }, undefined],
      ],
    ],
    [
      'items of one name',
      [
        { name: 'a', v: 1 },
        { name: 'a', v: 2 },
      ],
      [{ name: 'a', v: 1 }],
      [
        [
          '',
          [
            { name: 'a', v: 1 },
            { name: 'a', v: 2 },
          ],
          [{ name: 'a', v: 1 }],
        ],
      ],
    ],
    ['items without a key', [{ v: 1 }], [{ v: 2 }], [['', [{ v: 1 }], [{ v: 2 }]]]],
    ['items whose name is no text', [{ name: 1 }], [{ name: 2 }], [['', [{ name: 1 }], [{ name: 2 }]]]],
    [
      'a new list of named items',
      {},
      { l: [{ name: 'a' }, { name: 'b' }] },
      [
        ['l[a]', undefined, { name: 'a' }],
        ['l[b]', undefined, { name: 'b' }],
      ],
    ],
    ['a new list that is empty', {}, { l: [] }, [['l', undefined, []]]],
    ['a new list of numbers', {}, { l: [1] }, [['l', undefined, [1]]]],
    [
      'members after a list that is the same',
      { l: [1], n: { resourceVersion: '1' }, z: 1 },
      { l: [1], n: { resourceVersion: '1' }, z: 2 },
      [['z', 1, 2]],
    ],
    ['null that becomes a list', { l: null }, { l: [{ name: 'a' }] }, [['l', null, [{ name: 'a' }]]]],
    ['a list that goes', { l: [{ name: 'a' }] }, {}, [['l', [{ name: 'a' }], undefined]]],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('have paths below a given one', () => {
    expect(changes({ a: 1 }, { a: 2 }, 'spec')).toEqual([['spec.a', 1, 2]]);
    expect(changes({ resourceVersion: '1' }, { resourceVersion: '2' }, 'metadata')).toEqual([]);
  });
});

describe('the value at a path', () => {
  const value = {
    spec: { list: [{ name: 'a', v: 1 }, { key: 'b', v: 2 }, 'plain', { type: 'long.name/x', v: 5 }], 'a.b': { 'c.d/e': 3 }, z: { x: 4 } },
    none: null,
  };
  it.each<[string, unknown]>([
    ['spec.list[a].v', 1],
    ['spec.list[b].v', 2],
    ['spec.list[1].v', 2],
    ['spec.list[long.name/x].v', 5],
    ['spec.list[long.name/y].v', undefined],
    ['spec.list[2]', 'plain'],
    ['spec.list[4]', undefined],
    ['spec.list[c].v', undefined],
    ['spec.z[0]', undefined],
    ['spec.a.b.c.d/e', 3],
    ['spec.z.x', 4],
    ['spec.z.y', undefined],
    ['spec.list.v', undefined],
    ['none.x', undefined],
    ['none', null],
    ['spec.constructor', undefined],
  ])('%s', (path, found) => {
    expect(valueAt(value, path)).toEqual(found);
  });
});
