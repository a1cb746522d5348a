/**
 * Positions on the stage: a pure function of the model, the objects at a step, and the width. Sizes depend on the whole run, so that
 * nothing jumps while time passes.
 */
import { CROWDED, GAP, LABEL, PAD, row, type Box } from './boxes.ts';
import type { Card } from './card.ts';
import { MOST_CARDS } from './cards.ts';
import type { Model } from './index.ts';
import { decide } from './layout-deciders.ts';
import type { Held } from './world.ts';

/** How pods are drawn: tiles with a name, tiles with a glyph, dots, or cells of a canvas. */
export type PodDensity = 'large' | 'medium' | 'small' | 'canvas';

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The top of each tier. */
  readonly tiers: { readonly decides: number; readonly written: number; readonly runs: number };
  readonly deciders: ReadonlyMap<string, Box>;
  /** By uid. */
  readonly cards: ReadonlyMap<string, Box>;
  /** The card that shows an object without a card of its own, by uid. */
  readonly onCards: ReadonlyMap<string, Box>;
  /** A reason has one line, beside the name of its controller. */
  readonly brief: boolean;
  /** Of a process only its status and the staleness of its cache are shown. */
  readonly terse: boolean;
  /** The head of a process, and of a node, has one line. */
  readonly flat: { readonly deciders: boolean; readonly nodes: boolean };
  /** The footer of a card has one line. */
  readonly low: boolean;
  /** By name; the empty name is the area of pods without a node. */
  readonly nodes: ReadonlyMap<string, Box>;
  readonly density: PodDensity;
  /** By uid; a deleted pod that is still in a cache has the key `~uid`. Empty on a canvas. */
  readonly pods: ReadonlyMap<string, Box>;
  /** The margins of a node's box around its pods, and whether their tiles are narrower than usual. */
  readonly introspection: { readonly top: number; readonly side: number; readonly bottom: number; readonly slim: boolean };
}

export interface Staged {
  readonly cards: readonly Card[];
  readonly nodes: readonly Held[];
  /** By node, in order of creation; the empty name: without a node. */
  readonly pods: ReadonlyMap<string, readonly Held[]>;
  /** Deleted pods that are still in the selected cache: uid and node. */
  readonly phantoms: readonly { readonly uid: string; readonly node: string }[];
  /** The node that fills its tier alone. */
  readonly zoomed?: string;
}

const CARD = { narrowest: 186, widest: 290, height: 126, low: 106, row: 88, wide: 240 };
const NODE = { head: 54, flat: 34, narrowest: 152, side: 10, volumes: 30, bottom: 10 };
const WAITING = { narrow: 128, wide: 172 };
/** With so much for each node, the names of waiting pods have room too. */
const AMPLE = 190;
const waitingIn = (inner: number, nodes: number): number => (inner / (nodes + 1) >= AMPLE ? WAITING.wide : WAITING.narrow);
const CANVAS_HEIGHT = 132;
/** Maximum growth of a node's box, to fill an empty tier. */
const MOST_SPARE = 200;
/** With more pods they are cells of a canvas. */
const CANVAS_FROM = 300;

const TILES = {
  large: { w: 122, h: 46, gap: 7 },
  medium: { w: 40, h: 26, gap: 4 },
  small: { w: 13, h: 13, gap: 3 },
} as const;

/**
 * Computes the layout. `tall`: the available height, which nodes fill if there is space left; if there is too little, reasons have one
 * line. `beside`: a second stage is shown too. `presented`: if there is too little height, processes have no reasons.
 */
export function layoutOf(model: Model, staged: Staged, width: number, tall = 0, beside = false, presented = false): Layout {
  const inner = Math.max(280, width - 2 * PAD);
  const narrow = { brief: inner < CROWDED, terse: beside && inner < CROWDED };
  const details: readonly Detail[] = [
    narrow,
    ...(tall > 0
      ? [
          { ...narrow, brief: true },
          { ...narrow, brief: true, low: true },
        ]
      : []),
    ...(presented && tall > 0
      ? [
          { brief: true, low: true, terse: true },
          { brief: true, low: true, terse: true, slim: true },
        ]
      : []),
  ];
  let layout = laidOut(model, staged, width, tall, narrow);
  for (const detail of details.slice(1)) {
    if (layout.height <= tall) break;
    layout = laidOut(model, staged, width, tall, detail);
  }
  return layout;
}

