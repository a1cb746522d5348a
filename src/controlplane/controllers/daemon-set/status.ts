/** The status of a DaemonSet. Models: v1.24 pkg/controller/daemon updateDaemonSetStatus, storeDaemonSetStatus. */
import type { DaemonSet, DaemonSetStatus } from '../../../apiserver/kinds/index.ts';
import { minReadyMs } from './input.ts';
import type { View } from './view.ts';

/** @param acted whether the sync acted on this generation; a sync that only counts does not update observedGeneration. */
export function statusOf(set: DaemonSet, view: View, acted: boolean, now: number): DaemonSetStatus {
  const available = view.serving.available(minReadyMs(set), now);
  const unavailable = view.desired - available;
  const { observedGeneration: _, updatedNumberScheduled: __, numberAvailable: ___, numberUnavailable: ____, ...rest } = set.status;
  const generation = acted ? set.metadata.generation : set.status.observedGeneration;
  return {
    ...rest,
    currentNumberScheduled: view.current,
    numberMisscheduled: view.misplaced,
    desiredNumberScheduled: view.desired,
    numberReady: view.serving.ready,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    ...(view.updated === 0 ? {} : { updatedNumberScheduled: view.updated }),
    ...(available === 0 ? {} : { numberAvailable: available }),
    ...(unavailable === 0 ? {} : { numberUnavailable: unavailable }),
  };
}

const COMPARED = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

/** Whether a status differs enough to be written. */
export const isRelevant = (before: DaemonSetStatus, after: DaemonSetStatus): boolean =>
  COMPARED.some((field) => (before[field] ?? 0) !== (after[field] ?? 0));
