/** What a StatefulSet does after a refused write and after a live read, and which pods and claims concern it. */
import { describe, expect, it } from 'vitest';
import type { StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { enqueued, linesOf, recover, resume } from '../../../support/reconcile.ts';
import { claimOf, claimTemplates, revisionOf, setOf, setPod } from '../../../support/sets.ts';

const web = (more: Partial<StatefulSet['spec']> = {}, status: object = {}, meta: object = {}) =>
  setOf('web', { replicas: 1, ...more }, status, { resourceVersion: '7', ...meta });
const created = (kind: string, name: string): Write => ({
  op: 'create',
  object: { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' } },
});
const deleted = (kind: string, name: string): Write => ({ op: 'delete', kind, name, namespace: 'default' });
const status: Write = { op: 'update', subresource: 'status', object: { ...web(), status: { replicas: 1 } } };
const REFUSED = { reason: 'Forbidden', message: 'no' };

describe('a refused write', () => {
  interface Case {
    readonly write?: Write;
    readonly status?: object;
    readonly dropped?: readonly Write[];
    readonly memory?: object;
    readonly gone?: true;
  }
  const lines = ({ write = created('Pod', 'web-0'), status: answer = REFUSED, dropped = [], memory, gone }: Case) =>
    linesOf(
      recover(
        statefulSet,
        { objects: gone ? [] : [web()], key: 'default/web', now: at(60), memory },
        { write, status: answer as never, dropped },
      ),
    );
  const exists = { reason: 'AlreadyExists', message: 'there' };
  const conflict = { reason: 'Conflict', message: 'changed' };
  const over = (times: number, version = '7') => ({ conflicts: { over: version, times }, other: 1 });
  const old = deleted('ControllerRevision', 'web-old');

  it.each<[string, Case, readonly string[]]>([
    [
      'of a pod is an event',
      { memory: { statusFrom: '7', other: 1 } },
      [
        'web-0 could not be created (Forbidden)',
        'event Warning FailedCreate of StatefulSet web: create Pod web-0 in StatefulSet web failed error: no',
        'memory: {other:1}',
        'backoff: retry',
      ],
    ],
    [
      'of a pod without a reason is an event',
      { status: {} },
      [
        'web-0 could not be created (error)',
        'event Warning FailedCreate of StatefulSet web: create Pod web-0 in StatefulSet web failed error: ',
        'memory: {}',
        'backoff: retry',
      ],
    ],
    [
      'of a pod still deletes old revisions',
      { dropped: [created('Pod', 'web-1'), status, old, deleted('Pod', 'x')] },
      [
        'web-0 could not be created (Forbidden)',
        'event Warning FailedCreate of StatefulSet web: create Pod web-0 in StatefulSet web failed error: no',
        'delete ControllerRevision web-old',
        'memory: {}',
        'backoff: retry',
      ],
    ],
    [
      'of a pod whose name is taken is no event',
      { status: exists },
      ['pod web-0 exists already: it belongs to another owner or is not in the cache yet', 'memory: {}', 'backoff: retry'],
    ],
    ['of a pod of a set that is gone', { gone: true }, ['a write was refused (Forbidden)', 'memory: {}', 'backoff: retry']],
    [
      'of a revision whose name is taken reads it',
      { write: created('ControllerRevision', 'web-1'), status: exists, dropped: [old], memory: { statusFrom: '7', other: 1 } },
      [
        'revision web-1 exists already: read it from the API server to compare',
        'get ControllerRevision web-1 {resume:true}',
        'memory: {other:1}',
      ],
    ],
    [
      'of a revision is tried again',
      { write: created('ControllerRevision', 'web-1') },
      ['web-1 could not be created (Forbidden)', 'memory: {}', 'backoff: retry'],
    ],
    [
      'of a deletion is tried again',
      { write: deleted('Pod', 'web-0') },
      ['a write was refused (Forbidden)', 'memory: {}', 'backoff: retry'],
    ],
    [
      'of a deletion without a reason is tried again',
      { write: deleted('Pod', 'web-0'), status: {} },
      ['a write was refused (error)', 'memory: {}', 'backoff: retry'],
    ],
    [
      'of a status is computed again after a conflict',
      { write: status, status: conflict, memory: { other: 1 } },
      [
        'conflict: the StatefulSet has changed, so its status is computed again',
        'memory: {other:1,conflicts:{over:7,times:1}}',
        'enqueue: [{key:default/web,afterMs:10}]',
        'backoff: keep',
      ],
    ],
    [
      'of a status is computed again after conflicts with another version',
      { write: status, status: conflict, memory: over(4, '6') },
      [
        'conflict: the StatefulSet has changed, so its status is computed again',
        'memory: {other:1,conflicts:{over:7,times:1}}',
        'enqueue: [{key:default/web,afterMs:10}]',
        'backoff: keep',
      ],
    ],
    [
      'of a status is computed again after three conflicts',
      { write: status, status: conflict, memory: over(3) },
      [
        'conflict: the StatefulSet has changed, so its status is computed again',
        'memory: {other:1,conflicts:{over:7,times:4}}',
        'enqueue: [{key:default/web,afterMs:10}]',
        'backoff: keep',
      ],
    ],
    [
      'of a status backs off after five conflicts',
      { write: status, status: conflict, memory: over(4) },
      ['its status update met 5 conflicts: its cache does not show the change yet', 'memory: {other:1}', 'backoff: retry'],
    ],
    [
      'of a status of a set that is gone is computed again',
      { write: status, status: conflict, gone: true },
      [
        'conflict: the StatefulSet has changed, so its status is computed again',
        'memory: {conflicts:{over:"",times:1}}',
        'enqueue: [{key:default/web,afterMs:10}]',
        'backoff: keep',
      ],
    ],
    ['of a status for another reason backs off', { write: status }, ['a write was refused (Forbidden)', 'memory: {}', 'backoff: retry']],
    [
      'of an object for a conflict backs off',
      { write: { op: 'update', object: web() }, status: conflict },
      ['a write was refused (Conflict)', 'memory: {}', 'backoff: retry'],
    ],
    [
      'of a claim creates the other claims, and not the pod',
      {
        write: created('PersistentVolumeClaim', 'data-web-0'),
        dropped: [
          created('PersistentVolumeClaim', 'logs-web-0'),
          created('Pod', 'web-0'),
          created('PersistentVolumeClaim', 'data-web-1'),
          status,
        ],
      },
      [
        'claim data-web-0 could not be created (Forbidden), so neither can its pod',
        'event Warning FailedCreate of StatefulSet web: create Claim data-web-0 Pod web-0 in StatefulSet web failed error: no',
        'create PersistentVolumeClaim logs-web-0',
        'event Warning FailedCreate of StatefulSet web: create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: no',
        'memory: {known:{claimErrors:["failed to create PVC data-web-0: no"]}}',
        'backoff: retry',
      ],
    ],
    [
      'of a second claim adds to the first',
      { write: created('PersistentVolumeClaim', 'logs-web-3'), dropped: [status], memory: { known: { claimErrors: ['first'] } } },
      [
        'claim logs-web-3 could not be created (Forbidden), so neither can its pod',
        'event Warning FailedCreate of StatefulSet web: create Claim logs-web-3 Pod web-3 in StatefulSet web failed error: no',
        'event Warning FailedCreate of StatefulSet web: create Pod web-3 in StatefulSet web failed error: [first, failed to create PVC logs-web-3: no]',
        'memory: {known:{claimErrors:[first,"failed to create PVC logs-web-3: no"]}}',
        'backoff: retry',
      ],
    ],
    [
      'of a claim that exists is no event of the claim',
      { write: created('PersistentVolumeClaim', 'data-web-0'), status: exists, dropped: [old] },
      [
        'claim data-web-0 could not be created (AlreadyExists), so neither can its pod',
        'event Warning FailedCreate of StatefulSet web: create Pod web-0 in StatefulSet web failed error: failed to create PVC data-web-0: there',
        'delete ControllerRevision web-old',
        'memory: {known:{claimErrors:["failed to create PVC data-web-0: there"]}}',
        'backoff: retry',
      ],
    ],
  ])('%s', (_, given, expected) => {
    expect(lines(given)).toEqual(expected);
  });
});

describe('a live read', () => {
  const get = (kind: string) => ({ op: 'get', kind, name: 'x', namespace: 'default' }) as const;
  const after = (kind: string, object: ApiObject | undefined, objects: readonly ApiObject[] = [web()], memory: object = {}) =>
    linesOf(resume(statefulSet, { objects, key: 'default/web', now: at(60), memory }, { write: get(kind), object }));
  const orphan = { ...setPod(web(), 0), metadata: { ...setPod(web(), 0).metadata, ownerReferences: [] } } as ApiObject;
  const own = revisionOf(web(), 'web-1', 1);

  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'of the set lets it adopt',
      () => after('StatefulSet', web(), [web(), own, orphan]),
      [
        'web-0 is to be recreated from revision web-1',
        'patch Pod web-0 {metadata:{uid:uid-web-0,ownerReferences:[{apiVersion:apps/v1,kind:StatefulSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]}} {patchType:strategic,tolerate:[NotFound],awaited:true}',
        'delete Pod web-0 {uid:uid-web-0,tolerate:[NotFound],then:{about:"StatefulSet web",type:Normal,reason:SuccessfulDelete,message:"delete Pod web-0 in StatefulSet web successful"},otherwise:{about:"StatefulSet web",type:Warning,reason:FailedDelete,message:"delete Pod web-0 in StatefulSet web failed error: {error}"}}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,readyReplicas:1,currentRevision:web-1,updateRevision:web-1,collisionCount:0,availableReplicas:1}}',
        'memory: {known:{mayAdopt:true},statusFrom:7}',
      ],
    ],
    [
      'of a set that is being deleted does not',
      () => after('StatefulSet', web({}, {}, { deletionTimestamp: '2024-01-01T00:00:00Z' }), [web(), own, orphan]),
      ['it is gone or being deleted, so it may not adopt', 'backoff: retry'],
    ],
    [
      'of a namesake does not',
      () => after('StatefulSet', web({}, {}, { uid: 'another' }), [web(), own, orphan]),
      ['it is gone or being deleted, so it may not adopt', 'backoff: retry'],
    ],
    [
      'of a set that is gone does not',
      () => after('StatefulSet', undefined, [web(), own, orphan]),
      ['it is gone or being deleted, so it may not adopt', 'backoff: retry'],
    ],
    [
      'of the revision whose name is taken uses it',
      () => after('ControllerRevision', own).filter((line) => !/^(?:create Pod|memory)/.test(line)),
      [
        'web-0 is missing and has the lowest ordinal',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:web-1,updateRevision:web-1,collisionCount:0,availableReplicas:0}}',
      ],
    ],
    [
      'of a revision of another template counts a collision',
      () =>
        after('ControllerRevision', revisionOf(setOf('web', { image: 'other' }), 'web-1', 1)).filter(
          (line) => !line.startsWith('create Pod'),
        ),
      [
        'its template is new: revision 1; web-0 is missing and has the lowest ordinal',
        'create ControllerRevision web-d8f49b57d {metadata:{labels:{app:web,controller.kubernetes.io/hash:d8f49b57f},ownerReferences:[{apiVersion:apps/v1,kind:StatefulSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},data:{spec:{template:{$patch:replace,metadata:{creationTimestamp:null,labels:{app:web}},spec:{containers:[{image:sim:1,name:c}],restartPolicy:Always}}}},revision:1}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:web-d8f49b57d,updateRevision:web-d8f49b57d,collisionCount:1,availableReplicas:0}}',
        'memory: {known:{collisions:1},statusFrom:7}',
      ],
    ],
    [
      'of a revision that is gone creates it again',
      () => after('ControllerRevision', undefined).filter((line) => !line.startsWith('create Pod')),
      [
        'its template is new: revision 1; web-0 is missing and has the lowest ordinal',
        'create ControllerRevision web-d8f49b57f {metadata:{labels:{app:web,controller.kubernetes.io/hash:d8f49b57f},ownerReferences:[{apiVersion:apps/v1,kind:StatefulSet,name:web,uid:uid-web,controller:true,blockOwnerDeletion:true}]},data:{spec:{template:{$patch:replace,metadata:{creationTimestamp:null,labels:{app:web}},spec:{containers:[{image:sim:1,name:c}],restartPolicy:Always}}}},revision:1}',
        'update StatefulSet/status web {status:{observedGeneration:1,replicas:1,currentReplicas:1,updatedReplicas:1,currentRevision:web-d8f49b57f,updateRevision:web-d8f49b57f,collisionCount:0,availableReplicas:0}}',
        'memory: {statusFrom:7}',
      ],
    ],
    ['is in vain where the set is gone', () => after('StatefulSet', web(), []), ['it is gone']],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('a change', () => {
  const stored = web({ volumeClaimTemplates: claimTemplates('data', 'old-web') });
  const keys = (type: 'ADDED' | 'DELETED', object: ApiObject) =>
    enqueued(statefulSet, { objects: [stored, setOf('a-web')] }, { type, object });
  const pod = (name: string, labels: object = { app: 'web' }) => barePod(name, 'Running', { meta: { labels } });

  it('of a pod without a controller concerns the set in its name, if that selects it', () => {
    expect([
      keys('ADDED', pod('web-0')),
      keys('ADDED', pod('web-0', { app: 'x' })),
      keys('ADDED', pod('other-0')),
      keys('ADDED', pod('web')),
    ]).toEqual([['default/web'], [], [], []]);
    expect(keys('ADDED', setPod(stored, 4))).toEqual(['default/web']);
  });

  it('of a claim concerns its sets once it is deleted, wherever the name of its template ends', () => {
    const claim = (template: string) => claimOf(stored, template, 0);
    expect([
      keys('DELETED', claim('data')),
      keys('ADDED', claim('data')),
      keys('DELETED', claim('other')),
      keys('DELETED', claim('old-web')),
    ]).toEqual([['default/web'], [], [], ['default/web']]);
    expect(keys('DELETED', { ...claim('data'), metadata: { ...claim('data').metadata, name: 'data-web' } })).toEqual([]);
  });
});
