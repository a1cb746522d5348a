/** Whole attempts to empty a namespace: what is read, deleted, listed and judged. */
import { describe, expect, it } from 'vitest';
import { kindsFor, type Namespace } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { deletionConditions, namespaceLifecycle } from '../../../../src/controlplane/controllers/namespace/controller.ts';
import type { Write } from '../../../../src/controlplane/runtime/index.ts';
import { at, AT, barePod } from '../../../support/objects.ts';
import { decide, enqueued, linesOf, resume, type Situation } from '../../../support/reconcile.ts';

const controllerOf = () => namespaceLifecycle(kindsFor(namesFor('k8s.io')));
const team = (more: { meta?: object; spec?: object; status?: object } = {}): Namespace =>
  ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team', uid: 'uid-team', resourceVersion: '1', creationTimestamp: AT, deletionTimestamp: AT, ...more.meta },
    spec: { finalizers: ['kubernetes'], ...more.spec },
    status: { phase: 'Terminating', ...more.status },
  }) as unknown as Namespace;
const map = (name: string, meta: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'team', uid: `uid-${name}`, resourceVersion: '1', creationTimestamp: AT, ...meta },
});
const pod = (grace: number) =>
  barePod('p', 'Running', { meta: { namespace: 'team', deletionTimestamp: AT }, spec: { terminationGracePeriodSeconds: grace } });
const DUE = { judgeAt: at(60) };
const lines = (objects: Situation['objects'], memory?: object, more: Partial<Situation> = {}) =>
  linesOf(decide(controllerOf(), { objects, key: 'team', now: at(60), memory, ...more }));
const after = (
  write: Partial<Write>,
  answer: { readonly object?: ApiObject; readonly objects?: readonly ApiObject[] },
  memory?: object,
  objects: Situation['objects'] = [team()],
) =>
  linesOf(resume(controllerOf(), { objects, key: 'team', now: at(60), memory }, { write: write as Write, object: undefined, ...answer }));
const held = { finalizers: ['a/b'] };
const conditions = (...types: readonly string[]) =>
  types.map((type) => ({ type, status: 'True', reason: 'r', message: 'm', lastTransitionTime: AT }));

