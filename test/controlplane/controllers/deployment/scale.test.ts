/** Scaling in the middle of a rollout: the proportion of each set. */
import { describe, expect, it } from 'vitest';
import type { ReplicaSet } from '../../../../src/apiserver/kinds/index.ts';
import { scale } from '../../../../src/controlplane/controllers/deployment/rolling.ts';
import { deploymentOf, draftFor, setOf, setsOf } from './objects.ts';

/** The sizes after a Deployment is scaled to `replicas`, with `surge`: of the newest set, and of the others. */
function after(replicas: number, surge: number, newest: ReplicaSet, ...old: readonly ReplicaSet[]): readonly number[] {
  const sets = setsOf(newest, ...old);
  const rollingUpdate = { maxSurge: surge, maxUnavailable: 0 };
  scale(draftFor(deploymentOf({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate } })), sets);
  return [sets.newest?.replicas ?? 0, ...sets.old.map((view) => view.replicas)];
}
/** Two sets of three, of a Deployment with four wanted pods and six at most. */
const NEW = setOf('new', 3, 3, { made: 20, sized: [4, 6] });
const OLD = setOf('old', 3, 3, { made: 10, sized: [4, 6] });

describe('a Deployment that is scaled', () => {
  it('during a rollout gives each set its proportion', () => {
    expect(after(8, 2, setOf('new', 2, 2, { sized: [4, 6] }), setOf('old', 4, 4, { sized: [4, 6] }))).toEqual([3, 7]);
  });

  it('scales up the newer of two sets of one size', () => {
    expect(after(5, 2, NEW, OLD)).toEqual([4, 3]);
  });

  it('scales down the older of two sets of one size, and gives the remainder to the first', () => {
    expect(after(3, 2, NEW, OLD)).toEqual([3, 2]);
  });

  it('scales down old sets once the newest has all wanted pods available', () => {
    const old = setOf('old', 1, 1, { sized: [4, 5] });
    expect(after(4, 1, setOf('new', 4, 4, { sized: [4, 5] }), old)).toEqual([4, 0]);
    expect(after(4, 1, setOf('new', 4, 3, { sized: [4, 5] }), old)).toEqual([4, 1]);
  });
});