/** Returns the layout with the boxes of an earlier one that are equal: what has not moved is not rendered again. */
export function sharing(layout: Layout, before: Layout | undefined): Layout {
  if (before === undefined) return layout;
  const shared = (name: 'deciders' | 'cards' | 'nodes' | 'pods'): ReadonlyMap<string, Box> =>
    new Map(
      [...layout[name]].map(([key, box]) => {
        const was = before[name].get(key);
        return [key, was !== undefined && isSameBox(was, box) ? was : box];
      }),
    );
  return { ...layout, deciders: shared('deciders'), cards: shared('cards'), nodes: shared('nodes'), pods: shared('pods') };
}

const isSameBox = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;

interface Detail extends Pick<Layout, 'brief' | 'terse'> {
  /** Cards are no higher than their content. */
  readonly low?: boolean;
  /** Tiles of pods are a little narrower, so that more are in a row. */
  readonly slim?: boolean;
}

function laidOut(
  model: Model,
  staged: Staged,
  width: number,
  tall: number,
  { brief, terse, slim = false, low: asked = false }: Detail,
): Layout {
  const inner = Math.max(280, width - 2 * PAD);
  const deciders = new Map<string, Box>();
  const flatDeciders = decide(model.deciders, inner, { terse, brief }, deciders);
  const written = bottomOf(deciders, LABEL) + 16;
  const cards = new Map<string, Box>();
  const onCards = new Map<string, Box>();
  const low = (asked || inner < CROWDED) && model.fullestCard !== 'long';
  const size = !low ? 'height' : asked && model.fullestCard === 'row' ? 'row' : 'low';
  const cardsEnd = write(model, staged.cards, { inner, top: written + LABEL, size, onCards }, cards);
  const runs = cardsEnd + (cardsEnd > written + LABEL ? 10 : -6) + LABEL;
  const density = densityOf(model);
  const flat = { deciders: flatDeciders, nodes: brief && isFlat(model, staged, inner) };
  const introspection = {
    top: flat.nodes ? NODE.flat : NODE.head,
    side: NODE.side,
    bottom: NODE.bottom + (model.hasVolumes ? NODE.volumes : 0),
    slim,
  };
  const nodes = new Map<string, Box>();
  const floor = { inner, top: runs, density, introspection, tall: tall - PAD };
  run(model, staged, floor, nodes);
  const pods = new Map<string, Box>();
  if (density !== 'canvas') place(staged, nodes, density, { ...introspection, most: model.lifespans.podGrid.onANode }, pods);
  const height = bottomOf(nodes, runs) + PAD;
  return {
    width,
    height,
    tiers: { decides: 8, written, runs: runs - LABEL },
    deciders,
    brief,
    flat,
    terse,
    low,
    cards,
    onCards,
    nodes,
    density,
    pods,
    introspection,
  };
}

const bottomOf = (boxes: ReadonlyMap<string, Box>, least: number): number =>
  [...boxes.values()].reduce((most, { y, h }) => Math.max(most, y + h), least);

/** From this width the head of a node has one line. */
const WIDE = 300;

function isFlat({ lifespans: { podGrid } }: Model, { nodes }: Staged, inner: number): boolean {
  const left = podGrid.waiting > 0 ? waitingIn(inner, nodes.length) + GAP : 0;
  return row(nodes.length, inner - left, NODE.narrowest).w >= WIDE;
}

interface CardArea {
  readonly inner: number;
  readonly top: number;
  /** Which of the heights of a card. */
  readonly size: 'height' | 'low' | 'row';
  readonly onCards: Map<string, Box>;
}

/** Places the cards, and returns where they end: there is space for as many cards as there ever were at once. */
function write(model: Model, cards: readonly Card[], { inner, top, size, onCards }: CardArea, into: Map<string, Box>): number {
  const most = Math.min(MOST_CARDS, Math.max(model.lifespans.podGrid.cards, cards.length));
  if (most === 0) return top;
  const { each, w } = row(most, inner, CARD.narrowest, CARD.widest);
  // In a narrow card the condition stands below the name.
  const height = CARD[size === 'row' && w < CARD.wide ? 'low' : size];
  cards.forEach(({ held, sets }, at) => {
    const y = top + Math.floor(at / each) * (height + GAP);
    const box = { x: PAD + (at % each) * (w + GAP), y, w, h: height };
    into.set(held.object.metadata.uid, box);
    for (const set of sets ?? []) onCards.set(set.held.object.metadata.uid, box);
  });
  return top + Math.ceil(most / each) * (height + GAP) - GAP;
}

