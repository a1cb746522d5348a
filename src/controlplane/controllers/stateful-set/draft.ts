/** The writes of a sync as they are collected, and their effect on the counts. */
import type { Write } from '../../runtime/index.ts';

export interface Draft {
  readonly writes: Write[];
  /** Deletions of old revisions, written at the end. */
  readonly forgotten: Write[];
  /** Change of the number of pods. */
  replicas: number;
  /** Change of the number of live pods by revision. */
  readonly revisions: Map<string, number>;
  /** Change of the count of the current revision alone, even where it is the update's as well. */
  current: number;
  /** What is done or waited for, in words; the first entry counts. */
  readonly why: string[];
  /** The sync ends here without a status, and the key backs off. */
  failed: boolean;
}

export const emptyDraft = (): Draft => ({
  writes: [],
  forgotten: [],
  replicas: 0,
  revisions: new Map(),
  current: 0,
  why: [],
  failed: false,
});

/** Counts one more (1) or one fewer (-1) pod of a revision. */
export function count(draft: Draft, revision: string, by: 1 | -1): void {
  draft.revisions.set(revision, (draft.revisions.get(revision) ?? 0) + by);
}