describe('an attempt', () => {
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'is not made for a namespace that stays',
      () => lines([team({ meta: { deletionTimestamp: undefined } })]),
      ['it is not being deleted'],
    ],
    ['is not made for one that others hold', () => lines([team({ spec: { finalizers: [] } })]), ['waiting for its other finalizers']],
    [
      'is not made for one without finalizers',
      () => lines([team({ spec: { finalizers: undefined } })]),
      ['waiting for its other finalizers'],
    ],
    [
      'reads the namespace first',
      () => lines([team(), map('a')]),
      [
        'it is being deleted: read it from the API server before anything in it is deleted',
        'get Namespace team {resume:true,tolerate:[NotFound]}',
        'backoff: keep',
      ],
    ],
    [
      'is judged when it ends',
      () => lines([team(), map('a')], { judgeAt: at(60) + 1 }),
      ['the remaining objects are being counted', 'backoff: keep', 'wakeAt: @60.001'],
    ],
    [
      'is judged when its deletions are seen',
      () => lines([team(), map('a')], DUE, { expectationsSatisfied: false }),
      ['waiting to observe its own deletions', 'backoff: keep', 'wakeAt: @60.06'],
    ],
    [
      'lists each kind where the cache shows nothing',
      () => lines([team(), map('far', { namespace: 'other' })], DUE).filter((line) => !line.startsWith('memory')),
      ['the cache shows no objects in it: list each Job from the API server', 'list Job in team {resume:true}', 'backoff: keep'],
    ],
    [
      'waits half the time of finalizers',
      () => lines([team(), map('a', { ...held, deletionTimestamp: AT })], DUE),
      [
        'the remaining objects may take 15 s',
        'update Namespace/status team {metadata:{deletionTimestamp:00:00:00},status:{phase:Terminating,conditions:["NamespaceDeletionDiscoveryFailure=False, lastTransitionTime: 00:01:00, reason: ResourcesDiscovered, message: All resources successfully discovered","NamespaceDeletionGroupVersionParsingFailure=False, lastTransitionTime: 00:01:00, reason: ParsedGroupVersions, message: All legacy kube types successfully parsed","NamespaceDeletionContentFailure=False, lastTransitionTime: 00:01:00, reason: ContentDeleted, message: All content successfully deleted, may be waiting on finalization","NamespaceContentRemaining=True, lastTransitionTime: 00:01:00, reason: SomeResourcesRemain, message: Some resources are remaining: configmaps. has 1 resource instances","NamespaceFinalizersRemaining=True, lastTransitionTime: 00:01:00, reason: SomeFinalizersRemain, message: Some content in the namespace has finalizers remaining: a/b in 1 resource instances"]}}',
        'memory: null',
        'wakeAt: @68',
      ],
    ],
    [
      'waits half the grace of pods',
      () => lines([team(), pod(120)], DUE),
      [
        'the remaining objects may take 120 s',
        'update Namespace/status team {metadata:{deletionTimestamp:00:00:00},status:{phase:Terminating,conditions:["NamespaceDeletionDiscoveryFailure=False, lastTransitionTime: 00:01:00, reason: ResourcesDiscovered, message: All resources successfully discovered","NamespaceDeletionGroupVersionParsingFailure=False, lastTransitionTime: 00:01:00, reason: ParsedGroupVersions, message: All legacy kube types successfully parsed","NamespaceDeletionContentFailure=False, lastTransitionTime: 00:01:00, reason: ContentDeleted, message: All content successfully deleted, may be waiting on finalization","NamespaceContentRemaining=True, lastTransitionTime: 00:01:00, reason: SomeResourcesRemain, message: Some resources are remaining: pods. has 1 resource instances","NamespaceFinalizersRemaining=False, lastTransitionTime: 00:01:00, reason: ContentHasNoFinalizers, message: All content-preserving finalizers finished"]}}',
        'memory: null',
        'wakeAt: @121',
      ],
    ],
    [
      'does not write the same result again',
      () => {
        const objects = [map('a', { ...held, deletionTimestamp: AT })];
        const same = deletionConditions(
          [{ kind: 'ConfigMap', group: '', version: 'v1', plural: 'configmaps', objects }],
          [],
          'team',
          undefined,
          at(0),
        );
        return lines([team({ status: { conditions: same } }), ...objects], DUE);
      },
      ['the remaining objects may take 15 s', 'memory: null', 'wakeAt: @68'],
    ],
    [
      'tries again where something should be gone',
      () => lines([team(), map('a', { deletionTimestamp: AT }), pod(1)], DUE),
      [
        'pods, configmaps should have been deleted by now',
        'update Namespace/status team {metadata:{deletionTimestamp:00:00:00},status:{phase:Terminating,conditions:["NamespaceDeletionDiscoveryFailure=False, lastTransitionTime: 00:01:00, reason: ResourcesDiscovered, message: All resources successfully discovered","NamespaceDeletionGroupVersionParsingFailure=False, lastTransitionTime: 00:01:00, reason: ParsedGroupVersions, message: All legacy kube types successfully parsed","NamespaceDeletionContentFailure=True, lastTransitionTime: 00:01:00, reason: ContentDeletionFailed, message: Failed to delete all resource types, 2 remaining: [unexpected items still remain in namespace: team for gvr: /v1, Resource=pods, unexpected items still remain in namespace: team for gvr: /v1, Resource=configmaps]","NamespaceContentRemaining=True, lastTransitionTime: 00:01:00, reason: SomeResourcesRemain, message: Some resources are remaining: configmaps. has 1 resource instances, pods. has 1 resource instances","NamespaceFinalizersRemaining=False, lastTransitionTime: 00:01:00, reason: ContentHasNoFinalizers, message: All content-preserving finalizers finished"]}}',
        'backoff: retry',
        'memory: null',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

describe('after an answer', () => {
  const get = { op: 'get', kind: 'Namespace', name: 'team' } as const;
  const list = { op: 'list', kind: 'ConfigMap', namespace: 'team' } as const;
  const update = { op: 'update', object: team() } as const;
  const inventory = (...unlisted: readonly string[]) => ({ judgeAt: at(60), inventory: { left: [], unlisted } });

  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'deletes what the cache shows, and what no cache holds',
      () => after(get, { object: team() }, undefined, [team(), map('a'), map('b', { deletionTimestamp: AT }), pod(1)]),
      [
        '1 of the 3 objects in it are still to be deleted',
        'delete ConfigMap a {uid:uid-a,tolerate:[NotFound,Conflict],propagationPolicy:Background}',
        'delete all Lease in team {propagationPolicy:Background}',
        'delete all Event in team {propagationPolicy:Background}',
        'memory: {judgeAt:@60.06}',
        'backoff: keep',
        'wakeAt: @60.06',
      ],
    ],
    ['leaves a namespace that is gone', () => after(get, {}), ['it is gone: its cache is stale', 'memory: null']],
    [
      'leaves a namesake',
      () => after(get, { object: team({ meta: { uid: 'another' } }) }),
      ['it is gone: its cache is stale', 'memory: null'],
    ],
    [
      'leaves a namespace that is not being deleted any more',
      () => after(get, { object: team({ meta: { deletionTimestamp: undefined } }) }),
      ['it is gone: its cache is stale', 'memory: null'],
    ],
    [
      'lists the next kind',
      () => after(list, { objects: [map('a', held)] }, inventory('ConfigMap', 'Secret')),
      [
        'the cache shows no objects in it: list each Secret from the API server',
        'list Secret in team {resume:true}',
        'memory: {judgeAt:@60,inventory:{left:[{kind:ConfigMap,group:"",version:v1,plural:configmaps,objects:[{apiVersion:v1,kind:ConfigMap,metadata:{name:a,namespace:team,uid:uid-a,resourceVersion:1,creationTimestamp:00:00:00,finalizers:[a/b]}}]}],unlisted:[Secret]}}',
        'backoff: keep',
      ],
    ],
    [
      'waits for what the lists found',
      () => after(list, { objects: [map('a', held), map('b')] }, inventory('ConfigMap')),
      [
        'the remaining objects may take 15 s',
        'update Namespace/status team {metadata:{deletionTimestamp:00:00:00},status:{phase:Terminating,conditions:["NamespaceDeletionDiscoveryFailure=False, lastTransitionTime: 00:01:00, reason: ResourcesDiscovered, message: All resources successfully discovered","NamespaceDeletionGroupVersionParsingFailure=False, lastTransitionTime: 00:01:00, reason: ParsedGroupVersions, message: All legacy kube types successfully parsed","NamespaceDeletionContentFailure=False, lastTransitionTime: 00:01:00, reason: ContentDeleted, message: All content successfully deleted, may be waiting on finalization","NamespaceContentRemaining=True, lastTransitionTime: 00:01:00, reason: SomeResourcesRemain, message: Some resources are remaining: configmaps. has 2 resource instances","NamespaceFinalizersRemaining=True, lastTransitionTime: 00:01:00, reason: SomeFinalizersRemain, message: Some content in the namespace has finalizers remaining: a/b in 1 resource instances"]}}',
        'memory: null',
        'wakeAt: @68',
      ],
    ],
    [
      'passes over a kind that it does not know',
      () => after(list, { objects: [map('a', held)] }, inventory('Odd', 'Secret')),
      [
        'the cache shows no objects in it: list each Secret from the API server',
        'list Secret in team {resume:true}',
        'memory: {judgeAt:@60,inventory:{left:[],unlisted:[Secret]}}',
        'backoff: keep',
      ],
    ],
    [
      'removes its finalizer where the lists found nothing',
      () => after(list, { objects: [] }, inventory('ConfigMap')),
      [
        'it is empty',
        'update Namespace/finalize team {metadata:{deletionTimestamp:00:00:00},spec:{finalizers:[]},status:{phase:Terminating}} {tolerate:[NotFound]}',
        'memory: null',
      ],
    ],
    [
      'keeps the finalizers of others',
      () => after(list, {}, inventory('ConfigMap'), [team({ spec: { finalizers: ['x/y', 'kubernetes'] } })]),
      [
        'it is empty',
        'update Namespace/finalize team {metadata:{deletionTimestamp:00:00:00},spec:{finalizers:[x/y]},status:{phase:Terminating}} {tolerate:[NotFound]}',
        'memory: null',
      ],
    ],
    [
      'updates its conditions first, where there are some',
      () =>
        after(list, {}, inventory('ConfigMap'), [team({ status: { conditions: conditions('NamespaceContentRemaining') } })]).map((line) =>
          line.slice(0, 100),
        ),
      [
        'it is empty: update its conditions first',
        'update Namespace/status team {metadata:{deletionTimestamp:00:00:00},status:{phase:Terminating,condit',
        'memory: null',
      ],
    ],
    [
      'removes its finalizer after that',
      () => after(update, { object: team({ meta: { resourceVersion: '9' } }) }),
      [
        'it is empty',
        'update Namespace/finalize team {metadata:{deletionTimestamp:00:00:00},spec:{finalizers:[]},status:{phase:Terminating}} {tolerate:[NotFound]}',
        'memory: null',
      ],
    ],
    [
      'removes the finalizer of the cached one where the answer is none',
      () => after(update, {}),
      [
        'it is empty',
        'update Namespace/finalize team {metadata:{deletionTimestamp:00:00:00},spec:{finalizers:[]},status:{phase:Terminating}} {tolerate:[NotFound]}',
        'memory: null',
      ],
    ],
    ['leaves one that is gone meanwhile', () => after(list, {}, inventory('ConfigMap'), []), ['it is gone', 'memory: null']],
    ['forgets a list that belongs to no attempt', () => after(list, {}, DUE), ['it is gone', 'memory: null']],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});

it('a deletion is noticed after five seconds', () => {
  const controller = controllerOf();
  const self = { ...controller, watches: [{ kind: 'Namespace', ...controller.self }] };
  const keys = (type: 'MODIFIED' | 'DELETED', object: Namespace) => enqueued(self, { objects: [] }, { type, object });
  expect([keys('MODIFIED', team()), keys('DELETED', team()), keys('MODIFIED', team({ meta: { deletionTimestamp: undefined } }))]).toEqual([
    [{ key: 'team', afterMs: 5000 }],
    [],
    [],
  ]);
});

it('the content of namespaces is watched, without events and leases', () => {
  const controller = controllerOf();
  const kinds = controller.watches?.map(({ kind }) => kind) ?? [];
  expect(['ConfigMap', 'Pod', 'Secret', 'Event', 'Lease', 'Node', 'Namespace'].filter((kind) => kinds.includes(kind))).toEqual([
    'ConfigMap',
    'Pod',
    'Secret',
  ]);
  const on = (namespaced: boolean) => controller.watchOn?.({ namespaced, kind: 'Odd' } as never)?.kind;
  expect([on(true), on(false)]).toEqual(['Odd', undefined]);
});
