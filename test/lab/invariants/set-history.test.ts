/** Invariants of StatefulSets, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, keep, objectOf, ownedBy, put, readiness, remove, tells, tellsAtEnd, timeAt } from './history.ts';

const BY = { by: 'stateful-set' };
const DYING = { deletionTimestamp: timeAt(0) };
const set = (spec: object = {}, status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('StatefulSet', 'web', {
    metadata: { generation: 1, ...metadata },
    spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate' }, ...spec },
    status,
  });
const pod = (name: string, ready = true, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata: { ...ownedBy('StatefulSet', 'web'), ...metadata }, status: readiness(ready) });
const of = (revision: string): object => ({ labels: { 'controller-revision-hash': revision } });
const readyAt = (name: string, ready: boolean, at: number) => edit('Pod', `default/${name}`, { status: readiness(ready) }, { at });
const dies = (name: string, at: number, by: object = BY) => edit('Pod', `default/${name}`, { metadata: DYING }, { at, ...by });

describe('stateful-set/starts-in-order', () => {
  const NAME = 'stateful-set/starts-in-order';

  it('wants all pods before to be ready, or to have been ready half a minute ago', () => {
    tells(NAME, [
      [put(set()), '-'],
      [put(pod('web-0', false), BY), '-'],
      [put(pod('web-1'), BY), 'pod default/web-1 was created while 0 was not ready'],
      [readyAt('web-0', true, 0), '-'],
      [put(pod('web-3'), BY), 'pod default/web-3 was created while 2 was missing'],
      [put(pod('web-2'), BY), 'holds'],
      [remove('Pod', 'default/web-2'), '-'],
      [readyAt('web-0', false, 10), '-'],
      [put(pod('web-2'), { at: 40, ...BY }), 'holds'],
      [remove('Pod', 'default/web-2'), '-'],
      [put(pod('web-2'), { at: 40.001, ...BY }), 'pod default/web-2 was created while 0 was not ready'],
    ]);
  });

  it('is about the controller, and sets that are ordered', () => {
    tells(NAME, [
      [put(set({ podManagementPolicy: 'Parallel' })), '-'],
      [put(pod('web-1'), BY), '-'],
      [edit('StatefulSet', 'default/web', { spec: { podManagementPolicy: 'OrderedReady' } }), '-'],
      [put(pod('web-2')), '-'],
      [put(pod('web-x'), BY), '-'],
      [put(pod('web-04'), BY), '-'],
      [put(pod('other-4'), BY), '-'],
      [put(pod('web-10', true, ownedBy('StatefulSet', 'web', 'uid-old')), BY), '-'],
      [put(pod('web-11', true, ownedBy('ReplicaSet', 'web')), BY), '-'],
      [put(pod('web-12'), BY), 'pod default/web-12 was created while 0 was missing'],
    ]);
  });
});

describe('stateful-set/stops-in-reverse', () => {
  const NAME = 'stateful-set/stops-in-reverse';

  it('wants the pod above to be gone, if it has existed for half a minute', () => {
    tells(NAME, [
      [put(set({ replicas: 1 }, { observedGeneration: 1 })), '-'],
      [put(pod('web-0')), '-'],
      [put(pod('web-1')), '-'],
      [put(pod('web-2')), '-'],
      [put(pod('web-4'), { at: 10 }), '-'],
      [dies('web-2', 40), 'holds'],
      [edit('Pod', 'default/web-2', { metadata: { labels: {} } }, BY), '-'],
      [dies('web-1', 40), 'pod default/web-1 was deleted while 2 still existed'],
      [remove('Pod', 'default/web-2'), '-'],
      [edit('Pod', 'default/web-1', { metadata: { deletionTimestamp: undefined } }), '-'],
      [dies('web-1', 40.001), 'pod default/web-1 was deleted while 4 still existed'],
      [dies('web-0', 41), '-'],
      [remove('Pod', 'default/web-0', BY), '-'],
    ]);
  });

  it('is about surplus pods in all versions of the set, and ordered sets', () => {
    tells(NAME, [
      [put(set({ replicas: 3 })), '-'],
      [put(pod('web-1')), '-'],
      [put(pod('web-2')), '-'],
      [put(pod('web-3')), '-'],
      [edit('StatefulSet', 'default/web', { metadata: { generation: 2 }, spec: { replicas: 1 } }, { at: 50 }), '-'],
      [dies('web-2', 50), '-'],
      [edit('StatefulSet', 'default/web', { status: { observedGeneration: 2 } }), '-'],
      [dies('web-1', 50), 'pod default/web-1 was deleted while 2 still existed'],
      [edit('StatefulSet', 'default/web', { spec: { podManagementPolicy: 'Parallel' } }), '-'],
      [edit('Pod', 'default/web-1', { metadata: { deletionTimestamp: undefined } }), '-'],
      [dies('web-1', 50), '-'],
    ]);
  });
});

describe('stateful-set/partition-respected', () => {
  const NAME = 'stateful-set/partition-respected';
  const parted = (partition: number, status: object = { currentRevision: 'old', updateRevision: 'new' }): ApiObject =>
    set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } }, status);
  const revision = keep(objectOf('ControllerRevision', 'old'));
  const wrong = 'pod default/web-1 is below partition 2, yet it was created from new, not from old';

  it.each<readonly [string, ApiObject, ApiObject, string]>([
    ['of the current revision', parted(2), pod('web-1', true, of('old')), 'holds'],
    ['of the update revision', parted(2), pod('web-1', true, of('new')), wrong],
    ['at the partition', parted(1), pod('web-1', true, of('new')), '-'],
    ['without an update', parted(2, { currentRevision: 'old', updateRevision: 'old' }), pod('web-1', true, of('old')), '-'],
    ['without a current revision', parted(2, {}), pod('web-1', true, of('new')), '-'],
    [
      'of a set that is updated by hand',
      set({ updateStrategy: { type: 'OnDelete', rollingUpdate: { partition: 2 } } }, { currentRevision: 'old' }),
      pod('web-1', true, of('new')),
      '-',
    ],
    ['of no partition', set({}, { currentRevision: 'old' }), pod('web-0', true, of('new')), '-'],
  ])('a new pod %s', (_, object, created, verdict) => {
    tells(NAME, [
      [revision, '-'],
      [put(object), '-'],
      [put(created, BY), verdict],
      [edit('Pod', `default/${created.metadata.name}`, { status: {} }, BY), '-'],
    ]);
  });

  it('is not asked for a revision that is gone, nor for a partition that is new', () => {
    tells(NAME, [
      [put(parted(2)), '-'],
      [put(pod('web-1', true, of('new')), BY), '-'],
      [revision, '-'],
      [
        edit('StatefulSet', 'default/web', {
          metadata: { generation: 2 },
          spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
        }),
        '-',
      ],
      [
        edit('StatefulSet', 'default/web', {
          metadata: { generation: 3 },
          spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
        }),
        '-',
      ],
      [put(pod('web-0', true, of('new')), BY), 'pod default/web-0 is below partition 2, yet it was created from new, not from old'],
      [remove('Pod', 'default/web-1', BY), '-'],
      [put(pod('web-1', true, of('new')), BY), 'holds'],
    ]);
  });
});

describe('stateful-set/at-most-one-pod-per-ordinal', () => {
  it('goes by the label of the identity, or the name', () => {
    const called = (name: string, label: string, metadata: object = {}): ApiObject =>
      pod(name, true, { labels: { 'statefulset.orch.io/pod-name': label }, ...metadata });
    tells('stateful-set/at-most-one-pod-per-ordinal', [
      [put(pod('web-0')), 'holds'],
      [edit('Pod', 'default/web-0', { status: readiness(false) }), '-'],
      [put(called('x', 'web-0')), 'two pods are web-0 of StatefulSet web, one of them x'],
      [put(called('y', 'web-1')), 'holds'],
      [edit('Pod', 'default/y', { status: { phase: 'Failed' } }), '-'],
      [put(called('z', 'web-1')), 'holds'],
      [edit('Pod', 'default/web-0', { metadata: { ownerReferences: [] } }), '-'],
      [edit('Pod', 'default/x', { status: {} }), 'holds'],
      [
        described,
        {
          holders: new Map([
            ['uid-web/web-1', 'uid-z'],
            ['uid-web/web-0', 'uid-x'],
          ]),
          identities: new Map([
            ['uid-z', 'uid-web/web-1'],
            ['uid-x', 'uid-web/web-0'],
          ]),
        },
      ],
      [remove('Pod', 'default/z'), '-'],
      [put(pod('other', true, ownedBy('ReplicaSet', 'web'))), '-'],
      [put(called('other-set', 'web-0', ownedBy('StatefulSet', 'db'))), 'holds'],
    ]);
  });
});

describe('a settled StatefulSet', () => {
  const status = {
    observedGeneration: 1,
    replicas: 2,
    readyReplicas: 1,
    updatedReplicas: 1,
    currentReplicas: 1,
    updateRevision: 'new',
    currentRevision: 'old',
  };
  const pods = [pod('web-0', true, of('new')), pod('web-1', false, of('old'))];
  const TRUTH = 'stateful-set/status-tells-the-truth';
  const REST = 'stateful-set/comes-to-rest-complete';

  it.each([
    [{}, 'holds'],
    [{ observedGeneration: 0 }, 'StatefulSet default/web has observedGeneration 0, and it is 1'],
    [{ replicas: 3 }, 'StatefulSet default/web has replicas 3, and it is 2'],
    [{ readyReplicas: undefined }, 'StatefulSet default/web has readyReplicas 0, and it is 1'],
    [{ updatedReplicas: 0 }, 'StatefulSet default/web has updatedReplicas 0, and it is 1'],
    [{ currentReplicas: 2 }, 'StatefulSet default/web has currentReplicas 2, and it is 1'],
    [{ updateRevision: 'other' }, 'StatefulSet default/web has updatedReplicas 1, and it is 0'],
  ])('with %j in its status', (changed, verdict) => {
    tellsAtEnd(TRUTH, [set({}, { ...status, ...changed }), ...pods], verdict);
  });

  it('counts a pod that is being deleted, but not for a revision', () => {
    tellsAtEnd(
      TRUTH,
      [set({}, { ...status, updatedReplicas: 0 }), pod('web-0', true, { ...of('new'), ...DYING }), pod('web-1', false, of('old'))],
      'holds',
    );
  });

  const rest = (spec: object, objects: readonly ApiObject[], verdict: string): void => {
    tellsAtEnd(
      REST,
      [set(spec, { updateRevision: 'new' }), ...objects],
      verdict === '-' || verdict === 'holds' ? verdict : `StatefulSet default/web ${verdict}, and nothing will happen any more`,
    );
  };

  it.each<readonly [object, readonly ApiObject[], string]>([
    [{ replicas: 2 }, [pod('web-0', true, of('new')), pod('web-1', true, of('new'))], 'holds'],
    [{ replicas: 0 }, [], 'holds'],
    [{ replicas: 1 }, [], 'is missing pod 0'],
    [{ replicas: 3 }, [pod('web-0', true, of('new')), pod('web-2', true, of('new'))], 'is missing pod 1'],
    [{ replicas: 1 }, [pod('web-0', true, of('new')), pod('web-1', true, of('new'))], 'has pod web-1 and wants only 1'],
    [{ replicas: 1 }, [pod('web-0', true, of('new')), pod('web-x', true, of('new'))], 'has pod web-x and wants only 1'],
    [{ replicas: 1 }, [pod('web-0', false)], '-'],
    [{ replicas: 1 }, [pod('web-0', true, DYING)], '-'],
    [{ replicas: 1 }, [pod('web-0', true, of('old'))], 'has pod web-0 of old where new is wanted'],
    [{ replicas: 1, updateStrategy: { type: 'OnDelete' } }, [pod('web-0', true, of('old'))], 'holds'],
    [
      { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
      [pod('web-0', true, of('old')), pod('web-1', true, of('new'))],
      'holds',
    ],
    [
      { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
      [pod('web-0', true, of('old')), pod('web-1', true, of('old'))],
      'has pod web-1 of old where new is wanted',
    ],
  ])('of %j', (spec, objects, verdict) => {
    rest(spec, objects, verdict);
  });
});
