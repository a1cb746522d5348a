/** One step of a rolling update, from sets with these numbers of pods. */
import { describe, expect, it } from 'vitest';
import { growNewest, shrinkOld } from '../../../../src/controlplane/controllers/deployment/rolling.ts';
import { deploymentOf, draftFor, setOf, setsOf } from './objects.ts';

const deployment = deploymentOf({
  replicas: 4,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
});
type Size = readonly [replicas: number, available: number];
const after = (step: typeof growNewest, newest: Size, ...old: readonly Size[]): readonly number[] => {
  const sets = setsOf(setOf('new', ...newest), ...old.map((size, at) => setOf(`old-${at}`, ...size)));
  step(draftFor(deployment), sets);
  return [sets.newest?.replicas ?? 0, ...sets.old.map(({ replicas }) => replicas)];
};

describe('a rolling update of four, one more and one fewer at most', () => {
  it.each([
    ['begins with one', [0, 0], [[4, 4]], [1, 4]],
    ['waits while there are five', [1, 0], [[4, 4]], [1, 4]],
    ['follows those that went', [1, 1], [[3, 3]], [2, 3]],
    ['shrinks a set that is too large', [6, 6], [[0, 0]], [4, 0]],
  ] as const)('grows: %s', (_what, newest, old, sizes) => {
    expect(after(growNewest, newest, ...old)).toEqual(sizes);
  });

  it.each([
    ['three stay available', [1, 0], [[4, 4]], [1, 3]],
    ['new pods that are not available do not count', [2, 0], [[3, 3]], [2, 3]],
    ['nor do they make room for old ones to go', [2, 0], [[3, 2]], [2, 3]],
    ['new pods that are available do', [2, 2], [[3, 3]], [2, 1]],
    [
      'those that are not available go first, wherever they are',
      [1, 1],
      [
        [2, 2],
        [2, 0],
      ],
      [1, 2, 0],
    ],
    ['none goes where none may', [0, 0], [[3, 3]], [0, 3]],
    [
      'nothing goes where a status is too old',
      [2, 2],
      [
        [1, 3],
        [2, 0],
      ],
      [2, 1, 2],
    ],
  ] as const)('shrinks: %s', (_what, newest, old, sizes) => {
    expect(after(shrinkOld, newest, ...old)).toEqual(sizes);
  });
});
