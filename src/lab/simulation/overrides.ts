/** What goes otherwise in a run than by itself: the scenario's own choices, or those of whoever searches. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { askIn, replaying, unusedOf, type Chooser, type Taken } from '../choices/index.ts';
import type { PointChoice, LintWarning, Scenario } from '../scenario/index.ts';

interface Otherwise {
  readonly taken: Taken;
  /** Choices of the scenario that found no point, and a remark on each. */
  readonly unused: readonly PointChoice[];
  readonly lintWarnings: readonly LintWarning[];
}

/** Begins to make choices; answers, at the end, what came of them. Where there are none nobody is asked. */
export function otherwise(cluster: Cluster, { choices = [] }: Scenario, chooser: Chooser | undefined): () => Otherwise {
  const by = chooser ?? (choices.length === 0 ? undefined : replaying(choices));
  const taken = by === undefined ? [] : askIn(cluster, by);
  return () => {
    const unused = chooser === undefined ? unusedOf(choices, taken) : [];
    return { taken, unused, lintWarnings: unused.map(lintWarningOn) };
  };
}

const lintWarningOn = ({ at, source }: PointChoice): LintWarning => ({
  ...source,
  text: `this choice no longer applies: the run came by no point ${at}`,
});
