/** The order in which a ReplicaSet's surplus pods are deleted, one rule at a time: by pairs that differ in one property. */
import { describe, expect, it } from 'vitest';
import { replicaSet } from '../../../../src/controlplane/controllers/replica-set/controller.ts';
import type { Pod, ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { decide, phrase } from '../../../support/reconcile.ts';

const EARLY = '2024-01-01T00:00:00Z';
const COST = 'controller.kubernetes.io/pod-deletion-cost';
const MANY_YEARS = 800_000_000;

const setOf = (name: string, replicas: number): ReplicaSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: EARLY,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'uid-d', controller: true }],
    },
    spec: { replicas, selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels: { app: 'a' } }, spec: { containers: [] } } },
    status: { replicas: 2 },
  }) as unknown as ReplicaSet;

interface More {
  readonly phase?: string;
  readonly meta?: object;
  readonly spec?: object;
  readonly status?: object;
  readonly of?: string;
}

const pod = (name: string, { phase = 'Running', meta = {}, of = 'a', ...more }: More = {}): Pod =>
  barePod(name, phase, {
    ...more,
    meta: {
      labels: { app: 'a' },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: of, uid: `uid-${of}`, controller: true }],
      ...meta,
    },
  });
const cost = (value: string): object => ({ annotations: { [COST]: value } });
const readyAt = (lastTransitionTime: string, restartCount = 0): object => ({
  conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
  containerStatuses: [{ name: 'c', restartCount }],
});

const deleted = (objects: readonly (Pod | ReplicaSet)[], gates = { PodDeletionCost: true }, now = at(600)): readonly string[] =>
  decide(replicaSet, { key: 'default/a', objects, gates, now })
    .writes.map(phrase)
    .filter((each) => each.startsWith('delete'));

const pairs: readonly (readonly [what: string, goes: Pod, stays: Pod])[] = [
  ['one without a node', pod('goes', { spec: { nodeName: '' } }), pod('stays', { phase: 'Pending' })],
  ['one that is pending', pod('goes', { phase: 'Pending' }), pod('stays', { status: { conditions: [] } })],
  ['one that is not ready', pod('goes', { status: { conditions: [] } }), pod('stays', { meta: cost('-5') })],
  ['the cheaper one', pod('goes', { meta: cost('-1') }), pod('stays')],
  [
    'the one ready for a much shorter while',
    pod('goes', { status: readyAt('2024-01-01T00:09:59Z') }),
    pod('stays', { status: readyAt(EARLY) }),
  ],
  ['the one that restarted more often', pod('goes', { status: readyAt(EARLY, 3) }), pod('stays', { status: readyAt(EARLY, 2) })],
  ['the much younger one', pod('goes', { meta: { creationTimestamp: '2024-01-01T00:09:59Z' } }), pod('stays')],
];

describe('of two pods of a ReplicaSet that wants one', () => {
  it.each(pairs)('%s goes', (_what, goes, stays) => {
    const a = setOf('a', 1);
    for (const objects of [
      [a, goes, stays],
      [a, stays, goes],
    ])
      expect(deleted(objects)).toEqual(['delete Pod goes']);
  });

  it('LogarithmicScaleDown: ages of one magnitude are equal, and without it the younger pod is deleted', () => {
    const a = setOf('a', 1);
    const [older, younger] = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:09Z'].map((creationTimestamp) => ({ creationTimestamp }));
    const goes = (uids: readonly [string, string], gates: Record<string, boolean>): readonly string[] =>
      deleted([a, pod('old', { meta: { ...older, uid: uids[0] } }), pod('young', { meta: { ...younger, uid: uids[1] } })], {
        PodDeletionCost: true,
        ...gates,
      });
    const both = [
      ['u-1', 'u-2'],
      ['u-2', 'u-1'],
    ] as const;
    expect(both.map((uids) => goes(uids, {}))).toEqual([['delete Pod old'], ['delete Pod young']]);
    expect(both.map((uids) => goes(uids, { LogarithmicScaleDown: false }))).toEqual([['delete Pod young'], ['delete Pod young']]);
  });

  it('costs count behind their gate only', () => {
    const younger = { creationTimestamp: '2024-01-01T00:09:59Z' };
    const objects = [setOf('a', 1), pod('cheap', { meta: cost('-1') }), pod('young', { meta: younger })];
    expect(deleted(objects, { PodDeletionCost: false })).toEqual(['delete Pod young']);
    expect(deleted(objects)).toEqual(['delete Pod cheap']);
  });

  it('the one on the node with more pods of the same Deployment is deleted', () => {
    const beside = pod('beside', { of: 'b', spec: { nodeName: 'crowded' } });
    const objects = [
      setOf('a', 1),
      setOf('b', 1),
      pod('goes', { spec: { nodeName: 'crowded' } }),
      pod('stays', { spec: { nodeName: 'empty' } }),
      beside,
    ];
    expect(deleted(objects)).toEqual(['delete Pod goes']);
  });

  it('the uid decides between ages of one magnitude', () => {
    // 600 s and 599.5 s ago: their uids decide, whichever is younger.
    const of = (name: string, uid: string, creationTimestamp: string): Pod => pod(name, { meta: { uid, creationTimestamp } });
    const [first, second] = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:01Z'];
    expect(deleted([setOf('a', 1), of('x', 'uid-1', first), of('y', 'uid-2', second)], undefined, at(MANY_YEARS))).toEqual([
      'delete Pod x',
    ]);
    expect(deleted([setOf('a', 1), of('x', 'uid-1', second), of('y', 'uid-2', first)], undefined, at(MANY_YEARS))).toEqual([
      'delete Pod x',
    ]);
  });
});
