/** What the StatefulSet controller is given, and what of it its gates let through. */
import type { ControllerRevision, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';

/** What a sync has learned from answers and refusals. */
export interface Known {
  /** Whether the server itself still has the set, and not as one being deleted. */
  readonly mayAdopt?: boolean;
  /** The name of the update's revision was taken by another one so many times; not yet in the status. */
  readonly collisions?: number;
  /** A revision the server has and the cache has not: the update's. */
  readonly found?: ControllerRevision;
  /** Claims of the pod being created that could not be had. */
  readonly claimErrors?: readonly string[];
}
export const NOTHING_KNOWN: Known = {};

/** What a sync leaves to the next, lost with the process. */
export interface SetMemory {
  /** The set's resourceVersion when its last status was written: a cache that still has that is behind. */
  readonly statusFrom?: string;
  /** How often a status met a conflict over one revision of the set in the cache. */
  readonly conflicts?: { readonly over: string; readonly times: number };
  /** When the set is looked at for the sake of time alone. */
  readonly lookAt?: number;
  /** Pods were missing or not available: looks go on, minReadySeconds apart, until they find none to be. */
  readonly lacks?: true;
  /** Of the sync that is being carried out. */
  readonly known?: Known;
}

export type SetInput = ReconcileInput<StatefulSet, SetMemory>;

export const replicasOf = (set: StatefulSet): number => set.spec.replicas;
export const isDying = (set: StatefulSet): boolean => set.metadata.deletionTimestamp !== undefined;
/** One pod at a time, each after the one before it is available. */
export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
/** Pods below it keep the current revision. */
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

/** How long a pod has to be ready before it counts as available. */
export const minReadyMs = ({ self, gates }: Pick<SetInput, 'self' | 'gates'>): number =>
  gates['StatefulSetMinReadySeconds'] === true ? (self.spec.minReadySeconds ?? 0) * 1000 : 0;

export interface Retention {
  readonly whenDeleted: boolean;
  readonly whenScaled: boolean;
}
/** Whether claims go with the set, and with a pod scaled away; undefined: its gate is off, and claims are left alone. */
export function retentionOf({ self, gates }: Pick<SetInput, 'self' | 'gates'>): Retention | undefined {
  if (gates['StatefulSetAutoDeletePVC'] !== true) return undefined;
  const policy = self.spec.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: policy?.whenDeleted === 'Delete', whenScaled: policy?.whenScaled === 'Delete' };
}
