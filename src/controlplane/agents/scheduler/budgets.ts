/**
 * Disruption budgets in preemption, which violates them only where it must. Models: v1.24 plugins/defaultpreemption
 * filterPodsWithPDBViolation.
 */
import type { LabelSelector } from '../../../apiserver/machinery/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import type { ObjectOf } from '../../runtime/index.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerView } from './view.ts';

type Budget = ObjectOf<'PodDisruptionBudget'>;

/** All budgets at the time of an attempt. */
export const budgetsOf = (view: SchedulerView): readonly Budget[] => view.cache.list('PodDisruptionBudget');

const selectsNothing = (selector: LabelSelector | undefined): boolean =>
  selector === undefined || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0);

/** Separates pods whose eviction would violate a budget from the others, keeping their order. Each pod reduces the budgets. */
export function partByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly breaking: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const left = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const breaking: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    const { labels, namespace, name } = info.pod.metadata;
    let breaks = false;
    if (labels !== undefined && Object.keys(labels).length > 0) {
      for (const [i, { metadata, spec, status }] of budgets.entries()) {
        if (metadata.namespace !== namespace || selectsNothing(spec?.selector) || !labelMatcher(spec?.selector)(labels)) continue;
        // The server has counted this eviction already.
        if (status?.disruptedPods?.[name] !== undefined) continue;
        const rest = (left[i] ?? 0) - 1;
        left[i] = rest;
        if (rest < 0) breaks = true;
      }
    }
    (breaks ? breaking : others).push(info);
  }
  return { breaking, others };
}
