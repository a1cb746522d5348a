/**
 * Two runs side by side at one virtual instant. A moment is a step of each run: before the divergence the same entries (a fork has no
 * notes, so their numbers differ), after it entries of the same instant.
 */
import { firstDivergence, type Entry } from '../../../lab/trace/index.ts';
import { placesOf, type Axis, beginsAt } from './axis.ts';
import type { Model } from './index.ts';

export type Pair = Readonly<ReturnType<typeof pairOf>>;

export function pairOf(first: Model, second: Model) {
  const { firstAt, secondAt } = momentsOf(first, second);
  const length = firstAt.length - 1;
  const { startAt } = first.trace;
  const instants = Float64Array.from(firstAt, (step, moment) =>
    Math.max(instantOf(first, step), instantOf(second, secondAt[moment] ?? 0) - second.trace.startAt + startAt),
  );
  const of = { first: momentsBySteps(firstAt, first.length), second: momentsBySteps(secondAt, second.length) };
  const both = (mine: Iterable<number>, theirs: Iterable<number>): readonly number[] =>
    [...new Set([...[...mine].map((step) => of.first[step] ?? 0), ...[...theirs].map((step) => of.second[step] ?? 0)])].sort(
      (a, b) => a - b,
    );
  const reported = Uint32Array.from(both(first.reported.steps, second.reported.steps));
  const told = Uint32Array.from(both(first.reported.told, second.reported.told));
  const axis = placesOf({ instants, startAt, reported, lengthMs: Math.max(first.run.lengthMs, second.run.lengthMs) });
  const parting = firstDivergence(first.trace, second.trace);
  const track: Track = {
    length,
    reported: told,
    narrationSteps: both(first.narrationSteps, []),
    writes: both(first.writes, second.writes),
    broken: both(first.broken, second.broken),
    instantAt: (moment) => instants[moment] ?? startAt,
  };
  return {
    first,
    second,
    track,
    /** The steps of each moment, from moment 0. */
    firstAt,
    secondAt,
    /** The moment of the divergence, and the first different step of each run (absent: it had ended); undefined: the runs are identical. */
    parted: parting === undefined ? undefined : partedAt(parting, of),
    parting,
    /** One axis for both: positions of moments, and of the steps of each run. */
    axis,
    places: { first: through(axis, of.first), second: through(axis, of.second) },
  };
}

const instantOf = ({ trace }: Model, step: number): number => trace.entries[step - 1]?.at ?? trace.startAt;
/** Annotations have no effect, and a fork does not repeat those of its original. */
const isAnnotation = (entry: Entry): boolean => entry.type === 'note' || entry.type === 'check';

function momentsOf(first: Model, second: Model) {
  const mine: number[] = [0];
  const theirs: number[] = [0];
  const shift = second.trace.startAt - first.trace.startAt;
  let [a, b] = [0, 0];
  while (a < first.length || b < second.length) {
    const [one, other] = [first.trace.entries[a], second.trace.entries[b]];
    const [at, otherAt] = [one?.at ?? Infinity, other === undefined ? Infinity : other.at - shift];
    const [annotation, otherAnnotation] = [one !== undefined && isAnnotation(one), other !== undefined && isAnnotation(other)];
    const together = at === otherAt && annotation === otherAnnotation;
    // An annotation of an instant precedes the next entry of the instant.
    const mineFirst = at < otherAt || (at === otherAt && annotation);
    if (together || mineFirst) a++;
    if (together || !mineFirst) b++;
    mine.push(a);
    theirs.push(b);
  }
  return { firstAt: Uint32Array.from(mine), secondAt: Uint32Array.from(theirs) };
}

/** For each step, the first moment after it. */
function momentsBySteps(steps: Uint32Array, length: number): Uint32Array {
  const moments = new Uint32Array(length + 1);
  let last = 0;
  steps.forEach((step, moment) => {
    for (; last < step; last++) moments[last + 1] = moment;
  });
  return moments;
}

function partedAt(
  found: { readonly first?: number; readonly second?: number },
  of: { readonly first: Uint32Array; readonly second: Uint32Array },
): number {
  const moments = [
    ...(found.first === undefined ? [] : [of.first[found.first] ?? 0]),
    ...(found.second === undefined ? [] : [of.second[found.second] ?? 0]),
  ];
  return Math.max(0, Math.min(...moments) - 1);
}

/** Converts an axis of moments to one of steps; the last position stays the end. */
function through(axis: Axis, moments: Uint32Array): Axis {
  const places = (of: Float32Array): Float32Array => {
    const made = new Float32Array(moments.length + 1);
    moments.forEach((moment, step) => {
      made[step] = of[moment] ?? 1;
    });
    made[moments.length] = 1;
    return made;
  };
  return { folded: places(axis.folded), true: places(axis.true) };
}

/** The last moment at or before an instant since the start, but none before the runs part; without an instant, the last one. */
export function momentAt({ track, first, parted = 0 }: Pair, ms: number | undefined): number {
  if (ms === undefined) return track.length;
  let at = track.length;
  while (at > parted + 1 && track.instantAt(at) - first.trace.startAt > ms) at--;
  return at;
}

export interface Track {
  /** The number of the last position. */
  readonly length: number;
  /** Positions of log entries at which the reader stops, ascending; those of notes, writes, failures. */
  readonly reported: Uint32Array;
  readonly narrationSteps: readonly number[];
  readonly writes: readonly number[];
  readonly broken: readonly number[];
  /** Milliseconds since the epoch. */
  instantAt(place: number): number;
}

/** The track of one run: its positions are its steps. */
export const trackOf = ({ length, reported, narrationSteps, writes, broken, trace }: Model): Track => ({
  length,
  reported: reported.told,
  narrationSteps,
  writes,
  broken,
  instantAt: (step) => trace.entries[step - 1]?.at ?? beginsAt(trace),
});
