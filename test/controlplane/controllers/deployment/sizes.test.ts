/** Limits on the sizes of a Deployment's sets, in numbers. */
import { describe, expect, it } from 'vitest';
import { maxSurge, maxUnavailable, nextSize, proportion } from '../../../../src/controlplane/controllers/deployment/input.ts';
import { deploymentOf } from './objects.ts';

const rolling = (replicas: number, surge: number | string, unavailable: number | string) =>
  deploymentOf({ replicas, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } } });
const recreate = (replicas: number) => deploymentOf({ replicas, strategy: { type: 'Recreate' } });

describe('a Deployment', () => {
  it.each([
    [10, '25%', '25%', 3, 2],
    [3, '25%', '25%', 1, 0],
    [4, '50%', '30%', 2, 1],
    [5, 0, 0, 0, 1],
    [3, '0%', '10%', 0, 1],
    [2, 1, 5, 1, 2],
    [0, '50%', 1, 0, 0],
  ])('of %d with maxSurge %s and maxUnavailable %s may have %d more and %d fewer', (replicas, surge, unavailable, more, fewer) => {
    expect(maxSurge(rolling(replicas, surge, unavailable))).toBe(more);
    expect(maxUnavailable(rolling(replicas, surge, unavailable))).toBe(fewer);
  });

  it('with the strategy Recreate has neither', () => {
    expect([maxSurge(recreate(5)), maxUnavailable(recreate(5)), nextSize(recreate(5), 5, 2)]).toEqual([0, 0, 5]);
  });

  it.each([
    // replicas 10, at most 13 in all: all, own → next
    [10, 0, 3],
    [12, 2, 3],
    [13, 3, 3],
    [14, 3, 3],
    [9, 9, 10],
    [10, 9, 10],
  ])('scales the new set from %d in all, %d of its own, to %d', (all, own, next) => {
    expect(nextSize(rolling(10, 3, 0), all, own)).toBe(next);
  });
});

describe('the proportion of a change', () => {
  const of = (replicas: number, surge = 0) => rolling(replicas, surge, 1);
  it.each([
    ['half, rounded away from none', of(15), 5, 10, 5, 0, 3],
    ['half of what goes, rounded away from none', of(5), 5, 10, -5, 0, -2],
    ['no more than is left to give', of(20), 5, 10, 10, 8, 2],
    ['no more than is left to take', of(2), 5, 10, -8, -7, -1],
    ['the pods beyond those wanted', of(20, 5), 4, 10, 15, 0, 6],
    ['everything where none is wanted', of(0), 7, 10, -10, 0, -7],
    ['nothing for an empty set', of(20), 0, 10, 10, 0, 0],
    ['nothing where all is given', of(20), 5, 10, 10, 10, 0],
  ])('is %s', (_what, deployment, size, wasAllowed, toAdd, added, share) => {
    expect(proportion(deployment, size, wasAllowed, toAdd, added)).toBe(share);
  });
});
