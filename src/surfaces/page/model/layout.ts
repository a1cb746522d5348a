/**
 * Where everything stands on the stage: a pure function of the model, what is there at a step, and the width. Sizes follow from the whole
 * run, so that nothing jumps while time passes.
 */
import type { Actor } from './actors.ts';
import type { Card } from './card.ts';
import { MOST_CARDS } from './cards.ts';
import type { Model } from './index.ts';
import type { Held } from './world.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** How pods are drawn: tiles with a name, with a glyph, dots; or cells of a canvas. */
export type Crowding = 'large' | 'medium' | 'small' | 'canvas';

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Where each floor begins. */
  readonly floors: { readonly decides: number; readonly written: number; readonly runs: number };
  readonly deciders: ReadonlyMap<string, Box>;
  /** By uid. */
  readonly cards: ReadonlyMap<string, Box>;
  /** The card on which an object stands that has none of its own, by uid. */
  readonly onCards: ReadonlyMap<string, Box>;
  /** A why has one line. */
  readonly brief: boolean;
  /** Of a process only how it stands, and what its cache is behind on. */
  readonly terse: boolean;
  /** What a card says at its foot has one line. */
  readonly low: boolean;
  /** By name; the empty one is the room where pods wait for a node. */
  readonly nodes: ReadonlyMap<string, Box>;
  readonly crowding: Crowding;
  /** By uid; a pod that is gone and still seen by `~uid`. Empty on a canvas. */
  readonly pods: ReadonlyMap<string, Box>;
  /** What is left of a node's box for its pods. */
  readonly introspection: { readonly top: number; readonly side: number; readonly bottom: number };
}

export interface Staged {
  readonly cards: readonly Card[];
  readonly nodes: readonly Held[];
  /** By node, in order of birth; the empty name: waiting for one. */
  readonly pods: ReadonlyMap<string, readonly Held[]>;
  /** Pods that are gone, as the eyes that are on still see them: their uid and node. */
  readonly phantoms: readonly { readonly uid: string; readonly node: string }[];
  /** The node that fills the floor alone. */
  readonly zoomed?: string;
}

const PAD = 14;
const GAP = 10;
const LABEL = 26;
const DECIDER = { narrowest: 196, head: 54, row: 54, brief: 42, column: 160 };
const CARD = { narrowest: 186, widest: 290, height: 102, low: 90 };
const NODE = { head: 50, side: 10, volumes: 30, bottom: 10 };
const WAITING = 128;
const CANVAS_HEIGHT = 132;
/** What a node's box grows by, at most, where the floor would be empty. */
const MOST_SPARE = 200;
/** From so many pods on they are cells of a canvas. */
const CANVAS_FROM = 300;

const TILES = {
  large: { w: 112, h: 42, gap: 7 },
  medium: { w: 40, h: 26, gap: 4 },
  small: { w: 13, h: 13, gap: 3 },
} as const;

/**
 * Lays a stage out; `tall`: the height that is there, which nodes fill where they leave some of it. `beside`: another one has to be seen
 * too.
 */
export function layoutOf(model: Model, staged: Staged, width: number, tall = 0, beside = false): Layout {
  const inner = Math.max(280, width - 2 * PAD);
  const terse = beside && inner < CROWDED;
  const deciders = new Map<string, Box>();
  decide(model.deciders, inner, terse, deciders);
  const written = bottomOf(deciders, LABEL) + 16;
  const cards = new Map<string, Box>();
  const onCards = new Map<string, Box>();
  const low = inner < CROWDED && !model.hasFullCards;
  const ledger = write(model, staged.cards, { inner, top: written + LABEL, height: low ? CARD.low : CARD.height, onCards }, cards);
  const runs = ledger + (ledger > written + LABEL ? 10 : -6) + LABEL;
  const crowding = crowdingOf(model);
  const introspection = { top: NODE.head, side: NODE.side, bottom: NODE.bottom + (model.hasVolumes ? NODE.volumes : 0) };
  const nodes = new Map<string, Box>();
  const floor = { inner, top: runs, crowding, introspection, tall: tall - PAD };
  run(model, staged, floor, nodes);
  const pods = new Map<string, Box>();
  if (crowding !== 'canvas') place(staged, nodes, crowding, introspection, pods);
  const height = bottomOf(nodes, runs) + PAD;
  return {
    width,
    height,
    floors: { decides: 8, written, runs: runs - LABEL },
    deciders,
    brief: inner < CROWDED,
    terse,
    low,
    cards,
    onCards,
    nodes,
    crowding,
    pods,
    introspection,
  };
}

