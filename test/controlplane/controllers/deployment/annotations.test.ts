/** The annotations of a Deployment's sets: its own, the revision, the list of earlier ones, and the size that it was scaled for. */
import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import {
  annotationsFrom,
  byAge,
  hasHistoryLimit,
  keysOf,
  newCondition,
  newestAnnotations,
  nextRevision,
  numberIn,
  revisionOf,
  sameTemplate,
  sizeAnnotations,
  type Template,
  withCondition,
  withoutHash,
} from '../../../../src/controlplane/controllers/deployment/input.ts';
import { isComplete } from '../../../../src/controlplane/controllers/deployment/status.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at } from '../../../support/objects.ts';
import { deploymentOf, setOf } from './objects.ts';

const REVISION = 'deployment.kubernetes.io/revision';
const HISTORY = 'deployment.kubernetes.io/revision-history';
const keys = () => keysOf(namesFor('k8s.io'));
const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const noted = (annotations: object | undefined) => {
  const made = deploymentOf({});
  return { ...made, metadata: { ...made.metadata, ...(annotations === undefined ? {} : { annotations }) } } as typeof made;
};

it('a revision is a whole number', () => {
  expect(['3', '+3', '-3', '0', '', '3.5', 'x3', '3x', undefined].map(numberIn)).toEqual([
    3,
    3,
    -3,
    0,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const of = (annotations: object | undefined) =>
    revisionOf({ metadata: annotations === undefined ? {} : { annotations } } as unknown as ReplicaSet, keys());
  expect([of(undefined), of({}), of({ [REVISION]: '7' }), of({ [REVISION]: 'x' })]).toEqual([0, 0, 7, undefined]);
  const sets = (...revisions: readonly (number | undefined)[]) =>
    revisions.map((revision) => ({ set: setOf('s', 1, 1, revision === undefined ? {} : { revision }) }));
  expect([nextRevision(sets(3, 9, undefined, 4), keys()), nextRevision([], keys())]).toEqual([10, 1]);
});

it('a set has the size that it is scaled for', () => {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } };
  expect(sizeAnnotations(deploymentOf({ replicas: 4, strategy }), keys())).toEqual({
    'deployment.kubernetes.io/desired-replicas': '4',
    'deployment.kubernetes.io/max-replicas': '6',
  });
});

describe('the newest set', () => {
  const newest = (own: object | undefined, before: Readonly<Record<string, string>>, next: number) =>
    newestAnnotations(noted(own), before, next, keys());
  it.each<[string, () => object, object]>([
    ['has its first revision', () => newest(undefined, {}, 1), { [REVISION]: '1' }],
    [
      'has the annotations of the Deployment, except for special ones',
      () =>
        newest({ note: 'new', [APPLIED]: 'y', [REVISION]: '9', 'deprecated.deployment.rollback.to': '1' }, { note: 'old', kept: 'x' }, 1),
      { note: 'new', kept: 'x', [REVISION]: '1' },
    ],
    ['keeps its revision where that is the greatest', () => newest({}, { [REVISION]: '4' }, 4), { [REVISION]: '4' }],
    ['keeps a greater revision', () => newest({}, { [REVISION]: '5' }, 4), { [REVISION]: '5' }],
    ['keeps a revision that is no number', () => newest({}, { [REVISION]: 'x' }, 4), { [REVISION]: 'x' }],
    ['lists its former revision', () => newest({}, { [REVISION]: '2' }, 4), { [REVISION]: '4', [HISTORY]: '2' }],
    ['lists its former revisions', () => newest({}, { [REVISION]: '6', [HISTORY]: '2,4' }, 8), { [REVISION]: '8', [HISTORY]: '2,4,6' }],
    ['lists an empty former revision', () => newest({}, { [REVISION]: '' }, 1), { [REVISION]: '1', [HISTORY]: '' }],
  ])('%s', (_, annotations, expected) => {
    expect(annotations()).toEqual(expected);
  });

  it('drops the oldest revisions beyond two thousand characters', () => {
    const list = (count: number): string => Array.from({ length: count }, (_, index) => String(100 + index)).join(',');
    const history = (of: string, revision = '999') => newest({}, { [REVISION]: revision, [HISTORY]: of }, 10_000)[HISTORY];
    // 499 numbers of three digits have 1995 characters; with one more there are 1999.
    expect(history(list(499))).toBe(`${list(499)},999`);
    expect(history(`${list(499)},7`)).toBe(`${list(499).slice(4)},7,999`);
    expect(history('9'.repeat(1996))).toBe(`${'9'.repeat(1996)},999`);
    expect(history('9'.repeat(1997))).toBe('999');
    expect(history(`${'9'.repeat(1990)},${'8'.repeat(1990)}`)).toBe(`${'8'.repeat(1990)},999`);
  });
});

