/** Limits on the sizes of sets. Models: v1.24 pkg/controller/deployment/util deployment_util.go. */
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';
import { isRolling } from './input.ts';

/** Surge is rounded up, unavailability down; where both are 0, one pod may be unavailable, or a rollout could not start. */
function fenceposts({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, spec.replicas, true).value ?? 0;
  const unavailable = scaledIntOrPercent(maxUnavailable, spec.replicas, false).value ?? 0;
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The number of pods allowed beyond the wanted ones. */
export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

/** The number of wanted pods that may be unavailable. */
export const maxUnavailable = (deployment: Deployment): number =>
  !isRolling(deployment) || deployment.spec.replicas === 0 ? 0 : Math.min(fenceposts(deployment).unavailable, deployment.spec.replicas);

/** The next size of the new set, which now has `own` of the `all` wanted pods. */
export function nextSize(deployment: Deployment, all: number, own: number): number {
  const { replicas } = deployment.spec;
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - all;
  return room <= 0 ? own : own + Math.min(room, replicas - own);
}

/**
 * A set's part of `toAdd` pods (negative: to remove), of which `added` are distributed. `wasAllowed`: the Deployment's limit when the set
 * was last scaled.
 */
export function proportion(deployment: Deployment, size: number, wasAllowed: number, toAdd: number, added: number): number {
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const { replicas } = deployment.spec;
  const share = replicas === 0 ? -size : Math.round((size * (replicas + maxSurge(deployment))) / wasAllowed) - size;
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}
