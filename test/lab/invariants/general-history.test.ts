/** Invariants of all objects, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, end, keep, objectOf, ownedBy, put, remove, START, tells, timeAt, wait } from './history.ts';

const CLUSTER = { namespace: undefined };
const DYING = { deletionTimestamp: timeAt(0) };

describe('general/owners-exist', () => {
  const NAME = 'general/owners-exist';
  const manager = (at: number) => put(objectOf('ConfigMap', 'tick'), { at, by: 'x', actor: 'controller-manager-1' });
  const owner = objectOf('Job', 'o');
  const owned = (name: string, metadata: object = {}): ApiObject =>
    objectOf('Pod', name, { metadata: { ...ownedBy('Job', 'o'), ...metadata } });
  const outlived = 'Pod default/p has outlived all its owners (Job o)';

  it('gives the collector two minutes, after which it was alive for ten seconds', () => {
    tells(NAME, [
      [put(owner), '-'],
      [put(owned('p')), '-'],
      [remove('Job', 'default/o', { at: 10 }), '-'],
      [manager(19.999), '-'],
      [wait(129.999), '-'],
      [wait(130), '-'],
      [manager(140), '-'],
      [wait(250), '-'],
      [manager(259), '-'],
      [end(false), '-'],
      [end(), outlived],
      [remove('Pod', 'default/p'), 'holds'],
      [end(), '-'],
    ]);
    tells(NAME, [
      [put(owner), '-'],
      [put(owned('p')), '-'],
      [manager(1), '-'],
      [remove('Job', 'default/o', { at: 10 }), '-'],
      [manager(11), '-'],
      [manager(20), '-'],
      [wait(129.999), '-'],
      [wait(130), outlived],
    ]);
  });

  it('is fulfilled by a deletion, by another owner, and by one that comes back', () => {
    const story = (...steps: readonly (readonly [Parameters<typeof tells>[1][number][0], string])[]): void =>
      tells(NAME, [
        [manager(1), '-'],
        [put(owner), '-'],
        [put(owned('p')), '-'],
        [remove('Job', 'default/o', { at: 10 }), '-'],
        [manager(11), '-'],
        [manager(20), '-'],
        ...steps,
      ]);
    story([remove('Pod', 'default/p'), 'holds'], [wait(500), '-'], [end(), '-']);
    story([edit('Pod', 'default/p', { metadata: { ownerReferences: [] } }), '-'], [wait(130), 'holds']);
    story([edit('Pod', 'default/p', { metadata: DYING }), '-'], [end(), 'holds']);
    story([put(owner), '-'], [wait(130), 'holds']);
    story([wait(130), outlived]);
  });

  it('is about namespaced objects whose owners are all gone', () => {
    const node = { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'uid-n' }] };
    tells(NAME, [
      [keep(objectOf('Node', 'n', { metadata: CLUSTER })), '-'],
      [keep(owner), '-'],
      [put(owned('a')), '-'],
      [put(owned('b', node)), '-'],
      [
        put(
          owned('c', {
            ownerReferences: [
              { apiVersion: 'v1', kind: 'Job', name: 'o', uid: 'another' },
              { apiVersion: 'v1', kind: 'Job', name: 'o', uid: 'uid-o' },
            ],
          }),
        ),
        '-',
      ],
      [put(owned('d', { ...CLUSTER, ...ownedBy('Job', 'z') })), '-'],
      [put(owned('e', { ...DYING, ...ownedBy('Job', 'z') })), '-'],
      [put(owned('f', { ownerReferences: [] })), '-'],
      [
        described,
        [
          new Map([
            ['Job', new Set(['Pod'])],
            ['Node', new Set(['Pod'])],
          ]),
          new Map(),
          -Infinity,
          -Infinity,
        ],
      ],
      [manager(50), '-'],
      [end(), '-'],
      [put(owned('p', ownedBy('Job', 'z')), { at: 60 }), '-'],
      [
        described,
        [
          new Map([
            ['Job', new Set(['Pod'])],
            ['Node', new Set(['Pod'])],
          ]),
          new Map([['uid-p', { dueAt: START + 180_000, about: { kind: 'Pod', key: 'default/p', uid: 'uid-p', since: START + 60_000 } }]]),
          START + 50_000,
          START + 50_000,
        ],
      ],
      [manager(70), '-'],
      [end(), 'Pod default/p has outlived all its owners (Job z)'],
    ]);
  });
});

describe('general/uid-lives-once', () => {
  const map = (uid: string): ApiObject => objectOf('ConfigMap', 'c', { metadata: { uid } });

  it('is exercised when a name is used again', () => {
    tells('general/uid-lives-once', [
      [put(map('one')), '-'],
      [put(map('one')), '-'],
      [remove('ConfigMap', 'default/c'), '-'],
      [described, [new Map([['one', 'ConfigMap default/c']]), new Map([['ConfigMap default/c', 'one']])]],
      [put(map('two')), 'holds'],
      [put(map('two')), '-'],
      [put(map('three')), 'ConfigMap default/c changed its uid from two to three'],
      [put(map('one')), 'a write has the uid one, which was deleted with ConfigMap default/c'],
      [remove('ConfigMap', 'default/c'), 'a write has the uid one, which was deleted with ConfigMap default/c'],
      [
        put(objectOf('ConfigMap', 'd', { metadata: { uid: 'one' } })),
        'a new object has the uid one, which was deleted with ConfigMap default/c',
      ],
    ]);
  });
});
