/** Whether a pod's claims can be satisfied on a node, and how. Models: v1.24 volumebinding FindPodVolumes. */
import type { Node } from '../../../../apiserver/kinds/index.ts';
import { unresolvable, type Refusal } from '../plugin.ts';
import type { SchedulerView } from '../view.ts';
import type { VolumePlan } from './assumed-volumes.ts';
import { offersFor, pickVolume, requestOf, type Offers } from './matching.ts';
import { claimKey, isReachable, type Claim } from './objects.ts';
import type { PodClaims } from './pod-claims.ts';
import { provisioningFor, type Provisioning } from './provisioning.ts';

const NOT_REACHABLE = 'node(s) had volume node affinity conflict';
const NOTHING_TO_BIND = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const VOLUME_GONE = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** Volume decisions for one pod, node by node. */
export interface PodBinder {
  on(node: Node): VolumePlan | Refusal;
}

function boundProblem(claims: readonly Claim[], node: Node, { cache }: SchedulerView): string | undefined {
  for (const { spec } of claims) {
    const volume = cache.get('PersistentVolume', undefined, spec.volumeName ?? '');
    if (volume === undefined) return VOLUME_GONE;
    if (!isReachable(volume, node)) return NOT_REACHABLE;
  }
  return undefined;
}

/** Prepares the decisions: volumes are searched once, not once per node. */
export function binderFor({ bound, toBind }: PodClaims, view: SchedulerView): PodBinder {
  const selectedNode = view.names.key('volume', 'selected-node');
  const chosenNode = (claim: Claim): string | undefined =>
    view.volumes.nodeOf(claimKey(claim)) ?? claim.metadata.annotations?.[selectedNode];
  const chosen = toBind.filter((claim) => chosenNode(claim) !== undefined);
  const open = toBind.filter((claim) => chosenNode(claim) === undefined).sort((a, b) => requestOf(a) - requestOf(b));
  let offers: readonly Offers[] | undefined;
  const provisioning = new Map<Claim, (node: Node) => Provisioning>();
  const provisioningOf = (claim: Claim, node: Node): Provisioning => {
    let on = provisioning.get(claim);
    if (on === undefined) provisioning.set(claim, (on = provisioningFor(claim, view)));
    return on(node);
  };

  const serve = (node: Node): VolumePlan | string | { readonly error: string } => {
    if (chosen.some((claim) => chosenNode(claim) !== node.metadata.name)) return NOTHING_TO_BIND;
    const bindings: { volume: string; claim: string }[] = [];
    const taken = new Set<string>();
    const toProvision = [...chosen];
    offers ??= open.map((claim) => offersFor(claim, view));
    for (const offer of offers) {
      const volume = pickVolume(offer, node, taken);
      if (volume === undefined) {
        toProvision.push(offer.claim);
        continue;
      }
      taken.add(volume.metadata.name);
      bindings.push({ volume: volume.metadata.name, claim: claimKey(offer.claim) });
    }
    for (const claim of toProvision) {
      const possible = provisioningOf(claim, node);
      if (typeof possible === 'object') return possible;
      if (possible === 'impossible') return NOTHING_TO_BIND;
      if (possible === 'no capacity') return NO_SPACE;
    }
    return { bindings, provisions: toProvision.map(claimKey) };
  };

  return {
    on(node) {
      const problems: string[] = [];
      const problem = boundProblem(bound, node, view);
      if (problem !== undefined) problems.push(problem);
      const plan = serve(node);
      if (typeof plan === 'string') problems.push(plan);
      else if ('error' in plan) return { code: 'error', reasons: [plan.error] };
      else if (problem === undefined) return plan;
      return unresolvable(...problems);
    },
  };
}
