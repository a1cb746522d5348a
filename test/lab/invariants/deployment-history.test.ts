/** Invariants of Deployments, write by write. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, objectOf, ownedBy, put, remove, tells, tellsAtEnd, timeAt } from './history.ts';

const BY = { by: 'deployment' };
const template = (image: string, labels: object = {}): object => ({
  metadata: { labels: { app: 'd', ...labels } },
  spec: { containers: [{ image }] },
});
const rolling = (maxSurge: unknown, maxUnavailable: unknown): object => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});
const RECREATE = { strategy: { type: 'Recreate' } };
const deployment = (spec: object = {}, status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('Deployment', 'd', {
    metadata: { generation: 1, ...metadata },
    spec: { replicas: 3, template: template('b'), ...rolling(1, 1), ...spec },
    status,
  });
const rs = (name: string, replicas: number, image = 'b', status: object = {}, metadata: object = {}): ApiObject =>
  objectOf('ReplicaSet', name, {
    metadata: { ...ownedBy('Deployment', 'd'), ...metadata },
    spec: { replicas, template: template(image, { 'pod-template-hash': name }) },
    status: { replicas, availableReplicas: replicas, ...status },
  });
const sized = (name: string, replicas: number, by: object = BY, annotations?: object) =>
  edit('ReplicaSet', `default/${name}`, { spec: { replicas }, ...(annotations === undefined ? {} : { metadata: { annotations } }) }, by);
const available = (name: string, availableReplicas: number | undefined, at: number) =>
  edit('ReplicaSet', `default/${name}`, { status: { availableReplicas } }, { at });

describe('deployment/surge-respected', () => {
  const NAME = 'deployment/surge-respected';
  const tooMany = (name: string, after: number, total: number, most: number): string =>
    `ReplicaSet default/${name} was scaled to ${after} pods, which makes ${total} in all, and at most ${most} are allowed`;

  it.each<readonly [object, number]>([
    [rolling(1, 1), 4],
    [rolling('25%', 0), 4],
    [rolling('34%', 0), 5],
    [rolling(0, 1), 3],
    [rolling(undefined, undefined), 3],
    [rolling('many', 0), 3],
    [{ strategy: { type: 'RollingUpdate' } }, 3],
    [{ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 2 } } }, 3],
  ])('with %j', (spec, most) => {
    tells(NAME, [
      [put(deployment(spec)), '-'],
      [put(rs('a', most - 1), BY), 'holds'],
      [put(rs('b', 1), BY), 'holds'],
      [sized('b', 2), tooMany('b', 2, most + 1, most)],
      [sized('a', 1), '-'],
      [edit('ReplicaSet', 'default/a', { status: {} }, BY), '-'],
    ]);
  });

  it('counts the ReplicaSets that there are and that it controls, and the size of any version', () => {
    tells(NAME, [
      [put(rs('early', 9), BY), '-'],
      [remove('ReplicaSet', 'default/early', BY), '-'],
      [put(deployment()), '-'],
      [put(rs('a', 4), BY), 'holds'],
      [remove('ReplicaSet', 'default/a', BY), '-'],
      [put(rs('b', 4), BY), 'holds'],
      [put(rs('c', 1), BY), tooMany('c', 1, 5, 4)],
      [edit('ReplicaSet', 'default/b', { metadata: { ownerReferences: [] } }), '-'],
      [sized('c', 4), 'holds'],
      [edit('ReplicaSet', 'default/c', { metadata: ownedBy('Deployment', 'e') }), '-'],
      [put(rs('free', 9, 'b', {}, { ownerReferences: [] }), BY), '-'],
      [edit('Deployment', 'default/d', { metadata: { generation: 2 }, spec: { replicas: 5 } }), '-'],
      [edit('Deployment', 'default/d', { metadata: { generation: 3 }, spec: { replicas: 1 } }), '-'],
      [put(rs('f', 6), BY), 'holds'],
      [sized('f', 7), tooMany('f', 7, 7, 6)],
      [edit('Deployment', 'default/d', { status: { observedGeneration: 3 } }), '-'],
      [sized('f', 8), tooMany('f', 8, 8, 2)],
    ]);
  });

  it('does not judge a Deployment whose ReplicaSets a user has scaled, until the controller has scaled them', () => {
    tells(NAME, [
      [put(deployment()), '-'],
      [put(rs('a', 3), BY), 'holds'],
      [sized('a', 9, {}), '-'],
      [put(rs('b', 1), BY), '-'],
      [edit('ReplicaSet', 'default/a', { status: { replicas: 9 } }, BY), '-'],
      [sized('a', 10), '-'],
      [sized('b', 2), tooMany('b', 2, 12, 4)],
      [edit('ReplicaSet', 'default/a', { status: { replicas: 10 } }, { by: 'replica-set' }), '-'],
      [sized('b', 3), tooMany('b', 3, 13, 4)],
    ]);
  });

  it('describes versions, and each ReplicaSet with who scaled it and what was available', () => {
    tells(NAME, [
      [put(rs('a', 3), BY), '-'],
      [edit('ReplicaSet', 'default/a', { metadata: { ownerReferences: [] } }), '-'],
      [described, [new Map(), new Map([['uid-d', new Map()]])]],
    ]);
  });
});

describe('deployment/availability-respected', () => {
  const NAME = 'deployment/availability-respected';
  const tooFew = (name: string, from: number, to: number, left: number, least: number): string =>
    `ReplicaSet default/${name} went from ${from} to ${to}, which leaves ${left} available pods, and at least ${least} are required`;

  it.each<readonly [object, number]>([
    [rolling(1, 1), 3],
    [rolling(0, 0), 3],
    [rolling(1, 0), 4],
    [rolling(1, '50%'), 2],
    [rolling(1, '74%'), 2],
    [rolling(1, '75%'), 1],
    [rolling(1, 9), 0],
  ])('with %j', (spec, least) => {
    const verdict = (from: number, to: number): string => (to >= least ? 'holds' : tooFew('a', from, to, to, least));
    tells(NAME, [
      [put(deployment({ replicas: 4, ...spec })), '-'],
      [put(rs('a', 4), BY), '-'],
      [sized('a', 3), verdict(4, 3)],
      [sized('a', 2), verdict(3, 2)],
      [sized('a', 1), verdict(2, 1)],
      [sized('a', 0), verdict(1, 0)],
    ]);
  });

  it('counts the available pods of the other ReplicaSets, up to their sizes', () => {
    tells(NAME, [
      [put(deployment()), '-'],
      [put(rs('a', 3, 'a'), BY), '-'],
      [put(rs('b', 1, 'b', { availableReplicas: 5 }), BY), '-'],
      [sized('a', 1), 'holds'],
      [sized('a', 0), tooFew('a', 1, 0, 1, 2)],
    ]);
  });

  it('takes a count for known half a minute after it has changed', () => {
    const story = (last: number, verdict: string): void =>
      tells(NAME, [
        [put(deployment()), '-'],
        [put(rs('a', 3), BY), '-'],
        [available('a', 1, 10), '-'],
        [available('a', 0, last), '-'],
        [sized('a', 2), verdict],
      ]);
    story(40, 'holds');
    // Nothing that is known to be available is deleted then.
    story(40.001, '-');
  });

  it('is about rolling updates that delete available pods', () => {
    const none = put(rs('a', 3, 'b', { availableReplicas: undefined }), BY);
    tells(NAME, [
      [put(deployment()), '-'],
      [none, '-'],
      [sized('a', 0), '-'],
      [sized('a', 3), '-'],
    ]);
    tells(NAME, [
      [put(deployment(RECREATE)), '-'],
      [put(rs('a', 3), BY), '-'],
      [sized('a', 0), '-'],
    ]);
    tells(NAME, [
      [put(deployment()), '-'],
      [put(rs('a', 3), BY), '-'],
      [sized('a', 4, {}), '-'],
      [sized('a', 0), '-'],
    ]);
    tells(NAME, [
      [put(deployment()), '-'],
      [put(rs('a', 3), BY), '-'],
      [sized('a', 0, BY, { 'deployment.orch.io/desired-replicas': '9' }), '-'],
    ]);
    tells(NAME, [
      [put(deployment()), '-'],
      [put(rs('a', 3), BY), '-'],
      [sized('a', 0, BY, { other: '9' }), tooFew('a', 3, 0, 0, 2)],
    ]);
  });
});

describe('deployment/old-sets-never-grow', () => {
  it('is about ReplicaSets of an earlier template, whatever their hash', () => {
    tells('deployment/old-sets-never-grow', [
      [put(deployment()), '-'],
      [put(rs('a', 1, 'a'), BY), '-'],
      [put(rs('b', 1, 'b'), BY), '-'],
      [sized('b', 2), '-'],
      [sized('a', 2), 'ReplicaSet default/a is of an earlier template and went from 1 to 2'],
      [sized('a', 1), 'holds'],
      [sized('a', 3, BY, { 'deployment.orch.io/desired-replicas': '9' }), '-'],
      [sized('a', 1, {}), '-'],
      [sized('a', 2), '-'],
      [edit('ReplicaSet', 'default/b', { spec: { template: template('b', { app: 'other' }) } }), '-'],
      [sized('b', 3), 'ReplicaSet default/b is of an earlier template and went from 2 to 3'],
      [edit('Deployment', 'default/d', { metadata: { generation: 2 }, spec: { template: template('a') } }), '-'],
      [sized('a', 4), '-'],
    ]);
  });
});

describe('a settled Deployment', () => {
  const later = { creationTimestamp: timeAt(9) };
  const sets = [
    rs('a', 1, 'a', { readyReplicas: 1 }),
    rs('b', 2, 'b', { readyReplicas: 1, availableReplicas: 1 }),
    rs('c', 0, 'b', { replicas: 7, availableReplicas: 0 }, later),
  ];
  const counts = { observedGeneration: 1, replicas: 10, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
  const complete = { observedGeneration: 1, conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }] };

  it.each<readonly [string, readonly ApiObject[], string]>([
    ['status-tells-the-truth', [deployment({}, counts), ...sets], 'holds'],
    ['status-tells-the-truth', [deployment({}, { ...counts, observedGeneration: 0 }), ...sets], 'has observedGeneration 0, and it is 1'],
    ['status-tells-the-truth', [deployment({}, { ...counts, replicas: 3 }), ...sets], 'has replicas 3, and it is 10'],
    ['status-tells-the-truth', [deployment({}, { ...counts, updatedReplicas: 7 }), ...sets], 'has updatedReplicas 7, and it is 2'],
    ['status-tells-the-truth', [deployment({}, { ...counts, readyReplicas: 3 }), ...sets], 'has readyReplicas 3, and it is 2'],
    ['status-tells-the-truth', [deployment({}, { ...counts, availableReplicas: 1 }), ...sets], 'has availableReplicas 1, and it is 2'],
    ['status-tells-the-truth', [deployment({}, { observedGeneration: 1 })], 'holds'],
    ['one-template-when-complete', [deployment({}, complete), ...sets], 'is complete, and a of an earlier template has 1 pods'],
    [
      'one-template-when-complete',
      [deployment({}, complete), rs('a', 0, 'a', { replicas: 2 })],
      'is complete, and a of an earlier template has 2 pods',
    ],
    [
      'one-template-when-complete',
      [deployment({}, complete), rs('a', 1, 'a', { replicas: 0 })],
      'is complete, and a of an earlier template has 0 pods',
    ],
    ['one-template-when-complete', [deployment({}, complete), rs('a', 0, 'a'), rs('b', 1, 'b')], 'holds'],
    ['one-template-when-complete', [deployment({ paused: true }, complete), ...sets], '-'],
    ['one-template-when-complete', [deployment({}, { ...complete, observedGeneration: 0 }), ...sets], '-'],
    ['one-template-when-complete', [deployment({}, { observedGeneration: 1 }), ...sets], '-'],
    [
      'one-template-when-complete',
      [
        deployment(
          {},
          {
            observedGeneration: 1,
            conditions: [
              { type: 'Progressing', reason: 'Other' },
              { type: 'Other', reason: 'NewReplicaSetAvailable' },
            ],
          },
        ),
        ...sets,
      ],
      '-',
    ],
    ['comes-to-rest-complete', [deployment(), rs('b', 3)], 'holds'],
    ['comes-to-rest-complete', [deployment(), rs('a', 0, 'a'), rs('b', 3)], 'holds'],
    ['comes-to-rest-complete', [deployment(), rs('b', 2)], 'wants 3 pods, its ReplicaSet 2, and nothing will happen any more'],
    ['comes-to-rest-complete', [deployment(), rs('a', 1, 'a'), rs('b', 3)], 'still wants 1 pods of a, and nothing will happen any more'],
    ['comes-to-rest-complete', [deployment(), rs('a', 1, 'a')], 'has no ReplicaSet of its template, and nothing will happen any more'],
    ['comes-to-rest-complete', [deployment(), rs('b', 2, 'b', { availableReplicas: undefined })], '-'],
    ['comes-to-rest-complete', [deployment(), rs('b', 2, 'b', { replicas: 1 })], '-'],
    ['comes-to-rest-complete', [deployment({ paused: true }), rs('b', 2)], '-'],
    ['comes-to-rest-complete', [deployment({ replicas: 0 }), rs('b', 0, 'b', { availableReplicas: undefined })], 'holds'],
  ])('%s: %j', (name, objects, verdict) => {
    tellsAtEnd(`deployment/${name}`, objects, /^(?:holds|-)$/.test(verdict) ? verdict : `Deployment default/d ${verdict}`);
  });

  it('has for its newest ReplicaSet the oldest of its template, then the first by name', () => {
    const wants = (name: string, ...these: readonly ApiObject[]): void =>
      tellsAtEnd(
        'deployment/comes-to-rest-complete',
        [deployment(), ...these],
        `Deployment default/d still wants 3 pods of ${name}, and nothing will happen any more`,
      );
    wants('x', rs('x', 3, 'b', {}, later), rs('y', 3));
    wants('y', rs('y', 3), rs('x', 3));
    wants('y', rs('x', 3), rs('y', 3, 'b', {}, later));
  });
});
