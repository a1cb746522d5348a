/** The input of the ReplicaSet controller, and its memory between syncs, which is lost with the process. */
import type { ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { StatusRetry } from '../../shared/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';

export interface SetMemory extends StatusRetry {
  /** Creates or deletes of the outcome in flight. */
  readonly planned?: { readonly creates: number; readonly deletes: number };
  /** The first refusal among them. */
  readonly error?: string;
}

export type SetInput = ReconcileInput<ReplicaSet, SetMemory>;

export const isDying = ({ metadata }: ReplicaSet): boolean => metadata.deletionTimestamp !== undefined;
export const minReadyMs = ({ spec }: ReplicaSet): number => (spec.minReadySeconds ?? 0) * 1000;
