/** Empties a namespace that was deleted, then lets it go. Models: v1.24 pkg/controller/namespace. */
import { brandOf, type Names } from '../../../apiserver/vocabulary/index.ts';
import type { KindRegistry, Namespace } from '../../../apiserver/kinds/index.ts';
import {
  onElapsed,
  defineController,
  forKinds,
  idle,
  isOf,
  watchOnly,
  remove,
  watch,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import { parseTime } from '../../../grammar/values/index.ts';
import {
  counted,
  deletionConditions,
  emptyInventory,
  estimateSeconds,
  remainingIn,
  sameConditions,
  type Inventory,
  type Remaining,
} from './content.ts';

/** A deleted namespace rests this long, so that everybody has seen it before its content goes. */
const GRACE_MS = 5_000;
/** A look asks the server for every kind there is, one after the other: what is left is judged only then. */
const LOOK_MS = 60;
/** Kinds too lively to be watched for this: all there is of them is deleted unseen at each look. */
const UNWATCHED: ReadonlySet<string> = new Set(['Event', 'Lease']);

/** A look has deleted what it found; what is left is judged when it ends. */
interface Memory {
  readonly judgeAt: number;
  /** The cache shows nothing any more, so the server is being asked. */
  readonly inventory?: Inventory;
}

export const namespaceLifecycle = forKinds((registry) => {
  const controller = defineController<'Namespace', Memory>({
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
    reconcile: onElapsed((input): Outcome<Memory> => {
      const { self: namespace, names, cache, now, wall, memory } = input;
      const { name, deletionTimestamp } = namespace.metadata;
      if (deletionTimestamp === undefined) return idle('it is not being deleted');
      if ((namespace.spec.finalizers ?? []).length === 0) return idle('waiting for its other finalizers');
      // A namesake may have come meanwhile, and would lose what is in it.
      if (memory === undefined) return askFor(namespace);
      const remaining = remainingIn(registry, names, cache, name);
      if (now < memory.judgeAt)
        return { why: 'the remaining objects are being counted', writes: [], backoff: 'keep', wakeAt: memory.judgeAt };
      if (!input.expectationsSatisfied)
        return { why: 'waiting to observe its own deletions', writes: [], backoff: 'keep', wakeAt: now + LOOK_MS };
      // With its last finalizer everything that it still has would be left behind: a cache that lags is not believed.
      return remaining.length > 0
        ? judge(namespace, remaining, names, { now, wall })
        : takeStock(name, { ...memory, inventory: emptyInventory(registry) });
    }),
    resume: onElapsed(({ self: namespace, names, cache, memory, now, wall }, { write, object, objects = [] }) => {
      if (write.op === 'get')
        return object?.metadata.deletionTimestamp === undefined || object.metadata.uid !== namespace?.metadata.uid
          ? { why: 'it is gone: its cache is stale', writes: [], memory: null }
          : sweep(registry, remainingIn(registry, names, cache, object.metadata.name), object.metadata.name, now);
      // The status has just been written: only with the new revision will the server take the next update.
      if (write.op !== 'list') return letGo(isOf('Namespace', object) ? object : namespace, names);
      if (namespace === undefined || memory?.inventory === undefined) return letGo(undefined, names);
      const inventory = counted(memory.inventory, objects, registry, names);
      return inventory.unasked.length > 0
        ? takeStock(namespace.metadata.name, { ...memory, inventory })
        : judge(namespace, inventory.left, names, { now, wall });
    }),
  });
  return controller;
});

const askFor = ({ metadata: { name } }: Namespace): Outcome<Memory> => ({
  why: 'it is being deleted: read it from the API server before anything in it is deleted',
  writes: [{ op: 'get', kind: 'Namespace', name, tolerate: ['NotFound'], resume: true }],
  backoff: 'keep',
});

/** Deletes everything that the cache shows in a namespace, and what no cache shows. */
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

/** Asks the server for all objects of the next kind. */
const takeStock = (namespace: string, memory: Memory & { readonly inventory: Inventory }): Outcome<Memory> => {
  const [kind = ''] = memory.inventory.unasked;
  return {
    why: `the cache shows no objects in it: list each ${kind} from the API server`,
    writes: [{ op: 'list', kind, namespace, resume: true }],
    memory,
    backoff: 'keep',
  };
};

type Conditions = ReturnType<typeof deletionConditions>;

const tell = (namespace: Namespace, conditions: Conditions) =>
  ({ op: 'update', subresource: 'status', object: { ...namespace, status: { ...namespace.status, conditions } } }) as const;

/** Nothing of it is left: this controller's finalizer goes, others stay. */
const letGo = (namespace: Namespace | undefined, names: Names): Outcome<Memory> => {
  if (namespace === undefined) return { why: 'it is gone', writes: [], memory: null };
  const others = (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== brandOf(names));
  return {
    why: 'it is empty',
    memory: null,
    writes: [
      {
        op: 'update',
        subresource: 'finalize',
        object: { ...namespace, spec: { ...namespace.spec, finalizers: others } },
        tolerate: ['NotFound'],
      },
    ],
  };
};

function judge(
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
  if (remaining.length === 0) {
    // A namespace that went without trouble never said that anything was wrong.
    return changed && namespace.status.conditions !== undefined
      ? { why: 'it is empty: update its conditions first', writes: [{ ...tell(namespace, conditions), resume: true }], memory: null }
      : letGo(namespace, names);
  }
  const writes = changed ? [tell(namespace, conditions)] : [];
  if (stuck.length > 0)
    return {
      why: `${stuck.map(({ plural }) => plural).join(', ')} should have been deleted by now`,
      writes,
      backoff: 'retry',
      memory: null,
    };
  const seconds = Math.max(...estimates.map((estimate) => estimate.seconds ?? 0));
  return { why: `the remaining objects may take ${seconds} s`, writes, memory: null, wakeAt: now + (Math.floor(seconds / 2) + 1) * 1000 };
}
