/**
 * The history of a set's template: the present revision, the writes that record, renumber or merge it, and the revisions to delete. Models:
 * v1.24 pkg/controller/daemon/update.go constructHistory, snapshot, dedupCurHistories, cleanupHistory.
 */
import type { ControllerRevision, DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { compareText, labelMatcher } from '../../../schema/values/index.ts';
import { create, remove, type Write } from '../../runtime/index.ts';
import { adopt, controllerReference, removeOwners, stillThere, templateHash, templatePatch, textOf } from '../../shared/index.ts';
import { HASH_LABEL, hashOf } from './hash.ts';
import type { DaemonInput, Known } from './input.ts';

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

/** Decides which revisions exist after the sync, and how to get there. */
export function decideHistory(input: DaemonInput, known: Known): History {
  const { self: set } = input;
  const text = templatePatch(set.spec.template).text;
  const { revisions, writes } = claimRevisions(input);
  const isPresent = ({ data }: ControllerRevision): boolean => textOf(data) === text;
  const old = revisions.filter((revision) => !isPresent(revision));
  const present = revisions.filter(isPresent).sort((a, b) => a.revision - b.revision);
  const next = old.reduce((most, { revision }) => Math.max(most, revision), 0) + 1;
  const kept = present.at(-1) ?? known.found;
  if (kept === undefined) return { ...recorded(input, next), old, twins: [], writes };
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
    writes.push(create(revisionOf(set, hash, revision)));
    return { hash, notes: `its template is new: revision ${revision}`, writes };
  }
}

/** The set's revisions, and those that it adopts; revisions that it no longer selects are released. */
function claimRevisions({ self: set, cache }: DaemonInput): { readonly revisions: ControllerRevision[]; readonly writes: Write[] } {
  const matches = labelMatcher(set.spec.selector);
  const revisions: ControllerRevision[] = [];
  const writes: Write[] = [];
  for (const revision of cache.controlledBy('ControllerRevision', set)) {
    if (!matches(revision.metadata.labels)) writes.push(removeOwners(revision, [set.metadata.uid]));
    else revisions.push(revision);
  }
  const orphans = cache
    .by('ControllerRevision', 'unmanagedInNamespace', set.metadata.namespace ?? '')
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && matches(metadata.labels));
  if (orphans.length > 0) writes.push(stillThere(set));
  for (const orphan of orphans) {
    if (controllerOf(orphan) === undefined) writes.push(adopt(orphan, set));
    revisions.push(orphan);
  }
  for (const revision of revisions) if (hashOf(revision) === undefined) writes.push(labelled(revision));
  return { revisions, writes };
}

const labelled = ({ kind, metadata: { name, namespace } }: ControllerRevision): Write => ({
  op: 'patch',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  patchType: 'merge',
  patch: { metadata: { labels: { [HASH_LABEL]: name } } },
});

function revisionOf(set: DaemonSet, hash: string, revision: number): Parameters<typeof create>[0] {
  const { name, namespace, annotations } = set.metadata;
  const { template } = set.spec;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata.labels, [HASH_LABEL]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data: templatePatch(template).data,
    revision,
  };
}

/** Relabels the pods of duplicate revisions, and deletes the duplicates. */
export function mergeTwins({ twins, hash }: History, pods: () => readonly Pod[]): readonly Write[] {
  if (twins.length === 0) return [];
  const relabelled = pods()
    .filter((pod) => hashOf(pod) !== hash)
    .map(({ kind, metadata: { name, namespace } }): Write => ({
      op: 'patch',
      kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      patchType: 'merge',
      patch: { metadata: { labels: { [HASH_LABEL]: hash } } },
      awaited: true,
    }));
  return [...relabelled, ...twins.map((twin) => remove(twin))];
}

/** Deletes the oldest revisions without pods, beyond the limit. */
export function truncateHistory(set: DaemonSet, { old }: History, hashes: ReadonlyMap<string, number>): readonly Write[] {
  const surplus = old.length - (set.spec.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return [];
  const dead = old.filter((revision) => !hashes.has(hashOf(revision) ?? ''));
  const oldestFirst = dead.sort((a, b) => a.revision - b.revision || compareText(a.metadata.name, b.metadata.name));
  return oldestFirst.slice(0, surplus).map((revision) => remove(revision));
}
