/** Lanes that say the same in two runs: where two timelines stand, they would only take the stages' room. */
import type { Model } from './index.ts';
import type { PodLife } from './lives.ts';
import type { Pair } from './pair.ts';
import { NO_LANE } from './told.ts';

/** The names of pods whose lives are the same in both, instant for instant. */
export function alikeIn({ first, second }: Pick<Pair, 'first' | 'second'>): ReadonlySet<string> {
  const mine = new Map(first.lives.pods.map((life) => [life.name, textOf(first, life)]));
  return new Set(second.lives.pods.flatMap((life) => (mine.get(life.name) === textOf(second, life) ? [life.name] : [])));
}

/** Whether the controllers of a lane are told the same in both, instant for instant. */
export function actAlike({ first, second }: Pick<Pair, 'first' | 'second'>, keys: readonly string[]): boolean {
  return actsOf(first, keys) === actsOf(second, keys);
}

function actsOf({ told, trace: { entries, startAt } }: Model, keys: readonly string[]): string {
  const mine = new Set(keys.map((key) => told.lanes.indexOf(key)).filter((lane) => lane >= 0 && lane < NO_LANE));
  const acts: string[] = [];
  told.lane.forEach((lane, at) => {
    if (mine.has(lane)) acts.push(`${(entries[(told.steps[at] ?? 0) - 1]?.at ?? startAt) - startAt} ${told.tones[at] ?? 0}`);
  });
  return acts.join(', ');
}

const textOf = ({ trace: { entries, startAt }, length }: Model, { uid, stretches }: PodLife): string =>
  [
    uid,
    ...stretches.map(({ from, to, what }) => `${(entries[from - 1]?.at ?? startAt) - startAt} ${what}`.concat(to > length ? ' on' : '')),
  ].join(', ');
