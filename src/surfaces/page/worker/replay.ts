/** A run again, up to one of its steps: the cluster as it stood then, with all that was pending in it. */
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { simulate } from '../../../lab/simulation/index.ts';

/** Thrown to leave a run at the step that was asked for; whatever the run was about to do stays undone. */
class Reached extends Error {}

/** The cluster right after a step; after the last one, or at 0, as it is found there. */
export function replayTo(scenario: Scenario, seed: number, step: number): Cluster {
  const found: { cluster?: Cluster } = {};
  let entries = 0;
  try {
    const { cluster } = simulate(scenario, {
      seed,
      onCluster: (cluster) => {
        found.cluster = cluster;
      },
      onEntry: () => {
        if (++entries >= step) throw new Reached();
      },
    });
    return cluster;
  } catch (error) {
    if (!(error instanceof Reached) || found.cluster === undefined) throw error;
    return found.cluster;
  }
}
