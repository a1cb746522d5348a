/**
 * Deletes the content of a deleted namespace, then removes its finalizer; the conditions in its status say what remains. Models: v1.24
 * pkg/controller/namespace, its deletion helper.
 */
import { type ApiObject, type Names, brandOf } from '../../../apiserver/machinery/index.ts';
import type { KindRegistry, Namespace } from '../../../apiserver/kinds/index.ts';
import { isOf, onElapsed, defineController, forKinds, idle, readLive, watchOnly, writeStatus, remove, watch } from '../../runtime/index.ts';
import type { CacheView, Outcome, Write } from '../../runtime/index.ts';
import { conditionOf } from '../../shared/index.ts';
import { formatTime, compareText, parseTime, bump } from '../../../schema/values/index.ts';

type Kind = ReturnType<KindRegistry['list']>[number];
export interface Remaining extends Pick<Kind, 'kind' | 'version' | 'plural'> {
  readonly group: string;
  readonly objects: readonly ApiObject[];
}

const remainingOf = (kind: Kind, names: Names, objects: readonly ApiObject[]): readonly Remaining[] =>
  objects.length === 0
    ? []
    : [{ kind: kind.kind, group: names.group(kind.groupPrefix), version: kind.version, plural: kind.plural, objects }];

const remainingIn = (registry: KindRegistry, names: Names, cache: CacheView, namespace: string): readonly Remaining[] =>
  registry
    .list()
    .filter((kind) => kind.namespaced && cache.kinds().includes(kind.kind))
    .flatMap((kind) => remainingOf(kind, names, cache.by(kind.kind, 'namespace', namespace)));

/** The results of live lists of the namespace's content so far. */
interface Inventory {
  readonly left: readonly Remaining[];
  /** Kinds that are not listed yet. */
  readonly unlisted: readonly string[];
}

const emptyInventory = (registry: KindRegistry): Inventory => ({
  left: [],
  unlisted: registry.list().flatMap(({ namespaced, kind }) => (namespaced ? [kind] : [])),
});

