/**
 * One step of a rolling update, or of a replacement, which waits until pods of earlier templates are gone; scaling, where each set gets its
 * proportion; and the sets of earlier templates that are deleted beyond the history limit. Models: v1.24 pkg/controller/deployment
 * rolling.go, recreate.go oldPodsRunning, sync.go scale, isScalingEvent, cleanupDeployment.
 */
import { activeOf, availableOf, type Draft, scaleTo, type SetView, wantedOf, allOf, type Sets, resize, sizedFor } from './sets.ts';
import { maxUnavailable, nextSize, hasHistoryLimit, revisionOf, isRolling, maxSurge, proportion } from './input.ts';
import { labelMatcher, compareText } from '../../../schema/values/index.ts';
import { remove } from '../../runtime/index.ts';

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
  const cleaned = drop(draft, old, room, ({ set, replicas }) => replicas - (set.status.availableReplicas ?? 0));
  if (cleaned === undefined) return false;
  const spare = availableOf(newest === undefined ? old : [...old, newest]) - least;
  return cleaned + (drop(draft, old, spare, ({ replicas }) => replicas) ?? 0) > 0;
}

/**
 * Removes so many pods at most, of each set those that may go, and returns their number; undefined where a set counts more available pods
 * than it wants, because its status is outdated then.
 */
function drop(draft: Draft, old: readonly SetView[], most: number, mayGo: (view: SetView) => number): number | undefined {
  let dropped = 0;
  for (const view of old) {
    if (dropped >= most) break;
    if (view.replicas === 0) continue;
    const by = Math.min(most - dropped, mayGo(view));
    if (by < 0) return undefined;
    scaleTo(draft, view, view.replicas - by);
    dropped += by;
  }
  return dropped;
}

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

/** Whether a set with pods was scaled for another number of replicas. */
export const wasRescaled = ({ input, keys }: Draft, sets: Sets): boolean =>
  activeOf(allOf(sets)).some((view) => {
    const sized = sizedFor(view, keys.desired);
    return sized !== undefined && sized !== input.self.spec.replicas;
  });

export function scale(draft: Draft, sets: Sets): void {
  const { self: deployment } = draft.input;
  const { replicas } = deployment.spec;
  const active = activeOf(allOf(sets));
  const only = active.length > 1 ? undefined : (active[0] ?? sets.newest ?? sets.old.at(-1));
  if (only !== undefined) {
    scaleTo(draft, only, replicas);
    return;
  }
  if (isSaturated(draft, sets.newest)) {
    for (const old of activeOf(sets.old)) scaleTo(draft, old, 0);
    return;
  }
  if (active.length > 0 && isRolling(deployment)) share(draft, active);
}

/** Whether the newest set has all wanted pods, and all of them are available. */
function isSaturated({ input, keys }: Draft, newest: SetView | undefined): boolean {
  const { replicas } = input.self.spec;
  return (
    newest !== undefined &&
    newest.replicas === replicas &&
    sizedFor(newest, keys.desired) === replicas &&
    (newest.set.status.availableReplicas ?? 0) === replicas
  );
}

/** The largest sets come first and take the remainder; of equal sets the newer are scaled up first, and the older scaled down first. */
function share(draft: Draft, active: readonly SetView[]): void {
  const { self: deployment } = draft.input;
  const { replicas } = deployment.spec;
  const allowed = replicas > 0 ? replicas + maxSurge(deployment) : 0;
  const toAdd = allowed - wantedOf(active);
  const newerFirst = toAdd > 0 ? 1 : -1;
  const ordered =
    toAdd === 0
      ? active
      : active.toSorted(
          (a, b) => b.replicas - a.replicas || newerFirst * compareText(b.set.metadata.creationTimestamp, a.set.metadata.creationTimestamp),
        );
  let added = 0;
  const sizes = ordered.map((view) => {
    const part = proportion(deployment, view.replicas, sizedFor(view, draft.keys.max) ?? deployment.status.replicas ?? 0, toAdd, added);
    added += part;
    return view.replicas + part;
  });
  for (const [at, view] of ordered.entries()) {
    const size = Math.max(0, (sizes[at] ?? 0) + (at === 0 ? toAdd - added : 0));
    resize(draft, view, size, toAdd > 0 ? 'up' : toAdd < 0 ? 'down' : '');
  }
}
