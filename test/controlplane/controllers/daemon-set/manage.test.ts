/** The plan of a sync for each node: a pod where there is none, and no surplus pods. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { backoffsOf, type Backoffs } from '../../../../src/controlplane/controllers/daemon-set/backoff.ts';
import type { Fit } from '../../../../src/controlplane/controllers/daemon-set/pod.ts';
import { countCollision } from '../../../../src/controlplane/controllers/daemon-set/recover.ts';
import { planPods, statusOf } from '../../../../src/controlplane/controllers/daemon-set/manage.ts';
import { byAge } from '../../../../src/controlplane/controllers/daemon-set/view.ts';
import { at } from '../../../support/objects.ts';
import { podFor, setOf, viewOf } from './objects.ts';

const NONE = backoffsOf(undefined, 'uid-d', 1);
const named = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).toSorted();
/** Nodes that get a pod, and pods that are deleted. */
function planned(fit: Fit | 'gone', pods: readonly Pod[], surges = false) {
  const { nodes, toDelete } = planPods(setOf(), viewOf({ n: fit }, pods, surges), NONE, { now: at(100), elapsed: at(100) });
  return { nodes, toDelete: named(toDelete) };
}

describe('of a node', () => {
  it.each<[string, Fit | 'gone', readonly Pod[], readonly string[], readonly string[]]>([
    ['that fits and has none, a pod is wanted', 'runs', [], ['n'], []],
    ['that fits and has one that is going, none yet', 'runs', [podFor('a', 'n', { dying: true })], [], []],
    ['where pods may only stay, none is wanted', 'stays', [], [], []],
    ['where pods may only stay, the one there stays', 'stays', [podFor('a', 'n')], [], []],
    [
      'with several, all but the oldest go',
      'runs',
      [podFor('b', 'n', { made: 2 }), podFor('a', 'n', { made: 1 }), podFor('c', 'n', { made: 3 })],
      [],
      ['b', 'c'],
    ],
    ['that does not fit, all go but those that go already', 'leaves', [podFor('a', 'n'), podFor('b', 'n', { dying: true })], [], ['a']],
    [
      'that is gone, those go that wait for it: nobody else would delete them',
      'gone',
      [podFor('a', 'n', { waits: true }), podFor('b', 'n')],
      [],
      ['a'],
    ],
  ])('%s', (_, fit, pods, nodes, toDelete) => {
    expect(planned(fit, pods)).toEqual({ nodes, toDelete });
  });

  it.each<[string, readonly Pod[], readonly string[]]>([
    ['an old one stays that is ready', [podFor('old', 'n', { hash: 'old', ready: 1 }), podFor('new', 'n')], []],
    ['an old one goes that is not', [podFor('old', 'n', { hash: 'old' }), podFor('new', 'n')], ['old']],
    [
      'an old one goes when the new one is available',
      [podFor('old', 'n', { hash: 'old', ready: 1 }), podFor('new', 'n', { ready: 2 })],
      ['old'],
    ],
    [
      'of each the older stays',
      [podFor('old', 'n', { hash: 'old', ready: 1 }), podFor('new', 'n', { made: 1 }), podFor('newer', 'n', { made: 2 })],
      ['newer'],
    ],
  ])('on which a second pod may come first, %s', (_, pods, toDelete) => {
    expect(planned('runs', pods, true)).toEqual({ nodes: [], toDelete });
  });

  it('bound pods come before unbound ones, whichever are older', () => {
    expect(named([podFor('waits', 'n', { waits: true }), podFor('has', 'n', { made: 5 })].toSorted(byAge).slice(0, 1))).toEqual(['has']);
  });
});

describe('a revision whose name is taken', () => {
  const countedOn = (cached: number, there: number) =>
    countCollision(setOf({}, { collisionCount: cached }), setOf({}, { collisionCount: there }));

  it('is counted on the set as the server has it, once', () => {
    expect(countedOn(1, 1).writes).toMatchObject([{ op: 'update', subresource: 'status', object: { status: { collisionCount: 2 } } }]);
    expect(countedOn(1, 2)).toMatchObject({ writes: [], backoff: 'retry' });
  });
});

describe('a failed pod', () => {
  /** The seconds among these at which the pod is replaced, if it fails again each time. */
  function replacedAt(seconds: readonly number[]): readonly number[] {
    let known: Backoffs = NONE;
    return seconds.filter((second) => {
      // The clock was set back by an hour: that makes nobody wait longer.
      const clocks = { now: at(second - 3600), elapsed: at(second) };
      const { toDelete, backoffs } = planPods(setOf(), viewOf({ n: 'runs' }, [podFor('a', 'n', { phase: 'Failed' })]), known, clocks);
      known = backoffs;
      return toDelete.length > 0;
    });
  }

  it('is replaced at once, then after a second, then after two, at exactly these instants', () => {
    expect(replacedAt([0, 0.999, 1, 2.999, 3, 6.999, 7])).toEqual([0, 1, 3, 7]);
  });

  it('has to wait a quarter of an hour at most', () => {
    const doublings = [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023];
    expect(replacedAt([...doublings, 1922, 1923, 2822, 2823])).toEqual([...doublings, 1923, 2823]);
  });

  it('starts a new back-off on a node without failures for half an hour', () => {
    // The delay after the third failure would be four seconds.
    expect(replacedAt([0, 1, 3, 1804, 1804.999, 1805])).toEqual([0, 1, 3, 1804, 1805]);
  });
});

describe('the status', () => {
  const set = setOf({}, { observedGeneration: 0 });
  const view = viewOf({ a: 'runs', b: 'runs', c: 'leaves' }, [podFor('a', 'a', { ready: 1 }), podFor('c', 'c', { ready: 1 })]);

  it('updates observedGeneration only when the sync could act', () => {
    expect([true, false].map((acted) => statusOf(set, view, acted, at(5)).observedGeneration)).toEqual([1, 0]);
  });

  it('counts the nodes that should have a pod, have one, and should not', () => {
    expect(statusOf(set, view, true, at(5))).toEqual({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 1,
      numberMisscheduled: 1,
      numberReady: 1,
      numberAvailable: 1,
      numberUnavailable: 1,
      updatedNumberScheduled: 1,
      observedGeneration: 1,
    });
  });
});