/** The inventory with the result for the first unlisted kind. */
function counted(
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
    for (const { metadata } of objects) for (const finalizer of metadata.finalizers ?? []) bump(counts, finalizer, 1);
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

/** The delay after the deletion of a namespace, so that every cache shows it before its content is deleted. */
const GRACE_MS = 5_000;
/** An attempt lists every kind from the server, one after the other; its result is judged at the end. */
const LOOK_MS = 60;
/** Kinds that change too often to be watched for this: all their objects are deleted at each attempt without reading them. */
const UNWATCHED: ReadonlySet<string> = new Set(['Event', 'Lease']);

/** An attempt has deleted what it found; what remains is judged when it ends. */
interface Memory {
  readonly judgeAt: number;
  /** The cache is empty, so the server is being listed. */
  readonly inventory?: Inventory;
}

export const namespaceLifecycle = forKinds((registry) =>
  defineController<'Namespace', Memory>({
    name: 'namespace',
    reconciles: 'Namespace',
    writes: registry.list().map(({ kind }) => kind),
    models:
      'v1.24 pkg/controller/namespace with its deletion helper; reads the namespace from the API server before anything in it is deleted, and lists every kind before it is finalized. Omits: discovery failures.',
    self: {
      enqueue: ({ type, key, object }) =>
        type !== 'DELETED' && object.metadata.deletionTimestamp !== undefined ? { key, afterMs: GRACE_MS } : undefined,
    },
    watches: registry
      .list()
      .filter(({ namespaced, kind }) => namespaced && !UNWATCHED.has(kind))
      .map(({ kind }) => watch(kind, watchOnly)),
    watchOn: ({ namespaced, kind }) => (namespaced ? watch(kind, watchOnly) : undefined),
    reconcile: onElapsed((input): Outcome<Memory> => {
      const { self: namespace, names, kinds, cache, now, wall, memory } = input;
      const { name, deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp === undefined) return idle('it is not being deleted');
      if ((namespace.spec.finalizers ?? []).length === 0) return idle('waiting for its other finalizers');
      // A namesake may have come meanwhile, and would lose what is in it.
      if (memory === undefined) return askFor(namespace);
      const remaining = remainingIn(kinds, names, cache, name);
      if (now < memory.judgeAt)
        return { why: 'the remaining objects are being counted', writes: [], backoff: 'keep', wakeAt: memory.judgeAt };
      if (!input.expectationsSatisfied)
        return { why: 'waiting to observe its own deletions', writes: [], backoff: 'keep', wakeAt: now + LOOK_MS };
      // Removing the last finalizer would leave all remaining content behind, so a stale cache must not decide.
      return remaining.length > 0
        ? finish(namespace, remaining, names, { now, wall })
        : listNext(name, { ...memory, inventory: emptyInventory(kinds) });
    }),
    resume: onElapsed(({ self: namespace, names, kinds, cache, memory, now, wall }, { write, object, objects = [] }) => {
      if (write.op === 'get')
        return object?.metadata.deletionTimestamp === undefined || object.metadata.uid !== namespace?.metadata.uid
          ? { why: 'it is gone: its cache is stale', writes: [], memory: null }
          : sweep(kinds, remainingIn(kinds, names, cache, object.metadata.name), object.metadata.name, now);
      // The status was just written: the next update needs the new resourceVersion.
      if (write.op !== 'list') return removeFinalizer(isOf('Namespace', object) ? object : namespace, names);
      if (namespace === undefined || memory?.inventory === undefined) return removeFinalizer(undefined, names);
      const inventory = counted(memory.inventory, objects, kinds, names);
      return inventory.unlisted.length > 0
        ? listNext(namespace.metadata.name, { ...memory, inventory })
        : finish(namespace, inventory.left, names, { now, wall });
    }),
  }),
);

const askFor = (namespace: Namespace): Outcome<Memory> => ({
  why: 'it is being deleted: read it from the API server before anything in it is deleted',
  writes: [readLive(namespace, { tolerate: ['NotFound'] })],
  backoff: 'keep',
});

/** Deletes the objects of a namespace that the cache shows, and the kinds that no cache holds. */
function sweep(registry: KindRegistry, remaining: readonly Remaining[], namespace: string, now: number): Outcome<Memory> {
  const fresh = remaining.flatMap(({ objects }) => objects).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const unseen = registry
    .list()
    .filter(({ kind }) => UNWATCHED.has(kind))
    .map(({ kind }): Write => ({ op: 'deleteCollection', kind, namespace, propagationPolicy: 'Background' }));
  return {
    why: `${fresh.length} of the ${remaining.reduce((sum, { objects }) => sum + objects.length, 0)} objects in it are still to be deleted`,
    writes: [...fresh.map((object) => remove(object, { propagationPolicy: 'Background', tolerate: ['NotFound', 'Conflict'] })), ...unseen],
    memory: { judgeAt: now + LOOK_MS },
    backoff: 'keep',
    wakeAt: now + LOOK_MS,
  };
}

const listNext = (namespace: string, memory: Memory & { readonly inventory: Inventory }): Outcome<Memory> => {
  const [kind = ''] = memory.inventory.unlisted;
  return {
    why: `the cache shows no objects in it: list each ${kind} from the API server`,
    writes: [{ op: 'list', kind, namespace, resume: true }],
    memory,
    backoff: 'keep',
  };
};

/** The namespace is empty: this controller's finalizer is removed, others stay. */
const removeFinalizer = (namespace: Namespace | undefined, names: Names): Outcome<Memory> => {
  if (namespace === undefined) return { why: 'it is gone', writes: [], memory: null };
  const others = (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== brandOf(names));
  const object = { ...namespace, spec: { ...namespace.spec, finalizers: others } };
  return { why: 'it is empty', memory: null, writes: [{ op: 'update', subresource: 'finalize', object, tolerate: ['NotFound'] }] };
};

function finish(
  namespace: Namespace,
  remaining: readonly Remaining[],
  names: Names,
  { now, wall }: { readonly now: number; readonly wall: number },
): Outcome<Memory> {
  const { name, deletionTimestamp } = namespace.metadata;
  const deletedForMs = wall - parseTime(deletionTimestamp ?? '');
  const estimates = remaining.map((one) => ({ one, seconds: estimateSeconds(one, deletedForMs) }));
  const stuck = estimates.filter(({ seconds }) => seconds === undefined).map(({ one }) => one);
  const conditions = deletionConditions(remaining, stuck, name, namespace.status.conditions, wall);
  const changed = !sameConditions(namespace.status.conditions, conditions);
  const update = writeStatus(namespace, { ...namespace.status, conditions });
  if (remaining.length === 0) {
    // A namespace that was emptied without problems has never got these conditions.
    return changed && namespace.status.conditions !== undefined && update.op === 'update'
      ? { why: 'it is empty: update its conditions first', writes: [{ ...update, resume: true }], memory: null }
      : removeFinalizer(namespace, names);
  }
  const writes = changed ? [update] : [];
  if (stuck.length > 0) {
    const plurals = stuck.map(({ plural }) => plural).join(', ');
    return { why: `${plurals} should have been deleted by now`, writes, backoff: 'retry', memory: null };
  }
  const seconds = Math.max(...estimates.map((estimate) => estimate.seconds ?? 0));
  return { why: `the remaining objects may take ${seconds} s`, writes, memory: null, wakeAt: now + (Math.floor(seconds / 2) + 1) * 1000 };
}
