import { describe, expect, it } from 'vitest';
import { kindsFor, type Pod, type PodDisruptionBudget, type StatefulSet } from '../../../../src/apiserver/kinds/index.ts';
import { type ApiObject, namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { disruption } from '../../../../src/controlplane/controllers/disruption/controller.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { at, barePod } from '../../../support/objects.ts';
import { decide } from '../../../support/reconcile.ts';

type Budget = PodDisruptionBudget;
const controller = disruption(kindsFor(namesFor('k8s.io')));
const time = (seconds: number): string => new Date(at(seconds)).toISOString().replace('.000', '');
const budgetOf = (spec: Partial<Budget['spec']>, status: Partial<Budget['status']> = {}, generation = 1): Budget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'b', namespace: 'default', uid: 'uid-b', resourceVersion: '1', creationTimestamp: time(0), generation },
  spec: { selector: { matchLabels: { app: 'a' } }, ...spec },
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status },
});
const SET = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'set', uid: 'uid-set', controller: true };
const setOf = (replicas: number, uid = 'uid-set'): StatefulSet =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'set', namespace: 'default', uid, resourceVersion: '1', creationTimestamp: time(0) },
    spec: { replicas },
  }) as unknown as StatefulSet;
const podOf = (name: string, meta: object = {}, phase = 'Running'): Pod =>
  barePod(name, phase, { meta: { labels: { app: 'a' }, ...meta } });
const owned = (name: string, meta: object = {}): Pod => podOf(name, { ownerReferences: [SET], ...meta });
const decided = (objects: readonly ApiObject[], now = at(0)): Outcome => decide(controller, { objects, now });
const statusIn = ({ writes }: Outcome): Budget['status'] | undefined =>
  writes.flatMap((write) => (write.op === 'update' ? [(write.object as Budget).status] : []))[0];
const events = ({ writes }: Outcome): readonly string[] =>
  writes.flatMap((write) =>
    write.op === 'event' ? [`${write.event.type} ${write.event.reason} ${write.event.about.kind}: ${write.event.message}`] : [],
  );
const counts = (outcome: Outcome): readonly (number | undefined)[] => {
  const status = statusIn(outcome);
  return [status?.disruptionsAllowed, status?.currentHealthy, status?.desiredHealthy, status?.expectedPods];
};

