import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import type { StatefulSet, StatefulSetStatus } from '../../../../src/apiserver/kinds/index.ts';
import { statefulSet } from '../../../../src/controlplane/controllers/stateful-set/controller.ts';
import { at } from '../../../support/objects.ts';
import { decide, phrase, statusIn, type Situation } from '../../../support/reconcile.ts';
import { dying, revisionOf, setOf, setPod } from '../../../support/sets.ts';

const GATES = { StatefulSetMinReadySeconds: true };
const on = (objects: readonly ApiObject[], more: Partial<Situation> = {}) =>
  decide(statefulSet, { objects, gates: GATES, now: at(60), ...more });
const phrases = (objects: readonly ApiObject[], more: Partial<Situation> = {}) =>
  on(objects, more)
    .writes.map(phrase)
    .filter((text) => text !== 'update StatefulSet/status web');
const status = (objects: readonly ApiObject[], more: Partial<Situation> = {}) => statusIn<StatefulSetStatus>(on(objects, more));
/** A set with nothing to do on revision r1, with the given pods. */
const settled = (spec: Parameters<typeof setOf>[1] = {}, more: Partial<StatefulSetStatus> = {}): StatefulSet =>
  setOf('web', spec, { currentRevision: 'r1', updateRevision: 'r1', collisionCount: 0, ...more });
const r1 = (set: StatefulSet) => revisionOf(set, 'r1', 1);
/** A set whose template has changed from r1 to r2. */
function updating(spec: Parameters<typeof setOf>[1] = {}): { readonly set: StatefulSet; readonly history: readonly ApiObject[] } {
  const set = settled({ image: 'sim:2', ...spec });
  return { set, history: [revisionOf(setOf('web'), 'r1', 1), revisionOf(set, 'r2', 2)] };
}