const bottomOf = (boxes: ReadonlyMap<string, Box>, least: number): number =>
  [...boxes.values()].reduce((most, { y, h }) => Math.max(most, y + h), least);

/** As many in a row as fit, equally wide. */
function row(count: number, inner: number, narrowest: number, widest = Infinity): { readonly each: number; readonly w: number } {
  const each = Math.max(1, Math.min(count, Math.floor((inner + GAP) / (narrowest + GAP))));
  return { each, w: Math.min(widest, (inner - (each - 1) * GAP) / each) };
}

/** The more controllers a process has, the wider its card. */
const weightOf = ({ controllers }: Actor): number => 1 + 0.6 * Math.max(0, controllers.length - 1);

/** Below this a why has one line, and below the next a card of three controllers has no room for another beside it. */
const CROWDED = 760;
const NARROW = 600;

/** Columns of controllers in a card of a process. */
export const columnsIn = (w: number): number => Math.max(1, Math.floor((w - 22) / DECIDER.column));

function decide(actors: readonly Actor[], inner: number, terse: boolean, into: Map<string, Box>): void {
  let y = LABEL + 8;
  for (const line of linesOf(actors, inner, terse)) {
    const spare = inner - (line.length - 1) * GAP - line.length * (DECIDER.narrowest - GAP);
    const weight = line.reduce((sum, actor) => sum + weightOf(actor), 0);
    const widths = line.map((actor) => DECIDER.narrowest - GAP + (spare * weightOf(actor)) / weight);
    const rows = Math.max(1, ...line.map(({ controllers }, index) => Math.ceil(controllers.length / columnsIn(widths[index] ?? 0))));
    const h = DECIDER.head + (terse ? 0 : rows) * (inner < CROWDED ? DECIDER.brief : DECIDER.row);
    let x = PAD;
    line.forEach(({ process }, index) => {
      const w = widths[index] ?? 0;
      into.set(process, { x, y, w, h });
      x += w + GAP;
    });
    y += h + GAP;
  }
}

/** As many abreast as fit; who holds many controllers stands alone where the others would leave it one column. */
function linesOf(actors: readonly Actor[], inner: number, terse: boolean): readonly (readonly Actor[])[] {
  const { each } = row(actors.length, inner, DECIDER.narrowest);
  const lines: Actor[][] = [];
  // Three abreast leave none of them room for two columns.
  const narrow = !terse && inner < (actors.length > 2 ? CROWDED : NARROW);
  for (const actor of actors) {
    const last = lines.at(-1);
    const alone = narrow && (actor.controllers.length > 2 || (last?.[0]?.controllers.length ?? 0) > 2);
    if (last === undefined || last.length >= each || alone) lines.push([actor]);
    else last.push(actor);
  }
  return lines;
}

interface Ledger {
  readonly inner: number;
  readonly top: number;
  /** Of a card. */
  readonly height: number;
  readonly onCards: Map<string, Box>;
}

/** Answers where the ledger ends: it has room for as many cards as there ever were at once. */
function write(model: Model, cards: readonly Card[], { inner, top, height, onCards }: Ledger, into: Map<string, Box>): number {
  const most = Math.min(MOST_CARDS, Math.max(model.lifespans.podGrid.cards, cards.length));
  if (most === 0) return top;
  const { each, w } = row(most, inner, CARD.narrowest, CARD.widest);
  cards.forEach(({ held, sets }, at) => {
    const y = top + Math.floor(at / each) * (height + GAP);
    const box = { x: PAD + (at % each) * (w + GAP), y, w, h: height };
    into.set(held.object.metadata.uid, box);
    for (const set of sets ?? []) onCards.set(set.held.object.metadata.uid, box);
  });
  return top + Math.ceil(most / each) * (height + GAP) - GAP;
}

