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
    ['null', null, null],
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
  ])('%s', (_, expected, found, differences) => {
    expect(match(expected, found)).toEqual(differences.map(([path, wanted, there]) => ({ path, expected: wanted, found: there })));
    expect(matches(expected, found)).toBe(false);
  });
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

  it('says when there is nothing to compare with', () => {
    expect(explainMismatch({ kind: 'Job' }, []).text).toBe('there is no Job at all');
  });
});