describe('a StatefulSet in order', () => {
  it('begins with its revision and its first pod', () => {
    const outcome = on([setOf('web')]);
    expect(outcome.writes.map(phrase)).toEqual([
      expect.stringMatching(/^create ControllerRevision web-[bcdfghjklmnpqrstvwxz2456789]{8,10}$/),
      'create Pod web-0',
      'update StatefulSet/status web',
    ]);
    expect(statusIn(outcome)).toEqual({
      observedGeneration: 1,
      replicas: 1,
      currentReplicas: 1,
      updatedReplicas: 1,
      currentRevision: expect.stringContaining('web-'),
      updateRevision: expect.stringContaining('web-'),
      collisionCount: 0,
      availableReplicas: 0,
    });
    expect(outcome.why).toBe('its template is new: revision 1; web-0 is missing and has the lowest ordinal');
  });

  it('starts the next pod when its predecessor is ready, with an event', () => {
    const set = settled();
    const outcome = on([set, r1(set), setPod(set, 0)]);
    expect(outcome.writes.map(phrase)).toEqual(['create Pod web-1', 'update StatefulSet/status web']);
    expect(outcome.why).toBe('web-0 is ready, so the next ordinal is created');
    expect(outcome.writes[0]).toMatchObject({
      then: { type: 'Normal', reason: 'SuccessfulCreate', message: 'create Pod web-1 in StatefulSet web successful' },
    });
  });

  it('reports when a pod is recreated', () => {
    const set = settled({}, { replicas: 3 });
    expect(on([set, r1(set), setPod(set, 0), setPod(set, 1)]).why).toBe('web-2 is missing, and its predecessors are ready');
  });

  it('waits while a pod is not ready, or being deleted', () => {
    const set = settled();
    expect(phrases([set, r1(set), setPod(set, 0, { ready: false })])).toEqual([]);
    expect(on([set, r1(set), setPod(set, 0, { meta: dying })]).why).toBe('web-0 is terminating: the other pods wait for it');
    expect(phrases([set, r1(set), setPod(set, 0, { status: { phase: 'Pending' } }), setPod(set, 2)])).toEqual([]);
  });

  it('fills a gap before it continues', () => {
    const set = settled();
    expect(phrases([set, r1(set), setPod(set, 0), setPod(set, 2)])).toEqual(['create Pod web-1']);
  });

  it('scales down from the top, one at a time', () => {
    const set = settled({ replicas: 1 });
    expect(phrases([set, r1(set), setPod(set, 0), setPod(set, 1), setPod(set, 2)])).toEqual(['delete Pod web-2']);
    expect(phrases([set, r1(set), setPod(set, 0), setPod(set, 1), setPod(set, 2, { meta: dying })])).toEqual([]);
  });

  it('scales down the first unhealthy pod, but no other unhealthy one', () => {
    const set = settled({ replicas: 0 });
    expect(phrases([set, r1(set), setPod(set, 0), setPod(set, 1, { ready: false })])).toEqual(['delete Pod web-1']);
    expect(phrases([set, r1(set), setPod(set, 0, { ready: false }), setPod(set, 1, { ready: false })])).toEqual([]);
  });

  it('does not scale down while a wanted pod is unhealthy', () => {
    const set = settled({ replicas: 1 });
    expect(phrases([set, r1(set), setPod(set, 0, { ready: false }), setPod(set, 1)])).toEqual([]);
  });

  it('replaces failed pods in one sync', () => {
    const set = settled({ replicas: 2 });
    const outcome = on([set, r1(set), setPod(set, 0), setPod(set, 1, { status: { phase: 'Failed' } })]);
    expect(outcome.writes.map(phrase)).toEqual([
      'event RecreatingFailedPod',
      'delete Pod web-1',
      'create Pod web-1',
      'update StatefulSet/status web',
    ]);
    expect(outcome.writes[0]).toMatchObject({
      event: { type: 'Warning', message: 'StatefulSet default/web is recreating failed Pod web-1' },
    });
    expect(statusIn(outcome)).toMatchObject({ replicas: 2, currentReplicas: 2, updatedReplicas: 2, readyReplicas: 1 });
  });

  it('does nothing but count once it is being deleted', () => {
    const set = setOf('web', {}, { currentRevision: 'r1', updateRevision: 'r1', collisionCount: 0 }, dying);
    expect(on([set, r1(set), setPod(set, 0)]).writes.map(phrase)).toEqual(['update StatefulSet/status web']);
    expect(on([set, setPod(set, 0)]).writes.map(phrase)).toEqual([
      expect.stringContaining('create ControllerRevision'),
      'update StatefulSet/status web',
    ]);
  });

  it('does nothing when nothing has changed', () => {
    const set = settled(
      { replicas: 1 },
      { observedGeneration: 1, replicas: 1, readyReplicas: 1, currentReplicas: 1, updatedReplicas: 1, availableReplicas: 1 },
    );
    expect(on([set, r1(set), setPod(set, 0)])).toMatchObject({ writes: [], why: '1 of 1 pods, 1 ready: nothing to do' });
  });

  it('waits for a cache that shows its last status', () => {
    const set = settled();
    expect(on([set, r1(set)], { memory: { statusFrom: set.metadata.resourceVersion } }).writes).toEqual([]);
    expect(on([set, r1(set)], { memory: { statusFrom: 'earlier' } }).writes).not.toEqual([]);
  });
});

describe('a StatefulSet in parallel', () => {
  const parallel = { podManagementPolicy: 'Parallel' } as const;
  it('creates all missing pods', () => {
    const set = settled({ ...parallel, replicas: 4 });
    expect(phrases([set, r1(set), setPod(set, 1, { ready: false })])).toEqual(['create Pod web-0', 'create Pod web-2', 'create Pod web-3']);
  });

  it('deletes all surplus pods, from the top', () => {
    const set = settled({ ...parallel, replicas: 1 });
    expect(
      phrases([
        set,
        r1(set),
        setPod(set, 0, { ready: false }),
        setPod(set, 1),
        setPod(set, 2, { meta: dying }),
        setPod(set, 3, { ready: false }),
      ]),
    ).toEqual(['delete Pod web-3', 'delete Pod web-1']);
  });

  it('still updates one at a time', () => {
    const { set, history } = updating(parallel);
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2)])).toEqual(['delete Pod web-2']);
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { revision: 'r2', ready: false })])).toEqual([]);
  });

  it('deletes all pods when scaled to 0', () => {
    const set = settled({ ...parallel, replicas: 0 });
    expect(phrases([set, r1(set), setPod(set, 0), setPod(set, 1)])).toEqual(['delete Pod web-1', 'delete Pod web-0']);
  });
});

