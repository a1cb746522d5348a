/** Lanes of pods that say the same in two runs: where two timelines stand, they would only take the stages' room. */
import type { Model } from './index.ts';
import type { PodLife } from './lives.ts';
import type { Pair } from './pair.ts';

/** The names of pods whose lives are the same in both, instant for instant. */
export function alikeIn({ first, second }: Pick<Pair, 'first' | 'second'>): ReadonlySet<string> {
  const mine = new Map(first.lives.pods.map((life) => [life.name, textOf(first, life)]));
  return new Set(second.lives.pods.flatMap((life) => (mine.get(life.name) === textOf(second, life) ? [life.name] : [])));
}

const textOf = ({ trace: { entries, startAt }, length }: Model, { uid, stretches }: PodLife): string =>
  [
    uid,
    ...stretches.map(({ from, to, what }) => `${(entries[from - 1]?.at ?? startAt) - startAt} ${what}`.concat(to > length ? ' on' : '')),
  ].join(', ');