export function crowdingOf({ lifespans: { podGrid } }: Model): Crowding {
  if (podGrid.atOnce > CANVAS_FROM) return 'canvas';
  return podGrid.onANode <= 8 ? 'large' : podGrid.onANode <= 40 ? 'medium' : 'small';
}

interface Floor {
  readonly inner: number;
  readonly top: number;
  readonly crowding: Crowding;
  readonly introspection: Layout['introspection'];
  /** Where it may end at the earliest. */
  readonly tall: number;
}

function run(model: Model, { nodes, zoomed }: Staged, { inner, top, crowding, introspection, tall }: Floor, into: Map<string, Box>): void {
  const names = nodes.map(({ object }) => object.metadata.name);
  const waits = model.lifespans.podGrid.waiting > 0 && zoomed === undefined;
  const left = waits ? WAITING + GAP : 0;
  if (zoomed !== undefined && names.includes(zoomed)) {
    into.set(zoomed, { x: PAD, y: top, w: inner, h: Math.max(460, tall - top) });
    return;
  }
  const { each, w } = row(names.length, inner - left, names.length > 40 ? 84 : names.length > 12 ? 118 : 152);
  const rows = Math.max(1, Math.ceil(names.length / each));
  const needed = introspection.top + introspection.bottom + roomFor(model, w - 2 * introspection.side, crowding);
  const h = needed + Math.max(0, Math.min(MOST_SPARE, Math.floor((tall - top + GAP) / rows - GAP - needed)));
  names.forEach((name, at) =>
    into.set(name, { x: PAD + left + (at % each) * (w + GAP), y: top + Math.floor(at / each) * (h + GAP), w, h }),
  );
  if (waits) into.set('', { x: PAD, y: top, w: WAITING, h: Math.min(rows * (h + GAP) - GAP, Math.max(h, 560)) });
}

/** The height that the fullest node of the run needs. */
function roomFor({ lifespans: { podGrid } }: Model, w: number, crowding: Crowding): number {
  if (crowding === 'canvas') return CANVAS_HEIGHT;
  const tile = tileIn(w, crowding);
  const perLine = Math.max(1, Math.floor((w + tile.gap) / (tile.w + tile.gap)));
  return Math.max(1, Math.ceil(podGrid.onANode / perLine)) * (tile.h + tile.gap) - tile.gap;
}

/** Large tiles fill the width: two abreast where that leaves room for a name. */
function tileIn(w: number, crowding: Exclude<Crowding, 'canvas'>): { readonly w: number; readonly h: number; readonly gap: number } {
  const tile = TILES[crowding];
  if (crowding !== 'large') return tile;
  const abreast = Math.max(1, Math.floor((w + tile.gap) / (tile.w + tile.gap)));
  return { ...tile, w: Math.min(150, (w - (abreast - 1) * tile.gap) / abreast) };
}

function place(
  { pods, phantoms }: Staged,
  nodes: ReadonlyMap<string, Box>,
  crowding: Exclude<Crowding, 'canvas'>,
  { top, side }: Layout['introspection'],
  into: Map<string, Box>,
): void {
  const filled = new Map<string, number>();
  const put = (id: string, node: string): void => {
    const box = nodes.get(node);
    if (box === undefined) return;
    const tile = tileIn(box.w - 2 * side, crowding);
    const perLine = Math.max(1, Math.floor((box.w - 2 * side + tile.gap) / (tile.w + tile.gap)));
    const at = filled.get(node) ?? 0;
    filled.set(node, at + 1);
    const y = box.y + (node === '' ? 34 : top) + Math.floor(at / perLine) * (tile.h + tile.gap);
    into.set(id, { x: box.x + side + (at % perLine) * (tile.w + tile.gap), y, w: tile.w, h: tile.h });
  };
  for (const [node, held] of pods) for (const { object } of held) put(object.metadata.uid, node);
  for (const { uid, node } of phantoms) put(`~${uid}`, node);
}
