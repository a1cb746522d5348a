/** The names of what happens to objects, by which a fault means a revision. */
import { describe, expect, it } from 'vitest';
import { revisionIn, transitionsIn } from '../../../src/lab/faults/transitions.ts';
import { start } from './small-cluster.ts';

const object = ({ metadata, ...parts }: { readonly metadata?: object; readonly [part: string]: unknown } = {}) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', namespace: 'default', uid: 'u', ...metadata },
  ...parts,
});

/** Names changes of one pod, in order. */
function named(...changes: readonly object[]): readonly string[] {
  const { name } = transitionsIn((key) => key.replace('p-x7', 'p~1'));
  return changes.map((change, index) =>
    name({ revision: index + 1, type: 'MODIFIED', kind: 'Pod', key: 'default/p-x7', ...change } as never),
  );
}

describe('what happens to an object', () => {
  const was = object({
    spec: { a: 1 },
    status: { phase: 'Pending' },
    metadata: { labels: { l: '1' }, annotations: { a: '1' }, finalizers: ['f'], ownerReferences: [{ uid: 'o' }] },
  });
  const becomes = (name: string, parts: object, metadata: object = {}): readonly [string, object] => [
    name,
    { previous: was, object: { ...was, ...parts, metadata: { ...was.metadata, ...metadata } } },
  ];
  const dying = { deletionTimestamp: 'now' };

  it.each<readonly [string, object]>([
    ['gone', { type: 'DELETED', object: was, previous: was }],
    ['created', { type: 'ADDED', object: was }],
    becomes('deleting', { spec: { a: 2 } }, { ...dying, finalizers: [] }),
    becomes('finalizers', { spec: { a: 2 } }, { finalizers: ['f', 'g'] }),
    becomes('finalizers', {}, { finalizers: undefined }),
    becomes('spec', { spec: { a: 2 } }, { ownerReferences: [], labels: {} }),
    becomes('spec', { data: {} }),
    becomes('spec', { spec: undefined }),
    becomes('owners', { status: {} }, { ownerReferences: [{ uid: 'p' }], labels: {} }),
    becomes('metadata', { status: {} }, { labels: { l: '2' } }),
    becomes('metadata', {}, { annotations: { a: '2' } }),
    becomes('status', { status: {} }, { labels: { l: '1' }, annotations: { a: '1' }, finalizers: ['f'], ownerReferences: [{ uid: 'o' }] }),
    becomes('status', { spec: { a: 1 } }, { resourceVersion: '9' }),
    [
      'status',
      { previous: { ...was, metadata: { ...was.metadata, ...dying } }, object: { ...was, metadata: { ...was.metadata, ...dying } } },
    ],
  ])('is named %s', (name, change) => {
    expect(named(change)).toEqual([`Pod default/p~1 ${name} #1`]);
  });

  it('is counted by its name, and a change has one name', () => {
    const created = { object: was };
    const changed = { object: { ...was, status: {} }, previous: was };
    expect(named(created, changed, changed, { ...changed, revision: 2 }, created, { ...changed, kind: 'Job' })).toEqual([
      'Pod default/p~1 created #1',
      'Pod default/p~1 status #1',
      'Pod default/p~1 status #2',
      'Pod default/p~1 status #1',
      'Pod default/p~1 created #2',
      'Job default/p~1 status #1',
    ]);
  });

  it('has the revision just before it, or after', () => {
    const { name, revision } = transitionsIn((key) => key);
    name({ revision: 7, type: 'ADDED', kind: 'Pod', key: 'default/p', object: was } as never);
    const happened = ['before Pod default/p created #1', 'after Pod default/p created #1', 'before Pod default/p created #2'];
    expect(happened.map(revision)).toEqual([6, 7, undefined]);
  });
});

describe('the revision of a name', () => {
  it('is found in what the store remembers, or it is said what has happened', () => {
    const { cluster, set } = start();
    const { revision } = cluster.store;
    for (const value of ['1', '2', '3', '4', '5']) set('c', value);
    const c = 'ConfigMap default/c';
    const find = (asOf: string) => revisionIn(cluster.store, asOf);
    expect([find(`after ${c} created #1`), find(`before ${c} spec #1`), find(`after ${c} spec #5`)]).toEqual([
      revision,
      revision,
      revision + 5,
    ]);
    expect(find(`before ${c} gone #1`)).toEqual({
      error: `${c} gone #1 has not happened; there is: ${[1, 2, 3, 4, 5].map((nth) => `${c} spec #${nth}`).join(', ')}`,
    });
    expect(find('before ConfigMap default/x gone #1')).toEqual({
      error: 'ConfigMap default/x gone #1 has not happened; nothing has happened to ConfigMap default/x',
    });
    expect(find('before Pod default/c gone #1')).toEqual({
      error: 'Pod default/c gone #1 has not happened; nothing has happened to Pod default/c',
    });
  });
});
