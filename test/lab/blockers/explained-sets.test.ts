/** What each explainer says, from a moment made by hand: StatefulSets and DaemonSets. */
import { describe, it } from 'vitest';
import type { ApiObject } from '../../../src/apiserver/machinery/index.ts';
import { checkAll, objectOf, ownedBy, processOf, readiness, timeAt, type Given } from './moment.ts';

const DYING = { deletionTimestamp: timeAt(90) };
const pod = (name: string, owner: string, status: object = { phase: 'Succeeded' }, metadata: object = {}): ApiObject =>
  objectOf('Pod', name, { metadata: { ...ownedBy(owner), ...metadata }, spec: { nodeName: 'n' }, status });
const AGENT: Given = { processes: [processOf('agent/n', [])] };
const NOT_READY = (name: string): string => `  Pod ${name} runs on n, but is not ready`;

describe('a StatefulSet', () => {
  const set = (spec: object = {}, status: object = {}): ApiObject =>
    objectOf('StatefulSet', 's', { spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate' }, ...spec }, status });
  const of = (ordinal: number, since: number | 'never' = 5, revision = 'new'): ApiObject =>
    pod(`s-${ordinal}`, 's', readiness(since === 'never' ? undefined : since), { labels: { 'controller-revision-hash': revision } });
  const two = { updateRevision: 'new', currentRevision: 'old' };

  it('is explained in every state', () => {
    checkAll([
      [[set(), of(0), of(1)], []],
      [[set(), of(0)], ['has no s-1 yet']],
      [[set({ replicas: undefined })], ['has no s-0 yet']],
      [[set(), of(0, 'never')], ['waits for s-0 to be running and ready before it creates s-1', NOT_READY('s-0')], AGENT],
      [[set(), of(1, 'never')], ['waits for s-1 to be running and ready', NOT_READY('s-1')], AGENT],
      [
        [set({ podManagementPolicy: 'Parallel' }), of(0, 'never'), of(1, 'never')],
        ['waits for s-0 and s-1 to be running and ready', '  Pod s-0+s-1 runs on n, but is not ready'],
        AGENT,
      ],
      [
        [set({ minReadySeconds: 20 }), of(0, 81)],
        [
          'waits for s-0 to be running and ready before it creates s-1; it counts as available from 1m41.000s (spec.minReadySeconds: 20) @101',
          '  Pod s-0 runs on n, and has not ended',
        ],
        AGENT,
      ],
      [[set({ minReadySeconds: 20 }), of(0, 80), of(1, 80)], []],
      [
        [set({ replicas: 1 }), of(0), of(1), of(2)],
        ['waits for s-1 and s-2 to terminate: 1 pod is wanted', '  Pod s-1+s-2 runs on n, and has not ended'],
        AGENT,
      ],
      [[set({}, two), of(0, 5, 'old'), of(1)], ['waits for s-0 to be updated to the new revision, one at a time']],
      [
        [set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }, two), of(0, 5, 'old'), of(1)],
        ['keeps s-0 at the old revision: they are below the partition 1'],
      ],
      [
        [set({ updateStrategy: { type: 'OnDelete' } }, two), of(0, 5, 'old'), of(1)],
        ['keeps s-0 at the old revision until a user deletes them (spec.updateStrategy: OnDelete)'],
      ],
      [[set({}, { ...two, currentRevision: 'new' }), of(0, 5, 'old'), of(1)], []],
      [[set({}, two), of(0), of(1)], []],
      [[set({}, { currentRevision: 'old' }), of(0, 5, 'old'), of(1)], []],
      [
        [set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }, two), of(0, 5, 'old'), of(1, 5, 'old')],
        ['waits for s-0 and s-1 to be updated to the new revision, one at a time'],
      ],
      [[set({ replicas: 12 }), ...Array.from({ length: 11 }, (_, ordinal) => of(ordinal))], ['has no s-11 yet']],
      [[set({ replicas: 1 }), of(0), pod('s-1-x', 's', readiness(5))], []],
      [
        [set({ replicas: 2 }), of(0), of(1), of(2)],
        ['waits for s-2 to terminate: 2 pods are wanted', '  Pod s-2 runs on n, and has not ended'],
        AGENT,
      ],
      [[set(), of(0), pod('other', 's', readiness(5))], ['has no s-1 yet']],
    ]);
  });
});

describe('a DaemonSet', () => {
  const set = (spec: object = {}, status: object = {}): ApiObject =>
    objectOf('DaemonSet', 's', {
      spec: { updateStrategy: { type: 'RollingUpdate' }, ...spec },
      status: { desiredNumberScheduled: 2, currentNumberScheduled: 2, numberMisscheduled: 0, ...status },
    });
  const labels = (hash: string): object => ({ labels: { 'controller-revision-hash': hash } });
  const of = (name: string, since?: number, hash = 'new'): ApiObject => pod(name, 's', readiness(since), labels(hash));
  const revision = (hash: string, nth: number): ApiObject =>
    objectOf('ControllerRevision', hash, { metadata: { ...ownedBy('s'), ...labels(hash) }, revision: nth });
  const updated = [revision('old', 1), revision('new', 3), revision('older', 2)];
  const rolling = (rollingUpdate: object): ApiObject => set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

  it('is explained in every state', () => {
    checkAll([
      [[set(), of('a', 5), of('b', 5)], []],
      [
        [set({}, { desiredNumberScheduled: 0, currentNumberScheduled: 0 })],
        ['matches no node: check its node selector, its affinity, and the taints that its template does not tolerate'],
      ],
      [[set({}, { currentNumberScheduled: 1 }), of('a', 5)], ['has a pod on 1 of the 2 nodes that match']],
      [
        [set({}, { numberMisscheduled: 1 }), of('a', 5)],
        ['has pods on 1 node that its template does not match any more; they keep running, but would not be created there again'],
      ],
      [[set(), of('a', 5), of('b')], ['waits for b to be running and ready', NOT_READY('b')], AGENT],
      [[set(), of('a', 5), pod('b', 's', readiness(undefined), DYING)], []],
      [
        [set({ minReadySeconds: 20 }), of('a', 80), of('b', 81)],
        ['waits for its pods to be available, from 1m41.000s on (spec.minReadySeconds: 20) @101'],
      ],
      [[set({ minReadySeconds: 20 }), of('a', 79), of('b', 60)], []],
      [
        [set({ minReadySeconds: 20 }), of('a', 80), of('b', 60)],
        ['waits for its pods to be available, from 1m40.000s on (spec.minReadySeconds: 20) @100'],
      ],
      [[set(), of('a', 100)], []],
      [[set(), of('a', 5, 'old'), of('b', 5, 'older')], []],
      [
        [set(), of('a', 5, 'old'), of('b', 5, 'older'), of('c', 5), ...updated],
        ['waits for a and b to be replaced, as many at a time as may be missing (maxUnavailable: 1)'],
      ],
      [
        [rolling({ maxUnavailable: '50%', maxSurge: '0%' }), of('a', 5, 'old'), ...updated],
        ['waits for a to be replaced, as many at a time as may be missing (maxUnavailable: 50%)'],
      ],
      [
        [rolling({ maxUnavailable: 0, maxSurge: 2 }), of('a', 5, 'old'), ...updated],
        ['waits for a to be replaced, each after its surge pod is available (maxSurge: 2)'],
      ],
      [
        [set({ updateStrategy: { type: 'OnDelete' } }), of('a', 5, 'old'), of('b', 5), ...updated],
        ['keeps a at the old template until a user deletes them (spec.updateStrategy: OnDelete)'],
      ],
    ]);
  });
});
