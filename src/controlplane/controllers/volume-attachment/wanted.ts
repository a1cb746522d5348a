/**
 * The volumes that pods need, by node, updated as pods and claims change. Models: v1.24 pkg/controller/volume/attachdetach/cache
 * desired_state_of_world.go.
 */
import { keptIn, removeFrom, addTo } from '../../../schema/values/index.ts';
import { attachesItself, claimsOf } from '../../shared/index.ts';
import type { Node, PersistentVolume, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { observing, type CacheView, type Delta } from '../../runtime/index.ts';

export type Wanted = ReturnType<typeof createWanted>;

export const createWanted = (startedAt: number) => ({
  startedAt,
  /** Pods that mount a claim, by the claim's key. */
  byClaim: new Map<string, Set<string>>(),
  /** Claims by the volume that they are bound to; a claim that only names a volume does not count. */
  claimOf: new Map<string, string>(),
  /** Attachments by volume. */
  attachments: new Map<string, Set<string>>(),
  /** Volumes by `driver^handle`, the end of the name in node statuses; kept while attachments outlive the PersistentVolume. */
  byHandle: new Map<string, Set<string>>(),
  /** `driver^handle` of deleted volumes that are still attached. */
  orphans: new Map<string, string>(),
  /** Nodes that list a volume as attached, by `driver^handle`. */
  listedOn: new Map<string, Set<string>>(),
});

export const handleOf = ({ driver, handle }: { readonly driver: string; readonly handle: string }): string => `${driver}^${handle}`;
const handleIn = (volume: PersistentVolume | undefined): string | undefined => {
  const csi = volume?.spec.csi;
  return csi === undefined ? undefined : handleOf({ driver: csi.driver, handle: csi.volumeHandle });
};
/** `driver^handle` of the volumes that a node lists as attached. */
const handlesListed = (node: Node | undefined): readonly string[] =>
  (node?.status.volumesAttached ?? []).map(({ name }) => name.slice(name.lastIndexOf('/', name.indexOf('^')) + 1));

function observeVolume({ byHandle, orphans, attachments }: Wanted, { type, key, object, old }: Delta<'PersistentVolume'>): void {
  const now = handleIn(object);
  if (type === 'DELETED') {
    if (now === undefined) return;
    if (attachments.has(key)) orphans.set(key, now);
    else removeFrom(byHandle, now, key);
    return;
  }
  const before = orphans.get(key) ?? handleIn(old);
  orphans.delete(key);
  if (before !== undefined && before !== now) removeFrom(byHandle, before, key);
  if (now !== undefined) addTo(byHandle, now, key);
}

function observeNode({ listedOn }: Wanted, { type, key, object: node, old: before }: Delta<'Node'>): void {
  if (type === 'MODIFIED' && node.status.volumesAttached === before?.status.volumesAttached) return;
  for (const handle of handlesListed(before)) removeFrom(listedOn, handle, key);
  if (type !== 'DELETED') for (const handle of handlesListed(node)) addTo(listedOn, handle, key);
}

function observePod({ byClaim }: Wanted, { type, key, object: pod }: Delta<'Pod'>): void {
  for (const claim of claimsOf(pod))
    if (type === 'DELETED') removeFrom(byClaim, claim, key);
    else addTo(byClaim, claim, key);
}

function observeClaim({ claimOf }: Wanted, { type, key, object: { spec, status }, old }: Delta<'PersistentVolumeClaim'>): void {
  const gone = type === 'DELETED';
  const { volumeName } = spec;
  const before = old?.spec.volumeName;
  const left = gone ? volumeName : before === volumeName ? undefined : before;
  if (left !== undefined && claimOf.get(left) === key) claimOf.delete(left);
  if (!gone && volumeName !== undefined && volumeName !== '' && status.phase === 'Bound') claimOf.set(volumeName, key);
}

function observeAttachment({ attachments, orphans, byHandle }: Wanted, { type, key, object }: Delta<'VolumeAttachment'>): void {
  const volume = object.spec.source.persistentVolumeName;
  if (volume === undefined) return;
  if (type !== 'DELETED') {
    addTo(attachments, volume, key);
    return;
  }
  removeFrom(attachments, volume, key);
  const handle = orphans.get(volume);
  if (handle === undefined || attachments.has(volume)) return;
  orphans.delete(volume);
  removeFrom(byHandle, handle, volume);
}

export const observeWanted = observing<Wanted>({
  Pod: (delta, { state }) => observePod(state, delta),
  PersistentVolumeClaim: (delta, { state }) => observeClaim(state, delta),
  PersistentVolume: (delta, { state }) => observeVolume(state, delta),
  Node: (delta, { state }) => observeNode(state, delta),
  VolumeAttachment: (delta, { state }) => observeAttachment(state, delta),
});

/** No container of the pod runs any more. */
const isOver = (pod: Pod): boolean => {
  if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  return (pod.status.containerStatuses ?? []).every(({ state }) => state.terminated !== undefined || state.waiting !== undefined);
};

export function isAttachedByAgent(node: string, cache: CacheView, names: Names): boolean {
  const found = cache.get('Node', undefined, node);
  return found !== undefined && attachesItself(found, names);
}

export function wantedOn(state: Wanted, volume: string, cache: CacheView, names: Names): ReadonlyMap<string, readonly Pod[]> {
  const nodes = new Map<string, Pod[]>();
  const claim = state.claimOf.get(volume);
  if (claim === undefined) return nodes;
  for (const key of state.byClaim.get(claim) ?? []) {
    const pod = cache.byKey('Pod', key);
    if (pod?.spec.nodeName === undefined || isOver(pod) || isAttachedByAgent(pod.spec.nodeName, cache, names)) continue;
    keptIn(nodes, pod.spec.nodeName, () => new Array<Pod>()).push(pod);
  }
  return nodes;
}

/** Volumes that the node lists as attached, which may wait to be released, and for a new node those that its pods need. */
export function volumesOn(state: Wanted, node: Node, before: Node | undefined, cache: CacheView): readonly string[] {
  const volumes = handlesListed(before ?? node).flatMap((handle) => [...(state.byHandle.get(handle) ?? [])]);
  if (before !== undefined) return volumes;
  return [...new Set([...volumes, ...cache.by('Pod', 'nodeName', node.metadata.name).flatMap((pod) => volumesOf(pod, cache))])];
}

export const volumesOf = (pod: Pod, cache: CacheView): readonly string[] =>
  claimsOf(pod).flatMap((claim) => {
    const name = cache.byKey('PersistentVolumeClaim', claim)?.spec.volumeName;
    return name === undefined || name === '' ? [] : [name];
  });
