import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainMismatch, match, matches } from '../../../src/lab/scenario/index.ts';

const job = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'retry', namespace: 'default', finalizers: ['b', 'a'] },
  spec: {
    template: {
      spec: {
        containers: [
          { name: 'side', image: 's' },
          { name: 'main', image: 'm:1', ports: [{ containerPort: 80 }, { containerPort: 443, protocol: 'TCP' }] },
        ],
      },
    },
  },
  status: { failed: 1, conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
};
const taints = [
  { key: 'a', effect: 'NoSchedule' },
  { key: 'a', effect: 'NoExecute' },
];

describe('a partial object matches', () => {
  it.each<[string, unknown, unknown]>([
    ['members that are there', { kind: 'Job', status: { failed: 1 } }, job],
    ['list items by name', { spec: { template: { spec: { containers: [{ name: 'main', image: 'm:1' }] } } } }, job],
    ['list items by type', { status: { conditions: [{ type: 'Failed', status: 'True' }] } }, job],
    [
      'list items by port, in any order',
      { spec: { template: { spec: { containers: [{ name: 'main', ports: [{ containerPort: 443 }, { containerPort: 80 }] }] } } } },
      job,
    ],
    ['texts in lists', { metadata: { finalizers: ['a', 'b'] } }, job],
    ['zero and absent', { status: { active: 0, startTime: null, ready: false, reason: '' } }, job],
    ['an empty list and an absent one', { metadata: { ownerReferences: [] } }, job],
    ['zeros of an absent mapping', { status: { active: 0 } }, { kind: 'Job' }],
    ['items whose key occurs twice', taints.toReversed(), taints],
    ['whatever pairing serves all', [{ a: 1 }, { b: 2 }, {}], [{ a: 1, b: 2 }, {}, { a: 1 }]],
    ['items without a key by likeness', [{ a: { b: 1 } }], [{ a: 0 }, { a: { b: 1, c: 2 } }]],
    ['lists of lists', [[1], [2]], [[2], [1, 3]]],
    ['items that must move twice to make room', [{ a: 1 }, { b: 1 }, { a: 1, c: 1 }], [{ a: 1, b: 1, c: 1 }, { a: 1, b: 1 }, { b: 1 }]],
    [
      'items by a key that all of them have',
      [{ ip: 'b', key: 'x' }],
      [
        { ip: 'a', key: 'x', n: 1 },
        { ip: 'b', key: 'x' },
      ],
    ],
    ['an item that lacks the key of the others', [{ image: 'b' }], [{ name: 'a' }, { name: 'b', image: 'b' }]],
    ['null', null, null],
    ['null and what is absent', { a: null, b: { c: null, d: [] } }, {}],
    ['zeros and null', { a: 0, b: '', c: false, d: [] }, { a: null, b: null, c: null, d: null }],
    ['an empty list', [], []],
    ['nothing at all', {}, undefined],
  ])('%s', (_, expected, found) => {
    expect([match(expected, found), matches(expected, found)]).toEqual([[], true]);
  });
});

