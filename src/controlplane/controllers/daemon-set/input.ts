/**
 * The input of the DaemonSet controller, the state that it maintains for all sets, and its memory between syncs, which is lost with the
 * process.
 */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import type { StatusRetry } from '../../shared/index.ts';
import type { Backoffs } from './backoff.ts';
import type { View } from './view.ts';

/** The view of each set, by its uid. */
export type Views = Map<string, View>;

export interface DaemonMemory extends StatusRetry {
  /** Nodes whose pods failed recently. */
  readonly backoffs?: Backoffs;
  /** The number of pods that the outcome in flight creates. */
  readonly creates?: number;
}

/** The result of a live read: a revision that the cache does not show yet. */
export interface Known {
  readonly found?: ControllerRevision;
}

export type DaemonInput = ReconcileInput<DaemonSet, DaemonMemory, Views>;

export const isDying = ({ metadata }: DaemonSet): boolean => metadata.deletionTimestamp !== undefined;
export const minReadyMs = ({ spec }: DaemonSet): number => (spec.minReadySeconds ?? 0) * 1000;