describe('a budget', () => {
  it('allows the healthy pods beyond the required ones', () => {
    const outcome = decided([budgetOf({ minAvailable: 1 }), podOf('p'), podOf('q'), podOf('r', {}, 'Pending'), barePod('other')]);
    expect(counts(outcome)).toEqual([1, 2, 1, 3]);
    expect(statusIn(outcome)).toMatchObject({
      observedGeneration: 1,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          reason: 'SufficientPods',
          message: '',
          observedGeneration: 1,
          lastTransitionTime: time(0),
        },
      ],
    });
  });

  it('does not count pods being deleted', () => {
    expect(counts(decided([budgetOf({ minAvailable: 1 }), podOf('p'), podOf('q', { deletionTimestamp: time(9) })]))).toEqual([0, 1, 1, 2]);
  });

  it.each<[string, Partial<Budget['spec']>, readonly number[]]>([
    ['maxUnavailable is of the wanted replicas', { maxUnavailable: 1 }, [0, 2, 3, 4]],
    ['a percentage of them rounds up', { maxUnavailable: '30%' }, [0, 2, 2, 4]],
    ['a percentage that is to be available rounds up', { minAvailable: '30%' }, [0, 2, 2, 4]],
    ['a number that is to be available is of the pods there are', { minAvailable: 1 }, [1, 2, 1, 2]],
    ['no share allows nothing', {}, [0, 2, 0, 0]],
    ['no more than all may be away', { maxUnavailable: 9 }, [2, 2, 0, 4]],
  ])('%s', (_what, spec, expected) => {
    expect(counts(decided([budgetOf(spec), setOf(4), owned('set-0'), owned('set-1')]))).toEqual(expected);
  });

  it('does not count pods without a controller for a percentage', () => {
    expect(counts(decided([budgetOf({ maxUnavailable: 1 }), setOf(1), owned('set-0'), podOf('p')]))).toEqual([2, 2, 0, 1]);
  });

  it('without pods allows nothing, with an event', () => {
    const outcome = decided([budgetOf({ maxUnavailable: 1 })]);
    expect(events(outcome)).toEqual(['Normal NoPods PodDisruptionBudget: No matching pods found']);
    expect(statusIn(outcome)).toMatchObject({ disruptionsAllowed: 0, conditions: [{ status: 'False', reason: 'InsufficientPods' }] });
  });

  it.each<[string, readonly ApiObject[], string]>([
    [
      'a controller without a scale',
      [podOf('p', { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'a', uid: 'uid-a', controller: true }] })],
      'jobs.batch does not implement the scale subresource',
    ],
    ['a set that is gone', [owned('set-1'), owned('set-0')], 'found no controllers for pod "set-0"'],
    ['another set of that name', [owned('set-0'), setOf(3, 'uid-new')], 'found no controllers for pod "set-0"'],
  ])('with %s allows nothing, with the reason', (_what, objects, error) => {
    const before = {
      observedGeneration: 1,
      disruptionsAllowed: 2,
      currentHealthy: 3,
      conditions: [
        {
          type: 'DisruptionAllowed',
          status: 'True',
          observedGeneration: 1,
          lastTransitionTime: time(-60),
          reason: 'SufficientPods',
          message: '',
        },
      ],
    };
    const outcome = decided([budgetOf({ maxUnavailable: 1 }, before), ...objects]);
    expect(events(outcome)).toEqual([
      `Warning CalculateExpectedPodCountFailed PodDisruptionBudget: Failed to calculate the number of expected pods: ${error}`,
    ]);
    expect(statusIn(outcome)).toMatchObject({
      disruptionsAllowed: 0,
      currentHealthy: 3,
      conditions: [{ status: 'False', reason: 'SyncFailed', message: error, lastTransitionTime: time(0) }],
    });
  });

  it('is written only when its status changes', () => {
    const objects = [podOf('p'), podOf('q')];
    const status = statusIn(decided([budgetOf({ minAvailable: 1 }), ...objects]));
    expect(decided([budgetOf({ minAvailable: 1 }, status), ...objects], at(100)).writes).toEqual([]);
    const later = statusIn(decided([budgetOf({ minAvailable: 1 }, status, 2), ...objects], at(100)));
    expect(later).toMatchObject({
      observedGeneration: 2,
      conditions: [{ status: 'True', observedGeneration: 2, lastTransitionTime: time(0) }],
    });
    expect(later?.conditions).toHaveLength(1);
  });
});

describe('a granted eviction', () => {
  const granted = (seconds: number) => budgetOf({ minAvailable: 1 }, { disruptedPods: { p: time(seconds) } });

  it('excludes its pod from the healthy ones until it is gone', () => {
    const outcome = decided([granted(-20), podOf('p'), podOf('q'), podOf('r')]);
    expect(counts(outcome)).toEqual([1, 2, 1, 3]);
    expect(statusIn(outcome)).toMatchObject({ disruptedPods: { p: time(-20) } });
    expect(outcome).toMatchObject({ wakeAt: at(100) + 1 });
  });

  it.each([
    ['is being deleted', podOf('p', { deletionTimestamp: time(9) }), [1, 2, 1, 3]],
    ['is gone', podOf('other'), [2, 3, 1, 3]],
  ])('is forgotten when its pod %s', (_what, pod, expected) => {
    const outcome = decided([granted(-20), pod, podOf('q'), podOf('r')]);
    expect(counts(outcome)).toEqual(expected);
    expect(statusIn(outcome)).not.toHaveProperty('disruptedPods');
    expect(outcome).not.toHaveProperty('wakeAt');
  });

  it('of exactly two minutes counts its pod again, and is reported a moment later', () => {
    const outcome = decided([granted(-120), podOf('p'), podOf('q')]);
    expect(events(outcome)).toEqual([]);
    expect(counts(outcome)).toEqual([1, 2, 1, 2]);
    expect(statusIn(outcome)).toMatchObject({ disruptedPods: { p: time(-120) } });
    expect(outcome).toMatchObject({ wakeAt: at(0) + 1 });
  });

  it('without a deletion within two minutes is reported and dropped', () => {
    const outcome = decided([granted(-121), podOf('p'), podOf('q')]);
    expect(events(outcome)).toEqual(["Warning NotDeleted Pod: Pod was expected by PDB default/default to be deleted but it wasn't"]);
    expect(counts(outcome)).toEqual([1, 2, 1, 2]);
    expect(statusIn(outcome)).not.toHaveProperty('disruptedPods');
  });
});
