/** How many pods each set may have. Models: v1.24 pkg/controller/deployment/util deployment_util.go. */
import type { Deployment } from '../../../apiserver/kinds/index.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';
import { isRolling } from './input.ts';

/** Surge rounds up, unavailability down; where both come to nothing, one pod may be missing, or nothing would ever move. */
function fenceposts({ spec }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge = 0, maxUnavailable = 0 } = spec.strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, spec.replicas, true).value ?? 0;
  const unavailable = scaledIntOrPercent(maxUnavailable, spec.replicas, false).value ?? 0;
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** How many pods there may be beyond those wanted. */
export const maxSurge = (deployment: Deployment): number => (isRolling(deployment) ? fenceposts(deployment).surge : 0);

/** How many of the wanted pods may be missing. */
export const maxUnavailable = (deployment: Deployment): number =>
  !isRolling(deployment) || deployment.spec.replicas === 0 ? 0 : Math.min(fenceposts(deployment).unavailable, deployment.spec.replicas);

/** The next size of the new set, of which there are `own` pods wanted, and `all` with those of the others. */
export function nextSize(deployment: Deployment, all: number, own: number): number {
  const { replicas } = deployment.spec;
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - all;
  return room <= 0 ? own : own + Math.min(room, replicas - own);
}

/**
 * A set's share of `toAdd` pods (fewer than none: to take away) of which `added` are given out. `wasAllowed`: how many the Deployment might
 * have when it was last sized.
 */
export function proportion(deployment: Deployment, size: number, wasAllowed: number, toAdd: number, added: number): number {
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const { replicas } = deployment.spec;
  const share = replicas === 0 ? -size : Math.round((size * (replicas + maxSurge(deployment))) / wasAllowed) - size;
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}
