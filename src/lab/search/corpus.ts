/** Runs to mutate: each made a controller give a reason that no run before it had. */
import type { PointChoice } from '../scenario/index.ts';
import { withSize } from '../../engine/index.ts';

export interface Corpus {
  /** Keeps a run if it reached something new; returns whether it did. */
  offer(taken: readonly PointChoice[], reached: Iterable<string>): boolean;
  /** The run that has been mutated least often, the oldest of those. */
  pick(): readonly PointChoice[] | undefined;
  readonly reached: ReadonlySet<string>;
  readonly size: number;
  /** What has been kept. */
  kept(): readonly (readonly PointChoice[])[];
}

/** An empty corpus. */
export function createCorpus(): Corpus {
  const reached = new Set<string>();
  const entries: { readonly taken: readonly PointChoice[]; picks: number }[] = [];
  return withSize(
    { size: () => entries.length },
    {
      reached,
      kept: () => entries.map(({ taken }) => taken),
      offer(taken, news) {
        const before = reached.size;
        for (const each of news) reached.add(each);
        const isNew = reached.size > before && taken.length > 0;
        if (isNew) entries.push({ taken, picks: 0 });
        return isNew;
      },
      pick() {
        let least = entries[0];
        for (const entry of entries) if (least === undefined || entry.picks < least.picks) least = entry;
        if (least !== undefined) least.picks++;
        return least?.taken;
      },
    },
  );
}
