/** Whether pods of earlier templates still exist. Models: v1.24 pkg/controller/deployment/recreate.go oldPodsRunning. */
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Draft } from './draft.ts';
import { allOf, type Sets } from './sets.ts';

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
