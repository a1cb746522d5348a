/**
 * The status of a DaemonSet, and the replacement of old pods, within maxUnavailable, or with a new pod beside the old. Old pods that are
 * not available are all replaced at once, because they reduce nothing. Models: v1.24 pkg/controller/daemon/update.go rollingUpdate,
 * pkg/controller/daemon/util UnavailableCount, SurgeCount; pkg/controller/daemon updateDaemonSetStatus, storeDaemonSetStatus.
 */
import type { DaemonSet, Pod, DaemonSetStatus } from '../../../apiserver/kinds/index.ts';
import type { FeatureGates } from '../../../apiserver/machinery/index.ts';
import { legacyIntOrPercent } from '../../../schema/values/index.ts';
import { minReadyMs } from './recover.ts';
import { isLive, isNew } from './node-state.ts';
import type { View } from './view.ts';

export interface Step {
  readonly nodes: readonly string[];
  readonly toDelete: readonly Pod[];
}
const NOTHING: Step = { nodes: [], toDelete: [] };

/** A number, or a percentage of the nodes, rounded up. */
function share({ spec: { updateStrategy } }: DaemonSet, name: 'maxUnavailable' | 'maxSurge', nodes: number): number {
  if (updateStrategy.type !== 'RollingUpdate') return 0;
  const scaled = legacyIntOrPercent(updateStrategy.rollingUpdate?.[name] ?? 0, nodes, true);
  return scaled.error === undefined ? scaled.value : 0;
}

const surgeOf = (set: DaemonSet, nodes: number, gates: FeatureGates): number =>
  gates['DaemonSetUpdateSurge'] === false ? 0 : share(set, 'maxSurge', nodes);

/** Whether a second pod may be created on a node before the first is deleted. */
export const allowsSurge = (set: DaemonSet, gates: FeatureGates): boolean => surgeOf(set, 1, gates) > 0;

/** The pods to delete, and the nodes to surge on, in one step of an update. */
export function nextStep(set: DaemonSet, view: View, now: number, gates: FeatureGates): Step {
  if (set.spec.updateStrategy.type !== 'RollingUpdate') return NOTHING;
  const { old, both } = view.stages;
  if (old.size === 0 && both.size === 0) return NOTHING;
  const surge = surgeOf(set, view.desired, gates);
  return surge === 0 ? replace(set, view, now) : comeBeside(set, view, surge, now);
}

function replace(set: DaemonSet, view: View, now: number): Step {
  const { none, odd, both, old, new: fresh } = view.stages;
  const wait = minReadyMs(set);
  const most = share(set, 'maxUnavailable', view.desired);
  const allowed = most === 0 && view.desired > 0 ? 1 : most;
  const unavailable = none.size + odd.size + both.size + fresh.size - fresh.available(wait, now);
  const chosen = [...old.lacking(wait, now), ...old.oldest(wait, now, Math.max(0, allowed - unavailable))];
  return { nodes: [], toDelete: chosen.flatMap((name) => liveOn(view, name)) };
}

function comeBeside(set: DaemonSet, view: View, surge: number, now: number): Step {
  const { odd, both, old } = view.stages;
  const wait = minReadyMs(set);
  const relieved = both.oldest(wait, now, Infinity);
  const toDelete = relieved.flatMap((name) => liveOn(view, name).filter((pod) => !isNew(pod, view.wanted)));
  const inFlight = odd.size + both.size - relieved.length;
  return { nodes: [...old.lacking(wait, now), ...old.oldest(wait, now, Math.max(0, surge - inFlight))], toDelete };
}

const liveOn = ({ entries }: View, name: string): readonly Pod[] => entries.get(name)?.pods.filter(isLive) ?? [];

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
