/** Which volumes pods want on which nodes, kept up as pods and claims change. Models: v1.24 pkg/controller/volume/attachdetach/cache desired_state_of_world.go. */
import type { PersistentVolumeClaim, Pod, VolumeAttachment } from '../../api/index.ts';
import type { CacheView, Delta } from '../../runtime/index.ts';
import { claimsOf } from '../volume-protection/controller.ts';

export interface Wanted {
  readonly startedAt: number;
  /** Pods that mount a claim, by the claim's key. */
  readonly byClaim: Map<string, Set<string>>;
  /** Claims by the volume they are bound to. */
  readonly claimOf: Map<string, string>;
  /** Attachments by volume. */
  readonly attachments: Map<string, Set<string>>;
}

export const createWanted = (startedAt: number): Wanted => ({ startedAt, byClaim: new Map(), claimOf: new Map(), attachments: new Map() });

const add = (map: Map<string, Set<string>>, key: string, member: string): void => { map.set(key, (map.get(key) ?? new Set()).add(member)); };

/** Keeps the state up with one delta. */
export function observeWanted(state: Wanted, { type, kind, key, object, old }: Delta): void {
  const gone = type === 'DELETED';
  if (kind === 'Pod') {
    const pod = object as Pod;
    if (pod.spec.volumes === undefined) return;
    for (const claim of claimsOf(pod)) if (gone) state.byClaim.get(claim)?.delete(key); else add(state.byClaim, claim, key);
  } else if (kind === 'PersistentVolumeClaim') {
    const before = (old as PersistentVolumeClaim | undefined)?.spec.volumeName;
    const { volumeName } = (object as PersistentVolumeClaim).spec;
    if (before !== undefined && (gone || before !== volumeName)) state.claimOf.delete(before);
    if (!gone && volumeName !== undefined && volumeName !== '') state.claimOf.set(volumeName, key);
  } else if (kind === 'VolumeAttachment') {
    const volume = (object as VolumeAttachment).spec.source.persistentVolumeName;
    if (volume === undefined) return;
    if (gone) state.attachments.get(volume)?.delete(key);
    else add(state.attachments, volume, key);
  }
}

/** Nothing of the pod runs any more on its node. */
const isOver = (pod: Pod): boolean => {
  if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') return true;
  if (pod.metadata.deletionTimestamp === undefined) return false;
  return (pod.status.containerStatuses ?? []).every(({ state }) => state.terminated !== undefined || state.waiting !== undefined) && pod.status.containerStatuses !== undefined;
};

/** Pods that want a volume, by node. */
export function wantedOn(state: Wanted, volume: string, cache: CacheView): ReadonlyMap<string, readonly Pod[]> {
  const nodes = new Map<string, Pod[]>();
  const claim = state.claimOf.get(volume);
  if (claim === undefined) return nodes;
  for (const key of state.byClaim.get(claim) ?? []) {
    const pod = cache.byKey('Pod', key);
    if (pod?.spec.nodeName === undefined || isOver(pod)) continue;
    nodes.set(pod.spec.nodeName, [...(nodes.get(pod.spec.nodeName) ?? []), pod]);
  }
  return nodes;
}
