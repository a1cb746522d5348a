/**
 * One step of a rolling update, or of a replacement, which waits until pods of earlier templates are gone; and the sets of earlier
 * templates that are deleted beyond the history limit. Models: v1.24 pkg/controller/deployment/rolling.go;
 * pkg/controller/deployment/recreate.go oldPodsRunning; pkg/controller/deployment/sync.go cleanupDeployment.
 */
import { activeOf, availableOf, type Draft, scaleTo, type SetView, wantedOf } from './draft.ts';
import { allOf, type Sets } from './sets.ts';
import { maxUnavailable, nextSize, hasHistoryLimit } from './input.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { remove } from '../../runtime/index.ts';
import { revisionOf } from './annotations.ts';

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

/** Whether a pod of an earlier template has not ended yet. */
export function oldPodsRun({ input }: Draft, sets: Sets): boolean {
  if (sets.old.some(({ set }) => set.status.replicas > 0)) return true;
  const matches = labelMatcher(input.self.spec.selector);
  return allOf(sets)
    .filter((view) => view !== sets.newest)
    .some(({ set }) =>
      input.cache
        .controlledBy('Pod', set)
        .some(({ metadata, status }) => matches(metadata.labels) && status.phase !== 'Failed' && status.phase !== 'Succeeded'),
    );
}

/** Deletes sets beyond the limit, the lowest revisions first; sets with pods are kept. */
export function truncateHistory(draft: Draft, old: readonly SetView[]): void {
  const { self: deployment } = draft.input;
  if (!hasHistoryLimit(deployment)) return;
  const alive = old.filter(({ set }) => set.metadata.deletionTimestamp === undefined);
  const surplus = alive.length - deployment.spec.revisionHistoryLimit;
  if (surplus <= 0) return;
  // A stable sort: sets with the same revision stay in order of age.
  const byRevision = alive.toSorted((a, b) => (revisionOf(a.set, draft.keys) ?? 0) - (revisionOf(b.set, draft.keys) ?? 0));
  for (const { set, replicas } of byRevision.slice(0, surplus)) {
    const { metadata, status } = set;
    if (status.replicas !== 0 || replicas !== 0 || (metadata.generation ?? 0) > (status.observedGeneration ?? 0)) continue;
    draft.writes.push(remove(set));
    draft.why.push(`${metadata.name} exceeds revisionHistoryLimit`);
  }
}
