/** The timeline. Scrubbing only draws the cursor over the painted swimlanes. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { go } from '../actions.ts';
import { counters } from '../counters.ts';
import { stepAtPlace, type Axis } from '../model/axis.ts';
import { swimlanesOf, type Swimlanes } from '../model/swimlanes.ts';
import type { Model } from '../model/index.ts';
import type { Pair } from '../model/pair.ts';
import { trackOf } from '../model/track.ts';
import { grouped, since } from '../model/words.ts';
import { barrier, cursor, folded, marks, matches, playing, theme } from '../state.ts';
import { underPointer } from './timeline-hover.ts';
import { gutterOf, paintSwimlanes, RIGHT, type Painted } from './timeline-paint.ts';

/** The painted swimlanes with their inputs; other inputs need a new paint. */
interface Picture extends Painted {
  readonly of: readonly unknown[];
}

interface Props {
  readonly of: Model;
  readonly name: string;
  readonly axis: Axis;
  /** Both runs, if two are shown: the cursor is on their moments. */
  readonly beside?: Pair;
}

export function Timeline({ of, name, axis, beside }: Props) {
  counters.renders++;
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const swimlanes = useMemo(() => swimlanesOf(of, beside), [of, beside]);
  const step = cursor.value;
  const veiled = barrier.value;
  const shown = [folded.value, theme.value, matches.value, marks.value] as const;
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return undefined;
    const draw = (): void => {
      picture.current = drawn(current, { of, swimlanes, axis, beside, shown }, picture.current);
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(current);
    return () => {
      watch.disconnect();
    };
  }, [of, swimlanes, step, veiled, ...shown]);
  const scrub = (event: PointerEvent): void => {
    const { current } = canvas;
    if (current === null) return;
    const box = current.getBoundingClientRect();
    const gutter = gutterOf(box.width);
    const place = (event.clientX - box.left - gutter) / (box.width - gutter - RIGHT);
    playing.value = false;
    const over = beside?.axis ?? axis;
    go(stepAtPlace(folded.value ? over.folded : over.true, Math.max(0, Math.min(1, place))));
  };
  /** The item under the pointer is described beside it. */
  const point = ({ currentTarget, clientX, clientY }: PointerEvent & { readonly currentTarget: HTMLCanvasElement }): void => {
    const box = currentTarget.getBoundingClientRect();
    const gutter = gutterOf(box.width);
    const at = { x: clientX - box.left - gutter, y: clientY - box.top, room: box.width - gutter - RIGHT };
    const veil = beside === undefined ? barrier.value : of.length;
    const said = underPointer(of, swimlanes, folded.value ? axis.folded : axis.true, at, veil);
    if (currentTarget.title !== said) currentTarget.title = said;
  };
  const { length, instantAt } = beside?.track ?? trackOf(of);
  return (
    <canvas
      ref={canvas}
      class="timeline"
      style={{ height: `${swimlanes.height}px` }}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={length}
      aria-valuenow={step}
      aria-valuetext={`${since(instantAt(step) - of.trace.startAt)}, step ${grouped(step)} of ${grouped(length)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) scrub(event);
        else point(event);
      }}
    />
  );
}

type Shown = readonly [boolean, string, readonly number[] | undefined, readonly number[]];

interface Drawing extends Pick<Props, 'of' | 'axis'> {
  readonly swimlanes: Swimlanes;
  readonly beside: Pair | undefined;
  readonly shown: Shown;
}

/** Draws swimlanes and cursor. Returns the painted swimlanes for the next call. */
function drawn(
  canvas: HTMLCanvasElement,
  { of, swimlanes, axis, beside, shown }: Drawing,
  before: Picture | undefined,
): Picture | undefined {
  const width = canvas.clientWidth;
  // The width is 0 for one frame.
  if (width < gutterOf(width) + 40) return before;
  const ratio = devicePixelRatio;
  const [isFolded, , found, marked] = shown;
  const made = [of, axis, width, ratio, ...shown];
  const places = isFolded ? axis.folded : axis.true;
  const moments = beside === undefined ? places : isFolded ? beside.axis.folded : beside.axis.true;
  const style = getComputedStyle(document.documentElement);
  const same = before !== undefined && made.every((each, at) => each === before.of[at]);
  const sheet = { model: of, swimlanes, places, width, ratio, marks: marked, style };
  const picture = same ? before : { ...paintSwimlanes({ ...sheet, matches: found === undefined ? undefined : new Set(found) }), of: made };
  const size = { width: Math.round(width * ratio), height: Math.round(swimlanes.height * ratio) };
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
  const pen = canvas.getContext('2d');
  const xOf = (step: number): number => gutterOf(width) + (moments[step] ?? 1) * (width - gutterOf(width) - RIGHT);
  if (pen !== null)
    paintCursor(pen, picture, {
      x: xOf(cursor.value),
      ...(beside?.parted === undefined ? {} : { parted: xOf(beside.parted) }),
      veil: beside === undefined && barrier.value < of.length ? xOf(barrier.value) + VEIL_BEHIND : width,
      ...(swimlanes.headed ? { said: since((beside?.track ?? trackOf(of)).instantAt(cursor.value) - of.trace.startAt) } : {}),
      below: (swimlanes.swimlanes[0]?.y ?? 0) + (swimlanes.swimlanes[0]?.h ?? 0),
      height: swimlanes.height,
      width,
      ratio,
      style,
    });
  return picture;
}

/** Pixels for the mark of the narration step of a question. */
const VEIL_BEHIND = 10;

interface CursorAt {
  readonly x: number;
  /** The position after which the timeline would give away the answer of an open question. */
  readonly veil: number;
  /** The time of the cursor, if it is shown, and the start of the swimlanes below it. */
  readonly said?: string;
  readonly below: number;
  /** The position of the divergence of two runs. */
  readonly parted?: number;
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly style: CSSStyleDeclaration;
}

function paintCursor(
  pen: CanvasRenderingContext2D,
  { image, instants }: Painted,
  { x, veil, said, below, parted, width, height, ratio, style }: CursorAt,
): void {
  counters.cursorPaints++;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, image.width, image.height);
  pen.drawImage(image, 0, 0);
  pen.scale(ratio, ratio);
  pen.fillStyle = style.getPropertyValue('--panel');
  pen.globalAlpha = 0.5;
  pen.fillRect(x, below, Math.max(0, width - RIGHT - x), height - below);
  if (parted !== undefined) {
    pen.globalAlpha = 1;
    pen.fillStyle = style.getPropertyValue('--failed');
    pen.fillRect(parted - 0.75, 0, 1.5, height);
  }
  pen.globalAlpha = 0.93;
  pen.fillRect(veil, 0, Math.max(0, width - RIGHT - veil), height);
  pen.globalAlpha = 1;
  pen.fillStyle = style.getPropertyValue('--accent');
  const from = said === undefined ? 0 : TAG;
  pen.fillRect(x - 1, from, 2, height - from);
  if (said === undefined) return;
  pen.font = '600 13px system-ui, sans-serif';
  const wide = pen.measureText(said).width + 12;
  const left = Math.max(0, Math.min(width - wide, x - wide / 2));
  // Half of an instant's label beside the cursor's would be misread.
  for (const [from, to] of instants) if (from < left + wide && to > left) pen.clearRect(from, 0, to - from + 1, TAG);
  pen.beginPath();
  pen.roundRect(left, 0, wide, TAG, 4);
  pen.fill();
  pen.fillStyle = style.getPropertyValue('--on-accent');
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(said, left + wide / 2, TAG / 2 + 0.5);
}

/** The height of the cursor's label with its time. */
const TAG = 16;