it('a rollback takes the annotations of the set, and keeps special ones of the Deployment', () => {
  const set = {
    ...setOf('s', 1, 1),
    metadata: { ...setOf('s', 1, 1).metadata, annotations: { note: 'old', [REVISION]: '1', [APPLIED]: 'x' } },
  } as ReplicaSet;
  expect(annotationsFrom(noted({ note: 'new', gone: 'y', [REVISION]: '3', [APPLIED]: 'z' }), set, keys())).toEqual({
    note: 'old',
    [REVISION]: '3',
    [APPLIED]: 'z',
  });
  expect(
    annotationsFrom(noted(undefined), { ...set, metadata: { ...set.metadata, annotations: undefined } } as unknown as ReplicaSet, keys()),
  ).toEqual({});
});

describe('templates', () => {
  const template = (labels: object | undefined, image = 'c:1', more: object = {}): Template =>
    ({
      metadata: { ...(labels === undefined ? {} : { labels }), ...more },
      spec: { containers: [{ name: 'c', image }] },
    }) as unknown as Template;
  it('are the same apart from the label with their hash', () => {
    const plain = template({ app: 'web' });
    expect([plain, template({ app: 'web', 'pod-template-hash': 'x' })].map((other) => sameTemplate(plain, other))).toEqual([true, true]);
    expect(
      [template({ app: 'db' }), template({ app: 'web' }, 'c:2'), template({ app: 'web' }, 'c:1', { annotations: { a: 'b' } })].map(
        (other) => sameTemplate(plain, other),
      ),
    ).toEqual([false, false, false]);
    expect([withoutHash({ a: 'b', 'pod-template-hash': 'x' }), withoutHash(undefined)]).toEqual([{ a: 'b' }, {}]);
  });
});

it('sets are ordered by age, then by name', () => {
  const sets = [setOf('b', 1, 1, { made: 5 }), setOf('c', 1, 1, { made: 1 }), setOf('a', 1, 1, { made: 5 })];
  expect(sets.toSorted(byAge).map(({ metadata }) => metadata.name)).toEqual(['c', 'a', 'b']);
  expect([
    hasHistoryLimit(deploymentOf({ revisionHistoryLimit: 2 ** 31 - 1 })),
    hasHistoryLimit(deploymentOf({ revisionHistoryLimit: 0 })),
  ]).toEqual([false, true]);
});

it('a condition moves to the end when its reason changes, and keeps its time while its status stays', () => {
  const first = newCondition('A', 'True', 'Old', 'm', at(0));
  const other = newCondition('B', 'True', 'Old', 'm', at(0));
  expect(first).toEqual({
    type: 'A',
    status: 'True',
    reason: 'Old',
    message: 'm',
    lastUpdateTime: formatTime(at(0)),
    lastTransitionTime: formatTime(at(0)),
  });
  const again = newCondition('A', 'True', 'New', 'n', at(9));
  const turned = newCondition('A', 'False', 'Old', 'n', at(9));
  const list = [first, other];
  expect(withCondition(list, newCondition('A', 'True', 'Old', 'n', at(9)))).toBe(list);
  expect(withCondition(list, again)).toEqual([other, { ...again, lastTransitionTime: formatTime(at(0)) }]);
  expect(withCondition(list, turned)).toEqual([other, turned]);
  expect(withCondition([other], first)).toEqual([other, first]);
});

describe('a rollout of four is complete', () => {
  const done = { replicas: 4, updatedReplicas: 4, availableReplicas: 4, observedGeneration: 2 };
  const complete = (status: object, generation: number | undefined = 2): boolean => {
    const self = deploymentOf({ replicas: 4 });
    return isComplete({ self: { ...self, metadata: { ...self.metadata, generation } } } as never, status);
  };
  it('when all its pods are updated, available and observed', () => {
    expect([complete(done), complete(done, 1)]).toEqual([true, true]);
    expect(
      [{ replicas: 5 }, { updatedReplicas: 3 }, { availableReplicas: 3 }, { observedGeneration: 1 }, { observedGeneration: undefined }].map(
        (more) => complete({ ...done, ...more }),
      ),
    ).toEqual([false, false, false, false, false]);
  });
});
