/**
 * Paints the swimlanes: ticks are binned by pixel, so that fifty thousand cost as much as fifty. Painted once for a run, a width, a theme.
 */
import type { Tone } from '../../../lab/trace/index.ts';
import { counters } from '../counters.ts';
import type { Model } from '../model/index.ts';
import type { Swimlane, Swimlanes } from '../model/swimlanes.ts';
import { GLYPHS, PHASES } from '../model/phase.ts';
import type { PodLife } from '../model/lifespans.ts';
import { NO_SWIMLANE, TONES } from '../model/log.ts';
import { fitting, grouped } from '../model/words.ts';
import { paintInstants } from './timeline-instants.ts';

interface Sheet {
  readonly model: Model;
  readonly swimlanes: Swimlanes;
  readonly places: Float32Array;
  readonly width: number;
  readonly ratio: number;
  readonly matches: ReadonlySet<number> | undefined;
  readonly marks: readonly number[];
  readonly style: CSSStyleDeclaration;
}

/** Pixels for the names of swimlanes, and at the right end. */
export const gutterOf = (width: number): number => (width < 560 ? 100 : 190);
export const RIGHT = 12;
const FONT = '13px system-ui, sans-serif';
const NOTE_RADIUS = 8;

interface Easel extends Sheet {
  readonly pen: CanvasRenderingContext2D;
  readonly gutter: number;
  readonly room: number;
  colour(name: string): string;
  x(step: number): number;
}

/** The extents of the instants above the swimlanes: `[left, right]`. */
export type Instants = readonly (readonly [number, number])[];

/** Paints the swimlanes. Returns the extents of their instants. */
export function paintSwimlanes(canvas: HTMLCanvasElement, sheet: Sheet): Instants {
  counters.swimlanePaints++;
  canvas.width = Math.round(sheet.width * sheet.ratio);
  canvas.height = Math.round(sheet.swimlanes.height * sheet.ratio);
  const pen = canvas.getContext('2d');
  if (pen === null) return [];
  pen.scale(sheet.ratio, sheet.ratio);
  pen.font = FONT;
  pen.textBaseline = 'middle';
  const gutter = gutterOf(sheet.width);
  const room = Math.max(1, sheet.width - gutter - RIGHT);
  const easel: Easel = {
    ...sheet,
    pen,
    gutter,
    room,
    colour: (name) => sheet.style.getPropertyValue(`--${name}`).trim(),
    x: (step) => gutter + (sheet.places[Math.max(0, Math.min(step, sheet.places.length - 1))] ?? 1) * room,
  };
  for (const swimlane of sheet.swimlanes.swimlanes) paintSwimlane(easel, swimlane);
  paintFaults(easel);
  paintTicks(easel);
  paintStory(easel);
  return sheet.swimlanes.headed ? paintInstants(easel) : [];
}

function paintSwimlane({ pen, gutter, room, colour, ...rest }: Easel, swimlane: Swimlane): void {
  pen.fillStyle = colour('lane');
  pen.fillRect(gutter, swimlane.y, room, swimlane.h);
  pen.fillStyle = colour('soft');
  pen.textAlign = 'right';
  let { name } = swimlane;
  for (let most = name.length; pen.measureText(name).width > gutter - 16 && most > 3; most--) name = fitting(swimlane.name, most);
  pen.fillText(name, gutter - 9, swimlane.y + swimlane.h / 2 + 0.5);
  const easel = { pen, gutter, room, colour, ...rest };
  if (swimlane.is === 'pod') paintLife(easel, swimlane.life, swimlane);
  if (swimlane.is === 'pod-grid') paintPodGrid(easel, swimlane.lifespans, swimlane);
}

/** A fault is a shade over all swimlanes; a process that is down, over its own. */
function paintFaults({ pen, model, swimlanes, colour, x }: Easel): void {
  pen.fillStyle = colour('fault');
  const last = swimlanes.swimlanes.at(-1);
  const bottom = last === undefined ? 0 : last.y + last.h;
  const story = model.reported.swimlanes.indexOf('story');
  const diamonds = [...model.reported.steps].flatMap((step, at) => (model.reported.swimlane[at] === story ? [x(step)] : []));
  for (const { from, to, label } of model.faults) {
    const own = swimlanes.swimlanes.filter((swimlane) => swimlane.is === 'actor' && label.startsWith(`${swimlane.process} `));
    const width = Math.max(2, x(to) - x(from));
    pen.globalAlpha = own.length > 0 ? 0.26 : 0.1;
    if (own.length > 0) for (const swimlane of own) pen.fillRect(x(from), swimlane.y, width, swimlane.h);
    else pen.fillRect(x(from), swimlanes.swimlanes[0]?.y ?? 0, width, bottom - (swimlanes.swimlanes[0]?.y ?? 0));
    pen.globalAlpha = 1;
    const [swimlane = swimlanes.swimlanes[0]] = own;
    const name = swimlane?.is === 'actor' ? label.slice(swimlane.process.length + 1) : label;
    // Notes are on the same swimlane, and take precedence.
    const noted =
      swimlane?.is === 'story' &&
      model.narrationSteps.some((narrationStep) => Math.abs(x(narrationStep) - x(from) - 60) < 60 + NOTE_RADIUS);
    if (swimlane !== undefined && !noted) {
      const left = swimlane.is === 'story' ? behindDiamonds(diamonds, x(from)) : x(from);
      faultName({ pen, colour }, name, left, x(from) + width - left, swimlane);
    }
    pen.fillStyle = colour('fault');
  }
  pen.globalAlpha = 1;
}

