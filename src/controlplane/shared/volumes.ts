/**
 * Claims of pods, and names that the attach-detach controller, drivers and node agents share. Models: v1.24 pkg/volume/csi (unique names,
 * attachment names).
 */
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import type { CSIDriver, Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../apiserver/kinds/index.ts';
import { readLive, type Write } from '../runtime/index.ts';
import { type FeatureGates, type Names, storeKey } from '../../apiserver/machinery/index.ts';

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

/** Keys of the claims that a pod mounts. */
export const claimsOf = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name}-${name}`);
    return claim === undefined ? [] : [storeKey(pod.metadata.namespace, claim)];
  });

/** The class of a claim or a volume; '' for none. */
export const storageClassOf = ({ metadata, spec }: PersistentVolumeClaim | PersistentVolume, names: Names): string =>
  metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? spec.storageClassName ?? '';

/** Whether a volume refers to exactly this claim, or was made for one of its name. */
export const isBoundTo = ({ spec: { claimRef } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean =>
  claimRef?.name === metadata.name &&
  claimRef.namespace === metadata.namespace &&
  ((claimRef.uid ?? '') === '' || claimRef.uid === metadata.uid);
