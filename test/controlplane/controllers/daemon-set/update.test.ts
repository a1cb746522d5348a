/** One step of a rolling update, within maxUnavailable or with maxSurge. */
import { describe, expect, it } from 'vitest';
import type { DaemonSet, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { nextStep } from '../../../../src/controlplane/controllers/daemon-set/manage.ts';
import { at } from '../../../support/objects.ts';
import { podFor, rolling, setOf, viewOf } from './objects.ts';

const old = (node: string, ready?: number): Pod => podFor(`old-${node}`, node, { hash: 'old', ...(ready === undefined ? {} : { ready }) });
const fresh = (node: string, ready?: number): Pod => podFor(`new-${node}`, node, ready === undefined ? {} : { ready });
/** Nodes that get a second pod, and pods that are deleted, of four nodes. */
function step(set: DaemonSet, pods: readonly Pod[], surges = false) {
  const { nodes, toDelete } = nextStep(set, viewOf({ a: 'runs', b: 'runs', c: 'runs', d: 'runs' }, pods, surges), at(100), {});
  return { nodes: [...nodes], toDelete: toDelete.map(({ metadata }) => metadata.name) };
}
const FOUR = [old('a', 1), old('b', 2), old('c', 3), old('d', 4)];

describe('a rolling update', () => {
  it.each<[string, object, readonly Pod[], readonly string[]]>([
    ['takes as many as may be missing, those ready for the longest first', { maxUnavailable: 2 }, FOUR, ['old-a', 'old-b']],
    ['rounds a share up', { maxUnavailable: '30%' }, FOUR, ['old-a', 'old-b']],
    ['takes one where none may be missing, or it would never end', { maxUnavailable: 0 }, FOUR, ['old-a']],
    ['waits for new ones that are not available', { maxUnavailable: 1 }, [fresh('a'), ...FOUR.slice(1)], []],
    ['goes on when they are', { maxUnavailable: 1 }, [fresh('a', 50), ...FOUR.slice(1)], ['old-b']],
    ['counts a node without a pod as one that is missing', { maxUnavailable: 1 }, FOUR.slice(1), []],
    ['takes all that are no loss', { maxUnavailable: 1 }, [old('a'), old('b'), fresh('c'), old('d', 4)], ['old-a', 'old-b']],
  ])('%s', (_, rules, pods, toDelete) => {
    expect(step(rolling(rules), pods)).toEqual({ nodes: [], toDelete });
  });

  it('waits until a new pod is available', () => {
    const pods = [fresh('a', 90), ...FOUR.slice(1)];
    expect([9, 10, 11].map((minReadySeconds) => step(rolling({ maxUnavailable: 1 }, { minReadySeconds }), pods).toDelete)).toEqual([
      ['old-b'],
      [],
      [],
    ]);
  });

  it('does nothing with OnDelete', () => {
    expect(step(setOf({ updateStrategy: { type: 'OnDelete' } }), FOUR)).toEqual({ nodes: [], toDelete: [] });
  });
});

describe('a rolling update with a second pod beside the first', () => {
  it.each<[string, object, readonly Pod[], readonly string[], readonly string[]]>([
    ['brings as many as may be there', { maxSurge: 2 }, FOUR, ['a', 'b'], []],
    ['rounds a share up', { maxSurge: '30%' }, FOUR, ['a', 'b'], []],
    ['brings no more while they come', { maxSurge: 1 }, [fresh('a'), ...FOUR], [], []],
    ['lets the old one go when the new one is available, and goes on', { maxSurge: 1 }, [fresh('a', 50), ...FOUR], ['b'], ['old-a']],
    [
      'brings one to every node whose old pod is no loss',
      { maxSurge: 1 },
      [old('a'), old('b'), old('c', 3), fresh('d', 50)],
      ['a', 'b', 'c'],
      [],
    ],
  ])('%s', (_, rules, pods, nodes, toDelete) => {
    expect(step(rolling(rules), pods, true)).toEqual({ nodes, toDelete });
  });

  it('counts only the pods that stay', () => {
    // The old pod is being deleted: its node has only a new pod, so the update does not wait for it.
    const pods = [podFor('old-a', 'a', { hash: 'old', ready: 1, dying: true }), fresh('a'), ...FOUR.slice(1)];
    expect(step(rolling({ maxSurge: 1 }), pods, true)).toEqual({ nodes: ['b'], toDelete: [] });
  });
});
