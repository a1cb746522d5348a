/** What the DaemonSet controller is given, what it keeps up of all sets, and what it remembers between syncs, lost with the process. */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import type { ReconcileInput } from '../../runtime/index.ts';
import type { StatusRetry } from '../../shared/index.ts';
import type { Backoffs } from './backoff.ts';
import type { View } from './view.ts';

/** What each set knows of the nodes, by the set's uid. */
export type Views = Map<string, View>;

export interface DaemonMemory extends StatusRetry {
  /** Nodes whose pods failed lately. */
  readonly backoffs?: Backoffs;
  /** Pods that the outcome being carried out creates. */
  readonly creates?: number;
}

/** What a sync has learned from the server: a revision that its cache does not show yet. */
export interface Known {
  readonly found?: ControllerRevision;
}

export type DaemonInput = ReconcileInput<DaemonSet, DaemonMemory, Views>;

export const isDying = ({ metadata }: DaemonSet): boolean => metadata.deletionTimestamp !== undefined;
export const minReadyMs = ({ spec }: DaemonSet): number => (spec.minReadySeconds ?? 0) * 1000;