export function densityOf({ lifespans: { podGrid } }: Model): PodDensity {
  if (podGrid.atOnce > CANVAS_FROM) return 'canvas';
  return podGrid.onANode <= 8 ? 'large' : podGrid.onANode <= 40 ? 'medium' : 'small';
}

interface Tier {
  readonly inner: number;
  readonly top: number;
  readonly density: PodDensity;
  readonly introspection: Layout['introspection'];
  /** The minimum end of the tier. */
  readonly tall: number;
}

function run(model: Model, { nodes, zoomed }: Staged, { inner, top, density, introspection, tall }: Tier, into: Map<string, Box>): void {
  const names = nodes.map(({ object }) => object.metadata.name);
  const waits = model.lifespans.podGrid.waiting > 0 && zoomed === undefined;
  const left = waits ? waitingIn(inner, names.length) + GAP : 0;
  if (zoomed !== undefined && names.includes(zoomed)) {
    into.set(zoomed, { x: PAD, y: top, w: inner, h: Math.max(460, tall - top) });
    return;
  }
  const { each, w } = row(names.length, inner - left, names.length > 40 ? 84 : names.length > 12 ? 118 : NODE.narrowest);
  const rows = Math.max(1, Math.ceil(names.length / each));
  const needed = introspection.top + introspection.bottom + roomFor(model, w - 2 * introspection.side, density, introspection.slim);
  const h = needed + Math.max(0, Math.min(MOST_SPARE, Math.floor((tall - top + GAP) / rows - GAP - needed)));
  names.forEach((name, at) =>
    into.set(name, { x: PAD + left + (at % each) * (w + GAP), y: top + Math.floor(at / each) * (h + GAP), w, h }),
  );
  if (waits) into.set('', { x: PAD, y: top, w: left - GAP, h: Math.min(rows * (h + GAP) - GAP, Math.max(h, 560)) });
}

/** The height for the fullest node of the run. */
function roomFor({ lifespans: { podGrid } }: Model, w: number, density: PodDensity, slim: boolean): number {
  if (density === 'canvas') return CANVAS_HEIGHT;
  const tile = tileIn(w, density, podGrid.onANode, slim);
  const perLine = Math.max(1, Math.floor((w + tile.gap) / (tile.w + tile.gap)));
  return Math.max(1, Math.ceil(podGrid.onANode / perLine)) * (tile.h + tile.gap) - tile.gap;
}

/** A name with the hash of a template and a suffix. */
const WIDEST_TILE = 210;
const SLIM_TILE = 112;

/** The size of a tile: large ones fill the width, two in a row if a name still fits, but no more than there are pods. */
function tileIn(
  w: number,
  density: Exclude<PodDensity, 'canvas'>,
  most: number,
  slim: boolean,
): { readonly w: number; readonly h: number; readonly gap: number } {
  const tile = TILES[density];
  if (density !== 'large') return tile;
  const narrowest = slim ? SLIM_TILE : tile.w;
  const abreast = Math.max(1, Math.min(most, Math.floor((w + tile.gap) / (narrowest + tile.gap))));
  return { ...tile, w: Math.min(WIDEST_TILE, (w - (abreast - 1) * tile.gap) / abreast) };
}

function place(
  { pods, phantoms }: Staged,
  nodes: ReadonlyMap<string, Box>,
  density: Exclude<PodDensity, 'canvas'>,
  { top, side, slim, most }: Layout['introspection'] & { readonly most: number },
  into: Map<string, Box>,
): void {
  const filled = new Map<string, number>();
  const put = (id: string, node: string): void => {
    const box = nodes.get(node);
    if (box === undefined) return;
    const tile = tileIn(box.w - 2 * side, density, most, slim);
    const perLine = Math.max(1, Math.floor((box.w - 2 * side + tile.gap) / (tile.w + tile.gap)));
    const at = filled.get(node) ?? 0;
    filled.set(node, at + 1);
    const y = box.y + (node === '' ? 34 : top) + Math.floor(at / perLine) * (tile.h + tile.gap);
    into.set(id, { x: box.x + side + (at % perLine) * (tile.w + tile.gap), y, w: tile.w, h: tile.h });
  };
  for (const [node, held] of pods) for (const { object } of held) put(object.metadata.uid, node);
  for (const { uid, node } of phantoms) put(`~${uid}`, node);
}
