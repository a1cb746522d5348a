/**
 * Updates the phase of volumes. Models: v1.24 pkg/controller/volume/persistentvolume syncVolume. Drivers delete released volumes (see
 * agents/storage-driver).
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, isOf, observing, readLive, record, remove, watch, write } from '../../runtime/index.ts';
import type { Outcome, Write } from '../../runtime/index.ts';
import { askForVolume, mergePatch } from '../../shared/index.ts';
import { createCandidates, nextResync, observeCandidates, type Candidates } from './candidates.ts';

const setPhase = (volume: PersistentVolume, phase: string, why: string): Outcome<null> => {
  const { metadata, status } = volume;
  if (status.phase === phase) return idle(why);
  // A released volume is reclaimed: that is said only of the volume as last seen.
  const patch = { ...(phase === 'Released' ? { metadata: { resourceVersion: metadata.resourceVersion } } : {}), status: { phase } };
  return write(why, mergePatch(volume, patch, { subresource: 'status', tolerate: ['NotFound'] }));
};

/** The claim has another volume. A provisioned volume is deleted; any other becomes available, or waits for its claim. */
function unbind(volume: PersistentVolume, names: Names): Outcome<null> {
  const { annotations = {}, resourceVersion } = volume.metadata;
  if (annotations[names.key('pv', 'provisioned-by')] !== undefined && volume.spec.persistentVolumeReclaimPolicy === 'Delete') {
    return volume.status.phase === 'Failed'
      ? idle('its claim has another volume; reclaiming failed')
      : setPhase(volume, 'Released', 'its claim has another volume');
  }
  const byController = names.key('pv', 'bound-by-controller');
  const patch =
    annotations[byController] === undefined
      ? { metadata: { resourceVersion }, spec: { claimRef: { uid: null } } }
      : { metadata: { resourceVersion, annotations: { [byController]: null } }, spec: { claimRef: null } };
  // Its phase follows from the rest of the claimRef.
  return write('its claim has another volume: it is free again', mergePatch(volume, patch));
}

/** Its claim is gone. */
function release(volume: PersistentVolume, names: Names): Outcome<null> {
  const { phase } = volume.status;
  if (phase === 'Failed') return idle('its claim is gone; reclaiming failed');
  if (phase !== 'Released') return setPhase(volume, 'Released', 'its claim is gone');
  const next = reclaim(volume, names);
  if (next.does === 'keep') return idle(next.why);
  if (next.does === 'delete')
    return volume.metadata.deletionTimestamp === undefined
      ? write('its claim is gone and its policy is Delete: read it from the API server', askForVolume(volume))
      : idle('it is being deleted');
  const { reason, message } = next;
  const failed = mergePatch(volume, { status: { phase: 'Failed', message } }, { subresource: 'status' });
  return write('it cannot be reclaimed', failed, record(volume, 'Warning', reason, message));
}

/** Deletes a released volume as the server has it, unless it has been freed or bound meanwhile. Models: deleteVolumeOperation. */
function deleteReleased(volume: PersistentVolume, latest: PersistentVolume | undefined, names: Names): Outcome<null> {
  if (latest === undefined || latest.metadata.deletionTimestamp !== undefined) return idle('it is gone or going');
  if (latest.spec.claimRef?.uid !== volume.spec.claimRef?.uid) return idle('it no longer belongs to that claim');
  const next = reclaim(latest, names);
  return next.does === 'delete' ? write(next.why, remove(latest)) : idle('its reclaim policy has changed');
}

export const volumeBinder = defineController<'PersistentVolume', null, Candidates>({
  name: 'volume-binder',
  component: 'persistentvolume-controller',
  reconciles: 'PersistentVolume',
  writes: ['PersistentVolume'],
  models:
    'v1.24 pkg/controller/volume/persistentvolume, volumes; reads a claim that seems to be gone, and a volume before it is deleted, from the API server. Omits: recycler pods.',
  watches: [
    watch('PersistentVolumeClaim', ({ type, key, object, old }, { state, elapsed }) => {
      const named = [...new Set([object.spec.volumeName, old?.spec.volumeName])].flatMap((name) =>
        name === undefined || name === '' ? [] : [name],
      );
      if (type !== 'DELETED' || named.length > 0) return named;
      // A claim was deleted before it named its provisioned volume: only the next resync handles that.
      return [...(state.made.get(key) ?? [])].map((name) => ({ key: name, afterMs: nextResync(elapsed) - elapsed }));
    }),
  ],
  start: createCandidates,
  observe: observing({ PersistentVolume: (delta, { state, names }) => observeCandidates(state, delta, names) }),
  reconcile({ self: volume, cache, names }): Outcome<null> {
    const { claimRef } = volume.spec;
    const { phase } = volume.status;
    if (claimRef === undefined) return setPhase(volume, 'Available', 'it is bound to no claim');
    if (claimRef.uid === undefined || claimRef.uid === '') return setPhase(volume, 'Available', 'waiting for the claim it was made for');
    const claim = cache.get('PersistentVolumeClaim', claimRef.namespace, claimRef.name ?? '');
    // A wrong decision here would lose data, so a cache that lags, or was filled from an old list, must not decide.
    const believed = claim === undefined ? phase === 'Released' || phase === 'Failed' : claim.metadata.uid === claimRef.uid;
    return believed ? follow(volume, claim, names) : write('its claim seems to be gone: read it from the API server', readClaim(claimRef));
  },
  // A volume that was released during the live read has been enqueued again.
  resume({ self: volume, names }, { write: asked, object }) {
    if (volume === undefined || (volume.spec.claimRef?.uid ?? '') === '') return idle('it no longer belongs to a claim');
    return asked.op === 'get' && asked.kind === 'PersistentVolume'
      ? deleteReleased(volume, isOf('PersistentVolume', object) ? object : undefined, names)
      : follow(volume, isOf('PersistentVolumeClaim', object) ? object : undefined, names);
  },
});

const readClaim = ({ namespace = '', name = '' }: NonNullable<PersistentVolume['spec']['claimRef']>): Write =>
  readLive({ kind: 'PersistentVolumeClaim', metadata: { namespace, name } }, { tolerate: ['NotFound'] });

function follow(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined, names: Names): Outcome<null> {
  if (claim === undefined || claim.metadata.uid !== volume.spec.claimRef?.uid) return release(volume, names);
  if (claim.spec.volumeName === volume.metadata.name) return setPhase(volume, 'Bound', 'it is bound to its claim');
  if (claim.spec.volumeName === undefined || claim.spec.volumeName === '')
    return setPhase(volume, 'Bound', 'its claim is being bound to it');
  return unbind(volume, names);
}

/**
 * Reclaims a volume whose claim is gone. The driver deletes the volumes that it provisioned; the control plane itself can delete or recycle
 * only few other sources. Models: v1.24 pkg/controller/volume/persistentvolume reclaimVolume. Omits: the pods that recycle NFS and host
 * paths.
 */
type Reclaim =
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

function reclaim(volume: PersistentVolume, names: Names): Reclaim {
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