describe('differences', () => {
  it.each<[string, unknown, unknown, readonly [string, unknown, unknown][]]>([
    ['a scalar', { status: { failed: 2 } }, job, [['status.failed', 2, 1]]],
    ['something absent', { status: { succeeded: 1 } }, job, [['status.succeeded', 1, undefined]]],
    [
      'inside a list item',
      { status: { conditions: [{ type: 'Failed', status: 'False' }] } },
      job,
      [['status.conditions[type=Failed].status', 'False', 'True']],
    ],
    [
      'a list item that is not there',
      { status: { conditions: [{ type: 'Complete' }] } },
      job,
      [['status.conditions[type=Complete]', { type: 'Complete' }, undefined]],
    ],
    ['a text that is not in a list', { metadata: { finalizers: ['c'] } }, job, [['metadata.finalizers[0]', 'c', undefined]]],
    ['as many as were expected', ['a', 'a'], ['a', 'b'], [['[1]', 'a', 'b']]],
    ['an empty list', { metadata: { finalizers: [] } }, job, [['metadata.finalizers', [], ['b', 'a']]]],
    ['shapes', { status: [] }, job, [['status', [], job.status]]],
    ['number and text', { a: 1 }, { a: '1' }, [['a', 1, '1']]],
    ['the nearest of several items', [{ a: 1, b: 2, c: 3 }], [{ a: 9 }, { a: 1, b: 2, c: 4 }], [['[0].c', 3, 4]]],
    [
      'a keyed item among several with the key',
      [{ key: 'a', effect: 'PreferNoSchedule' }],
      taints,
      [['[key=a].effect', 'PreferNoSchedule', 'NoSchedule']],
    ],
    [
      'a key with a slash',
      { metadata: { labels: { 'x/y': 'z' } } },
      { metadata: { labels: {} } },
      [['metadata.labels["x/y"]', 'z', undefined]],
    ],
    ['members that every object inherits', { constructor: 'x' }, {}, [['constructor', 'x', undefined]]],
    ['a mapping and null', { a: {} }, { a: null }, [['a', {}, null]]],
    ['a mapping with more than zeros', { a: { b: 0, c: 1 } }, {}, [['a', { b: 0, c: 1 }, undefined]]],
    ['a list with items', { a: [0] }, {}, [['a', [0], undefined]]],
    ['a list with items in what is absent', { a: { b: [1] } }, {}, [['a', { b: [1] }, undefined]]],
    [
      'a zero and another value',
      { a: 0, b: '', c: false, d: null },
      { a: 1, b: 0, c: null, d: '' },
      [
        ['a', 0, 1],
        ['b', '', 0],
        ['d', null, ''],
      ],
    ],
    ['one of several numbers', [1, 5], [1, 2, 3], [['[1]', 5, undefined]]],
    ['one number of two', [1, 5], [1, 2], [['[1]', 5, 2]]],
    ['a mapping among numbers', [{ a: 1 }], [3], [['[0]', { a: 1 }, undefined]]],
    ['two items for which there is one', [{ a: 1 }, { a: 1 }], [{ a: 1 }], [['[1]', { a: 1 }, undefined]]],
    [
      'the item with the name, not one that differs less',
      [{ name: 'a', b: 1 }],
      [
        { name: 'b', b: 1 },
        { name: 'a', b: 2 },
      ],
      [['[name=a].b', 1, 2]],
    ],
    ['the first of equally near ones', [{ a: 1 }], [{ a: 2 }, { a: 3 }], [['[0].a', 1, 2]]],
    [
      'the port of a container',
      [{ containerPort: 80, protocol: 'UDP' }],
      [{ containerPort: 80, protocol: 'TCP' }],
      [['[containerPort=80].protocol', 'UDP', 'TCP']],
    ],
    ['a name where another item has none', [{ name: 'a', b: 1 }], [{ name: 'a', b: 2 }, { b: 3 }], [['[0].b', 1, 2]]],
  ])('%s', (_, expected, found, differences) => {
    expect(match(expected, found)).toEqual(differences.map(([path, wanted, there]) => ({ path, expected: wanted, found: there })));
    expect(matches(expected, found)).toBe(false);
  });
});

it('the nearest item is one of the first hundred', () => {
  const pathsWith = (others: number) =>
    match([{ a: 1, b: 2 }], [...Array.from({ length: others }, () => ({ c: 1 })), { a: 1, b: 3 }]).map(({ path }) => path);
  expect([pathsWith(99), pathsWith(100)]).toEqual([['[0].b'], ['[0].a', '[0].b']]);
});

