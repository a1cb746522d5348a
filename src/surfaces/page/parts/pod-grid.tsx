/**
 * Many pods as cells of a canvas. A click on the stage selects the pod under it. Where pods share cells, zooming into a node shows them
 * separately.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { later, select } from '../actions.ts';
import { counters } from '../counters.ts';
import { cellsOf, gridOf, phaseCounts, type Cell, type Grid } from '../model/pod-grid.ts';
import type { Model } from '../model/index.ts';
import type { Layout } from '../model/layout.ts';
import type { Box } from '../model/boxes.ts';
import { PHASES, type Phase } from '../model/phase.ts';
import type { Held, PageWorld } from '../model/world.ts';
import { atCursor, nameOfKey, theme } from '../state.ts';

/** So long after the last move the words of a canvas follow. */
const AT_REST_MS = 200;

/** What a canvas shows: its layout and colours, and for each node the stamp of its pods and its cells. */
interface Picture {
  readonly of: readonly unknown[];
  readonly colours: Colours;
  readonly nodes: Map<string, { readonly stamp: number; readonly cells: readonly Cell[] }>;
}

export function PodGrid({ model: of, layout }: { readonly model: Model; readonly layout: Layout }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const { world } = atCursor(of);
  const scheme = theme.value;
  const boxes = [...layout.nodes].map(([name, { x, y, w, h }]) => [name, x, y, w, h].join(' ')).join('\n');
  const stamps = [...layout.nodes.keys()].map((node) => world.podStamp(node)).join(' ');
  const [words, setWords] = useState(() => wordsOf(of, layout));
  // Nothing reads them aloud while time runs.
  useEffect(() => later(AT_REST_MS, () => setWords(wordsOf(of, layout))), [of, boxes, stamps]);
  // In the frame of the other parts, not in one of its own.
  useLayoutEffect(() => {
    if (canvas.current !== null)
      picture.current = paint(canvas.current, of, layout, [of, layout.width, layout.height, boxes, scheme], picture.current);
  }, [of, layout.width, layout.height, boxes, stamps, scheme]);
  return (
    <canvas
      ref={canvas}
      class="pod-grid"
      role="img"
      aria-label={`Pods. ${words}`}
      style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
    />
  );
}

/** Selects the pod under a click on the stage: cells are painted, so they receive no clicks. */
export function pickPod(of: Model, layout: Layout, event: MouseEvent & { readonly currentTarget: Element }): void {
  if (event.target instanceof Element && event.target.closest('button') !== null) return;
  const stage = event.currentTarget.getBoundingClientRect();
  const { world } = atCursor(of);
  for (const [node, box] of layout.nodes) {
    const { x, y, grid } = gridIn(of, layout, node, box);
    const column = Math.floor((event.clientX - stage.left - x) / grid.size);
    const line = Math.floor((event.clientY - stage.top - y) / grid.size);
    if (column < 0 || line < 0 || column >= grid.columns || line >= grid.rows) continue;
    const cell = cellsOf(world.podsOn(node), grid.share)[line * grid.columns + column];
    if (cell !== undefined) select(nameOfKey('Pod', cell.held.key));
  }
}

function gridIn(
  model: Model,
  { introspection }: Layout,
  node: string,
  box: Box,
): { readonly x: number; readonly y: number; readonly grid: Grid } {
  const top = node === '' ? 56 : introspection.top;
  const w = box.w - 2 * introspection.side;
  const h = box.h - top - introspection.bottom;
  // Uses the maxima of the run, so that cells keep their size.
  const { podGrid } = model.lifespans;
  return { x: box.x + introspection.side, y: box.y + top, grid: gridOf(node === '' ? podGrid.waiting : podGrid.onANode, w, h) };
}

/** Paints the nodes whose cells have changed; of another layout all. */
function paint(canvas: HTMLCanvasElement, model: Model, layout: Layout, of: Picture['of'], before: Picture | undefined): Picture {
  counters.podGridPaints++;
  const { world } = atCursor(model);
  const same = before !== undefined && of.every((each, at) => each === before.of[at]);
  const picture: Picture = same ? before : { of, colours: coloursOf(), nodes: new Map() };
  const pen = canvas.getContext('2d');
  if (pen === null) return picture;
  if (!same) {
    const ratio = devicePixelRatio;
    canvas.width = Math.round(layout.width * ratio);
    canvas.height = Math.round(layout.height * ratio);
    pen.scale(ratio, ratio);
  }
  const areas: Area[] = [];
  for (const [node, box] of layout.nodes) {
    const stamp = world.podStamp(node);
    const shown = picture.nodes.get(node);
    if (shown?.stamp === stamp) continue;
    const { x, y, grid } = gridIn(model, layout, node, box);
    const cells = cellsOf(world.podsOn(node), grid.share);
    picture.nodes.set(node, { stamp, cells });
    if (shown !== undefined && isSame(shown.cells, cells)) continue;
    counters.cells += cells.length;
    pen.clearRect(box.x, y, box.w, box.y + box.h - y);
    if (cells.length > 0) areas.push({ cells, x, y, grid });
  }
  if (areas.length > 0) paintAreas(pen, areas, picture.colours);
  return picture;
}

