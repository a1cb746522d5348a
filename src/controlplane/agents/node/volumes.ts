/** Volumes of pods on a node: which must be attached before containers start, and which the node says it uses. Models: v1.24 pkg/kubelet/volumemanager. Simplified: mounting takes no time. */
import type { CSIDriver, Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../apiserver/kinds/index.ts';
import { type Names, storeKey } from '../../../apiserver/vocabulary/index.ts';
import { uniqueVolumeName } from '../../shared/index.ts';
import type { World } from './machine.ts';

export interface PodVolume {
  readonly name: string;
  readonly mustAttach: boolean;
}

/** The driver volumes of a pod; undefined while a claim is not bound. The agent asks the server for claims and volumes, as the real one does. */
export function volumesOf(pod: Pod, world: World, names: Names): readonly PodVolume[] | undefined {
  const found: PodVolume[] = [];
  for (const { name, persistentVolumeClaim, ephemeral } of pod.spec.volumes ?? []) {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`);
    if (claimName === undefined) continue;
    const claim = world.read('PersistentVolumeClaim', storeKey(pod.metadata.namespace, claimName)) as PersistentVolumeClaim | undefined;
    if (claim?.spec.volumeName === undefined || claim.status.phase !== 'Bound') return undefined;
    const csi = (world.read('PersistentVolume', claim.spec.volumeName) as PersistentVolume | undefined)?.spec.csi;
    if (csi === undefined) continue;
    const described = world.read('CSIDriver', csi.driver) as CSIDriver | undefined;
    found.push({ name: uniqueVolumeName(names, csi.driver, csi.volumeHandle), mustAttach: described?.spec.attachRequired !== false });
  }
  return found;
}

/**
 * Whether everything the pod mounts may be mounted, as the node's status says: attached, and stated to be in use first. Whoever detaches
 * looks at what is in use, so of two who act at once one sees the other.
 */
export function mayMount(volumes: readonly PodVolume[], node: Node | undefined): boolean {
  const used: readonly string[] = node?.status.volumesInUse ?? [];
  const attached: readonly { readonly name: string }[] = node?.status.volumesAttached ?? [];
  return volumes.every(({ name, mustAttach }) => !mustAttach || (used.includes(name) && attached.some((one) => one.name === name)));
}
