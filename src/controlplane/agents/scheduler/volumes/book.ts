/**
 * Volumes and claims that are spoken for by pods just placed, until the server has it in writing. Models: v1.24 volumebinding assume_cache.
 */

/** What a pod's placement settles. */
export interface VolumePlan {
  /** Volumes found for claims. */
  readonly bindings: readonly { readonly volume: string; readonly claim: string }[];
  /** Claims to be provisioned for the node. */
  readonly provisions: readonly string[];
}

export interface VolumeBook {
  /** The claim that a volume is spoken for by. */
  claimOf(volume: string): string | undefined;
  /** The node that a claim is to be provisioned for. */
  nodeOf(claim: string): string | undefined;
  reserve(uid: string, node: string, plan: VolumePlan): void;
  release(uid: string): void;
  /** As plain data. */
  describe(): unknown;
}

/** Nothing spoken for. */
export function createVolumeBook(): VolumeBook {
  const plans = new Map<string, VolumePlan>();
  const volumes = new Map<string, string>();
  const claims = new Map<string, string>();
  return {
    claimOf: (volume) => volumes.get(volume),
    nodeOf: (claim) => claims.get(claim),
    reserve(uid, node, plan) {
      plans.set(uid, plan);
      for (const { volume, claim } of plan.bindings) volumes.set(volume, claim);
      for (const claim of plan.provisions) claims.set(claim, node);
    },
    release(uid) {
      const plan = plans.get(uid);
      if (plan === undefined) return;
      plans.delete(uid);
      for (const { volume } of plan.bindings) volumes.delete(volume);
      for (const claim of plan.provisions) claims.delete(claim);
    },
    describe: () => [plans, volumes, claims],
  };
}
