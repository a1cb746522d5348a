/** The phase of a pod, and grids of pods. */
import { describe, expect, it } from 'vitest';
import { cellsOf, gridOf, phaseCounts } from '../../../../src/surfaces/page/model/pod-grid.ts';
import { phaseOf } from '../../../../src/surfaces/page/model/phase.ts';
import type { Held } from '../../../../src/surfaces/page/model/world.ts';
import { AT, barePod, nodeOf } from '../../../support/objects.ts';

const held = (order: number, phase: string): Held => {
  const object = barePod(`p${order}`, phase);
  return { kind: 'Pod', key: `default/p${order}`, object, at: 0, step: 0, order, place: order };
};

describe('a pod', () => {
  const dying = { meta: { deletionTimestamp: AT } };
  it.each([
    ['Ready', barePod('p')],
    ['Running', barePod('p', 'Running', { status: { conditions: [] } })],
    ['Starting', barePod('p', 'Pending')],
    ['Waiting', barePod('p', 'Pending', { spec: { nodeName: '' } })],
    ['Terminating', barePod('p', 'Running', dying)],
    ['Succeeded', barePod('p', 'Succeeded', dying)],
    ['Failed', barePod('p', 'Failed')],
    ['Waiting', nodeOf('n')],
  ])('is called %s: %#', (phase, object) => {
    expect(phaseOf(object)).toBe(phase);
  });
});

describe('cells', () => {
  it('are as large as the number of pods permits', () => {
    expect([100, 101].map((count) => gridOf(count, 140, 140).size)).toEqual([14, 12]);
  });

  it('are in the order of their pods', () => {
    const podGrid = [held(1, 'Failed'), held(2, 'Succeeded'), held(3, 'Running')];
    expect(cellsOf(podGrid, 1).map(({ phase }) => phase)).toEqual(['Failed', 'Succeeded', 'Ready']);
    expect(phaseCounts(podGrid)).toBe('1 Ready, 1 Succeeded, 1 Failed');
  });

  it('that several share show the most frequent phase, and of two equal ones the first', () => {
    const podGrid = ['Failed', 'Failed', 'Running', 'Succeeded', 'Running', 'Failed'].map((phase, order) => held(order, phase));
    expect(cellsOf(podGrid, 3).map(({ phase, part, held: { order } }) => [phase, Math.round(part * 3), order])).toEqual([
      ['Failed', 2, 0],
      ['Ready', 1, 3],
    ]);
    expect(cellsOf(podGrid, 4).map(({ phase, part }) => [phase, part])).toEqual([
      ['Failed', 0.5],
      ['Ready', 0.5],
    ]);
  });
});
