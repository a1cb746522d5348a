/**
 * Pods that have a node and wait for their claims (PreBind), and the volumes and claims that are assumed for pods just placed, until the
 * server has them. Models: v1.24 volumebinding assume_cache.
 */
import { addTo, removeFrom } from '../../../../schema/values/index.ts';
import type { PodInfo } from '../node-info.ts';

export interface VolumePlan {
  readonly bindings: readonly { readonly volume: string; readonly claim: string }[];
  readonly provisions: readonly string[];
}

export interface WaitingForVolumes {
  readonly info: PodInfo;
  readonly node: string;
  readonly since: number;
  readonly plan: VolumePlan;
  /** Keys of the claims, with their resourceVersions at the time of the plan. */
  readonly claims: ReadonlyMap<string, string>;
}

export class AssumedVolumes {
  /** Pods whose claims are not bound yet, by key. */
  readonly waiting = new Map<string, WaitingForVolumes>();
  private readonly byClaim = new Map<string, Set<WaitingForVolumes>>();
  /** All pods with assumed volumes, by uid: until they are observed on their nodes. */
  readonly plans = new Map<string, WaitingForVolumes>();
  private readonly claimsOf = new Map<string, string>();
  private readonly nodesOf = new Map<string, string>();

  claimOf(volume: string): string | undefined {
    return this.claimsOf.get(volume);
  }

  /** The node for which a claim is assumed to be provisioned. */
  nodeOf(claim: string): string | undefined {
    return this.nodesOf.get(claim);
  }

  waitingFor(claim: string): Iterable<WaitingForVolumes> {
    return this.byClaim.get(claim) ?? [];
  }

  reserve(pod: WaitingForVolumes): void {
    const { info, node, plan, claims } = pod;
    this.plans.set(info.uid, pod);
    this.waiting.set(info.key, pod);
    for (const claim of claims.keys()) addTo(this.byClaim, claim, pod);
    for (const { volume, claim } of plan.bindings) this.claimsOf.set(volume, claim);
    for (const claim of plan.provisions) this.nodesOf.set(claim, node);
  }

  /** The claims of a pod are bound. */
  bound(pod: WaitingForVolumes): void {
    if (this.waiting.get(pod.info.key) === pod) this.waiting.delete(pod.info.key);
    for (const claim of pod.claims.keys()) removeFrom(this.byClaim, claim, pod);
  }

  release(uid: string): void {
    const pod = this.plans.get(uid);
    if (pod === undefined) return;
    this.plans.delete(uid);
    this.bound(pod);
    for (const { volume } of pod.plan.bindings) this.claimsOf.delete(volume);
    for (const claim of pod.plan.provisions) this.nodesOf.delete(claim);
  }

  /** Of a pod whose claims are bound only the plan and its node count: states that differ in its past are equal. */
  describe(): unknown {
    return [new Map([...this.plans].map(([uid, { node, plan }]) => [uid, [node, plan]])), this.waiting];
  }
}
