/** The nodes on which pods are put because a scenario says so, as in the replay of an incident: the n-th pod that is bound gets the n-th node. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { selectionOf } from '../../shared/index.ts';
import type { PodBehavior } from '../specs.ts';

export class Placements {
  private readonly find: (pod: Pod) => PodBehavior | undefined;
  /** How many pods were put, by behaviour. */
  private readonly counts = new Map<PodBehavior, number>();

  constructor(behaviors: readonly PodBehavior[]) {
    this.find = selectionOf(behaviors);
  }

  /** The node for the next pod like this one; undefined: none is stated. */
  next(pod: Pod): string | undefined {
    const behavior = this.find(pod);
    return behavior?.nodes?.[this.counts.get(behavior) ?? 0];
  }

  /** A pod was put somewhere, on the stated node or, where that was not feasible, on another. */
  put(pod: Pod): void {
    const behavior = this.find(pod);
    if (behavior?.nodes !== undefined) this.counts.set(behavior, (this.counts.get(behavior) ?? 0) + 1);
  }

  describe(): unknown {
    return [...this.counts.values()];
  }
}

/** Returns the placements of behaviours; undefined: none states a node. */
export const placementsOf = (behaviors: readonly PodBehavior[] = []): Placements | undefined =>
  behaviors.some(({ nodes }) => nodes !== undefined) ? new Placements(behaviors) : undefined;
