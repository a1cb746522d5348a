/** The timeline. The swimlanes are painted once; scrubbing moves the cursor's elements over them, which repaints nothing. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go } from '../actions.ts';
import { counters } from '../counters.ts';
import { stepAtPlace, type Axis } from '../model/axis.ts';
import { swimlanesOf, type Swimlanes } from '../model/swimlanes.ts';
import type { Model } from '../model/index.ts';
import { type Pair, trackOf } from '../model/pair.ts';
import { grouped, since } from '../model/words.ts';
import { barrier, cursor, folded, marks, matches, playing, theme } from '../state.ts';
import { useResize } from './at-cursor.ts';
import { underPointer } from './timeline-hover.ts';
import { gutterOf, paintSwimlanes, RIGHT, type Instants } from './timeline-paint.ts';

interface Props {
  readonly of: Model;
  readonly name: string;
  readonly axis: Axis;
  /** Both runs, if two are shown: the cursor is on their moments. */
  readonly beside?: Pair;
}

const NO_INSTANTS: ReturnType<typeof paintSwimlanes> = [];

export function Timeline({ of, name, axis, beside }: Props) {
  counters.renders++;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useResize(canvas, () => setWidth(canvas.current?.clientWidth ?? 0));
  const [instants, setInstants] = useState(NO_INSTANTS);
  const swimlanes = useMemo(() => swimlanesOf(of, beside), [of, beside]);
  const step = cursor.value;
  const isFolded = folded.value;
  const places = isFolded ? axis.folded : axis.true;
  const moments = beside === undefined ? places : isFolded ? beside.axis.folded : beside.axis.true;
  const [scheme, found, marked] = [theme.value, matches.value, marks.value];
  const isShown = width >= gutterOf(width) + 40;
  const ratio = devicePixelRatio;
  useEffect(() => {
    const { current } = canvas;
    // The width is 0 for one frame.
    if (current === null || !isShown) return;
    const style = getComputedStyle(document.documentElement);
    const sheet = { model: of, swimlanes, places, width, ratio, marks: marked, style };
    setInstants(paintSwimlanes(current, { ...sheet, matches: found === undefined ? undefined : new Set(found) }));
  }, [of, swimlanes, places, width, ratio, scheme, found, marked]);
  const scrub = (event: PointerEvent & CanvasEvent): void => {
    const { x, room } = placeOf(event);
    playing.value = false;
    go(stepAtPlace(moments, Math.max(0, Math.min(1, x / room))));
  };
  /** The item under the pointer is described beside it. */
  const point = (event: PointerEvent & CanvasEvent): void => {
    const said = underPointer(of, swimlanes, places, placeOf(event), beside === undefined ? barrier.value : of.length);
    if (event.currentTarget.title !== said) event.currentTarget.title = said;
  };
  const { length, instantAt } = beside?.track ?? trackOf(of);
  const said = since(instantAt(step) - of.trace.startAt);
  return (
    <div class="timeline">
      <canvas
        ref={canvas}
        style={{ height: `${swimlanes.height}px` }}
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={length}
        aria-valuenow={step}
        aria-valuetext={`${said}, step ${grouped(step)} of ${grouped(length)}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          scrub(event);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) scrub(event);
          else point(event);
        }}
      />
      {isShown && (
        <TimelineCursor
          {...{ swimlanes, moments, instants, width, step, said, beside }}
          veil={beside === undefined ? barrier.value : undefined}
          length={of.length}
        />
      )}
    </div>
  );
}

interface CanvasEvent {
  readonly currentTarget: HTMLCanvasElement;
}

/** Where a pointer is, from the beginning of the swimlanes, and their width. */
function placeOf({ currentTarget, clientX, clientY }: PointerEvent & CanvasEvent) {
  const box = currentTarget.getBoundingClientRect();
  const gutter = gutterOf(box.width);
  return { x: clientX - box.left - gutter, y: clientY - box.top, room: box.width - gutter - RIGHT };
}

interface CursorProps {
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

function TimelineCursor({ swimlanes, moments, instants, width, step, said, veil, length, beside }: CursorProps) {
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
function Tag({ x, said, instants, width }: Pick<CursorProps, 'said' | 'instants' | 'width'> & { readonly x: number }) {
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
