/** Invariants of autoscalers, write by write. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { described, edit, objectOf, put, remove, START, tells } from './history.ts';

const BY = { by: 'horizontal-pod-autoscaler' };
const hpa = (spec: object = {}, name = 'h'): ApiObject =>
  objectOf('HorizontalPodAutoscaler', name, {
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, minReplicas: 2, maxReplicas: 8, ...spec },
  });
const target = (replicas: number | undefined, kind = 'Deployment', name = 'd'): ApiObject => objectOf(kind, name, { spec: { replicas } });
const scaled = (replicas: number, at: number, by: object = BY) => edit('Deployment', 'default/d', { spec: { replicas } }, { at, ...by });
const spec = (members: object, at: number) => edit('HorizontalPodAutoscaler', 'default/h', { spec: members }, { at });

describe('horizontal-pod-autoscaler/within-bounds', () => {
  const NAME = 'horizontal-pod-autoscaler/within-bounds';
  const was = (from: number, to: number, bound: string): string => `Deployment default/d was scaled from ${from} to ${to}, and ${bound}`;

  it('lets an autoscaler set the bounds, and nothing beyond them', () => {
    tells(NAME, [
      [put(hpa()), '-'],
      [put(target(2)), '-'],
      [scaled(8, 1), 'holds'],
      [scaled(9, 2), was(8, 9, 'maxReplicas is 8')],
      [scaled(2, 3), 'holds'],
      [scaled(1, 4), was(2, 1, 'minReplicas is 2')],
      [edit('Deployment', 'default/d', { metadata: { labels: {} } }, BY), '-'],
      [scaled(20, 5, {}), '-'],
      [remove('Deployment', 'default/d', BY), '-'],
      [put(target(20), BY), '-'],
    ]);
  });

  it('lets former bounds count for half a minute', () => {
    tells(NAME, [
      [put(hpa()), '-'],
      [put(target(2)), '-'],
      [spec({ minReplicas: 1, maxReplicas: 4 }, 10), '-'],
      [edit('HorizontalPodAutoscaler', 'default/h', { status: {} }, { at: 20 }), '-'],
      [scaled(8, 39.999), 'holds'],
      [scaled(1, 39.999), 'holds'],
      [scaled(8, 40), was(1, 8, 'maxReplicas is 4')],
      [spec({ maxReplicas: 5 }, 50), '-'],
      [scaled(6, 60), was(8, 6, 'maxReplicas is 5')],
      [described, [new Map([['uid-h', [versionOf(4, 10, 4), versionOf(5, 50, 9)]]]), undefined]],
    ]);
  });

  const versionOf = (maxReplicas: number, at: number, revision: number): object => ({
    object: {
      ...hpa({ minReplicas: 1, maxReplicas }),
      ...(at === 50 ? { status: {} } : {}),
      metadata: { ...hpa().metadata, resourceVersion: String(revision) },
    },
    from: START + at * 1000,
  });

  it('is about targets with one autoscaler', () => {
    const other = hpa({ minReplicas: 1 }, 'i');
    tells(NAME, [
      [put(target(2)), '-'],
      [scaled(9, 0), '-'],
      [put(hpa()), '-'],
      [put(other), '-'],
      [scaled(10, 1), '-'],
      [remove('HorizontalPodAutoscaler', 'default/i'), '-'],
      [scaled(11, 2), was(10, 11, 'maxReplicas is 8')],
      [put(hpa({ scaleTargetRef: { kind: 'StatefulSet', name: 'd' } }, 'i')), '-'],
      [put(hpa({ scaleTargetRef: { kind: 'Deployment', name: 'e' } }, 'j')), '-'],
      [put({ ...hpa({}, 'k'), metadata: { ...hpa({}, 'k').metadata, namespace: 'other' } }), '-'],
      [scaled(12, 3), was(11, 12, 'maxReplicas is 8')],
    ]);
  });

  it.each([
    ['ReplicaSet', 'ReplicaSet default/d was scaled from 2 to 9, and maxReplicas is 8'],
    ['StatefulSet', 'StatefulSet default/d was scaled from 2 to 9, and maxReplicas is 8'],
    ['ReplicationController', '-'],
  ])('of a %s', (kind, verdict) => {
    const again = edit(kind, 'default/d', { spec: { replicas: undefined } }, BY);
    tells(NAME, [
      [put(hpa({ scaleTargetRef: { kind, name: 'd' } })), '-'],
      [put(target(2, kind)), '-'],
      [edit(kind, 'default/d', { spec: { replicas: 9 } }, BY), verdict],
      [again, '-'],
      [edit(kind, 'default/d', { spec: { replicas: 10 } }, BY), '-'],
    ]);
  });
});

describe('horizontal-pod-autoscaler/keeps-its-wishes', () => {
  const NAME = 'horizontal-pod-autoscaler/keeps-its-wishes';
  const behavior = { behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } };
  const broken = (from: number, to: number, seconds: number, wanted: number, window = 60): string =>
    `Deployment default/d was scaled from ${from} to ${to}, ${seconds} seconds after it requested ${wanted}; its window is ${window} s`;
  const start = (more: object) =>
    [
      [put(hpa(more)), '-'],
      [put(target(2)), '-'],
    ] as const;

  it.each([
    [{ behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } }, 60],
    [{ behavior: { scaleDown: {} } }, 300],
    [{ behavior: {} }, 300],
  ])('with %j remembers what it requested for its window, less a period', (more, window) => {
    const end = window - 15;
    tells(NAME, [...start(more), [scaled(6, 0), '-'], [scaled(5, end - 0.5), broken(6, 5, Math.round(end - 0.5), 6, window)]]);
    tells(NAME, [...start(more), [scaled(6, 0), '-'], [scaled(5, end), 'holds']]);
  });

  it('may scale down to what it requested last, or to a lowered maximum', () => {
    tells(NAME, [
      ...start(behavior),
      [scaled(6, 0), '-'],
      [scaled(8, 10), '-'],
      [scaled(7, 44), broken(8, 7, 34, 8)],
      [scaled(5, 46), broken(7, 5, 36, 8)],
    ]);
    tells(NAME, [...start(behavior), [scaled(4, 0), '-'], [scaled(8, 1, {}), '-'], [scaled(4, 2), 'holds'], [scaled(3, 3), 'holds']]);
    tells(NAME, [
      ...start(behavior),
      [scaled(6, 0), '-'],
      [spec({ maxReplicas: 4 }, 1), '-'],
      [scaled(4, 2), 'holds'],
      [scaled(3, 3), broken(4, 3, 3, 6)],
    ]);
  });

  it('does not count what minReplicas requires', () => {
    tells(NAME, [...start({ ...behavior, minReplicas: 5 }), [scaled(5, 0), '-'], [scaled(4, 1), 'holds']]);
    tells(NAME, [...start({ ...behavior, minReplicas: 5 }), [scaled(6, 0), '-'], [scaled(4, 1), broken(6, 4, 1, 6)]]);
  });

  it('forgets with another scaling behavior, and not with another maximum', () => {
    const other = { behavior: { scaleDown: { stabilizationWindowSeconds: 90 } } };
    tells(NAME, [
      ...start(behavior),
      [scaled(6, 0), '-'],
      [spec({ maxReplicas: 7 }, 1), '-'],
      [described, [expect.any(Map), new Map([['Deployment default/d', [{ replicas: 6, at: START }]]])]],
      [spec(other, 2), '-'],
      [described, [expect.any(Map), new Map()]],
      [scaled(4, 3), 'holds'],
    ]);
  });

  it('is about autoscalers with a scaling behavior', () => {
    tells(NAME, [...start({}), [scaled(6, 0), '-'], [scaled(3, 1), '-']]);
  });
});

describe('horizontal-pod-autoscaler/no-faster-than-allowed', () => {
  const NAME = 'horizontal-pod-autoscaler/no-faster-than-allowed';
  const fast = (from: number, to: number, most: number): string =>
    `Deployment default/d was scaled from ${from} to ${to}, and no more than ${most} are allowed at a time`;

  it.each([
    [1, 4, 'holds'],
    [1, 5, fast(1, 5, 4)],
    [2, 5, fast(2, 5, 4)],
    [3, 6, 'holds'],
    [3, 7, fast(3, 7, 6)],
    [6, 3, '-'],
    [1, 2, '-'],
    [1, 3, 'holds'],
  ])('from %i to %i', (from, to, verdict) => {
    tells(NAME, [
      [put(hpa()), '-'],
      [put(target(from)), '-'],
      [scaled(to, 1), verdict],
    ]);
    tells(NAME, [
      [put(hpa({ behavior: {} })), '-'],
      [put(target(from)), '-'],
      [scaled(to, 1), '-'],
    ]);
  });
});
