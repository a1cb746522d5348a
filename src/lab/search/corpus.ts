/** The corpus: runs to mutate. In each a controller gave a reason that no earlier run had. */
import type { PointChoice } from '../scenario/index.ts';
import { withSize } from '../../engine/index.ts';

export interface Corpus {
  /** Keeps a run if it reached a new reason; returns whether it did. */
  offer(taken: readonly PointChoice[], reached: Iterable<string>): boolean;
  /** Returns the run that has been mutated least often, the oldest of those. */
  pick(): readonly PointChoice[] | undefined;
  readonly reached: ReadonlySet<string>;
  readonly size: number;
  /** Returns the kept runs. */
  kept(): readonly (readonly PointChoice[])[];
}

/** Creates an empty corpus. */
export function createCorpus(): Corpus {
  const reached = new Set<string>();
  const entries: { readonly taken: readonly PointChoice[]; picks: number }[] = [];
  return withSize(
    { size: () => entries.length },
    {
      reached,
      kept: () => entries.map(({ taken }) => taken),
      offer(taken, reasons) {
        const before = reached.size;
        for (const each of reasons) reached.add(each);
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
