/** The cache of a process from its lists and deliveries: which objects it watches, and of clients, which it was answered. */
import { describe, expect, it } from 'vitest';
import { viewAt, viewsOf } from '../../../src/lab/trace/index.ts';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { became, delivered, lists, objectOf, other, traceOf, wrote } from './made.ts';

const pod = (name: string, revision: number, node: string | undefined, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, revision, { spec: node === undefined ? {} : { nodeName: node } }, metadata);
const names = (objects: readonly ApiObject[]) => objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);
const [a, b, c] = [
  pod('a', 1, 'n1', { labels: { app: 'x' } }),
  pod('b', 2, 'n2', { labels: { app: 'y' } }),
  pod('c', 3, undefined, { namespace: 'other' }),
];
const bare = objectOf('Pod', 'd', 4);

describe('a process that watches some objects of a kind', () => {
  it.each<[string, object | undefined, readonly string[]]>([
    ['all', undefined, ['a@1', 'b@2', 'd@4', 'c@3']],
    ['of a node', { index: 'nodeName', value: 'n1' }, ['a@1']],
    ['of a name', { index: 'name', value: 'b' }, ['b@2']],
    ['of a namespace', { index: 'namespace', value: 'other' }, ['c@3']],
    ['by labels', { index: 'labels', value: 'app=y' }, ['b@2']],
  ])('%s', (_, only, found) => {
    const trace = traceOf([
      wrote(0, a),
      wrote(0, b),
      wrote(0, c),
      wrote(0, bare),
      became(1, 'p', 'started', lists(9, [{ kind: 'Pod', ...(only === undefined ? {} : { only }) }])),
    ]);
    const view = viewAt(trace, 'p', 5);
    expect(names(view.list('Pod'))).toEqual(found);
    expect(
      [a, b, c, bare]
        .filter((each) => view.follows('Pod', each))
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(found.map((name) => name.slice(0, 1)).sort());
    expect([view.follows('Node', a), view.kinds(), view.count('Pod'), view.count('Node')]).toEqual([false, ['Pod'], found.length, 0]);
  });
});

describe('lists at an earlier revision', () => {
  it('are without the writes since: what was changed is as it was, what was deleted is there', () => {
    const [a2, b2] = [pod('a', 5, 'n2'), pod('b', 6, 'n2')];
    const trace = traceOf([
      wrote(0, a),
      wrote(0, b),
      wrote(1, a2, { previous: a }),
      wrote(2, b2, { previous: b, deleted: true }),
      wrote(3, pod('e', 7, 'n1')),
      became(4, 'p', 'started', lists(4, ['Pod'])),
      became(5, 'q', 'started', lists(6, ['Pod'])),
    ]);
    expect([names(viewAt(trace, 'p', 7).list('Pod')), names(viewAt(trace, 'q', 7).list('Pod'))]).toEqual([['a@1', 'b@2'], ['a@5']]);
    expect(viewsOf(trace)).toEqual(['p', 'q']);
    expect(viewsOf({ ...trace, prologue: [became(-1, 'q', 'started')(0)] })).toEqual(['q', 'p']);
  });
});

describe('a process', () => {
  const later = pod('a', 8, 'n1');
  const trace = traceOf([
    wrote(0, a),
    became(1, 'p', 'started', lists(1, ['Pod'], ['one:Pod'])),
    wrote(2, later, { previous: a }),
    delivered(3, 'q', later),
    delivered(4, 'p', later),
    became(5, 'p', 'leads', lists(8, ['Node'], ['two:Node', 'three'])),
    wrote(6, b),
    delivered(7, 'p', b, 'ADDED'),
    delivered(8, 'p', later, 'DELETED'),
    became(9, 'p', 'retires'),
    became(10, 'p', 'crashed'),
    other(11, { type: 'note', text: '' }),
  ]);
  const seen = (step: number) => {
    const view = viewAt(trace, 'p', step);
    return [names(view.list('Pod')), view.kinds(), view.controllers().map(({ name }) => name), view.up, view.isClient];
  };

  it('has what it listed and what was delivered since, until it ends', () => {
    expect([0, 1, 2, 4, 5, 6, 8, 9, 10, 11].map(seen)).toEqual([
      [[], [], [], false, false],
      [[], [], [], false, false],
      [['a@1'], ['Pod'], ['one'], true, false],
      [['a@1'], ['Pod'], ['one'], true, false],
      [['a@8'], ['Pod'], ['one'], true, false],
      [['a@8'], ['Pod', 'Node'], ['one', 'two', 'three'], true, false],
      [['a@8', 'b@2'], ['Pod', 'Node'], ['one', 'two', 'three'], true, false],
      [['b@2'], ['Pod', 'Node'], ['one', 'two', 'three'], true, false],
      [[], [], [], false, false],
      [[], [], [], false, false],
    ]);
  });

  it('is moved forwards and backwards', () => {
    const view = viewAt(trace, 'p', 12);
    const at = (step: number) => {
      view.moveTo(step);
      return [
        view.step,
        names(view.list('Pod')),
        view.byKey('Pod', 'default/a')?.metadata.resourceVersion,
        view.count('Pod'),
        [...view.each('Pod')].length,
      ];
    };
    expect([12, 8, 5, 2, 1, 2, 9].map(at)).toEqual([
      [12, [], undefined, 0, 0],
      [8, ['a@8', 'b@2'], '8', 2, 2],
      [5, ['a@8'], '8', 1, 1],
      [2, ['a@1'], '1', 1, 1],
      [1, [], undefined, 0, 0],
      [2, ['a@1'], '1', 1, 1],
      [9, ['b@2'], undefined, 1, 1],
    ]);
    expect([
      view.process,
      view.get('Pod', 'default', 'b'),
      view.get('Pod', 'other', 'b'),
      view.list('Pod', 'other'),
      names(view.list('Pod', 'default')),
    ]).toEqual(['p', b, undefined, [], ['b@2']]);
  });

  it('that is not known has nothing', () => {
    const view = viewAt(trace, 'nowhere', 12);
    expect([view.list('Pod'), view.kinds(), view.up, view.get('Pod', 'default', 'a')]).toEqual([[], [], false, undefined]);
  });
});

describe('a client', () => {
  it('has its last answer in place of the one before', () => {
    const only = { index: 'namespace', value: 'default' };
    const trace = traceOf([
      wrote(0, a),
      wrote(0, b),
      wrote(0, c),
      became(1, 'client', 'lists', lists(3, ['Pod'])),
      wrote(2, pod('b', 5, 'n2'), { previous: b, deleted: true }),
      wrote(2, pod('c', 6, undefined, { namespace: 'other' }), { previous: c, deleted: true }),
      became(3, 'client', 'lists', lists(6, [{ kind: 'Pod', only }])),
      became(4, 'client', 'lists', lists(6, ['Pod'])),
    ]);
    const at = (step: number) => names(viewAt(trace, 'client', step).list('Pod'));
    expect([at(4), at(7), at(8)]).toEqual([['a@1', 'b@2', 'c@3'], ['a@1', 'c@3'], ['a@1']]);
    expect([viewAt(trace, 'client', 8).isClient, viewAt(trace, 'client', 8).up, viewAt(trace, 'client', 3).isClient]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
