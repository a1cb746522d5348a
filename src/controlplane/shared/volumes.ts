/**
 * Claims of pods, and names that the attach-detach controller, drivers and node agents share. Models: v1.24 pkg/volume/csi (unique names,
 * attachment names).
 */
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { CSIDriver, Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../apiserver/kinds/index.ts';
import { readLive, type Write } from '../runtime/index.ts';
import { controllerOf, type FeatureGates, type Names, storeKey } from '../../apiserver/machinery/index.ts';

/** `kubernetes.io/csi/<driver>^<handle>`: what nodes report as attached and in use. */
export const uniqueVolumeName = (names: Names, driver: string, handle: string): string => `${names.key('', 'csi')}/${driver}^${handle}`;

export const driverProcess = (driver: string): string => `storage-driver/${driver}`;

export const attachmentName = (handle: string, driver: string, node: string): string =>
  `csi-${bytesToHex(sha256(utf8ToBytes(`${handle}${driver}${node}`)))}`;

export const attacherFinalizer = (driver: string): string => `external-attacher/${driver.replaceAll('.', '-')}`;

/** By it a node's agent says which component attaches its volumes. Upstream checks only whether it exists, and every agent writes it. */
export const attachDetachKey = (names: Names): string => names.key('volumes', 'controller-managed-attach-detach');

/** Whether the agent attaches the node's volumes, instead of the attach-detach controller. Without the annotation the controller does. */
export const attachesItself = ({ metadata: { annotations } }: Node, names: Names): boolean =>
  annotations?.[attachDetachKey(names)] === 'false';

/** Whether volumes of a driver are attached before they are mounted: a driver may opt out, where the gate is on. */
export const mustAttach = (driver: CSIDriver | undefined, gates: FeatureGates): boolean =>
  gates['CSIDriverRegistry'] === false || driver?.spec.attachRequired !== false;

/** Reads a volume from the API server: a stale cache must not decide a deletion. */
export const askForVolume = (volume: PersistentVolume): Write => readLive(volume, { tolerate: ['NotFound'] });

type PodVolume = NonNullable<Pod['spec']['volumes']>[number];

/** The claim of a volume: that of an ephemeral volume is named after the pod. undefined: it has none. */
export const claimNameOf = ({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: PodVolume): string | undefined =>
  persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${metadata.name}-${name}`);

/** Whether a claim belongs to this pod, as the claim of an ephemeral volume must. */
export const isForPod = (pod: Pod, claim: PersistentVolumeClaim): boolean => controllerOf(claim)?.uid === pod.metadata.uid;

/** Keys of the claims that a pod mounts. */
export const claimsOf = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    const claim = claimNameOf(pod, volume);
    return claim === undefined ? [] : [storeKey(pod.metadata.namespace, claim)];
  });

/** The class of a claim or a volume; '' for none. */
export const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume, names: Names): string =>
  metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? spec.storageClassName ?? '';

/** Whether the claimRef of a volume is this claim: by its uid, or by its name where it has no uid. */
export const isBoundTo = ({ spec: { claimRef } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean =>
  claimRef?.name === metadata.name &&
  claimRef.namespace === metadata.namespace &&
  ((claimRef.uid ?? '') === '' || claimRef.uid === metadata.uid);