describe('a rolling update', () => {
  it('replaces the highest outdated pod', () => {
    const { set, history } = updating();
    const outcome = on([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { revision: 'r2' })]);
    expect(outcome.writes.map(phrase)).toEqual(['delete Pod web-1', 'update StatefulSet/status web']);
    expect(statusIn(outcome)).toMatchObject({
      replicas: 3,
      readyReplicas: 3,
      currentReplicas: 1,
      updatedReplicas: 1,
      currentRevision: 'r1',
      updateRevision: 'r2',
    });
    expect(outcome.writes[0]).toMatchObject({
      then: { reason: 'SuccessfulDelete', message: 'delete Pod web-1 in StatefulSet web successful' },
    });
  });

  it('keeps pods below the partition, and creates them from the current revision', () => {
    const { set, history } = updating({ replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } });
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { revision: 'r2' })])).toEqual([]);
    const [made] = on([set, ...history, setPod(set, 0), setPod(set, 2, { revision: 'r2' })]).writes;
    expect(made).toMatchObject({
      object: { metadata: { name: 'web-1', labels: { 'controller-revision-hash': 'r1' } }, spec: { containers: [{ image: 'sim:1' }] } },
    });
    const [above] = on([set, ...history, setPod(set, 0), setPod(set, 1)]).writes;
    expect(above).toMatchObject({
      object: { metadata: { name: 'web-2', labels: { 'controller-revision-hash': 'r2' } }, spec: { containers: [{ image: 'sim:2' }] } },
    });
  });

  it('in order, waits for a broken pod even when the template is good again', () => {
    const set = settled({ image: 'sim:3' });
    const history = [revisionOf(setOf('web'), 'r1', 1), revisionOf(setOf('web', { image: 'broken' }), 'r2', 2), revisionOf(set, 'r3', 3)];
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { revision: 'r2', ready: false })])).toEqual([]);
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1)])).toEqual(['create Pod web-2']);
  });

  it('in parallel, replaces a broken pod of an older revision', () => {
    const { set, history } = updating({ podManagementPolicy: 'Parallel' });
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { ready: false })])).toEqual(['delete Pod web-2']);
  });

  it('is complete when all pods are updated and ready', () => {
    const { set, history } = updating({ replicas: 1 });
    expect(status([set, ...history, setPod(set, 0, { revision: 'r2' })])).toMatchObject({
      currentRevision: 'r2',
      updateRevision: 'r2',
      currentReplicas: 1,
      updatedReplicas: 1,
    });
  });

  it('never counts below zero, even for a replaced pod without a revision', () => {
    const { set, history } = updating({ replicas: 1 });
    expect(status([set, ...history, setPod(set, 0, { revision: '' })])).not.toHaveProperty('currentReplicas');
  });

  it('back to the current revision subtracts a replaced pod from that one, even if it was of neither, and not from the updated ones', () => {
    const set = settled({ replicas: 2 });
    const history = [r1(set), revisionOf(setOf('web', { image: 'sim:2' }), 'r2', 2)];
    expect(status([set, ...history, setPod(set, 0), setPod(set, 1, { revision: 'r2' })])).toMatchObject({
      updateRevision: 'r1',
      updatedReplicas: 1,
    });
    expect(status([set, ...history, setPod(set, 0), setPod(set, 1, { revision: 'r2' })])).not.toHaveProperty('currentReplicas');
  });

  it('does nothing with OnDelete', () => {
    const { set, history } = updating({ replicas: 2, updateStrategy: { type: 'OnDelete' } });
    expect(phrases([set, ...history, setPod(set, 0), setPod(set, 1)])).toEqual([]);
    expect(on([set, ...history, setPod(set, 0)]).writes[0]).toMatchObject({
      object: { metadata: { labels: { 'controller-revision-hash': 'r2' } } },
    });
    expect(status([set, ...history, setPod(set, 0, { revision: 'r2' }), setPod(set, 1, { revision: 'r2' })])).toMatchObject({
      currentRevision: 'r1',
      updateRevision: 'r2',
      updatedReplicas: 2,
    });
  });

  describe.each([
    [1, 1, 1],
    [2, 2, 2],
    ['50%', 3, 2],
    ['1%', 1, 1],
    ['99%', 5, 4],
  ])('with maxUnavailable %s of five', (maxUnavailable, most, recorded) => {
    const { set, history } = updating({
      replicas: 5,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable } },
    });
    const pods = [0, 1, 2, 3, 4].map((ordinal) => setPod(set, ordinal));
    const gates = { ...GATES, MaxUnavailableStatefulSet: true };
    it(`replaces ${most} at once, ${recorded} as v1.24 does`, () =>
      expect((['specification', 'recorded'] as const).map((rules) => phrases([set, ...history, ...pods], { gates, rules }).length)).toEqual(
        [most, recorded],
      ));
    it('replaces one while its gate is off', () => expect(phrases([set, ...history, ...pods])).toEqual(['delete Pod web-4']));
  });

  it('counts pods that are unavailable already against maxUnavailable', () => {
    const { set, history } = updating({
      replicas: 4,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1, maxUnavailable: 2 } },
    });
    const gates = { MaxUnavailableStatefulSet: true };
    expect(phrases([set, ...history, setPod(set, 0, { ready: false }), setPod(set, 1), setPod(set, 2), setPod(set, 3)], { gates })).toEqual(
      ['delete Pod web-3'],
    );
    expect(
      phrases([set, ...history, setPod(set, 0, { ready: false }), setPod(set, 1), setPod(set, 2), setPod(set, 3, { meta: dying })], {
        gates,
      }),
    ).toEqual([]);
    expect(
      phrases([set, ...history, setPod(set, 0), setPod(set, 1), setPod(set, 2, { revision: 'r2' }), setPod(set, 3, { revision: 'r2' })], {
        gates,
      }),
    ).toEqual(['delete Pod web-1']);
  });
});

