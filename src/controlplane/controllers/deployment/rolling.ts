/** One step of a rolling update. Models: v1.24 pkg/controller/deployment/rolling.go. */
import { activeOf, availableOf, type Draft, scaleTo, type SetView, wantedOf } from './draft.ts';
import { allOf, type Sets } from './sets.ts';
import { maxUnavailable, nextSize } from './sizes.ts';

/** Scales up the newest set; returns whether there was anything to do. */
export function growNewest(draft: Draft, sets: Sets): boolean {
  const { self: deployment } = draft.input;
  const { newest } = sets;
  const { replicas } = deployment.spec;
  if (newest === undefined || newest.replicas === replicas) return false;
  if (newest.replicas > replicas) return scaleTo(draft, newest, replicas);
  return scaleTo(draft, newest, nextSize(deployment, wantedOf(allOf(sets)), newest.replicas));
}

/** Scales down the old sets as far as enough pods stay available: first pods that are not available, in any set. */
export function shrinkOld(draft: Draft, sets: Sets): boolean {
  const { self: deployment } = draft.input;
  const old = activeOf(sets.old);
  if (old.length === 0) return false;
  const { newest } = sets;
  const least = deployment.spec.replicas - maxUnavailable(deployment);
  const missing = newest === undefined ? 0 : newest.replicas - (newest.set.status.availableReplicas ?? 0);
  const room = wantedOf(allOf(sets)) - least - missing;
  if (room <= 0) return false;
  const cleaned = dropUnhealthy(draft, old, room);
  if (cleaned === undefined) return false;
  const spare = availableOf(newest === undefined ? old : [...old, newest]) - least;
  const dropped = spare <= 0 ? 0 : dropAvailable(draft, old, spare);
  return cleaned + dropped > 0;
}

/** The number of pods removed; undefined where a set counts more available pods than it wants, because its status is outdated then. */
function dropUnhealthy(draft: Draft, old: readonly SetView[], most: number): number | undefined {
  let dropped = 0;
  for (const view of old) {
    if (dropped >= most) break;
    const unhealthy = view.replicas - (view.set.status.availableReplicas ?? 0);
    if (view.replicas === 0 || unhealthy === 0) continue;
    const by = Math.min(most - dropped, unhealthy);
    if (by < 0) return undefined;
    scaleTo(draft, view, view.replicas - by);
    dropped += by;
  }
  return dropped;
}

function dropAvailable(draft: Draft, old: readonly SetView[], most: number): number {
  let dropped = 0;
  for (const view of old) {
    if (dropped >= most) break;
    const by = Math.min(view.replicas, most - dropped);
    if (by <= 0) continue;
    scaleTo(draft, view, view.replicas - by);
    dropped += by;
  }
  return dropped;
}
