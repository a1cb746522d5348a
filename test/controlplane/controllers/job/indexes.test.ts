import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countIndexes,
  firstPendingIndexes,
  formatIndexes,
  hasIndex,
  mergeIndexes,
  parseIndexes,
  podGenerateNameWithIndex,
} from '../../../../src/controlplane/controllers/job/indexes.ts';
import { parseCompletionIndex } from '../../../../src/controlplane/controllers/job/pods.ts';
import { oracleLines } from '../../../support/oracle.ts';

/** The intervals of any numbers, in any order. */
const toIntervals = (indexes: Iterable<number>) =>
  mergeIndexes(
    [],
    [...indexes].sort((a, b) => a - b),
  );

interface Line {
  readonly id: string;
  readonly fn: string;
  readonly set: readonly number[];
  readonly in: string;
  readonly completions: number;
  readonly intervals: readonly (readonly [number, number])[];
  readonly string: string;
  readonly total: number;
  readonly prev: string;
  readonly new: readonly number[];
  readonly active: readonly number[];
  readonly count: number;
  readonly succeeded: string;
  readonly out: unknown;
  readonly job: string;
  readonly index: number;
}
const lines = oracleLines('v1.24/api/indexes.jsonl') as unknown as readonly Line[];
const of = (fn: string): readonly Line[] => lines.filter((line) => line.fn === fn);
const ALL = 1_000_000_000;

describe('completion indexes as recorded', () => {
  it('are written', () => {
    for (const { id, set, string, total } of of('format'))
      expect([id, formatIndexes(toIntervals(set)), countIndexes(toIntervals(set))]).toEqual([id, string, total]);
  });

  it('are read, broken texts too', () => {
    for (const line of of('parse')) {
      const intervals = parseIndexes(line.in, line.completions);
      expect({
        id: line.id,
        intervals: intervals.map(({ first, last }) => [first, last]),
        string: formatIndexes(intervals),
        total: countIndexes(intervals),
      }).toEqual({
        id: line.id,
        intervals: line.intervals,
        string: line.string,
        total: line.total,
      });
    }
  });

  it('are merged', () => {
    for (const line of of('merge')) {
      const merged = mergeIndexes(parseIndexes(line.prev, ALL), line.new);
      expect([line.id, formatIndexes(merged), countIndexes(merged)]).toEqual([line.id, line.string, line.total]);
    }
  });

  it('are chosen for new pods', () => {
    for (const { id, count, succeeded, active, completions, out } of of('firstPendingIndexes')) {
      expect([id, firstPendingIndexes(count, parseIndexes(succeeded, completions), toIntervals(active), completions)]).toEqual([id, out]);
    }
  });

  it('name pods', () => {
    for (const { id, job, index, out } of of('podGenerateNameWithIndex'))
      expect([id, podGenerateNameWithIndex(job, index)]).toEqual([id, out]);
  });
});

describe('interval lists', () => {
  const index = fc.integer({ min: 0, max: 60 });

  it('are counted, searched, written and read', () => {
    fc.assert(
      fc.property(fc.uniqueArray(index), (indexes) => {
        const intervals = toIntervals(indexes);
        expect(countIndexes(intervals)).toBe(indexes.length);
        for (let at = 0; at <= 60; at++) expect(hasIndex(intervals, at)).toBe(indexes.includes(at));
        expect(parseIndexes(formatIndexes(intervals), 61)).toEqual(intervals);
      }),
    );
  });

  it('merge and offer what a set would', () => {
    fc.assert(
      fc.property(fc.uniqueArray(index), fc.uniqueArray(index), fc.nat(70), fc.nat(70), (completed, active, count, completions) => {
        const sorted = active.toSorted((a, b) => a - b);
        expect(mergeIndexes(toIntervals(completed), sorted)).toEqual(toIntervals([...completed, ...active]));
        const free = Array.from({ length: completions }, (_, at) => at).filter((at) => !completed.includes(at) && !active.includes(at));
        expect(firstPendingIndexes(count, toIntervals(completed), toIntervals(active), completions)).toEqual(free.slice(0, count));
      }),
    );
  });

  it('reads only whole numbers from zero as a completion index', () => {
    expect(['7', '+7', '007', '-1', '1.5', '', 'x'].map(parseCompletionIndex)).toEqual([
      7,
      7,
      7,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
