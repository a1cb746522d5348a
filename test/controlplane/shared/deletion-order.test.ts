/** The order in which surplus pods are deleted: each criterion decides only where those before it are equal. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { inDeletionOrder } from '../../../src/controlplane/shared/index.ts';
import { formatTime } from '../../../src/schema/values/index.ts';
import { at, barePod } from '../../support/objects.ts';

interface Said {
  readonly node?: string;
  readonly phase?: string;
  /** The second since when it is ready; null: its condition has no time; undefined: it is not ready. */
  readonly ready?: number | null;
  readonly restarts?: readonly number[];
  readonly made?: number;
  readonly uid?: string;
}
const time = (seconds: number): string => formatTime(at(seconds));
const pod = (name: string, { node = 'n', phase = 'Running', ready, restarts, made = 0, uid = name }: Said = {}): Pod =>
  barePod(name, phase, {
    meta: { uid, creationTimestamp: time(made) },
    spec: { nodeName: node },
    status: {
      conditions: [
        ready === undefined
          ? { type: 'Ready', status: 'False', lastTransitionTime: time(0) }
          : { type: 'Ready', status: 'True', lastTransitionTime: ready === null ? null : time(ready) },
      ],
      ...(restarts === undefined ? {} : { containerStatuses: restarts.map((restartCount) => ({ name: 'c', restartCount })) }),
    },
  });
type Worth = Parameters<typeof inDeletionOrder>[1];
const order = (pods: readonly Pod[], worth?: Worth): readonly string[] => inDeletionOrder(pods, worth).map(({ metadata }) => metadata.name);

describe('of two pods, first goes', () => {
  // The second pod is better by the criterion, and worse by those after it.
  it.each<[string, Pod, Pod]>([
    ['one without a node', pod('goes', { node: '', ready: 0 }), pod('stays', { phase: 'Pending', made: 9 })],
    ['a pending one', pod('goes', { phase: 'Pending', ready: 0 }), pod('stays', { phase: 'Unknown', made: 9 })],
    ['one whose state is unknown', pod('goes', { phase: 'Unknown', ready: 0 }), pod('stays', { made: 9 })],
    ['one of a phase without a rank', pod('goes', { phase: 'Odd', ready: 0 }), pod('stays', { phase: 'Unknown', made: 9 })],
    ['one that is not ready', pod('goes', {}), pod('stays', { ready: 0, restarts: [9], made: 9 })],
    ['the one ready since later', pod('goes', { ready: 2 }), pod('stays', { ready: 1, restarts: [9], made: 9 })],
    ['one ready since a time, before one without a time', pod('goes', { ready: null }), pod('stays', { ready: 1, restarts: [9], made: 9 })],
    [
      'the one whose worst container restarted more often',
      pod('goes', { restarts: [1, 3, 0] }),
      pod('stays', { restarts: [2, 2], made: 9 }),
    ],
    ['the one that restarted, where the other has no containers', pod('goes', { restarts: [1] }), pod('stays', { made: 9 })],
    ['the younger one', pod('goes', { made: 9 }), pod('stays', { made: 8 })],
  ])('%s', (_, goes, stays) => {
    expect([order([goes, stays]), order([stays, goes])]).toEqual([
      ['goes', 'stays'],
      ['goes', 'stays'],
    ]);
  });

  it('the cheaper one, then the one with more pods of its kind on its node', () => {
    const pods = [pod('b-1', { ready: 5, made: 9 }), pod('a-2', { ready: 1 }), pod('a-1', { ready: 5, made: 9 }), pod('b-2', { ready: 1 })];
    const costOf = ({ metadata }: Pod): number => (metadata.name.startsWith('a') ? 1 : 2);
    const neighboursOf = ({ metadata }: Pod): number => (metadata.name.endsWith('1') ? 1 : 2);
    expect(order(pods, { costOf })).toEqual(['a-1', 'a-2', 'b-1', 'b-2']);
    expect(order(pods, { neighboursOf })).toEqual(['a-2', 'b-2', 'b-1', 'a-1']);
    expect(order(pods, { costOf, neighboursOf })).toEqual(['a-2', 'a-1', 'b-2', 'b-1']);
  });
});

describe('where ages count by their magnitude', () => {
  // Seconds in tens: ages of one decade are equal, and the uid decides.
  const ageOf = (since: number): number => -Math.floor((since - at(0)) / 10_000);

  it('the uid decides between those that became ready within one', () => {
    expect(order([pod('x', { ready: 11, uid: 'b' }), pod('y', { ready: 12, uid: 'a' })], { ageOf })).toEqual(['y', 'x']);
    expect(order([pod('x', { ready: 11, uid: 'b' }), pod('y', { ready: 21, uid: 'c' })], { ageOf })).toEqual(['y', 'x']);
  });

  it('the uid decides between those that were created within one', () => {
    expect(order([pod('x', { made: 11, uid: 'b' }), pod('y', { made: 12, uid: 'a' })], { ageOf })).toEqual(['y', 'x']);
    expect(order([pod('x', { made: 11, uid: 'b' }), pod('y', { made: 21, uid: 'c' })], { ageOf })).toEqual(['y', 'x']);
  });

  it('those of one moment keep their order, whatever their uids', () => {
    const same = [pod('x', { ready: 1, made: 3, uid: 'b' }), pod('y', { ready: 1, made: 3, uid: 'a' })];
    expect([order(same), order(same.toReversed())]).toEqual([
      ['x', 'y'],
      ['y', 'x'],
    ]);
  });
});
