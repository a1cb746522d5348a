/** The picture on the card of a lesson: the lifespans of its run. It is decoration: the card says the same in words. */
import type { Picture } from '../protocol.ts';

/** A row is at most so high; many rows share the height. */
const ROW = 16;
const BAR = 0.7;
const WIDTH = 320;
/** Thousandths of the width that a position has. */
const SCALE = WIDTH / 1000;
const HEIGHT = 110;
/** The notes are at the foot. */
const FOOT = 14;
const MARGINS = 26;

export function PictureOf({ of: { rows, bars, notes } }: { readonly of: Picture }) {
  const row = Math.min(ROW, (HEIGHT - MARGINS) / Math.max(1, rows));
  const top = (HEIGHT - FOOT - rows * row) / 2;
  return (
    <svg class="picture" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map(([at, from, to, look]) => (
        <rect class={look} x={from * SCALE} y={top + at * row} width={Math.max(1, (to - from) * SCALE - 0.6)} height={row * BAR} rx="1.5" />
      ))}
      {notes.map((at) => (
        <circle cx={Math.max(4, Math.min(WIDTH - 4, at * SCALE))} cy={HEIGHT - 8} r="2.5" />
      ))}
    </svg>
  );
}
