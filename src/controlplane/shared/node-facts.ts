/**
 * When nodes count as silent or as out of service, and Jobs as finished. A user declares a node out of service with a taint, behind a gate:
 * its pods and volumes need not wait for it. Models: v1.24 pkg/controller/podgc gcTerminating,
 * pkg/controller/volume/attachdetach/reconciler hasOutOfServiceTaint; pkg/controller/job utils.go IsJobFinished.
 */
import type { Node, Job, JobCondition } from '../../apiserver/kinds/index.ts';
import { copyWith } from '../../schema/values/index.ts';
import type { FeatureGates, Names } from '../../apiserver/machinery/index.ts';

/** The state of a node is unknown after so long without a renewal, milliseconds. Models: v1.24 --node-monitor-grace-period. */
export const SILENT_AFTER_MS = 40_000;

/** Whether a node is out of service, where the gate is on. */
export const isOutOfService = (node: Node | undefined, names: Names, gates: FeatureGates): boolean =>
  gates['NodeOutOfServiceVolumeDetach'] === true &&
  node?.spec.taints?.some(({ key }) => key === names.key('node', 'out-of-service')) === true;

export const conditionOf = <C extends { readonly type: string }>(
  conditions: readonly C[] | undefined | null,
  type: string,
): C | undefined => conditions?.find((each) => each.type === type);

/** The conditions with one set, in its place; its time changes only with its status. */
export function withCondition<C extends { readonly type: string; readonly status: string; readonly lastTransitionTime?: string | null }>(
  conditions: readonly C[] = [],
  next: C,
): readonly C[] {
  const old = conditionOf(conditions, next.type);
  const made = old?.status === next.status ? copyWith<C>(next, { lastTransitionTime: old.lastTransitionTime } as Partial<C>) : next;
  return old === undefined ? [...conditions, made] : conditions.map((each) => (each === old ? made : each));
}

/** The condition that says that the Job has finished, if it has. */
export const finishedCondition = (job: Job): JobCondition | undefined =>
  job.status.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True');
