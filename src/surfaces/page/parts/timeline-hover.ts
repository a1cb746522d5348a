/** What lies under the pointer on the timeline, in words: an entry, a note, a pod's phase, a fault. */
import { stepAtPlace } from '../model/axis.ts';
import type { Model } from '../model/index.ts';
import type { Lane, Lanes } from '../model/lanes.ts';
import { NO_LANE } from '../model/told.ts';
import { sayingOf, since } from '../model/words.ts';

interface Pointed {
  /** From where the lanes begin. */
  readonly x: number;
  readonly y: number;
  readonly room: number;
}

/** An entry so many pixels away is meant. */
const NEAR = 5;

/** The words; empty where there is nothing, or behind `veil`, the step beyond which an open question hides everything. */
export function underPointer(model: Model, { lanes }: Lanes, places: Float32Array, { x, y, room }: Pointed, veil: number): string {
  const lane = lanes.find(({ y: top, h }) => y >= top - 1 && y <= top + h + 1);
  if (lane === undefined || x < 0 || x > room) return '';
  const step = stepAtPlace(places, x / room);
  if (step > veil) return '';
  const xOf = (at: number): number => (places[at] ?? 1) * room;
  if (lane.is === 'pod') {
    const { what } = lane.life.stretches.findLast(({ from, to }) => from <= step && step < to) ?? {};
    return what === undefined ? '' : `${lane.life.name}: ${what}`;
  }
  if (lane.is === 'crowd') return '';
  return (
    (lane.is === 'story' ? noteNear(model, x, xOf, veil) : undefined) ?? entryNear(model, lane, x, xOf, veil) ?? faultAt(model, lane, step)
  );
}

function noteNear({ run: { lesson } }: Model, x: number, xOf: (step: number) => number, veil: number): string | undefined {
  const beat = lesson.beats.find(({ step }) => step <= veil && Math.abs(xOf(step) - x) <= NEAR + 3);
  return beat === undefined || beat.note === '' ? undefined : beat.note.replaceAll(/[*`]/g, '').trim();
}

/** The told entry of the lane that is nearest. */
function entryNear({ trace, told }: Model, lane: Lane, x: number, xOf: (step: number) => number, veil: number): string | undefined {
  const mine = new Set(
    told.lanes.flatMap((name, at) =>
      (lane.is === 'story' ? name === 'story' : lane.is === 'actor' && lane.keys.includes(name)) ? [at] : [],
    ),
  );
  let best = 0;
  let least = NEAR;
  told.steps.forEach((step, at) => {
    const away = Math.abs(xOf(step) - x);
    if (step > veil || away > least || !mine.has(told.lane[at] ?? NO_LANE)) return;
    least = away;
    best = step;
  });
  const said = best === 0 ? undefined : sayingOf(trace, best);
  return said === undefined ? undefined : `${said.time} ${said.who} ${said.what}${said.why === '' ? '' : `, because ${said.why}`}`;
}

function faultAt({ faults, trace }: Model, lane: Lane, step: number): string {
  const found = faults.find(
    ({ from, to, label }) => from <= step && step < to && (lane.is !== 'actor' || label.startsWith(`${lane.process} `)),
  );
  if (found === undefined) return '';
  const at = trace.entries[found.from - 1]?.at ?? trace.startAt;
  return `${found.label}, from ${since(at - trace.startAt)}`;
}