describe('availability', () => {
  const set = settled({ replicas: 2, minReadySeconds: 10 });
  const ready = (seconds: number) =>
    setPod(set, 0, {
      status: {
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: new Date(at(seconds)).toISOString().replace('.000', '') }],
      },
    });

  it('starts only after minReadySeconds, and then the next pod may start', () => {
    expect(phrases([set, r1(set), ready(50)], { now: at(60) })).toEqual([]);
    expect(phrases([set, r1(set), ready(49)], { now: at(60) })).toEqual(['create Pod web-1']);
    expect(status([set, r1(set), ready(55)], { now: at(60) })).toMatchObject({ readyReplicas: 1, availableReplicas: 0 });
    expect(status([set, r1(set), ready(40)], { now: at(60) })).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  });

  it('is checked every minReadySeconds from the first time without it', () => {
    expect(on([set, r1(set), ready(55)], { now: at(57) })).toMatchObject({ wakeAt: at(67), memory: { lookAt: at(67), lacks: true } });
    expect(on([set, r1(set), ready(55)], { now: at(57), memory: { lookAt: at(62), lacks: true } })).toMatchObject({
      wakeAt: at(72),
      memory: { lookAt: at(62) },
    });
    expect(on([set, r1(set), ready(55)], { now: at(57), memory: { lookAt: at(57), lacks: true } })).toMatchObject({
      wakeAt: at(67),
      memory: { lookAt: at(67) },
    });
    expect(on([set, r1(set), ready(55)], { now: at(58), memory: { lookAt: at(47), lacks: true } })).toMatchObject({
      wakeAt: at(67),
      memory: { lookAt: at(67) },
    });
    // At exactly that time the pod is not available yet: a sync at that instant would find nothing.
    expect(on([set, r1(set), ready(55)], { now: at(57), memory: { lookAt: at(65), lacks: true } })).toMatchObject({ wakeAt: at(75) });
    expect(on([set, r1(set), setPod(set, 0, { ready: false })])).not.toHaveProperty('wakeAt');
  });

  it('is checked at the instant that was chosen before all pods were available for a while', () => {
    const all = [setPod(set, 0), setPod(set, 1)];
    expect(on([set, r1(set), ...all], { now: at(60), memory: { lookAt: at(62), lacks: true } })).toMatchObject({
      memory: { lookAt: at(62) },
    });
    expect(on([set, r1(set), ...all], { now: at(60), memory: { lookAt: at(62), lacks: true } })).not.toHaveProperty('wakeAt');
    expect(on([set, r1(set), ready(49)], { now: at(61), memory: { lookAt: at(62) } })).toMatchObject({
      memory: { lookAt: at(62), lacks: true },
    });
    // That sync found no missing pod, so it did not schedule another.
    expect(on([set, r1(set), ready(55)], { now: at(63), memory: { lookAt: at(62) } })).toMatchObject({ wakeAt: at(73) });
  });

  it('is checked although enough other pods are available, which are surplus', () => {
    const one = settled({ replicas: 1, minReadySeconds: 10 });
    expect(phrases([one, r1(one), ready(55), setPod(one, 1)], { now: at(60) })).toEqual([]);
    expect(on([one, r1(one), ready(55), setPod(one, 1)], { now: at(60) })).toMatchObject({
      wakeAt: at(70),
      memory: { lookAt: at(70), lacks: true },
    });
    expect(phrases([one, r1(one), ready(55), setPod(one, 1)], { now: at(70) })).toEqual(['delete Pod web-1']);
  });

  it('is readiness while its gate is off', () => {
    expect(status([set, r1(set), ready(55)], { now: at(60), gates: {} })).toMatchObject({ availableReplicas: 1 });
    expect(phrases([set, r1(set), ready(55)], { now: at(60), gates: {} })).toEqual(['create Pod web-1']);
  });

  it('is needed for an ordered scale-down, except of the first unhealthy pod', () => {
    const down = settled({ replicas: 0, minReadySeconds: 10 });
    expect(phrases([down, r1(down), ready(50)], { now: at(60) })).toEqual([]);
    expect(phrases([down, r1(down), ready(49)], { now: at(60) })).toEqual(['delete Pod web-0']);
    expect(phrases([down, r1(down), setPod(down, 0, { ready: false })], { now: at(60) })).toEqual(['delete Pod web-0']);
  });
});

