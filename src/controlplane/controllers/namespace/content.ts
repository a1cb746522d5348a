/**
 * The remaining content of a namespace that is being deleted, and the conditions in its status. Models: v1.24
 * pkg/controller/namespace/deletion.
 */
import type { ApiObject, Names } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry, Namespace } from '../../../apiserver/kinds/index.ts';
import { isOf, type CacheView } from '../../runtime/index.ts';
import { conditionOf, countIn } from '../../shared/index.ts';
import { formatTime, compareText } from '../../../schema/values/index.ts';

type Kind = ReturnType<KindRegistry['list']>[number];
export interface Remaining extends Pick<Kind, 'kind' | 'version' | 'plural'> {
  readonly group: string;
  readonly objects: readonly ApiObject[];
}

const remainingOf = (kind: Kind, names: Names, objects: readonly ApiObject[]): readonly Remaining[] =>
  objects.length === 0
    ? []
    : [{ kind: kind.kind, group: names.group(kind.groupPrefix), version: kind.version, plural: kind.plural, objects }];

export const remainingIn = (registry: KindRegistry, names: Names, cache: CacheView, namespace: string): readonly Remaining[] =>
  registry
    .list()
    .filter((kind) => kind.namespaced && cache.kinds().includes(kind.kind))
    .flatMap((kind) => remainingOf(kind, names, cache.by(kind.kind, 'namespace', namespace)));

/** The results of live lists of the namespace's content so far. */
export interface Inventory {
  readonly left: readonly Remaining[];
  readonly unlisted: readonly string[];
}

export const emptyInventory = (registry: KindRegistry): Inventory => ({
  left: [],
  unlisted: registry.list().flatMap(({ namespaced, kind }) => (namespaced ? [kind] : [])),
});

/** The inventory with the result for the first unlisted kind. */
export function counted(
  { left, unlisted: [first = '', ...unlisted] }: Inventory,
  objects: readonly ApiObject[],
  registry: KindRegistry,
  names: Names,
): Inventory {
  const kind = registry.byKind(first);
  return { left: kind === undefined ? left : [...left, ...remainingOf(kind, names, objects)], unlisted };
}

type Condition = NonNullable<Namespace['status']['conditions']>[number];

/** The time that finalizers get before the next attempt, seconds. */
const FINALIZER_ESTIMATE_SECONDS = 15;

/** The estimated time of what remains, in seconds; undefined: it should be gone already. */
export function estimateSeconds({ kind, objects }: Remaining, deletedForMs: number): number | undefined {
  if (kind === 'Pod') {
    const grace = Math.max(
      0,
      ...objects
        .filter((object) => isOf('Pod', object))
        .filter(({ status }) => status.phase !== 'Succeeded' && status.phase !== 'Failed')
        .map(({ spec }) => spec.terminationGracePeriodSeconds ?? 0),
    );
    if (grace > 0 && deletedForMs < grace * 1000) return grace;
  }
  return objects.some(({ metadata }) => (metadata.finalizers ?? []).length > 0) ? FINALIZER_ESTIMATE_SECONDS : undefined;
}

const finalizerCounts = (remaining: readonly Remaining[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const { objects } of remaining)
    for (const { metadata } of objects) for (const finalizer of metadata.finalizers ?? []) countIn(counts, finalizer, 1);
  return [...counts].sort(([a], [b]) => compareText(a, b));
};

/** The five conditions of a namespace that is being deleted; a transition time changes only with the status. */
export function deletionConditions(
  remaining: readonly Remaining[],
  stuck: readonly Remaining[],
  namespace: string,
  before: readonly Condition[] | undefined,
  now: number,
): readonly Condition[] {
  const condition = (type: string, status: 'True' | 'False', reason: string, message: string): Condition => {
    const old = conditionOf(before, type);
    const lastTransitionTime = old?.status === status ? (old.lastTransitionTime ?? null) : formatTime(now);
    return { type, status, lastTransitionTime, reason, message };
  };
  const either = (type: string, is: boolean, yes: readonly [string, string], no: readonly [string, string]): Condition =>
    condition(type, is ? 'True' : 'False', ...(is ? yes : no));
  const finalizers = finalizerCounts(remaining);
  const held = finalizers.map(([name, count]) => `${name} in ${count} resource instances`).join(', ');
  const left = remaining
    .map(({ plural, group, objects }) => `${plural}.${group} has ${objects.length} resource instances`)
    .sort(compareText)
    .join(', ');
  const failures = stuck.map(
    ({ group, version, plural }) =>
      `unexpected items still remain in namespace: ${namespace} for gvr: ${group}/${version}, Resource=${plural}`,
  );
  const failed = failures.length === 1 ? failures.join() : `[${failures.join(', ')}]`;
  return [
    condition('NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'),
    condition('NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    either(
      'NamespaceDeletionContentFailure',
      stuck.length > 0,
      ['ContentDeletionFailed', `Failed to delete all resource types, ${stuck.length} remaining: ${failed}`],
      ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    ),
    either(
      'NamespaceContentRemaining',
      remaining.length > 0,
      ['SomeResourcesRemain', `Some resources are remaining: ${left}`],
      ['ContentRemoved', 'All content successfully removed'],
    ),
    either(
      'NamespaceFinalizersRemaining',
      finalizers.length > 0,
      ['SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${held}`],
      ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    ),
  ];
}

const COMPARED = ['type', 'status', 'reason', 'message'] as const;
/** Whether two lists of conditions are equal, apart from their times. */
export const sameConditions = (a: readonly Condition[] | undefined, b: readonly Condition[]): boolean =>
  a?.length === b.length && b.every((condition, at) => COMPARED.every((field) => a[at]?.[field] === condition[field]));
