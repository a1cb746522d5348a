/** The timeline. While somebody scrubs, only the cursor is drawn over a picture of the lanes that is there already. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { go } from '../actions.ts';
import { counters } from '../counters.ts';
import { beginsAt, stepAtPlace } from '../model/axis.ts';
import { lanesOf, type Lanes } from '../model/lanes.ts';
import type { Model } from '../model/index.ts';
import { grouped, since } from '../model/words.ts';
import { folded, here, marks, matches, model, playing, theme } from '../state.ts';
import { gutterOf, paintLanes, RIGHT } from './timeline-paint.ts';

/** What the picture was painted for; one for something else is painted anew. */
interface Picture {
  readonly image: HTMLCanvasElement;
  readonly of: readonly unknown[];
}

export function Timeline() {
  counters.renders++;
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const of = model.value;
  const lanes = useMemo(() => (of === undefined ? undefined : lanesOf(of)), [of]);
  const step = here.value;
  const shown = [folded.value, theme.value, matches.value, marks.value] as const;
  useEffect(() => {
    const { current } = canvas;
    if (current === null || of === undefined || lanes === undefined) return undefined;
    const draw = (): void => {
      picture.current = drawn(current, of, lanes, shown, picture.current);
    };
    draw();
    const watch = new ResizeObserver(draw);
    watch.observe(current);
    return () => {
      watch.disconnect();
    };
  }, [of, lanes, step, ...shown]);
  if (of === undefined || lanes === undefined) return null;
  const scrub = (event: PointerEvent): void => {
    const { current } = canvas;
    if (current === null) return;
    const box = current.getBoundingClientRect();
    const gutter = gutterOf(box.width);
    const place = (event.clientX - box.left - gutter) / (box.width - gutter - RIGHT);
    playing.value = false;
    go(stepAtPlace(folded.value ? of.axis.folded : of.axis.true, Math.max(0, Math.min(1, place))));
  };
  const at = of.trace.entries[step - 1]?.at ?? beginsAt(of.trace);
  return (
    <canvas
      ref={canvas}
      class="timeline"
      style={{ height: `${lanes.height}px` }}
      role="slider"
      tabIndex={0}
      aria-label="Timeline"
      aria-valuemin={0}
      aria-valuemax={of.length}
      aria-valuenow={step}
      aria-valuetext={`${since(at - of.trace.startAt)}, step ${grouped(step)} of ${grouped(of.length)}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) scrub(event);
      }}
    />
  );
}

type Shown = readonly [boolean, string, readonly number[] | undefined, readonly number[]];

/** Draws picture and cursor; answers the picture for the next time. */
function drawn(canvas: HTMLCanvasElement, of: Model, lanes: Lanes, shown: Shown, before: Picture | undefined): Picture | undefined {
  const width = canvas.clientWidth;
  // For a frame it has no width at all.
  if (width < gutterOf(width) + 40) return before;
  const ratio = devicePixelRatio;
  const [isFolded, , found, marked] = shown;
  const made = [of, width, ratio, ...shown];
  const places = isFolded ? of.axis.folded : of.axis.true;
  const style = getComputedStyle(document.documentElement);
  const same = before !== undefined && made.every((each, at) => each === before.of[at]);
  const sheet = { model: of, lanes, places, width, ratio, marks: marked, style, matches: found === undefined ? undefined : new Set(found) };
  const picture = same ? before : { image: paintLanes(sheet), of: made };
  const size = { width: Math.round(width * ratio), height: Math.round(lanes.height * ratio) };
  if (canvas.width !== size.width || canvas.height !== size.height) Object.assign(canvas, size);
  const pen = canvas.getContext('2d');
  if (pen !== null)
    paintCursor(pen, picture.image, {
      x: gutterOf(width) + (places[here.value] ?? 1) * (width - gutterOf(width) - RIGHT),
      height: lanes.height,
      width,
      ratio,
      style,
    });
  return picture;
}

interface CursorAt {
  readonly x: number;
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  readonly style: CSSStyleDeclaration;
}

function paintCursor(pen: CanvasRenderingContext2D, lanes: HTMLCanvasElement, { x, width, height, ratio, style }: CursorAt): void {
  counters.cursorPaints++;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, lanes.width, lanes.height);
  pen.drawImage(lanes, 0, 0);
  pen.scale(ratio, ratio);
  pen.fillStyle = style.getPropertyValue('--panel');
  pen.globalAlpha = 0.5;
  pen.fillRect(x, 18, Math.max(0, width - RIGHT - x), height - 18);
  pen.globalAlpha = 1;
  pen.fillStyle = style.getPropertyValue('--accent');
  pen.fillRect(x - 1, 14, 2, height - 14);
  pen.beginPath();
  pen.moveTo(x - 6, 5);
  pen.lineTo(x + 6, 5);
  pen.lineTo(x, 14);
  pen.fill();
}
