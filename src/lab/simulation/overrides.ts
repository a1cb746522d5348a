/** Overrides of a run: the scenario's own choices, or those of a search. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { askIn, replaying, unusedOf, type Chooser, type Taken } from '../choices/index.ts';
import type { PointChoice, LintWarning, Scenario } from '../scenario/index.ts';

interface Overrides {
  readonly taken: Taken;
  /** Choices of the scenario whose point was not reached, with a lint warning for each. */
  readonly unused: readonly PointChoice[];
  readonly lintWarnings: readonly LintWarning[];
}

/** Installs the choices; the returned function gives their results at the end. Without choices no strategy is installed. */
export function applyOverrides(cluster: Cluster, { choices = [] }: Scenario, chooser: Chooser | undefined): () => Overrides {
  const by = chooser ?? (choices.length === 0 ? undefined : replaying(choices));
  const taken = by === undefined ? [] : askIn(cluster, by);
  return () => {
    const unused = chooser === undefined ? unusedOf(choices, taken) : [];
    return { taken, unused, lintWarnings: unused.map(lintWarningOn) };
  };
}

const lintWarningOn = ({ at, source }: PointChoice): LintWarning => ({
  ...source,
  text: `this choice no longer applies: the run reached no point ${at}`,
});
