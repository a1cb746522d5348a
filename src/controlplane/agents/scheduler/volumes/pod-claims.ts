/** The claims of a pod by the action that they need. Models: v1.24 volumebinding podHasPVCs, GetPodVolumes. */
import { keyOf } from '../../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import type { SchedulerView } from '../view.ts';
import { claimNameOf, classNameOf, isForPod, isFullyBound, type Claim } from './objects.ts';

export interface PodClaims {
  readonly bound: readonly Claim[];
  /** Claims with delayed binding: a volume is selected or provisioned for the pod's node. */
  readonly toBind: readonly Claim[];
  /** Claims with immediate binding that are not bound. */
  readonly unbound: readonly Claim[];
}

/** Whether a claim has delayed binding. */
function waitsForPod(claim: Claim, { cache, names }: SchedulerView): boolean {
  const name = classNameOf(claim, names);
  return name !== '' && cache.get('StorageClass', undefined, name)?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Why a claim makes the pod unschedulable on every node. */
function problemWith(pod: Pod, name: string, ephemeral: boolean, claim: Claim | undefined): string | undefined {
  if (claim === undefined)
    return ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  if (ephemeral && !isForPod(pod, claim)) return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
  return undefined;
}

/** The claims of a pod, the problem with one of them, or undefined when it has none. */
export function claimsOf(pod: Pod, view: SchedulerView): PodClaims | string | undefined {
  const found = new Map<string, Claim>();
  for (const volume of pod.spec.volumes ?? []) {
    const named = claimNameOf(pod, volume);
    if (named === undefined) continue;
    const claim = view.cache.get('PersistentVolumeClaim', pod.metadata.namespace, named.name);
    const problem = problemWith(pod, named.name, named.ephemeral, claim);
    if (problem !== undefined) return problem;
    if (claim !== undefined) found.set(named.name, claim);
  }
  if (found.size === 0) return undefined;
  const sorted = { bound: [] as Claim[], toBind: [] as Claim[], unbound: [] as Claim[] };
  for (const claim of found.values()) {
    if (isFullyBound(claim, view.names)) sorted.bound.push(claim);
    // A claim that names its volume is bound by the controller, independent of pods.
    else if ((claim.spec.volumeName ?? '') === '' && waitsForPod(claim, view)) sorted.toBind.push(claim);
    else sorted.unbound.push(claim);
  }
  return sorted;
}
