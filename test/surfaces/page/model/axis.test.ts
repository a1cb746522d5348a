/** Positions of steps on the timeline, and the step at a position. */
import { describe, expect, it } from 'vitest';
import { placesOf, stepAtPlace } from '../../../../src/surfaces/page/model/axis.ts';

/** Steps at these milliseconds of a run; all of them are in the log except the named ones. */
const places = (instants: readonly number[], lengthMs: number, untold: readonly number[] = []) =>
  placesOf({
    instants: Float64Array.from([0, ...instants]),
    startAt: 0,
    reported: Uint32Array.from(instants.map((_, at) => at + 1).filter((step) => !untold.includes(step))),
    lengthMs,
  });
/** The length of each step, as a multiple of the first. */
const rooms = (folded: Float32Array): readonly number[] => {
  const [, first = 1] = folded;
  return [...folded].slice(1, -1).map((place, at) => Math.round(((place - (folded[at] ?? 0)) / first) * 100) / 100);
};

describe('the timeline', () => {
  it('in true time has a step at its instant', () => {
    expect([...places([0, 250, 500], 1_000).true]).toEqual([0, 0, 0.25, 0.5, 1]);
  });

  it('folded spreads the steps of one instant, and those outside of the log a little', () => {
    expect(rooms(places([0, 0, 0], 0, [2]).folded)).toEqual([1, 0.02, 1]);
  });

  it('folded lets gaps grow by their logarithm', () => {
    // A second is one doubling, and so is the step from 1023 s to 2047 s.
    const [, second = 0, long = 0, twice = 0] = rooms(places([0, 1_000, 1_024_000, 3_071_000], 3_071_000).folded);
    expect([second, long, twice]).toEqual([1 + 1.5 + 3, 1 + 1.5 + 30, 1 + 1.5 + 33]);
  });
});

describe('at a position', () => {
  it.each([
    [0, 0],
    [0.2, 1],
    [0.3, 1],
    [0.5, 2],
    [0.9, 3],
    [1, 3],
  ])('of %f stands the last step at it or before it: %i', (place, step) => {
    expect(stepAtPlace(Float32Array.from([0, 0.2, 0.5, 0.75, 1]), Math.fround(place))).toBe(step);
  });
});
