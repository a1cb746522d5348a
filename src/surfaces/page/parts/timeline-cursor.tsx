/**
 * The cursor of a timeline and what it veils, as elements over the painted swimlanes: they move by transforms, so that a step repaints
 * neither the swimlanes nor the page.
 */
import { counters } from '../counters.ts';
import type { Pair } from '../model/pair.ts';
import type { Swimlanes } from '../model/swimlanes.ts';
import { gutterOf, RIGHT, type Instants } from './timeline-paint.ts';

interface Props {
  readonly swimlanes: Swimlanes;
  readonly moments: Float32Array;
  readonly instants: Instants;
  readonly width: number;
  readonly step: number;
  /** The time of the cursor. */
  readonly said: string;
  /** The step after which an open question hides everything, of so many. */
  readonly veil: number | undefined;
  readonly length: number;
  readonly beside: Pair | undefined;
}

/** Pixels for the mark of the narration step of a question. */
const VEIL_BEHIND = 10;
/** The height of the cursor's label with its time. */
const TAG = 16;
/** The width of a letter on it. */
const LETTER = 8.5;

export function TimelineCursor({ swimlanes, moments, instants, width, step, said, veil, length, beside }: Props) {
  counters.cursorPaints++;
  const gutter = gutterOf(width);
  const xOf = (at: number): number => gutter + (moments[at] ?? 1) * (width - gutter - RIGHT);
  const x = xOf(step);
  const [first] = swimlanes.swimlanes;
  const below = (first?.y ?? 0) + (first?.h ?? 0);
  const veiled = veil !== undefined && veil < length ? xOf(veil) + VEIL_BEHIND : undefined;
  return (
    <div class="timeline-cursor" aria-hidden="true">
      <div style={{ right: `${RIGHT}px` }}>
        <i class="ahead" style={{ top: `${below}px`, transform: `translateX(${x}px)` }} />
        {veiled !== undefined && <i class="veil" style={{ transform: `translateX(${veiled}px)` }} />}
      </div>
      {beside?.parted !== undefined && <i class="parted" style={{ transform: `translateX(${xOf(beside.parted) - 0.75}px)` }} />}
      <i class="line" style={{ top: swimlanes.headed ? `${TAG}px` : '0', transform: `translateX(${x - 1}px)` }} />
      {swimlanes.headed && <Tag {...{ x, said, instants, width }} />}
    </div>
  );
}

/** The time of the cursor, within the timeline, and a blank over the instants that it would cut. */
function Tag({ x, said, instants, width }: Pick<Props, 'said' | 'instants' | 'width'> & { readonly x: number }) {
  const wide = LETTER * said.length + 10;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  // Half of an instant's label beside the cursor's would be misread.
  const cut = instants.filter(([from, to]) => from < left + wide && to > left);
  const [from, to] = [cut[0]?.[0] ?? left, cut.at(-1)?.[1] ?? left];
  return (
    <>
      <i class="cut" style={{ transform: `translateX(${from}px)`, width: `${to - from + 1}px` }} />
      <b style={{ transform: `translateX(${left}px)`, width: `${wide}px` }}>{said}</b>
    </>
  );
}
