/** What a Deployment does after a refused write, and which changes of sets and pods concern it. */
import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { deployment } from '../../../../src/controlplane/controllers/deployment/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { enqueued, linesOf, recover } from '../../../support/reconcile.ts';
import { deploymentOf, setOf } from './objects.ts';

const template = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } });
const NEVER = 2 ** 31 - 1;
const web = (spec: object = {}): Deployment =>
  deploymentOf({ template: template('c:1'), progressDeadlineSeconds: 600, ...spec } as never, { replicas: 1 });
const owner = (uid = 'uid-d', name = 'd') => [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }];
const created: Write = {
  op: 'create',
  object: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'd-1', namespace: 'default' } },
};
const taken = (image: string, uid?: string): ReplicaSet => {
  const set = setOf('d-1', 1, 1, { spec: { template: template(image) } as never });
  return { ...set, metadata: { ...set.metadata, ownerReferences: owner(uid) } };
};

describe('a refused write', () => {
  interface Case {
    readonly write?: Write;
    readonly status?: object;
    readonly objects?: readonly (Deployment | ReplicaSet)[];
    readonly failures?: number;
  }
  const lines = ({ write = created, status = { reason: 'Forbidden', message: 'no' }, objects = [web()], failures = 0 }: Case) =>
    linesOf(recover(deployment, { objects, failures, now: at(60), key: 'default/d' }, { write, status: status as never, dropped: [] }));

  it.each<[string, Case, readonly string[]]>([
    [
      'of a new set is noted in the status, and as an event',
      {},
      [
        'd-1 could not be created (Forbidden)',
        'update Deployment/status d {status:{replicas:1,conditions:["Progressing=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: ReplicaSetCreateError, message: Failed to create new replica set \\"d-1\\": no"]}} {tolerate:[Conflict]}',
        'event Warning ReplicaSetCreateError of Deployment d: Failed to create new replica set "d-1": no',
        'backoff: retry',
      ],
    ],
    [
      'without a reason and a message is noted too',
      { status: {} },
      [
        'd-1 could not be created (error)',
        'update Deployment/status d {status:{replicas:1,conditions:["Progressing=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: ReplicaSetCreateError, message: Failed to create new replica set \\"d-1\\": "]}} {tolerate:[Conflict]}',
        'event Warning ReplicaSetCreateError of Deployment d: Failed to create new replica set "d-1": ',
        'backoff: retry',
      ],
    ],
    [
      'of a new set without a deadline is only an event',
      { objects: [web({ progressDeadlineSeconds: NEVER })] },
      [
        'd-1 could not be created (Forbidden)',
        'event Warning ReplicaSetCreateError of Deployment d: Failed to create new replica set "d-1": no',
        'backoff: retry',
      ],
    ],
    [
      'is not tried again after fifteen failures',
      { failures: 15 },
      [
        'd-1 could not be created (Forbidden), and it gives up until something changes',
        'update Deployment/status d {status:{replicas:1,conditions:["Progressing=False, lastUpdateTime: 00:01:00, lastTransitionTime: 00:01:00, reason: ReplicaSetCreateError, message: Failed to create new replica set \\"d-1\\": no"]}} {tolerate:[Conflict]}',
        'event Warning ReplicaSetCreateError of Deployment d: Failed to create new replica set "d-1": no',
        'backoff: forget',
      ],
    ],
    [
      'is tried again after fourteen',
      { failures: 14, write: { op: 'delete', kind: 'ReplicaSet', name: 'd-1' } },
      ['a write was refused (Forbidden)', 'backoff: retry'],
    ],
    [
      'of another kind is given up in the end',
      { failures: 15, write: { op: 'delete', kind: 'ReplicaSet', name: 'd-1' }, status: {} },
      ['a write was refused (error), and it gives up until something changes', 'backoff: forget'],
    ],
    ['ends where the Deployment is gone', { objects: [] }, ['a write was refused (Forbidden)', 'backoff: retry']],
    [
      'ends where the namespace is being deleted',
      { status: { details: { causes: [{ reason: 'NamespaceTerminating' }] } } },
      ['its namespace is being deleted, so nothing can be created'],
    ],
    [
      'for a name that is taken waits for the cache',
      { status: { reason: 'AlreadyExists' } },
      ['ReplicaSet d-1 exists already but is not in the cache yet', 'backoff: retry'],
    ],
    [
      'for a name that is taken by the set itself goes on',
      { status: { reason: 'AlreadyExists' }, objects: [web(), taken('c:1')] },
      ['d-1 exists already', 'backoff: retry'],
    ],
    [
      'for a name of another template counts a collision',
      { status: { reason: 'AlreadyExists' }, objects: [web(), taken('c:2')] },
      [
        'd-1 belongs to another owner: increase status.collisionCount, which changes the name, and retry',
        'update Deployment/status d {status:{replicas:1,collisionCount:1}} {tolerate:[Conflict]}',
        'backoff: retry',
      ],
    ],
    [
      'for a name of another owner counts a collision',
      { status: { reason: 'AlreadyExists' }, objects: [web(), taken('c:1', 'other')] },
      [
        'd-1 belongs to another owner: increase status.collisionCount, which changes the name, and retry',
        'update Deployment/status d {status:{replicas:1,collisionCount:1}} {tolerate:[Conflict]}',
        'backoff: retry',
      ],
    ],
  ])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });
});

describe('a change of a pod', () => {
  const recreated = web({ strategy: { type: 'Recreate' } });
  const pod = (of: string) =>
    barePod('p', 'Running', {
      meta: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'd-1', uid: of, controller: true }] },
    });
  const keys = (type: 'DELETED' | 'MODIFIED', of = 'uid-d-1', self: Deployment = recreated, sets: readonly ReplicaSet[] = [taken('c:1')]) =>
    enqueued(deployment, { objects: [self, ...sets] }, { type, object: pod(of) });

  it('concerns a Deployment that waits for the end of old pods', () => {
    expect([keys('DELETED'), keys('MODIFIED'), keys('DELETED', 'other'), keys('DELETED', 'uid-d-1', recreated, [])]).toEqual([
      ['default/d'],
      [],
      [],
      [],
    ]);
    expect(keys('DELETED', 'uid-d-1', web({ strategy: { type: 'RollingUpdate' } }))).toEqual([]);
    expect(keys('DELETED', 'uid-d-1', recreated, [taken('c:1', 'other')])).toEqual([]);
  });

  it('of a set concerns its Deployment', () => {
    expect(enqueued(deployment, { objects: [recreated] }, { type: 'ADDED', object: taken('c:1') })).toEqual(['default/d']);
  });
});
