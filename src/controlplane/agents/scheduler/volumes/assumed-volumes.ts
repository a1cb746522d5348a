/** Volumes and claims that are assumed for pods just placed, until the server has them. Models: v1.24 volumebinding assume_cache. */

export interface VolumePlan {
  readonly bindings: readonly { readonly volume: string; readonly claim: string }[];
  readonly provisions: readonly string[];
}

export type AssumedVolumes = ReturnType<typeof createAssumedVolumes>;

export function createAssumedVolumes() {
  const plans = new Map<string, VolumePlan>();
  const volumes = new Map<string, string>();
  const claims = new Map<string, string>();
  return {
    claimOf: (volume: string): string | undefined => volumes.get(volume),
    /** The node for which a claim is assumed to be provisioned. */
    nodeOf: (claim: string): string | undefined => claims.get(claim),
    reserve(uid: string, node: string, plan: VolumePlan): void {
      plans.set(uid, plan);
      for (const { volume, claim } of plan.bindings) volumes.set(volume, claim);
      for (const claim of plan.provisions) claims.set(claim, node);
    },
    release(uid: string): void {
      const plan = plans.size === 0 ? undefined : plans.get(uid);
      if (plan === undefined) return;
      plans.delete(uid);
      for (const { volume } of plan.bindings) volumes.delete(volume);
      for (const claim of plan.provisions) claims.delete(claim);
    },
    describe: (): unknown => [plans, volumes, claims],
  };
}
