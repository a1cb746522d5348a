/** Claims, volumes, classes and drivers as scheduling reads them: the few fields that matter, read from the cache in one place. */
import { keyOf, type LabelSelector, type Names, type NodeSelector, type ObjectMeta } from '../../../../apiserver/vocabulary/index.ts';
import type { Node, Pod } from '../../../../apiserver/kinds/index.ts';
import type { CacheView } from '../../../runtime/index.ts';
import { nodeSelectorTerms } from '../plugins/node-selector.ts';

type Quantities = Readonly<Record<string, string>>;

export interface Claim {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly accessModes?: readonly string[];
    readonly selector?: LabelSelector;
    readonly resources?: { readonly requests?: Quantities };
    readonly volumeName?: string;
    readonly storageClassName?: string;
    readonly volumeMode?: string;
  };
  readonly status?: { readonly phase?: string };
}

export interface Volume {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly volumeMode?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly nodeAffinity?: { readonly required?: NodeSelector };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
    readonly [source: string]: unknown;
  };
  readonly status?: { readonly phase?: string };
}

export interface TopologyTerm {
  readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}

export interface StorageClass {
  readonly metadata: ObjectMeta;
  readonly provisioner: string;
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly TopologyTerm[];
}

export interface CsiNode {
  readonly spec?: { readonly drivers?: readonly { readonly name: string; readonly allocatable?: { readonly count?: number } }[] };
}
export interface CsiDriver {
  readonly spec?: { readonly storageCapacity?: boolean };
}
export interface StorageCapacity {
  readonly storageClassName: string;
  readonly capacity?: string;
  readonly maximumVolumeSize?: string;
  readonly nodeTopology?: LabelSelector;
}

interface Kinds {
  readonly PersistentVolumeClaim: Claim;
  readonly PersistentVolume: Volume;
  readonly StorageClass: StorageClass;
  readonly CSINode: CsiNode;
  readonly CSIDriver: CsiDriver;
  readonly CSIStorageCapacity: StorageCapacity;
}

/** One object. */
export const read = <K extends keyof Kinds>(cache: CacheView, kind: K, namespace: string | undefined, name: string): Kinds[K] | undefined =>
  cache.get<string>(kind, namespace, name) as unknown as Kinds[K] | undefined;
/** All objects of a kind. */
export const readAll = <K extends keyof Kinds>(cache: CacheView, kind: K): readonly Kinds[K][] =>
  cache.list<string>(kind) as readonly unknown[] as readonly Kinds[K][];

type PodVolume = NonNullable<Pod['spec']['volumes']>[number];

/** The claim a pod's volume stands for, if any. */
export interface ClaimName {
  readonly name: string;
  readonly ephemeral: boolean;
}

/** The name of a volume's claim; an ephemeral volume's is made from the pod's. */
export function claimNameOf(pod: Pod, volume: PodVolume): ClaimName | undefined {
  if (volume.persistentVolumeClaim !== undefined) return { name: volume.persistentVolumeClaim.claimName, ephemeral: false };
  return volume.ephemeral === undefined ? undefined : { name: `${pod.metadata.name}-${volume.name}`, ephemeral: true };
}

/** Whether a claim was made for this pod, as that of an ephemeral volume must be. */
export const isForPod = (pod: Pod, { metadata }: Claim): boolean =>
  metadata.ownerReferences?.some(({ uid, controller }) => controller === true && uid === pod.metadata.uid) === true;

/** The class of a claim or a volume; '' for none. */
export const classNameOf = ({ metadata, spec }: Claim | Volume, names: Names): string =>
  metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? spec.storageClassName ?? '';

/** Bound for good: named on both sides and marked so. */
export const isFullyBound = ({ metadata, spec }: Claim, names: Names): boolean =>
  (spec.volumeName ?? '') !== '' && metadata.annotations?.[names.key('pv', 'bind-completed')] !== undefined;

/** Whether a volume is reserved for a claim. */
export function isBoundTo({ spec: { claimRef } }: Volume, { metadata }: Claim): boolean {
  return (
    claimRef !== undefined &&
    claimRef.name === metadata.name &&
    claimRef.namespace === metadata.namespace &&
    ((claimRef.uid ?? '') === '' || claimRef.uid === metadata.uid)
  );
}

/** Whether a node is where a volume can be reached. */
export function isReachable({ spec }: Volume, node: Node): boolean {
  const required = spec.nodeAffinity?.required;
  return required === undefined || nodeSelectorTerms(required.nodeSelectorTerms)(node);
}

/** `namespace/name` of a claim. */
export const claimKey = (claim: Claim): string => keyOf(claim);