describe('the identity of a pod', () => {
  it('has a name, a network identity and a revision', () => {
    const [, made] = on([setOf('web', {}, {}, { annotations: { note: 'x' } })]).writes;
    expect(made).toMatchObject({
      object: {
        metadata: {
          name: 'web-0',
          generateName: 'web-',
          labels: {
            app: 'web',
            'statefulset.kubernetes.io/pod-name': 'web-0',
            'controller-revision-hash': expect.stringContaining('web-'),
          },
          ownerReferences: [{ kind: 'StatefulSet', name: 'web', uid: 'uid-web', controller: true, blockOwnerDeletion: true }],
        },
        spec: { hostname: 'web-0', subdomain: 'web', containers: [{ image: 'sim:1' }] },
      },
    });
  });

  it('takes names from the domain', () => {
    const [, made] = on([setOf('web')], { domain: 'orch.io' }).writes;
    expect(made).toMatchObject({ object: { metadata: { labels: { 'statefulset.orch.io/pod-name': 'web-0' } } } });
  });

  it('restores the name label', () => {
    const set = settled({ replicas: 1 });
    const pod = setPod(set, 0, { meta: { labels: { app: 'web', 'controller-revision-hash': 'r1' } } });
    const outcome = on([set, r1(set), pod]);
    expect(outcome.writes.map(phrase)).toEqual(['patch Pod web-0', 'update StatefulSet/status web']);
    expect(outcome.writes[0]).toMatchObject({
      patch: { metadata: { uid: 'uid-web-0', labels: { 'statefulset.kubernetes.io/pod-name': 'web-0' } } },
      then: { reason: 'SuccessfulUpdate', message: 'update Pod web-0 in StatefulSet web successful' },
    });
  });
});