const isSame = (some: readonly Cell[], others: readonly Cell[]): boolean =>
  some.length === others.length && some.every(({ phase, part }, at) => phase === others[at]?.phase && part === others[at].part);

type Colours = ReadonlyMap<Phase, number>;

/** Red, green and blue of each phase in the upper bytes of a word. Read once for each phase, because reading it for thousands of cells would cost more than everything else. */
function coloursOf(): Colours {
  const style = getComputedStyle(document.documentElement);
  const pen = sketch(1, 1);
  return new Map(
    PHASES.map((phase) => {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = style.getPropertyValue(`--${phase.toLowerCase()}`);
      pen.fillRect(0, 0, 1, 1);
      return [phase, 2 ** 8 * (new DataView(pen.getImageData(0, 0, 1, 1).data.buffer).getUint32(0) >>> 8)];
    }),
  );
}

const offstage = document.createElement('canvas');

/** The one canvas that is not shown, at least so large: to create another one for each picture takes as long as to paint it. */
function sketch(width: number, height: number): CanvasRenderingContext2D {
  if (offstage.width < width) offstage.width = width;
  if (offstage.height < height) offstage.height = height;
  const pen = offstage.getContext('2d', { willReadFrequently: true });
  if (pen === null) throw new Error('this browser has no canvas');
  return pen;
}

/** The cells of a node, and where they are painted. */
interface Area extends ReturnType<typeof gridIn> {
  readonly cells: readonly Cell[];
}

/** Paints a pixel for each cell, one area below the other, enlarges them, and clears the lines between: a rectangle for each cell would cost a frame. */
function paintAreas(pen: CanvasRenderingContext2D, areas: readonly Area[], colours: Colours): void {
  const width = Math.max(...areas.map(({ grid: { columns } }) => columns));
  const height = areas.reduce((sum, area) => sum + rowsOf(area), 0);
  const small = sketch(width, height);
  const image = small.createImageData(width, height);
  const pixels = new DataView(image.data.buffer);
  let row = 0;
  for (const area of areas) {
    const { columns } = area.grid;
    area.cells.forEach(({ phase, part }, at) => {
      const pixel = (row + Math.floor(at / columns)) * width + (at % columns);
      pixels.setUint32(4 * pixel, (colours.get(phase) ?? 0) + Math.round(255 * (phase === 'Succeeded' ? 0.5 : 1) * (0.35 + 0.65 * part)));
    });
    row += rowsOf(area);
  }
  small.putImageData(image, 0, 0);
  pen.imageSmoothingEnabled = false;
  row = 0;
  for (const area of areas) {
    enlarge(pen, area, row);
    row += rowsOf(area);
  }
}

const rowsOf = ({ cells, grid: { columns } }: Area): number => Math.ceil(cells.length / columns);

/** Paints an area from the pixels that begin at a row. */
function enlarge(pen: CanvasRenderingContext2D, area: Area, row: number): void {
  const { x, y, grid } = area;
  const { size, columns } = grid;
  const rows = rowsOf(area);
  pen.drawImage(offstage, 0, row, columns, rows, x, y, columns * size, rows * size);
  const edge = size > 6 ? 2 : size > 3 ? 1 : 0.5;
  for (let column = 1; column <= columns; column++) pen.clearRect(x + column * size - edge, y, edge, rows * size);
  for (let line = 1; line <= rows; line++) pen.clearRect(x, y + line * size - edge, columns * size, edge);
}

/** For readers who hear it: the pods of the first nodes, by phase. */
const wordsOf = (of: Model, { nodes }: Layout): string => {
  const { world } = atCursor(of);
  return [...nodes.keys()]
    .slice(0, 20)
    .map((node) => `${node === '' ? 'without a node' : node}: ${countsOn(world, node) || 'nothing'}`)
    .join('; ');
};

const counted = new WeakMap<readonly Held[], string>();

/** The words of a node whose pods have not changed are kept. */
function countsOn(world: PageWorld, node: string): string {
  const pods = world.podsOn(node);
  const known = counted.get(pods) ?? phaseCounts(pods);
  counted.set(pods, known);
  return known;
}
