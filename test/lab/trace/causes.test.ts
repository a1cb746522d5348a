/** Causes over a made history: all of them, the one chain, and the chain as a story. */
import { describe, expect, it } from 'vitest';
import { causesOf, chainOf, lastWriteOf, stepAt, stepOf, storyOf, writesOf } from '../../../src/lab/trace/index.ts';
import { decided, delivered, objectOf, other, START, traceOf, wrote } from './made.ts';

const a = objectOf('Pod', 'a', 1, { spec: { x: 1, y: 1 } });
const b = objectOf('Pod', 'a', 2, { spec: { x: 2, y: 1 } });
const node = objectOf('Node', 'a', 3, {}, { namespace: undefined });

const trace = traceOf([
  other(0, { type: 'operation', label: 'apply' }),
  wrote(0, a, { causes: [1] }),
  // Delivered at the instant of its write, then a millisecond after it.
  delivered(0, 'job', a, 'ADDED', [2]),
  delivered(1, 'scheduler', a, 'ADDED', [2]),
  decided(1, 'manager', 'job', 'a', { causes: [3, 4, 3] }),
  other(2, { type: 'timer', process: 'manager', controller: 'job', key: 'a', because: 'delay', causes: [5] }),
  decided(2, 'manager', 'job', 'a', { causes: [6, 99], writes: 1 }),
  wrote(3, b, { previous: a, causes: [7] }),
  wrote(3, node, { causes: [7] }),
  other(4, { type: 'timer', process: 'manager', controller: 'job', key: 'a', because: 'backoff', causes: [7] }),
  decided(4, 'manager', 'job', 'a', { causes: [10, 8] }),
  wrote(5, b, { previous: b, deleted: true, causes: [11] }),
  other(6, { type: 'timer', process: 'manager', controller: 'job', key: 'a', because: 'wake', causes: [8] }),
]);
const brief = (links: ReturnType<typeof causesOf>): readonly string[] =>
  links.map(({ step, entry, depth }) => `${depth}: #${step} ${entry.type}`);

describe('causes', () => {
  it('are all that led to a step, nearest first, each once', () => {
    expect(brief(causesOf(trace, 7))).toEqual([
      '1: #6 timer',
      '2: #5 reconcile',
      '3: #3 delivery',
      '3: #4 delivery',
      '4: #2 write',
      '5: #1 operation',
    ]);
    expect(brief(causesOf(trace, 11))).toEqual([
      '1: #10 timer',
      '1: #8 write',
      '2: #7 reconcile',
      '3: #6 timer',
      '4: #5 reconcile',
      '5: #3 delivery',
      '5: #4 delivery',
      '6: #2 write',
      '7: #1 operation',
    ]);
    const wide = traceOf(
      [1, 2, 3, 4]
        .map(() => other(0, { type: 'note' }))
        .concat([
          other(0, { type: 'note', causes: [1, 4] }),
          other(0, { type: 'note', causes: [2, 3] }),
          other(0, { type: 'note', causes: [5, 6] }),
        ]),
    );
    expect(causesOf(wide, 7).map(({ step }) => step)).toEqual([5, 6, 2, 3, 1, 4]);
    expect(brief(causesOf(trace, 11, 3))).toEqual(['1: #10 timer', '1: #8 write', '2: #7 reconcile']);
    expect(brief(causesOf(trace, 7, 3))).toEqual(['1: #6 timer', '2: #5 reconcile', '3: #3 delivery']);
    expect([causesOf(trace, 1), causesOf(trace, 99)]).toEqual([[], []]);
  });

  it('are a chain by the latest of each', () => {
    expect(brief(chainOf(trace, 12))).toEqual([
      '1: #11 reconcile',
      '2: #10 timer',
      '3: #7 reconcile',
      '4: #6 timer',
      '5: #5 reconcile',
      '6: #4 delivery',
      '7: #2 write',
      '8: #1 operation',
    ]);
    expect(brief(chainOf(trace, 12, 2))).toEqual(['1: #11 reconcile', '2: #10 timer']);
    expect([chainOf(trace, 1), chainOf(trace, 12, 0)]).toEqual([[], []]);
  });

  it('are a story without the decision of a write, the end of a delay that was asked for, and deliveries at once', () => {
    expect(brief(storyOf(trace, 12))).toEqual([
      '2: #10 timer',
      '3: #7 reconcile',
      '5: #5 reconcile',
      '6: #4 delivery',
      '7: #2 write',
      '8: #1 operation',
    ]);
    expect(brief(storyOf(trace, 13))).toEqual(['1: #8 write', '4: #5 reconcile', '5: #4 delivery', '6: #2 write', '7: #1 operation']);
    const at = traceOf([
      wrote(0, a),
      delivered(0, 'job', a, 'ADDED', [1]),
      decided(0, 'm', 'job', 'a', { causes: [2] }),
      other(9, { type: 'timer', because: 'wake', causes: [1] }),
      decided(9, 'm', 'job', 'a', { causes: [4] }),
    ]);
    expect(brief(storyOf(at, 3))).toEqual(['2: #1 write']);
    expect(brief(storyOf(at, 5))).toEqual(['1: #4 timer', '2: #1 write']);
    expect(brief(storyOf(traceOf([delivered(0, 'job', a), decided(0, 'm', 'job', 'a', { causes: [1] })]), 2))).toEqual([]);
    expect(brief(storyOf(trace, 12, 1))).toEqual([]);
  });
});

describe('the writes of an object', () => {
  const POD = { kind: 'Pod', namespace: 'default', name: 'a' };

  it('are none of another kind with the same key', () => {
    const alike = traceOf([wrote(0, a), wrote(1, objectOf('ConfigMap', 'a', 2, { spec: { x: 5 } }))]);
    expect([writesOf(alike, POD), lastWriteOf(alike, POD, 9), lastWriteOf(alike, POD, 9, 'spec.x')]).toEqual([[1], 1, 1]);
  });

  it('are those of its kind and key', () => {
    expect([writesOf(trace, POD), writesOf(trace, { kind: 'Node', name: 'a' }), writesOf(trace, { ...POD, namespace: 'x' })]).toEqual([
      [2, 8, 12],
      [9],
      [],
    ]);
  });

  it('the last one, and the last that changed a field', () => {
    expect([1, 2, 7, 8, 11, 12, 99].map((before) => lastWriteOf(trace, POD, before))).toEqual([undefined, 2, 2, 8, 8, 12, 12]);
    expect([11, 12].map((before) => lastWriteOf(trace, POD, before, 'spec.x'))).toEqual([8, 12]);
    expect([1, 2, 11, 12].map((before) => lastWriteOf(trace, POD, before, 'spec.y'))).toEqual([undefined, 2, 2, 12]);
    expect(lastWriteOf(trace, POD, 99, 'spec.z')).toBeUndefined();
    expect(lastWriteOf(trace, { kind: 'Node', name: 'a' }, 99)).toBe(9);
  });
});

describe('a step', () => {
  it('is found by its identity or its instant', () => {
    expect([0, 1, 13, 14].map((id) => stepOf(trace, id))).toEqual([undefined, 1, 13, undefined]);
    expect([-1, 0, 1, 2.5, 6, 7].map((ms) => stepAt(trace, START + ms))).toEqual([0, 3, 5, 7, 13, 13]);
    const gaps = traceOf([other(0, { type: 'note', id: 2 }), other(0, { type: 'note', id: 2 }), other(0, { type: 'note', id: 5 })]);
    expect([1, 2, 3, 5].map((id) => stepOf(gaps, id))).toEqual([undefined, 1, undefined, 3]);
  });
});
