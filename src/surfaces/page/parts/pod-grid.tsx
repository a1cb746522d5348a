/**
 * Many pods as cells of a canvas. A click on the stage selects the pod under it. Where pods share cells, zooming into a node shows them
 * separately.
 */
import { useEffect, useRef } from 'preact/hooks';
import { select } from '../actions.ts';
import { counters } from '../counters.ts';
import { cellsOf, gridOf, phaseCounts, type Grid } from '../model/pod-grid.ts';
import type { Model } from '../model/index.ts';
import type { Layout } from '../model/layout.ts';
import type { Box } from '../model/boxes.ts';
import { PHASES, type Phase } from '../model/phase.ts';
import { atCursor, nameOfKey, theme, stepIn } from '../state.ts';

export function PodGrid({ model: of, layout }: { readonly model: Model; readonly layout: Layout }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const model = atCursor(of);
  const step = stepIn(model);
  const scheme = theme.value;
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, model, layout);
  }, [model, layout.width, layout.height, layout.nodes.size, step, scheme]);
  const words = [...layout.nodes.keys()]
    .slice(0, 20)
    .map((node) => `${node === '' ? 'without a node' : node}: ${phaseCounts(model.world.podsOn(node)) || 'nothing'}`)
    .join('; ');
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

function paint(canvas: HTMLCanvasElement, of: Model, layout: Layout): void {
  const model = atCursor(of);
  counters.podGridPaints++;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.scale(ratio, ratio);
  // Read once for each phase, because reading it for thousands of cells would cost more than everything else.
  const style = getComputedStyle(document.documentElement);
  const colours = new Map(PHASES.map((phase) => [phase, style.getPropertyValue(`--${phase.toLowerCase()}`)]));
  let painted: Phase | undefined;
  for (const [node, box] of layout.nodes) {
    const { x, y, grid } = gridIn(model, layout, node, box);
    const edge = grid.size > 6 ? 2 : grid.size > 3 ? 1 : 0.5;
    const cells = cellsOf(model.world.podsOn(node), grid.share);
    counters.cells += cells.length;
    cells.forEach(({ phase, part }, at) => {
      // A colour is parsed at each assignment, and neighbours are mostly of one phase.
      if (phase !== painted) pen.fillStyle = colours.get(phase) ?? '';
      painted = phase;
      pen.globalAlpha = (phase === 'Succeeded' ? 0.5 : 1) * (0.35 + 0.65 * part);
      pen.fillRect(x + (at % grid.columns) * grid.size, y + Math.floor(at / grid.columns) * grid.size, grid.size - edge, grid.size - edge);
    });
  }
}
