/**
 * What a set owns. The history of its template: the present revision, the writes that record, renumber or merge it, and the revisions to
 * delete. And its pods: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller/daemon/update.go
 * constructHistory, snapshot, dedupCurHistories, cleanupHistory; pkg/controller PodControllerRefManager.ClaimPods, pkg/controller/daemon
 * getDaemonPods.
 */
import type { ControllerRevision, DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { compareText, labelMatcher } from '../../../schema/values/index.ts';
import { create, remove, type Write, defineAggregate } from '../../runtime/index.ts';
import {
  claim,
  mergePatch,
  objectsToAdopt,
  revisionOf,
  templateHash,
  templatePatch,
  textOf,
  podsToAdopt,
  createLabelCounts,
  recountLabels,
  byController,
} from '../../shared/index.ts';
import type { LabelCounts } from '../../shared/index.ts';
import { HASH_LABEL, hashOf, fitTest } from './pod.ts';
import type { DaemonInput, Known } from './recover.ts';
import { type Wanted, createView, type View } from './view.ts';

export interface History {
  /** The label of up-to-date pods. */
  readonly hash: string;
  /** Revisions of other templates. */
  readonly old: readonly ControllerRevision[];
  /** Adoptions, releases, labels, and the present template's revision: created, or raised to the greatest number. */
  readonly writes: readonly Write[];
  /** Duplicate revisions of the present template, which are merged: their pods get its label first. */
  readonly twins: readonly ControllerRevision[];
  /** A description, if the present revision is written. */
  readonly notes: string | undefined;
}

export function decideHistory(input: DaemonInput, known: Known): History {
  const { self: set } = input;
  const text = templatePatch(set.spec.template).text;
  const { revisions, writes } = claimRevisions(input);
  const isPresent = ({ data }: ControllerRevision): boolean => textOf(data) === text;
  const old = revisions.filter((revision) => !isPresent(revision));
  const present = revisions.filter(isPresent).sort((a, b) => a.revision - b.revision);
  const next = old.reduce((most, { revision }) => Math.max(most, revision), 0) + 1;
  const kept = present.at(-1) ?? known.found;
  if (kept === undefined) return { ...recorded(input, next), old, twins: [] };
  const renumbered = kept.revision < next;
  return {
    // A revision without a hash label is identified by its name.
    hash: hashOf(kept) ?? kept.metadata.name,
    old,
    twins: present.slice(0, -1),
    writes: renumbered ? [...writes, { op: 'update', object: { ...kept, revision: next } }] : writes,
    notes: renumbered ? `the template equals that of ${kept.metadata.name}, which becomes revision ${next}` : undefined,
  };

  /** The template is new. Its revision is not created again while the cache does not show it. */
  function recorded({ expectationsSatisfied }: DaemonInput, revision: number): Pick<History, 'hash' | 'notes' | 'writes'> {
    const hash = templateHash(set.spec.template, set.status.collisionCount);
    if (!expectationsSatisfied) return { hash, notes: undefined, writes };
    return {
      hash,
      notes: `its template is new: revision ${revision}`,
      writes: [...writes, create(revisionOf(set, `${set.metadata.name}-${hash}`, { [HASH_LABEL]: hash }, revision))],
    };
  }
}

/** The set's revisions, and those that it adopts; revisions that it no longer selects are released. */
function claimRevisions({ self: set, cache }: DaemonInput): {
  readonly revisions: ControllerRevision[];
  readonly writes: readonly Write[];
} {
  const matches = labelMatcher(set.spec.selector);
  const orphans = objectsToAdopt('ControllerRevision', set, cache, matches);
  const { kept, writes } = claim(set, cache.controlledBy('ControllerRevision', set), ({ metadata }) => matches(metadata.labels), orphans);
  const revisions = [...kept, ...orphans];
  const unlabelled = revisions.filter((revision) => hashOf(revision) === undefined);
  return { revisions, writes: [...writes, ...unlabelled.map((revision) => labelled(revision, revision.metadata.name))] };
}

const labelled = (object: Pod | ControllerRevision, hash: string, awaited: { readonly awaited?: true } = {}): Write =>
  mergePatch(object, { metadata: { labels: { [HASH_LABEL]: hash } } }, awaited);

export function mergeTwins({ twins, hash }: History, pods: () => readonly Pod[]): readonly Write[] {
  if (twins.length === 0) return [];
  const relabelled = pods()
    .filter((pod) => hashOf(pod) !== hash)
    .map((pod) => labelled(pod, hash, { awaited: true }));
  return [...relabelled, ...twins.map((twin) => remove(twin))];
}

export function truncateHistory(set: DaemonSet, { old }: History, hashes: ReadonlyMap<string, number>): readonly Write[] {
  const surplus = old.length - (set.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  const dead = old.filter((revision) => !hashes.has(hashOf(revision) ?? ''));
  const oldestFirst = dead.sort((a, b) => a.revision - b.revision || compareText(a.metadata.name, b.metadata.name));
  return oldestFirst.slice(0, surplus).map((revision) => remove(revision));
}

/** The view and the pods of a set after the writes. Pods that are being deleted are not adopted; pods that have ended are. */
export function adoptPods(
  input: DaemonInput,
  wanted: Wanted,
): { readonly view: View; readonly pods: () => readonly Pod[]; readonly writes: readonly Write[] } {
  const { self: set, cache, names } = input;
  const matches = labelMatcher(set.spec.selector);
  const orphans = podsToAdopt(set, cache, matches);
  const managed = (): readonly Pod[] => cache.controlledBy('Pod', set);
  if (orphans.length === 0 && cache.aggregate(managedLabels, set.metadata.uid).allMatch(matches))
    return { view: viewOf(input, wanted), pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const { kept, writes } = claim(set, managed(), ({ metadata }) => matches(metadata.labels), orphans);
  const pods = [...kept, ...orphans];
  const { template } = set.spec;
  const view = createView({ template, wanted, fit: fitTest(template, names) }, cache.list('Node'), pods, 0);
  return { view, pods: () => pods, writes };
}

/** The cached view; it is rebuilt when the set has changed. */
function viewOf({ self: set, cache, names, state }: DaemonInput, wanted: Wanted): View {
  const { template } = set.spec;
  const known = state.get(set.metadata.uid);
  if (known?.template === template && known.wanted.hash === wanted.hash && known.wanted.surges === wanted.surges) return known;
  const like = { template, wanted, fit: fitTest(template, names) };
  const view = createView(like, cache.list('Node'), cache.controlledBy('Pod', set), (known?.failing.mark.view ?? 0) + 1);
  state.set(set.metadata.uid, view);
  return view;
}

export const managedLabels = defineAggregate<'Pod', LabelCounts>({
  name: 'labels of the pods of a DaemonSet',
  kind: 'Pod',
  ...byController('DaemonSet'),
  empty: createLabelCounts,
  add: (labels, pod) => labels.count(pod.metadata.labels, 1),
  remove: (labels, pod) => labels.count(pod.metadata.labels, -1),
  change: recountLabels,
  plain: (labels) => labels.plain(),
});