/** The position of a word after diamonds that are close to it. */
function behindDiamonds(diamonds: readonly number[], from: number): number {
  let at = from;
  for (const each of diamonds) if (each > at && each < at + DIAMOND * 2) at = each;
  return at;
}

const DIAMOND = 7;
const FAULT_FONT = '12px system-ui, sans-serif';

/** The name of a fault, if there is space for it. */
function faultName({ pen, colour }: Pick<Easel, 'pen' | 'colour'>, name: string, x: number, width: number, { y, h }: Swimlane): void {
  pen.font = FAULT_FONT;
  pen.textAlign = 'left';
  pen.fillStyle = colour('fault-ink');
  if (pen.measureText(name).width + 12 < width) pen.fillText(name, x + 7, y + h / 2 + 0.5);
  pen.font = FONT;
}

function paintLife({ pen, colour, x }: Easel, { stretches }: PodLife, { y, h }: Swimlane): void {
  pen.textAlign = 'center';
  for (const { from, to, what } of stretches) {
    pen.fillStyle = colour(what.toLowerCase());
    pen.globalAlpha = what === 'Succeeded' || what === 'Failed' ? 0.6 : 1;
    pen.beginPath();
    const wide = x(to) - x(from);
    pen.roundRect(x(from), y, Math.max(1.5, wide - 0.5), h, 2.5);
    pen.fill();
    if (wide < ROOM_FOR_GLYPH) continue;
    // Colour is not the only distinction.
    pen.globalAlpha = 1;
    pen.fillStyle = colour('on-phase');
    pen.font = GLYPH_FONT;
    pen.fillText(GLYPHS[what], x(from) + 8, y + h / 2 + 0.5);
    pen.font = FONT;
  }
  pen.globalAlpha = 1;
}

const ROOM_FOR_GLYPH = 18;
const GLYPH_FONT = '10px system-ui, sans-serif';

/** Many lifespans as one chart: the number of pods in each phase, without ended ones. */
function paintPodGrid({ pen, colour, gutter, room, places }: Easel, lifespans: readonly PodLife[], { y, h }: Swimlane): void {
  const phases = PHASES.slice(0, 5);
  const pixels = Math.ceil(room);
  const changes = phases.map(() => new Float32Array(pixels + 2));
  const pixel = (step: number): number => Math.round((places[Math.min(step, places.length - 1)] ?? 1) * pixels);
  for (const { stretches } of lifespans)
    for (const { from, to, what } of stretches) {
      const change = changes[phases.indexOf(what)];
      if (change === undefined) continue;
      change[pixel(from)] = (change[pixel(from)] ?? 0) + 1;
      change[pixel(to)] = (change[pixel(to)] ?? 0) - 1;
    }
  for (const change of changes) for (let at = 1; at < change.length; at++) change[at] = (change[at] ?? 0) + (change[at - 1] ?? 0);
  let most = 1;
  for (let at = 0; at < pixels; at++)
    most = Math.max(
      most,
      changes.reduce((sum, change) => sum + (change[at] ?? 0), 0),
    );
  for (let at = 0; at < pixels; at++) {
    let top = y + h;
    phases.forEach((phase, index) => {
      const tall = ((changes[index]?.[at] ?? 0) / most) * h;
      if (tall <= 0) return;
      pen.fillStyle = colour(phase.toLowerCase());
      pen.fillRect(gutter + at, top - tall, 1, tall);
      top -= tall;
    });
  }
  pen.fillStyle = colour('soft');
  pen.textAlign = 'right';
  pen.fillText(`most ${grouped(most)}`, gutter - 9, y + h - 7);
}

