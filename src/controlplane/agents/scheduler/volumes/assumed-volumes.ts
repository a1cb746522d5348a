/** Volumes and claims that are assumed for pods just placed, until the server has them. Models: v1.24 volumebinding assume_cache. */

/** The volume decisions of a placement. */
export interface VolumePlan {
  /** Volumes found for claims. */
  readonly bindings: readonly { readonly volume: string; readonly claim: string }[];
  /** Claims to be provisioned for the node. */
  readonly provisions: readonly string[];
}

export interface AssumedVolumes {
  /** The claim for which a volume is assumed. */
  claimOf(volume: string): string | undefined;
  /** The node for which a claim is assumed to be provisioned. */
  nodeOf(claim: string): string | undefined;
  reserve(uid: string, node: string, plan: VolumePlan): void;
  release(uid: string): void;
  /** The assumed volumes as plain data. */
  describe(): unknown;
}

/** Nothing assumed. */
export function createAssumedVolumes(): AssumedVolumes {
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
