/**
 * A grid of pods: the size of cells in a box and, with more pods than cells, the number of pods in a cell. A shared cell shows the most
 * frequent phase, and its share.
 */
import { PHASES, phaseOf, type Phase } from './phase.ts';
import type { Held } from './world.ts';

export interface Grid {
  /** Pixels of a square cell with its gap. */
  readonly size: number;
  readonly columns: number;
  readonly rows: number;
  /** Pods in a cell. */
  readonly share: number;
}

const LARGEST = 14;
const SMALLEST = 3;

/** The largest cells with which so many pods fit. */
export function gridOf(count: number, w: number, h: number): Grid {
  for (let size = LARGEST; size >= SMALLEST; size--) {
    const columns = Math.max(1, Math.floor(w / size));
    const rows = Math.max(1, Math.floor(h / size));
    if (columns * rows >= count) return { size, columns, rows, share: 1 };
  }
  const columns = Math.max(1, Math.floor(w / SMALLEST));
  const rows = Math.max(1, Math.floor(h / SMALLEST));
  return { size: SMALLEST, columns, rows, share: Math.ceil(count / (columns * rows)) };
}

export interface Cell {
  readonly phase: Phase;
  /** The share of its pods in that phase: 0 to 1. */
  readonly part: number;
  /** The first of its pods. */
  readonly held: Held;
}

/** The phases of versions that were drawn before, by their places in PHASES: of thousands of pods few change between two pictures. */
const known = new WeakMap<Held, number>();

function phaseIn(held: Held): number {
  let phase = known.get(held);
  if (phase === undefined) known.set(held, (phase = PHASES.indexOf(phaseOf(held.object))));
  return phase;
}

/** The number of pods from one to another in each phase, in the order of PHASES. */
function counted(pods: readonly Held[], from: number, to: number): readonly number[] {
  const counts = PHASES.map(() => 0);
  for (let at = from; at < to; at++) {
    const held = pods[at];
    if (held === undefined) continue;
    const phase = phaseIn(held);
    counts[phase] = (counts[phase] ?? 0) + 1;
  }
  return counts;
}

/** Cells in reading order, pods in order of creation. */
export function cellsOf(pods: readonly Held[], share: number): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; at < pods.length; at += share) {
    const first = pods[at];
    if (first === undefined) break;
    const counts = counted(pods, at, Math.min(at + share, pods.length));
    const most = Math.max(...counts);
    cells.push({ phase: PHASES[counts.indexOf(most)] ?? 'Waiting', part: most / Math.min(share, pods.length - at), held: first });
  }
  return cells;
}

/** The number of pods in each phase, in the order of PHASES: `190 Ready, 10 Starting`. */
export function phaseCounts(pods: readonly Held[]): string {
  const counts = counted(pods, 0, pods.length);
  return PHASES.flatMap((phase, at) => (counts[at] === 0 ? [] : [`${counts[at] ?? 0} ${phase}`])).join(', ');
}
