/** The instants above the lanes of the timeline, and the marks where time was folded. */
import type { Model } from '../model/index.ts';
import { since } from '../model/words.ts';

interface Sheet {
  readonly pen: CanvasRenderingContext2D;
  readonly model: Model;
  readonly width: number;
  colour(name: string): string;
  x(step: number): number;
}

/** Where so much time was folded that it deserves a mark, and there is room for one. */
const QUIET_FROM = 60_000;
const ROOM_FOR_FOLD = 26;

/** Two strokes, as an axis that was broken has them. */
function fold(pen: CanvasRenderingContext2D, x: number, colour: string): void {
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const by of [-2, 2]) {
    pen.moveTo(x + by - 2, 12);
    pen.lineTo(x + by + 2, 4);
  }
  pen.stroke();
}

/** Between the times of two instants. */
const APART = 14;

/** Writes the instants above the lanes, where there is room; answers where each stands: `[left, right]`. */
export function paintInstants({ pen, model, colour, x, width }: Sheet): readonly (readonly [number, number])[] {
  const written: [number, number][] = [];
  pen.textAlign = 'left';
  let lastX = -Infinity;
  let lastAt = -1;
  for (const step of model.reported.steps) {
    const at = model.trace.entries[step - 1]?.at ?? 0;
    const here = x(step);
    // Measuring a text costs more than all else here.
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
