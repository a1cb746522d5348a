/** Rolling updates of StatefulSets, and invariants of ReplicaSets, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, objectOf, ownedBy, put, readiness, remove, START, tells, tellsAtEnd, timeAt, wait } from './history.ts';

const DYING = { deletionTimestamp: timeAt(0) };

describe('stateful-set/max-unavailable-respected', () => {
  const NAME = 'stateful-set/max-unavailable-respected';
  const BY = { by: 'stateful-set' };
  const GATED = { gates: { MaxUnavailableStatefulSet: true } };
  const set = (spec: object = {}): ApiObject =>
    objectOf('StatefulSet', 'web', {
      metadata: { generation: 1 },
      spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate' }, ...spec },
      status: { updateRevision: 'new', observedGeneration: 1 },
    });
  const pod = (ordinal: number, revision = 'old'): ApiObject =>
    objectOf('Pod', `web-${ordinal}`, {
      metadata: { ...ownedBy('StatefulSet', 'web'), labels: { 'controller-revision-hash': revision } },
      status: readiness(true),
    });
  const dies = (ordinal: number, at: number, by: object = BY) => edit('Pod', `default/web-${ordinal}`, { metadata: DYING }, { at, ...by });
  const notReady = (ordinal: number, at: number) => edit('Pod', `default/web-${ordinal}`, { status: readiness(false) }, { at });
  const three = (spec: object = {}) => [set(spec), pod(0), pod(1), pod(2)].map((object) => [put(object), '-'] as const);
  const tooMany = (ordinal: number, down: number, most: number): string =>
    `pod default/web-${ordinal} was deleted while ${down} other pods were unavailable, and at most ${most} may be`;

  it('counts the pods that the controller itself deleted, and those that were not ready for half a minute', () => {
    tells(NAME, [...three(), [dies(2, 0), 'holds'], [dies(1, 1), tooMany(1, 1, 1)]]);
    tells(NAME, [...three(), [notReady(0, 10), '-'], [dies(2, 40), 'holds']]);
    tells(NAME, [...three(), [notReady(0, 10), '-'], [dies(2, 40.001), tooMany(2, 1, 1)]]);
    tells(NAME, [...three(), [dies(0, 10, {}), '-'], [dies(2, 40), 'holds'], [dies(1, 41), tooMany(1, 2, 1)]]);
  });

  const budget = (maxUnavailable: unknown): object => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable } } });
  it.each([
    [2, GATED, 2],
    ['50%', GATED, 2],
    ['33%', GATED, 1],
    [0, GATED, 1],
    ['many', GATED, 1],
    [undefined, GATED, 1],
    [2, {}, 1],
  ])('lets %s pods be unavailable, with %j', (maxUnavailable, world, most) => {
    const verdict = (ordinal: number, down: number): string => (down < most ? 'holds' : tooMany(ordinal, down, most));
    tells(NAME, [...three(budget(maxUnavailable)), [dies(2, 1), 'holds'], [dies(1, 2), verdict(1, 1)], [dies(0, 3), verdict(0, 2)]], world);
  });

  it('with Parallel and without the gate counts higher ordinals only', () => {
    const parallel = three({ podManagementPolicy: 'Parallel' });
    tells(NAME, [...parallel, [notReady(0, 0), '-'], [dies(2, 60), 'holds']]);
    tells(NAME, [...parallel, [notReady(2, 0), '-'], [dies(1, 60), tooMany(1, 1, 1)]]);
    tells(NAME, [...parallel, [notReady(0, 0), '-'], [dies(2, 60), tooMany(2, 1, 1)]], GATED);
  });

  it('lets a decision about a new version of the set miss the last deletion', () => {
    const anew = (at: number) => edit('StatefulSet', 'default/web', { metadata: { generation: 2 }, spec: { minReadySeconds: 1 } }, { at });
    tells(NAME, [...three(), [dies(2, 0), 'holds'], [anew(5), '-'], [dies(1, 30), 'holds']]);
    tells(NAME, [...three(), [dies(2, 0), 'holds'], [anew(5), '-'], [dies(1, 30.001), tooMany(1, 1, 1)]]);
    tells(NAME, [...three(), [anew(0), '-'], [dies(2, 0), 'holds'], [dies(1, 0), tooMany(1, 1, 1)]]);
    tells(NAME, [...three(), [notReady(2, 0), '-'], [anew(5), '-'], [dies(1, 31), tooMany(1, 1, 1)]]);
  });

  it('counts the pods that every version of the set wants', () => {
    const scaled = (replicas: number) =>
      edit('StatefulSet', 'default/web', { metadata: { generation: 2 }, spec: { replicas } }, { at: 60 });
    tells(NAME, [...three(), [notReady(2, 0), '-'], [scaled(2), '-'], [dies(0, 60), 'holds'], [dies(2, 60), '-']]);
    tells(NAME, [...three(), [scaled(4), '-'], [dies(0, 60), 'holds']]);
  });

  it('is about ready pods of an earlier template, which the controller deletes', () => {
    tells(NAME, [
      ...three(),
      [put(pod(2, 'new')), '-'],
      [notReady(1, 0), '-'],
      [dies(2, 60), '-'],
      [dies(1, 60), '-'],
      [edit('Pod', 'default/web-0', { metadata: { labels: {} } }, BY), '-'],
      [dies(0, 60, {}), '-'],
    ]);
    tells(NAME, [
      ...three(),
      [put(pod(2, 'new')), '-'],
      [notReady(1, 0), '-'],
      [edit('StatefulSet', 'default/web', { metadata: { generation: 2 } }), '-'],
      [dies(2, 60), tooMany(2, 1, 1)],
    ]);
  });

  it('describes each ordinal: whether it is there, was ready, and was deleted by the controller', () => {
    const state = (ordinals: readonly (readonly [number, object])[]): readonly unknown[] => [
      new Map([['uid-web', new Map(ordinals)]]),
      new Map(),
    ];
    const ordinal = { present: true, well: true, lastWellAt: START, taken: false, createdAt: START };
    const gone = { present: false, well: false, lastWellAt: START + 7_000, taken: true, createdAt: START };
    tells(NAME, [
      [put(pod(0)), '-'],
      [put(pod(1)), '-'],
      [notReady(1, 5), '-'],
      [wait(6), '-'],
      [
        described,
        state([
          [0, ordinal],
          [1, { ...ordinal, well: false, lastWellAt: START + 5_000 }],
        ]),
      ],
      [dies(0, 7), '-'],
      [remove('Pod', 'default/web-0', { at: 8 }), '-'],
      [put(pod(1, 'new'), { at: 9, ...BY }), '-'],
      [
        described,
        state([
          [0, gone],
          [1, { ...ordinal, lastWellAt: START + 9_000 }],
        ]),
      ],
      [put(pod(0), { at: 10 }), '-'],
      [edit('Pod', 'default/web-0', { metadata: { ownerReferences: [] } }), '-'],
      [remove('Pod', 'default/web-1', { at: 11, ...BY }), '-'],
      [
        described,
        state([
          [0, { ...ordinal, well: false, lastWellAt: START + 10_000, taken: true, createdAt: START + 10_000 }],
          [1, { ...gone, lastWellAt: START + 11_000 }],
        ]),
      ],
    ]);
  });
});

const rs = (spec: object = {}, status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('ReplicaSet', 'r', { metadata: { generation: 1, ...metadata }, spec: { replicas: 2, ...spec }, status });
const replica = (name: string, parts: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata: ownedBy('ReplicaSet', 'r'), status: readiness(true), ...parts });

describe('replica-set/no-pod-too-many', () => {
  const NAME = 'replica-set/no-pod-too-many';
  const BY = { by: 'replica-set' };
  const surplus = (name: string, has: number, wants: number): string =>
    `ReplicaSet r created pod ${name} and has ${has}, and wants ${wants}`;

  it('counts pods that are neither over nor being deleted', () => {
    tells(NAME, [
      [put(replica('early'), BY), 'holds'],
      [remove('Pod', 'default/early'), '-'],
      [put(rs()), '-'],
      [put(replica('a'), BY), 'holds'],
      [put(replica('b'), BY), 'holds'],
      [put(replica('c')), '-'],
      [put(replica('d'), BY), surplus('d', 4, 2)],
      [edit('Pod', 'default/a', { status: { phase: 'Failed' } }), '-'],
      [edit('Pod', 'default/b', { metadata: DYING }), '-'],
      [remove('Pod', 'default/c', BY), '-'],
      [put(replica('e'), BY), 'holds'],
      [described, [new Map([['uid-r', [{ ...rs(), metadata: { ...rs().metadata, resourceVersion: '4' } }]]]), new Map([['uid-r', 2]])]],
      [put(objectOf('Pod', 'free', { status: {} }), BY), '-'],
    ]);
  });

  it('lets an earlier size count until the set has observed the new one', () => {
    const sized = (generation: number, replicas: number) =>
      edit('ReplicaSet', 'default/r', { metadata: { generation }, spec: { replicas } });
    tells(NAME, [
      [put(rs()), '-'],
      [sized(2, 1), '-'],
      [put(replica('a'), BY), 'holds'],
      [put(replica('b'), BY), 'holds'],
      [put(replica('c'), BY), surplus('c', 3, 2)],
      [edit('ReplicaSet', 'default/r', { status: { observedGeneration: 1 } }), '-'],
      [remove('Pod', 'default/c'), '-'],
      [put(replica('d'), BY), surplus('d', 3, 2)],
      [edit('ReplicaSet', 'default/r', { status: { observedGeneration: 2 } }), '-'],
      [put(replica('e'), BY), surplus('e', 4, 1)],
      [sized(3, 5), '-'],
      [sized(3, 4), '-'],
      [put(replica('f'), BY), surplus('f', 5, 4)],
      [remove('ReplicaSet', 'default/r'), '-'],
      [put(replica('g'), BY), 'holds'],
    ]);
  });
});

describe.each([
  ['ReplicaSet', 'replica-set'],
  ['StatefulSet', 'stateful-set'],
  ['Deployment', 'deployment'],
])('the observed generation of a %s', (kind, prefix) => {
  it('is never higher than its generation, and never decreases', () => {
    const observed = (observedGeneration: number | undefined) => edit(kind, 'default/x', { status: { observedGeneration } });
    tells(`${prefix}/observed-generation-is-true`, [
      [put(objectOf(kind, 'x', { metadata: { generation: 2 }, spec: {}, status: { observedGeneration: 3 } })), '-'],
      [observed(3), `${kind} default/x has observedGeneration 3, and its generation is 2`],
      [observed(2), `${kind} default/x had observedGeneration 3, and has 2 now`],
      [observed(2), 'holds'],
      [observed(undefined), `${kind} default/x had observedGeneration 2, and has 0 now`],
      [observed(1), 'holds'],
      [
        edit(kind, 'default/x', { metadata: { generation: undefined } }),
        `${kind} default/x has observedGeneration 1, and its generation is 0`,
      ],
      [remove(kind, 'default/x'), '-'],
    ]);
  });
});

describe('a settled ReplicaSet', () => {
  const pods = [replica('a'), replica('b', { status: readiness(false) }), replica('over', { status: { phase: 'Failed' } })];
  const status = { observedGeneration: 1, replicas: 2, readyReplicas: 1 };

  it.each<readonly [string, ApiObject, string]>([
    ['status-tells-the-truth', rs({}, status), 'holds'],
    ['status-tells-the-truth', rs({}, { ...status, observedGeneration: 0 }), 'has observedGeneration 0, and it is 1'],
    ['status-tells-the-truth', rs({}, { ...status, replicas: 3 }), 'has replicas 3, and it is 2'],
    ['status-tells-the-truth', rs({}, { ...status, readyReplicas: undefined }), 'has readyReplicas 0, and it is 1'],
    ['comes-to-rest-complete', rs(), 'holds'],
    ['comes-to-rest-complete', rs({ replicas: 3 }), 'has 2 pods and wants 3, and nothing will happen any more'],
    ['comes-to-rest-complete', rs({ replicas: 1 }), 'has 2 pods and wants 1, and nothing will happen any more'],
    ['comes-to-rest-complete', rs({ replicas: 3 }, { conditions: [{ type: 'ReplicaFailure', status: 'True' }] }), '-'],
    ['comes-to-rest-complete', rs({}, { conditions: [{ type: 'Other', status: 'True' }] }), 'holds'],
    ['comes-to-rest-complete', rs({ replicas: 9 }, {}, DYING), '-'],
  ])('%s: %j', (name, set, verdict) => {
    tellsAtEnd(`replica-set/${name}`, [set, ...pods], /^(?:holds|-)$/.test(verdict) ? verdict : `ReplicaSet default/r ${verdict}`);
  });
});
