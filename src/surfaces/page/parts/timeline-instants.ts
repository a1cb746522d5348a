/** The instants above the swimlanes of the timeline, and marks where time was folded. */
import type { Model } from '../model/index.ts';
import { since } from '../model/words.ts';

interface Sheet {
  readonly pen: CanvasRenderingContext2D;
  readonly model: Model;
  readonly width: number;
  colour(name: string): string;
  x(step: number): number;
}

/** A fold of at least so many milliseconds gets a mark, if there is space for it. */
const QUIET_FROM = 60_000;
const ROOM_FOR_FOLD = 26;

/** Two strokes, like a broken axis. */
function fold(pen: CanvasRenderingContext2D, x: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const by of [-2, 2]) {
    pen.moveTo(x + by - 2, 12);
    pen.lineTo(x + by + 2, 4);
  }
  pen.stroke();
}

/** Pixels between two instants. */
const APART = 14;

/** Paints the instants above the swimlanes, where there is space. Returns the extent of each: `[left, right]`. */
export function paintInstants({ pen, model, colour, x, width }: Sheet): readonly (readonly [number, number])[] {
  const written: [number, number][] = [];
  pen.textAlign = 'left';
  let lastX = -Infinity;
  let lastAt = -1;
  for (const step of model.reported.steps) {
    const at = model.trace.entries[step - 1]?.at ?? 0;
    const here = x(step);
    // Measuring text costs more than everything else here.
    if (at === lastAt || here - lastX < APART) continue;
    const text = since(at - model.trace.startAt);
    const wide = pen.measureText(text).width;
    if (here + wide > width - 4) continue;
    if (at - Math.max(0, lastAt) > QUIET_FROM && here - lastX > ROOM_FOR_FOLD && lastAt >= 0) fold(pen, (lastX + here) / 2, colour('soft'));
    lastX = here + wide;
    lastAt = at;
    pen.fillStyle = colour('line');
    pen.fillRect(here, 13, 1, 5);
    pen.fillStyle = colour('soft');
    pen.fillText(text, here + 3, 8);
    written.push([here, here + 3 + wide]);
  }
  return written;
}
