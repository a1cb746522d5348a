/**
 * Reclaims a volume whose claim is gone. The driver deletes the volumes that it provisioned; the control plane itself can delete or recycle
 * only few other sources. Models: v1.24 pkg/controller/volume/persistentvolume reclaimVolume. Omits: the pods that recycle NFS and host
 * paths.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume } from '../../../apiserver/kinds/index.ts';

export type Reclaim =
  | { readonly does: 'keep'; readonly why: string }
  | { readonly does: 'delete'; readonly why: string }
  | { readonly does: 'fail'; readonly reason: string; readonly message: string };

const keep = (why: string): Reclaim => ({ does: 'keep', why });

/** Host paths that may be deleted with the volume. */
const TEMPORARY = /\/tmp\/.+/;

function deletion({ metadata: { name, annotations }, spec: { hostPath } }: PersistentVolume, names: Names): Reclaim {
  if (annotations?.[names.key('pv', 'provisioned-by')] !== undefined) return keep('its driver is to delete it');
  const failing = (message: string): Reclaim => ({ does: 'fail', reason: 'VolumeFailedDelete', message });
  if (hostPath === undefined)
    return failing(`error getting deleter volume plugin for volume "${name}": no deletable volume plugin matched`);
  return TEMPORARY.test(hostPath.path)
    ? { does: 'delete', why: 'what it holds was deleted' }
    : failing(`host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`);
}

/** Decides what happens to a released volume. */
export function reclaim(volume: PersistentVolume, names: Names): Reclaim {
  const { persistentVolumeReclaimPolicy: policy, hostPath, nfs } = volume.spec;
  switch (policy) {
    case 'Delete':
      return deletion(volume, names);
    case 'Recycle':
      return hostPath !== undefined || nfs !== undefined
        ? keep('it is to be recycled')
        : { does: 'fail', reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' };
    default:
      return keep('its claim is gone, and its reclaim policy is Retain');
  }
}
