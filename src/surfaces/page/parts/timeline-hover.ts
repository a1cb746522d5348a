/** The item under the pointer on the timeline, as text: an entry, a note, a pod's phase, a fault. */
import { stepAtPlace } from '../model/axis.ts';
import type { Model } from '../model/index.ts';
import type { Swimlane, Swimlanes } from '../model/swimlanes.ts';
import { NO_SWIMLANE } from '../model/log.ts';
import { sentenceOf, since } from '../model/words.ts';

interface Pointed {
  /** Pixels from the start of the swimlanes. */
  readonly x: number;
  readonly y: number;
  readonly room: number;
}

/** Maximum pixels to an entry. */
const NEAR = 5;

/** Returns the text; empty if there is no item, or beyond `veil`, the step after which an open question hides everything. */
export function underPointer(model: Model, { swimlanes }: Swimlanes, places: Float32Array, { x, y, room }: Pointed, veil: number): string {
  const swimlane = swimlanes.find(({ y: top, h }) => y >= top - 1 && y <= top + h + 1);
  if (swimlane === undefined || x < 0 || x > room) return '';
  const step = stepAtPlace(places, x / room);
  if (step > veil) return '';
  const xOf = (at: number): number => (places[at] ?? 1) * room;
  if (swimlane.is === 'pod') {
    const { what } = swimlane.life.stretches.findLast(({ from, to }) => from <= step && step < to) ?? {};
    return what === undefined ? '' : `${swimlane.life.name}: ${what}`;
  }
  if (swimlane.is === 'pod-grid') return '';
  return (
    (swimlane.is === 'story' ? noteNear(model, x, xOf, veil) : undefined) ??
    entryNear(model, swimlane, x, xOf, veil) ??
    faultAt(model, swimlane, step)
  );
}

function noteNear({ run: { lesson } }: Model, x: number, xOf: (step: number) => number, veil: number): string | undefined {
  const narrationStep = lesson.narrationSteps.find(({ step }) => step <= veil && Math.abs(xOf(step) - x) <= NEAR + 3);
  return narrationStep === undefined || narrationStep.note === '' ? undefined : narrationStep.note.replaceAll(/[*`]/g, '').trim();
}

function entryNear(
  { trace, reported }: Model,
  swimlane: Swimlane,
  x: number,
  xOf: (step: number) => number,
  veil: number,
): string | undefined {
  const mine = new Set(
    reported.swimlanes.flatMap((name, at) =>
      (swimlane.is === 'story' ? name === 'story' : swimlane.is === 'actor' && swimlane.keys.includes(name)) ? [at] : [],
    ),
  );
  let best = 0;
  let least = NEAR;
  reported.steps.forEach((step, at) => {
    const away = Math.abs(xOf(step) - x);
    if (step > veil || away > least || !mine.has(reported.swimlane[at] ?? NO_SWIMLANE)) return;
    least = away;
    best = step;
  });
  const said = best === 0 ? undefined : sentenceOf(trace, best);
  return said === undefined ? undefined : `${said.time} ${said.who} ${said.what}${said.why === '' ? '' : `, because ${said.why}`}`;
}

function faultAt({ faults, trace }: Model, swimlane: Swimlane, step: number): string {
  const found = faults.find(
    ({ from, to, label }) => from <= step && step < to && (swimlane.is !== 'actor' || label.startsWith(`${swimlane.process} `)),
  );
  if (found === undefined) return '';
  const at = trace.entries[found.from - 1]?.at ?? trace.startAt;
  return `${found.label}, from ${since(at - trace.startAt)}`;
}
