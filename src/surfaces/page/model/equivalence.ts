/** Swimlanes that are equal in two runs: they are left out when two timelines are shown. */
import type { Model } from './index.ts';
import type { PodLife } from './lifespans.ts';
import type { Pair } from './pair.ts';
import { NO_SWIMLANE } from './log.ts';

/** Names of pods whose lifespans are equal in both runs, by instant. */
export function samePods({ first, second }: Pick<Pair, 'first' | 'second'>): ReadonlySet<string> {
  const mine = new Map(first.lifespans.pods.map((life) => [life.name, textOf(first, life)]));
  return new Set(second.lifespans.pods.flatMap((life) => (mine.get(life.name) === textOf(second, life) ? [life.name] : [])));
}

/** Whether the entries of a swimlane's controllers are equal in both runs, by instant. */
export function isSameActor({ first, second }: Pick<Pair, 'first' | 'second'>, keys: readonly string[]): boolean {
  return actsOf(first, keys) === actsOf(second, keys);
}

function actsOf({ reported, trace: { entries, startAt } }: Model, keys: readonly string[]): string {
  const mine = new Set(keys.map((key) => reported.swimlanes.indexOf(key)).filter((swimlane) => swimlane >= 0 && swimlane < NO_SWIMLANE));
  const acts: string[] = [];
  reported.swimlane.forEach((swimlane, at) => {
    if (mine.has(swimlane)) acts.push(`${(entries[(reported.steps[at] ?? 0) - 1]?.at ?? startAt) - startAt} ${reported.tones[at] ?? 0}`);
  });
  return acts.join(', ');
}

const textOf = ({ trace: { entries, startAt }, length }: Model, { uid, stretches }: PodLife): string =>
  [
    uid,
    ...stretches.map(({ from, to, what }) => `${(entries[from - 1]?.at ?? startAt) - startAt} ${what}`.concat(to > length ? ' on' : '')),
  ].join(', ');