/** One tick for each pixel and swimlane: the most important entry. Entries that do not match the search are faint. */
function paintTicks(easel: Easel): void {
  const { pen, model, swimlanes, colour, gutter, room, places, matches } = easel;
  const { steps, tones, swimlane: owners, swimlanes: names } = model.reported;
  const byName = names.map((name) =>
    swimlanes.swimlanes.findIndex((swimlane) =>
      swimlane.is === 'story' ? name === 'story' : swimlane.is === 'actor' && swimlane.keys.includes(name),
    ),
  );
  const pixels = Math.ceil(room);
  const bins = swimlanes.swimlanes.map((swimlane) =>
    swimlane.is === 'story' || swimlane.is === 'actor' ? new Uint8Array(pixels + 1) : undefined,
  );
  const faint = swimlanes.swimlanes.map(() => new Uint8Array(pixels + 1));
  steps.forEach((step, at) => {
    const owner = owners[at] ?? NO_SWIMLANE;
    const swimlane = byName[owner] ?? -1;
    const isFaint = matches !== undefined && !matches.has(step);
    const bin = isFaint ? faint[swimlane] : bins[swimlane];
    if (bin === undefined || bins[swimlane] === undefined) return;
    const pixel = Math.round((places[step] ?? 1) * pixels);
    bin[pixel] = Math.max(bin[pixel] ?? 0, (tones[at] ?? 0) + 1);
  });
  swimlanes.swimlanes.forEach((swimlane, index) => {
    for (const [alpha, bin] of [
      [0.16, faint[index]],
      [1, bins[index]],
    ] as const) {
      pen.globalAlpha = alpha;
      bin?.forEach((tone, at) => {
        if (tone === 0) return;
        const name = TONES[tone - 1] ?? 'seen';
        pen.fillStyle = colour(`tone-${name}`);
        if (swimlane.is === 'story') diamond(pen, gutter + at, swimlane.y + swimlane.h / 2, name === 'broken' ? 7 : 5);
        else tick(pen, name, gutter + at, swimlane);
      });
    }
  });
  pen.globalAlpha = 1;
}

/** Shapes of ticks: a creation has a foot, a deletion is broken, a decision is short. */
function tick(pen: CanvasRenderingContext2D, name: Tone, x: number, { y, h }: Swimlane): void {
  if (name === 'decided' || name === 'seen' || name === 'event') {
    pen.fillRect(x - 0.5, y + 3, 1.5, h - 6);
    return;
  }
  if (name === 'removed') {
    pen.fillRect(x - 1, y, 2, h / 2 - 1);
    pen.fillRect(x - 1, y + h / 2 + 1, 2, h / 2 - 1);
    return;
  }
  pen.fillRect(x - 1, y, 2, h);
  if (name === 'created') pen.fillRect(x - 2.5, y + h - 2, 5, 2);
  if (name === 'refused' || name === 'fault') pen.fillRect(x - 3, y + h / 2 - 1, 6, 2);
}

function diamond(pen: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  pen.beginPath();
  pen.moveTo(x, y - r);
  pen.lineTo(x + r, y);
  pen.lineTo(x, y + r);
  pen.lineTo(x - r, y);
  pen.fill();
}

/** Notes with their numbers, failures, and the reader's marks. */
function paintStory({ pen, model, swimlanes, marks, colour, x }: Easel): void {
  const [story] = swimlanes.swimlanes;
  if (story === undefined) return;
  const y = story.y + story.h / 2;
  pen.textAlign = 'center';
  let last = -Infinity;
  model.run.lesson.narrationSteps.forEach(({ step }, at) => {
    const here = Math.max(x(step), last + NOTE_RADIUS * 2 + 1);
    last = here;
    pen.fillStyle = colour('accent');
    pen.beginPath();
    pen.arc(here, y, NOTE_RADIUS, 0, 7);
    pen.fill();
    pen.fillStyle = colour('panel');
    pen.fillText(String(at + 1), here, y + 0.5);
  });
  pen.fillStyle = colour('failed');
  const lowest = swimlanes.swimlanes.at(-1) ?? story;
  for (const step of model.broken) {
    // A breach concerns the whole run.
    pen.fillRect(x(step) - 0.75, story.y, 1.5, lowest.y + lowest.h - story.y);
    diamond(pen, x(step), y, 7);
  }
  pen.fillStyle = colour('stale');
  for (const step of marks) {
    pen.fillRect(x(step) - 0.75, story.y - 4, 1.5, story.h + 6);
    pen.beginPath();
    pen.moveTo(x(step), story.y - 4);
    pen.lineTo(x(step) + 8, story.y);
    pen.lineTo(x(step), story.y + 4);
    pen.fill();
  }
}