describe('properties', () => {
  it('everything matches itself, and differs where matches says so', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(match(value, value)).toEqual([]);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (expected, found) => {
        expect(match(expected, found).length === 0).toBe(matches(expected, found));
      }),
    );
  });

  it('a part of a value, in another order, matches it', () => {
    const part = (value: unknown, keep: () => boolean): unknown => {
      if (Array.isArray(value)) return value.length === 0 ? [] : value.map((each) => part(each, keep)).toReversed();
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => (keep() ? [[key, part(each, keep)]] : [])));
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.infiniteStream(fc.boolean()), (value, draws) => {
        const expected = part(value, () => draws.next().value === true);
        expect([match(expected, value), matches(expected, value)]).toEqual([[], true]);
      }),
    );
  });

  it('long lists are not compared item by item', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}` }));
    const numbers = Array.from({ length: 20_000 }, (_, index) => index % 7);
    expect(matches(names.toReversed(), names)).toBe(true);
    expect(matches(numbers.toReversed(), numbers)).toBe(true);
  });
});

describe('why nothing matched', () => {
  const named = (name: string, failed: number) => ({ ...job, metadata: { name, namespace: 'default' }, status: { failed } });

  it('is about the object of the same name, not about one that differs less', () => {
    const { text, nearest } = explainMismatch({ kind: 'Job', metadata: { name: 'b' }, status: { failed: 2, active: 1 } }, [
      named('a', 2),
      named('b', 1),
    ]);
    expect(nearest).toMatchObject({ metadata: { name: 'b' } });
    expect(text).toBe(
      'no Job matches; nearest is Job default/b:\n  status.failed  expected 2  found 1\n  status.active  expected 1  found nothing',
    );
  });

  it('is about the object in the same namespace, and about the first of equally near ones', () => {
    const inTeam = { ...job, metadata: { name: 'b', namespace: 'team' }, status: {} };
    const expected = { kind: 'Job', metadata: { name: 'a', namespace: 'team' }, status: { failed: 2 } };
    const nearest = (...candidates: readonly object[]) => explainMismatch(expected, candidates).nearest;
    expect(nearest(named('b', 2), inTeam)).toBe(inTeam);
    expect(nearest(inTeam, named('b', 2))).toBe(inTeam);
    expect(nearest(inTeam, { ...inTeam })).toBe(inTeam);
  });

  it('says when there is nothing to compare with, and when something matches', () => {
    expect(explainMismatch({ kind: 'Job' }, [])).toEqual({ differences: [], text: 'there is no Job at all' });
    const found = { metadata: { name: 'a' } };
    expect(explainMismatch({ metadata: { name: 'a' } }, [found])).toEqual({ nearest: found, differences: [], text: 'object a matches' });
  });

  it('hides what a Secret holds, and not what it is', () => {
    const secret = { kind: 'Secret', metadata: { name: 's', labels: { data: 'b' } }, type: 'y', data: { a: '5', c: '' } };
    const expected = { kind: 'Secret', metadata: { labels: { data: 'a' } }, type: 'x', data: { a: '1', b: '2' }, stringData: { c: '3' } };
    expect(explainMismatch(expected, [secret]).text.split('\n')).toEqual([
      'no Secret matches; nearest is Secret s:',
      '  metadata.labels.data  expected "a"           found "b"',
      '  type                  expected "x"           found "y"',
      '  data.a                expected "<redacted>"  found "<redacted>"',
      '  data.b                expected "<redacted>"  found nothing',
      '  stringData            expected "<redacted>"  found nothing',
    ]);
    expect(explainMismatch({ ...expected, kind: 'ConfigMap' }, [{ ...secret, kind: 'ConfigMap' }]).text).toMatch(
      /data.a +expected "1" +found "5"/,
    );
  });

  it('lists twenty differences, in columns, with long values cut', () => {
    const long = 'x'.repeat(100);
    const lines = (items: number): readonly string[] =>
      explainMismatch({ kind: 'Pod', a: long, l: Array.from({ length: items }, (_, at) => at) }, [
        { kind: 'Pod', metadata: { name: 'p' }, a: 'y'.repeat(79), l: [] },
      ]).text.split('\n');
    const [, first, second, ...rest] = lines(19);
    expect([first, second]).toEqual([
      `  a      expected "${'x'.repeat(79)}…  found "${'y'.repeat(79)}…`,
      `  l[0]   expected 0${' '.repeat(49)}  found nothing`,
    ]);
    expect([rest.length, rest.at(-1)]).toEqual([18, `  l[18]  expected 18${' '.repeat(48)}  found nothing`]);
    expect([lines(20).length, lines(20).at(-1)]).toEqual([22, '  and 1 more']);
    const exactly = (length: number) => explainMismatch({ a: 'x'.repeat(length) }, [{ a: '' }]).text.split('expected ')[1];
    expect([exactly(78), exactly(79)]).toEqual([`"${'x'.repeat(78)}"  found ""`, `"${'x'.repeat(79)}…  found ""`]);
  });
});
