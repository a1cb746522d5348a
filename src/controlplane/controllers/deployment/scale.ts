/** Scaling, also during a rollout: each set gets its proportion. Models: v1.24 pkg/controller/deployment/sync.go scale, isScalingEvent. */
import { compareText } from '../../../schema/values/index.ts';
import { activeOf, type Draft, resize, scaleTo, type SetView, wantedOf } from './draft.ts';
import { isRolling, maxSurge, proportion } from './input.ts';
import { allOf, sizedFor, type Sets } from './sets.ts';

/** Whether a set with pods was scaled for another number of replicas. */
export const wasRescaled = ({ input, keys }: Draft, sets: Sets): boolean =>
  activeOf(allOf(sets)).some((view) => {
    const sized = sizedFor(view, keys.desired);
    return sized !== undefined && sized !== input.self.spec.replicas;
  });

/** Scales the sets to the size of the Deployment. */
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

/**
 * The largest sets come first and take the remainder; of sets of equal size the newer are scaled up first, and the older scaled down first.
 */
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
