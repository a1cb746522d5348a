/**
 * Positions of steps on the timeline, from 0 to 1: in true time, or folded, where the entries of one instant are spread out and long gaps
 * grow with their logarithm.
 */
import type { Trace } from '../../../lab/trace/index.ts';
import { bisect } from '../../../schema/values/index.ts';

export interface Axis {
  /** A position for each step, 0 is the start; one more for the end. */
  readonly folded: Float32Array;
  readonly true: Float32Array;
}

/** The instant of step 0: the start of the run, or of the shown part of a long run. */
export const beginsAt = ({ startAt, prologue }: Trace): number => Math.max(startAt, prologue.at(-1)?.at ?? startAt);

/** Weights of an entry in the log, of another entry, and of a gap. */
const REPORTED = 1;
const UNREPORTED = 0.02;
const GAP = 1.5;
const PER_DOUBLING = 3;

const room = (gapMs: number): number => (gapMs > 0 ? GAP + PER_DOUBLING * Math.log2(1 + gapMs / 1000) : 0);

interface Stops {
  /** By step from 0, milliseconds since the epoch. */
  readonly instants: Float64Array;
  readonly startAt: number;
  readonly reported: Uint32Array;
  readonly lengthMs: number;
}

export function axisOf(trace: Trace, reported: Uint32Array, endsAt: number): Axis {
  const { entries } = trace;
  const begins = beginsAt(trace);
  const instants = new Float64Array(entries.length + 1);
  instants[0] = begins;
  entries.forEach(({ at }, index) => {
    instants[index + 1] = at;
  });
  return placesOf({ instants, startAt: begins, reported, lengthMs: endsAt - begins });
}

/** The axis of any items with instants. */
export function placesOf({ instants, startAt, reported, lengthMs }: Stops): Axis {
  const count = instants.length - 1;
  const folded = new Float32Array(count + 2);
  const linear = new Float32Array(count + 2);
  const isReported = new Uint8Array(count + 2);
  for (const step of reported) isReported[step] = 1;
  let sum = 0;
  let last = startAt;
  for (let step = 1; step <= count; step++) {
    const at = instants[step] ?? last;
    sum += room(at - last) + (isReported[step] === 1 ? REPORTED : UNREPORTED);
    last = at;
    folded[step] = sum;
    linear[step] = lengthMs === 0 ? 1 : (at - startAt) / lengthMs;
  }
  const total = sum + 2 + room(startAt + lengthMs - last);
  for (let step = 0; step <= count; step++) folded[step] = (folded[step] ?? 0) / total;
  folded[count + 1] = 1;
  linear[count + 1] = 1;
  return { folded, true: linear };
}

/** The last step at or before a position. */
export const stepAtPlace = (places: Float32Array, place: number): number =>
  Math.max(0, Math.min(places.length - 2, bisect(places, (each) => each <= place) - 1));
