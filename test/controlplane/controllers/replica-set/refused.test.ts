/** What a ReplicaSet does after a refused write, and which changes of pods concern it. */
import { describe, expect, it } from 'vitest';
import type { Pod, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { replicaSet } from '../../../../src/controlplane/controllers/replica-set/controller.ts';
import { replicaPods } from '../../../../src/controlplane/controllers/replica-set/pods.ts';
import { createCache, recount, type Write } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { enqueued, linesOf, recover, resume, type Situation } from '../../../support/reconcile.ts';
import { owner, set, pod, counts, FAILURE, dying } from './whole.ts';

describe('a refused write', () => {
  const create: Write = { op: 'create', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', namespace: 'default' } } };
  const remove: Write = { op: 'delete', kind: 'Pod', name: 'gone', namespace: 'default' };
  const status: Write = { op: 'update', subresource: 'status', object: { ...set(1), status: counts(9) } };
  interface Case {
    readonly write?: Write;
    readonly dropped?: readonly Write[];
    readonly memory?: object;
    readonly status?: object;
    readonly objects?: readonly (ReplicaSet | Pod)[];
  }
  const after = ({
    write = create,
    dropped = [],
    memory,
    status: answer = { reason: 'Forbidden', message: 'no' },
    objects = [set(2, counts(1)), pod('a')],
  }: Case) =>
    linesOf(recover(replicaSet, { objects, key: 'default/web', now: at(60), memory }, { write, status: answer as never, dropped }));

  it.each<[string, Case, readonly string[]]>([
    [
      'of a pod is an event and a condition; the rest of its batch is written',
      { dropped: [create, create, create, remove, status], memory: { planned: 5 } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of ReplicaSet web: Error creating: no',
        'create Pod x',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedCreate, message: no"]}}',
        'memory: {planned:3,error:no}',
        'backoff: retry',
      ],
    ],
    [
      'of a pod keeps the first message',
      { memory: { planned: 1, error: 'first' } },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of ReplicaSet web: Error creating: no',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedCreate, message: first"]}}',
        'memory: {planned:1,error:first}',
        'backoff: retry',
      ],
    ],
    [
      'of a pod leaves the condition of before',
      { objects: [set(2, { ...counts(1), conditions: [FAILURE] }), pod('a')] },
      [
        'a pod could not be created (Forbidden), so no larger batch is tried',
        'event Warning FailedCreate of ReplicaSet web: Error creating: no',
        'memory: {planned:1,error:no}',
        'backoff: retry',
      ],
    ],
    [
      'without a message has an empty one',
      { status: {} },
      [
        'a pod could not be created (error), so no larger batch is tried',
        'event Warning FailedCreate of ReplicaSet web: Error creating: ',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedCreate, message: "]}}',
        'memory: {planned:1,error:""}',
        'backoff: retry',
      ],
    ],
    [
      'of a deletion writes the other deletions',
      { write: remove, dropped: [remove, create, status], memory: { planned: 0 } },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of ReplicaSet web: Error deleting: no',
        'delete Pod gone',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedDelete, message: no"]}}',
        'memory: {planned:0,error:no}',
        'backoff: retry',
      ],
    ],
    [
      'of a deletion without a memory',
      { write: remove },
      [
        'a pod could not be deleted (Forbidden)',
        'event Warning FailedDelete of ReplicaSet web: Error deleting: no',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedDelete, message: no"]}}',
        'memory: {planned:0,error:no}',
        'backoff: retry',
      ],
    ],
    [
      'in a namespace that is being deleted writes the status',
      { dropped: [create, status], status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      [
        'its namespace is being deleted, so no pod can be created',
        'update ReplicaSet/status web {status:{replicas:9,fullyLabeledReplicas:9,readyReplicas:9,availableReplicas:9,observedGeneration:3}}',
      ],
    ],
    [
      'of a deletion in such a namespace is an event',
      { write: remove, status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      [
        'a pod could not be deleted (error)',
        'event Warning FailedDelete of ReplicaSet web: Error deleting: ',
        'update ReplicaSet/status web {status:{replicas:1,fullyLabeledReplicas:1,readyReplicas:1,availableReplicas:1,observedGeneration:3,conditions:["ReplicaFailure=True, lastTransitionTime: 00:01:00, reason: FailedDelete, message: "]}}',
        'memory: {planned:0,error:""}',
        'backoff: retry',
      ],
    ],
    [
      'of a status reads the set',
      { write: status },
      [
        'its status update was refused: read it from the API server',
        'get ReplicaSet web {resume:true}',
        'memory: {retried:{replicas:9,fullyLabeledReplicas:9,readyReplicas:9,availableReplicas:9,observedGeneration:3}}',
      ],
    ],
    ['of a status that was retried is left to the back-off', { write: status, memory: { retried: counts(9) } }, []],
    ['of a patch is left to the back-off', { write: { op: 'patch', kind: 'Pod', name: 'a', patchType: 'merge', patch: {} } }, []],
    ['of a set that is gone is left', { objects: [] }, []],
  ])('%s', (_, given, expected) => {
    // What was retried is known by identity.
    const retried =
      given.write === status && given.memory !== undefined && status.op === 'update' ? { retried: status.object.status } : given.memory;
    expect(after({ ...given, ...(retried === undefined ? {} : { memory: retried }) })).toEqual(expected);
  });

  it('of a status is repeated on what was read', () => {
    const read = (objects: Situation['objects'], memory?: object) =>
      linesOf(
        resume(
          replicaSet,
          { objects, key: 'default/web', now: at(60), memory },
          { write: { op: 'get', kind: 'ReplicaSet', name: 'web' }, object: set(1, counts(0)) },
        ),
      );
    expect([read([set(1)], { retried: counts(9) }), read([set(1)]), read([], { retried: counts(9) })]).toEqual([
      [
        'its status update is retried on the latest version',
        'update ReplicaSet/status web {status:{replicas:9,fullyLabeledReplicas:9,readyReplicas:9,availableReplicas:9,observedGeneration:3}}',
      ],
      ['it is gone'],
      ['it is gone'],
    ]);
  });
});

describe('a change of a pod', () => {
  const slow = set(1, {}, { meta: { name: 'slow', uid: 'uid-slow' }, spec: { minReadySeconds: 30 } });
  const keys = (object: Pod, old?: Pod, type: 'ADDED' | 'MODIFIED' | 'DELETED' = old === undefined ? 'ADDED' : 'MODIFIED') =>
    enqueued(replicaSet, { objects: [set(1), slow] }, { type, object, ...(old === undefined ? {} : { old }) });
  const ofSlow = { meta: { ownerReferences: owner('uid-slow', 'slow') } };

  it('concerns its set, again when a ready pod becomes available', () => {
    expect([keys(pod('a', null)), keys(pod('a', 0), pod('a', null))]).toEqual([['default/web'], ['default/web']]);
    expect(keys(pod('a', 0, ofSlow), pod('a', null, ofSlow))).toEqual(['default/slow', { key: 'default/slow', afterMs: 31_000 }]);
    expect([
      keys(pod('a', 0, ofSlow), pod('a', 0, ofSlow)),
      keys(pod('a', 0, ofSlow)),
      keys(pod('a', 0, ofSlow), pod('a', null, ofSlow), 'DELETED'),
    ]).toEqual([['default/slow'], ['default/slow'], ['default/slow']]);
    expect(keys(pod('a', 0, { meta: { ownerReferences: [] } }), pod('a', null, { meta: { ownerReferences: [] } }))).toEqual([]);
  });

  const states = [
    pod('a', 5),
    pod('a', null),
    pod('a', 9, { meta: { labels: { app: 'web' } } }),
    pod('a', 0, { phase: 'Failed' }),
    pod('a', 0, { meta: { ...dying } }),
    pod('a', 7, { meta: { uid: 'another' } }),
    undefined,
  ];
  it('updates the counts as a recount would', () => {
    for (const before of states)
      for (const after of states) {
        const cache = createCache();
        cache.open('Pod');
        cache.addAggregate(replicaPods);
        cache.set('Pod', 'default/b', pod('b', 3));
        cache.set('Pod', 'default/a', before);
        cache.set('Pod', 'default/a', after);
        const held = cache.aggregate(replicaPods, 'uid-web');
        expect(replicaPods.plain?.(held)).toEqual(recount(replicaPods, cache.list('Pod'), 'uid-web'));
        expect(held.active.get('uid-a')).toBe(
          after === undefined ||
            after.status.phase === 'Failed' ||
            after.metadata.deletionTimestamp !== undefined ||
            after.metadata.uid !== 'uid-a'
            ? undefined
            : cache.get('Pod', 'default', 'a'),
        );
      }
    const cache = createCache();
    cache.open('Pod');
    cache.addAggregate(replicaPods);
    for (const each of [pod('b', 7), pod('a', 3)]) cache.set('Pod', `default/${each.metadata.name}`, each);
    expect(replicaPods.plain?.(cache.aggregate(replicaPods, 'uid-web'))).toEqual({
      active: ['uid-a', 'uid-b'],
      ready: 2,
      readyAt: [
        [String(at(3)), 1],
        [String(at(7)), 1],
      ],
      labels: [['app=web,tier=x', 2]],
    });
  });
});
