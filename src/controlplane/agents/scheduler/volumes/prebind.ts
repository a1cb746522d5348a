/**
 * PreBind of volumes, before a pod is bound: volumes that were found are reserved for its claims, the other claims get the annotation of
 * the selected node, and then the pod waits. Models: v1.24 volumebinding Reserve, PreBind (BindPodVolumes, checkBindings).
 */
import { splitKey } from '../../../../apiserver/machinery/index.ts';
import { mergePatch, type Write } from '../../../runtime/index.ts';
import type { PodInfo } from '../node-info.ts';
import type { SchedulerView } from '../plugin.ts';
import { binderFor, claimsOf } from './matching.ts';
import type { VolumePlan, WaitingForVolumes } from './assumed-volumes.ts';
import { isFullyBound, isReachable } from './objects.ts';

/** Upstream polls once a second, for ten minutes. */
const POLL_MS = 1_000;
const TIMEOUT_MS = 600_000;

export function waitFor(info: PodInfo, node: string, plan: VolumePlan, since: number, { cache }: SchedulerView): WaitingForVolumes {
  const claims = new Map<string, string>();
  for (const key of [...plan.bindings.map(({ claim }) => claim), ...plan.provisions]) {
    const { namespace, name } = splitKey(key);
    claims.set(key, cache.get('PersistentVolumeClaim', namespace, name)?.metadata.resourceVersion ?? '');
  }
  return { info, node, since, plan, claims };
}

export function planVolumes({ pod }: PodInfo, nodeName: string, view: SchedulerView): VolumePlan | undefined {
  const claims = claimsOf(pod, view);
  const node = view.model.node(nodeName)?.node;
  if (claims === undefined || typeof claims === 'string' || claims.toBind.length === 0 || node === undefined) return undefined;
  const plan = binderFor(claims, view)(node);
  return 'code' in plan ? undefined : plan;
}

export function volumeWrites({ bindings, provisions }: VolumePlan, node: string, { cache, names }: SchedulerView): readonly Write[] {
  const writes: Write[] = [];
  const patch = (kind: string, metadata: { readonly name: string; readonly namespace?: string }, body: unknown): void =>
    void writes.push(mergePatch({ kind, metadata }, body, { tolerate: [] }));
  for (const { volume, claim } of bindings) {
    const { namespace, name } = splitKey(claim);
    const found = cache.get('PersistentVolumeClaim', namespace, name);
    const before = cache.get('PersistentVolume', undefined, volume);
    if (found === undefined || before?.spec.claimRef?.uid === found.metadata.uid) continue;
    const { uid, resourceVersion } = found.metadata;
    patch(
      'PersistentVolume',
      { name: volume },
      {
        metadata: { resourceVersion: before?.metadata.resourceVersion, annotations: { [names.key('pv', 'bound-by-controller')]: 'yes' } },
        spec: { claimRef: { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion } },
      },
    );
  }
  const key = names.key('volume', 'selected-node');
  for (const claim of provisions) {
    const { namespace, name } = splitKey(claim);
    const found = cache.get('PersistentVolumeClaim', namespace, name);
    if (found === undefined || namespace === undefined) continue;
    const { resourceVersion } = found.metadata;
    patch('PersistentVolumeClaim', { namespace, name }, { metadata: { resourceVersion, annotations: { [key]: node } } });
  }
  return writes;
}

export const nextPoll = ({ since }: WaitingForVolumes, at: number): number =>
  since + Math.max(1, Math.ceil((at - since) / POLL_MS)) * POLL_MS;
/** When a wait for claims is given up, milliseconds since the epoch. */
export const timeoutOf = ({ since }: WaitingForVolumes): number => since + TIMEOUT_MS;

/** The progress of a plan: all bound, still waiting, or why it has failed. */
export function progress(
  { node: nodeName, plan, claims, since }: WaitingForVolumes,
  now: number,
  { cache, names, model }: SchedulerView,
): 'bound' | 'waiting' | { readonly error: string } {
  let bound = true;
  for (const [key, version] of claims) {
    const { namespace, name } = splitKey(key);
    const claim = cache.get('PersistentVolumeClaim', namespace, name);
    if (claim === undefined) return { error: `failed to get PVC "${key}" from cache: persistentvolumeclaim "${name}" not found` };
    const selected = claim.metadata.annotations?.[names.key('volume', 'selected-node')];
    // A provisioner removes the annotation when it cannot provision on that node.
    if (plan.provisions.includes(key) && claim.metadata.resourceVersion !== version && selected !== nodeName)
      return { error: `provisioning failed for PVC "${name}"` };
    const volume = isFullyBound(claim, names) ? cache.get('PersistentVolume', undefined, claim.spec.volumeName ?? '') : undefined;
    const node = model.node(nodeName)?.node;
    if (volume === undefined) bound = false;
    else if (node !== undefined && !isReachable(volume, node))
      return { error: `pv "${volume.metadata.name}" node affinity doesn't match node "${nodeName}": no matching NodeSelectorTerms` };
  }
  if (bound) return 'bound';
  return now >= since + TIMEOUT_MS ? { error: 'timed out waiting for the condition' } : 'waiting';
}
