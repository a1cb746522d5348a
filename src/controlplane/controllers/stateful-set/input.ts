/** The input of the StatefulSet controller, and its fields as far as their gates are on. */
import type { ControllerRevision, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';

/** What a sync has learned from live reads and refusals. */
export interface Known {
  /** Whether the server still has the set, and it is not being deleted. */
  readonly mayAdopt?: boolean;
  /** The number of name collisions of the update revision, not in the status yet. */
  readonly collisions?: number;
  /** The update revision, which the server has and the cache does not. */
  readonly found?: ControllerRevision;
  /** Errors of claims of the pod to create. */
  readonly claimErrors?: readonly string[];
}
export const NOTHING_KNOWN: Known = {};

/** The memory from sync to sync, lost with the process. */
export interface SetMemory {
  /** The set's resourceVersion when its last status was written: a cache that still has it is outdated. */
  readonly statusFrom?: string;
  /** How often a status update conflicted with one cached revision of the set. */
  readonly conflicts?: { readonly over: string; readonly times: number };
  /** When the set is reconciled because time has passed. */
  readonly lookAt?: number;
  /** Pods were missing or not available: reconciles continue every minReadySeconds until none are. */
  readonly lacks?: true;
  /** The knowledge of the sync in flight. */
  readonly known?: Known;
}

export type SetInput = ReconcileInput<StatefulSet, SetMemory>;

export const replicasOf = (set: StatefulSet): number => set.spec.replicas;
export const isDying = (set: StatefulSet): boolean => set.metadata.deletionTimestamp !== undefined;
/** Pods are created and deleted one at a time, each after its predecessor is available. */
export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
/** Pods with a lower ordinal keep the current revision. */
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

/** How long a pod has to be ready before it counts as available, milliseconds. */
export const minReadyMs = ({ self, gates }: Pick<SetInput, 'self' | 'gates'>): number =>
  gates['StatefulSetMinReadySeconds'] === true ? (self.spec.minReadySeconds ?? 0) * 1000 : 0;

export interface Retention {
  readonly whenDeleted: boolean;
  readonly whenScaled: boolean;
}
/** Whether claims are deleted with the set, and with a pod on scale-down; undefined: the gate is off, and claims are kept. */
export function retentionOf({ self, gates }: Pick<SetInput, 'self' | 'gates'>): Retention | undefined {
  if (gates['StatefulSetAutoDeletePVC'] !== true) return undefined;
  const policy = self.spec.persistentVolumeClaimRetentionPolicy;
  return { whenDeleted: policy?.whenDeleted === 'Delete', whenScaled: policy?.whenScaled === 'Delete' };
}
