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

/** The phases of versions that were drawn before: of thousands of pods few change between two pictures. */
const known = new WeakMap<Held, Phase>();

function phaseIn(held: Held): Phase {
  let phase = known.get(held);
  if (phase === undefined) known.set(held, (phase = phaseOf(held.object)));
  return phase;
}

/** Cells in reading order, pods in order of creation. */
export function cellsOf(pods: Iterable<Held>, share: number): readonly Cell[] {
  const sorted = [...pods].sort((a, b) => a.order - b.order);
  const cells: Cell[] = [];
  for (let at = 0; at < sorted.length; at += share) {
    const first = sorted[at];
    if (first === undefined) break;
    if (share === 1) cells.push({ phase: phaseIn(first), part: 1, held: first });
    else cells.push(shared(first, sorted.slice(at, at + share)));
  }
  return cells;
}

function shared(first: Held, pods: readonly Held[]): Cell {
  const counts = new Map<Phase, number>();
  for (const held of pods) {
    const phase = phaseIn(held);
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  let most: Phase = PHASES[0];
  for (const phase of PHASES) if ((counts.get(phase) ?? 0) > (counts.get(most) ?? 0)) most = phase;
  return { phase: most, part: (counts.get(most) ?? 0) / pods.length, held: first };
}

/** The number of pods in each phase, in the order of PHASES: `190 Ready, 10 Starting`. */
export function phaseCounts(pods: Iterable<Held>): string {
  const counts = new Map<Phase, number>();
  for (const held of pods) {
    const phase = phaseIn(held);
    counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  return PHASES.filter((phase) => counts.has(phase))
    .map((phase) => `${counts.get(phase) ?? 0} ${phase}`)
    .join(', ');
}
