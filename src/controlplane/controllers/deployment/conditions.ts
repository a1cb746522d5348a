/** Conditions of a Deployment. Models: v1.24 pkg/controller/deployment/util SetDeploymentCondition. */
import type { DeploymentCondition } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';

export type Conditions = readonly DeploymentCondition[];

export const conditionOf = (conditions: Conditions | undefined, type: string): DeploymentCondition | undefined =>
  conditions?.find((each) => each.type === type);

export function newCondition(type: string, status: string, reason: string, message: string, now: number): DeploymentCondition {
  const time = formatTime(now);
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

/** The conditions with one set, which moves to the end when it changes. */
export function withCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const before = conditionOf(conditions, next.type);
  if (before?.status === next.status && before.reason === next.reason) return conditions;
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : next.lastTransitionTime;
  return [...withoutCondition(conditions, next.type), { ...next, lastTransitionTime }];
}

export const withoutCondition = (conditions: Conditions, type: string): Conditions => conditions.filter((each) => each.type !== type);
