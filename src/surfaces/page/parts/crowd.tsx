/** Pods by the hundred, as cells of a canvas: a click picks the pod under it. Where pods share cells, zooming into a node tells them apart. */
import { useEffect, useRef } from 'preact/hooks';
import { select } from '../actions.ts';
import { counters } from '../counters.ts';
import { cellsOf, gridOf, phaseCounts, type Grid } from '../model/crowd.ts';
import type { Model } from '../model/index.ts';
import type { Box, Layout } from '../model/layout.ts';
import { atCursor, here, nameOfKey, theme } from '../state.ts';

export function Crowd({ model: of, layout }: { readonly model: Model; readonly layout: Layout }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const model = atCursor(of);
  const step = here.value;
  const scheme = theme.value;
  useEffect(() => {
    if (canvas.current !== null) paint(canvas.current, model, layout);
  }, [model, layout.width, layout.height, layout.nodes.size, step, scheme]);
  const pick = ({ offsetX, offsetY }: MouseEvent): void => {
    for (const [node, box] of layout.nodes) {
      const { x, y, grid } = gridIn(model, layout, node, box);
      const column = Math.floor((offsetX - x) / grid.size);
      const line = Math.floor((offsetY - y) / grid.size);
      if (column < 0 || line < 0 || column >= grid.columns || line >= grid.rows) continue;
      const cell = cellsOf(model.world.podsOn(node), grid.share)[line * grid.columns + column];
      if (cell !== undefined) select(nameOfKey('Pod', cell.held.key));
    }
  };
  const words = [...layout.nodes.keys()]
    .slice(0, 20)
    .map((node) => `${node === '' ? 'without a node' : node}: ${phaseCounts(model.world.podsOn(node)) || 'nothing'}`)
    .join('; ');
  return (
    <canvas
      ref={canvas}
      class="crowd"
      role="img"
      aria-label={`Pods. ${words}`}
      style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
      onClick={pick}
    />
  );
}

function gridIn(model: Model, { inside }: Layout, node: string, box: Box): { readonly x: number; readonly y: number; readonly grid: Grid } {
  const top = node === '' ? 56 : inside.top;
  const w = box.w - 2 * inside.side;
  const h = box.h - top - inside.bottom;
  // Of the run's fullest moment, so that cells keep their size.
  const { crowd } = model.lives;
  return { x: box.x + inside.side, y: box.y + top, grid: gridOf(node === '' ? crowd.waiting : crowd.onANode, w, h) };
}

function paint(canvas: HTMLCanvasElement, of: Model, layout: Layout): void {
  const model = atCursor(of);
  counters.crowdPaints++;
  const ratio = devicePixelRatio;
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.scale(ratio, ratio);
  const style = getComputedStyle(document.documentElement);
  for (const [node, box] of layout.nodes) {
    const { x, y, grid } = gridIn(model, layout, node, box);
    const edge = grid.size > 6 ? 2 : grid.size > 3 ? 1 : 0.5;
    cellsOf(model.world.podsOn(node), grid.share).forEach(({ phase, part }, at) => {
      pen.fillStyle = style.getPropertyValue(`--${phase.toLowerCase()}`);
      pen.globalAlpha = (phase === 'Succeeded' ? 0.5 : 1) * (0.35 + 0.65 * part);
      pen.fillRect(x + (at % grid.columns) * grid.size, y + Math.floor(at / grid.columns) * grid.size, grid.size - edge, grid.size - edge);
    });
  }
}
