/** Deletes sets of earlier templates beyond the history limit. Models: v1.24 pkg/controller/deployment/sync.go cleanupDeployment. */
import { remove } from '../../runtime/index.ts';
import { revisionOf } from './annotations.ts';
import type { Draft, SetView } from './draft.ts';
import { hasHistoryLimit } from './input.ts';

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
