/**
 * Deletes objects without owners, completes the deletion of owners that waited for their dependents, and orphans dependents. Models: v1.24
 * pkg/controller/garbagecollector. Keys are nodes of the graph: `Pod/default/web-0`.
 */
import { type ApiObject, type OwnerReference, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import {
  readLive,
  defineController,
  forKinds,
  idle,
  remove,
  watch,
  write,
  type CacheView,
  type Predicate,
  type Outcome,
  type Write,
} from '../../runtime/index.ts';
import { mergePatch, removeOwners, dropFinalizers } from '../../shared/index.ts';
import { blocks, graphOver, isDying, nodeOf, type Graph, classifyOwners, nodesConcerned } from './graph.ts';

/** Uids of recent deletions: no live read is needed for each of 100,000 dependents. */
interface State {
  readonly gone: Set<string>;
}
const MOST_REMEMBERED = 500;
/** The fields that link an object to others, and control its deletion. */
const TIES: Predicate = { fields: ['metadata.ownerReferences', 'metadata.deletionTimestamp', 'metadata.finalizers'] };
/** The state of an owner by a live read: it is gone, it waits for its dependents to be deleted first, or it stays. */
type OwnerState = 'gone' | 'waiting' | 'solid';
/** Results of live reads about a node: the object itself, and by uid the state of its owners. */
interface Memory {
  readonly latest: ApiObject;
  readonly owners: Readonly<Record<string, OwnerState>>;
  /** The uid of the owner asked about. */ readonly readUid?: string;
}

/** The collector over all kinds of a registry that can have owners. */
export const garbageCollector = forKinds((registry) => {
  const collected = graphOver(registry).kinds;
  const watchOf = (kind: string) =>
    watch<string, State>(kind, (delta, { cache, kinds }) => nodesConcerned(graphOver(kinds), cache, delta), {
      predicate: TIES,
      // Renewals do not change the owners of a lease, so they may be elided.
      ...(kind === 'Lease' ? { renewals: false } : {}),
    });
  const controller = defineController<string, Memory, State>({
    name: 'garbage-collector',
    component: 'garbage-collector-controller',
    writes: collected,
    models:
      'The three propagation policies, absent and misplaced owners, blockOwnerDeletion. Reads the API server for an object before it is deleted, and for each of its owners that was not seen deleted. Events are not collected. Upstream: pkg/controller/garbagecollector.',
    watches: collected.map(watchOf),
    watchOn: ({ kind }) => watchOf(kind),
    start: () => ({ gone: new Set() }),
    observe({ type, object }, { state: { gone } }) {
      if (type !== 'DELETED') return;
      gone.add(object.metadata.uid);
      const [first = ''] = gone.size > MOST_REMEMBERED ? gone : [];
      gone.delete(first);
    },
    reconcile: ({ key, cache, kinds, state }) => decideByCache(graphOver(kinds), cache, key, state),
    resume({ cache, kinds, state, memory }, { object }) {
      const graph = graphOver(kinds);
      if (memory?.readUid !== undefined) {
        const { readUid, owners } = memory;
        return decide(graph, cache, state, { ...memory, owners: { ...owners, [readUid]: ownerStateOf(readUid, object) } });
      }
      if (object === undefined) return { memory: null, ...idle('it is gone') };
      return decide(graph, cache, state, { latest: object, owners: {} });
    },
  });
  return controller;
});

/** Decides by the cache. Before an object is deleted for its missing owners, the server is read live, because a cache may lag. */
function decideByCache(graph: Graph, cache: CacheView, key: string, { gone }: State): Outcome<Memory> {
  const object = graph.find(cache, key);
  if (object === undefined) return { memory: null, ...idle('it is gone') };
  if (isDying(object, ORPHAN)) return orphanDependents(graph, cache, object);
  if (isDying(object, FOREGROUND)) return awaitDependents(graph, cache, object);
  if (object.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');
  const { dangling, waiting, missing, unresolvable } = classifyOwners(graph, cache, object, (uid) => gone.has(uid));
  if (dangling.length + waiting.length + missing.length + unresolvable.length === 0) return { memory: null, ...idle('its owners exist') };
  const read = readLive(object, { tolerate: ['NotFound'] });
  return { memory: null, ...write('an owner is missing or being deleted: read the object from the API server', read) };
}

/** Decides about an object as the server has it. */
function decide(graph: Graph, cache: CacheView, { gone }: State, memory: Memory): Outcome<Memory> {
  const { latest, owners: ownerStates } = memory;
  if (latest.metadata.deletionTimestamp !== undefined) return { memory: null, ...idle('it is being deleted already') };
  const owners = classifyOwners(graph, cache, latest, (uid) => gone.has(uid) || ownerStates[uid] === 'gone');
  const { dangling, complaints, unresolvable } = owners;
  const there = [...owners.missing, ...owners.waiting, ...owners.solid];
  const doubt = (latest.metadata.ownerReferences ?? []).find((owner) => there.includes(owner) && ownerStates[owner.uid] === undefined);
  if (doubt !== undefined)
    return {
      ...write(`read its owner ${doubt.kind} ${doubt.name} from the API server`, readOwner(graph, latest, doubt)),
      memory: { ...memory, readUid: doubt.uid },
    };
  const ownersIn = (as: OwnerState) => there.filter(({ uid }) => ownerStates[uid] === as);
  const [solid, waiting] = [ownersIn('solid'), ownersIn('waiting')];
  if (unresolvable.length > 0) return { memory: null, ...write('an owner cannot be looked up, so nothing is deleted', ...complaints) };
  const lost = [...dangling, ...waiting];
  if (lost.length === 0) {
    if (solid.length === 0) return { memory: null, ...idle('it has no owner') };
    // Its deletion may fall between two lists of the cache: then no event comes. Models: v1.24 processAttemptToDeleteItem, isObserved.
    if (owners.missing.length > 0) return { backoff: 'retry', memory: null, ...idle('its owners exist, and one is not in the cache yet') };
    return { memory: null, ...idle('its owners exist') };
  }
  if (solid.length > 0) {
    const uids = lost.map(({ uid }) => uid);
    const why = `it has another owner, so only its ownerReferences to ${names(lost)} are removed`;
    return { memory: null, ...write(why, ...complaints, removeOwners(latest, uids)) };
  }
  return { ...collect(graph, cache, latest, waiting, complaints, dangling), memory: null };
}

/** Deletes an object without a solid owner, its own dependents first if an owner waits for it. */
function collect(
  graph: Graph,
  cache: CacheView,
  object: ApiObject,
  waiting: readonly OwnerReference[],
  complaints: readonly Write[],
  dangling: readonly OwnerReference[],
): Outcome<Memory> {
  const why = `${names([...dangling, ...waiting])} ${waiting.length > 0 ? 'waits for its deletion' : 'is gone'}`;
  // With the resourceVersion that was read: a concurrent change of its owners, an orphaning for example, takes precedence.
  const as = (propagationPolicy: string): Write => remove(object, { propagationPolicy, resourceVersion: object.metadata.resourceVersion });
  const dependents = graph.dependentsOf(cache, object.metadata.uid);
  if (waiting.length === 0 || dependents.length === 0) return write(`${why}, so it is deleted`, ...complaints, as(policyOf(object)));
  // A dependent that already waits for its own may form a cycle: then no owner blocks.
  const circular = dependents.some((dependent) => isDying(dependent, FOREGROUND));
  return write(
    `${why}, so it is deleted after its ${dependents.length} dependents`,
    ...complaints,
    ...(circular ? [unblock(object), remove(object, { propagationPolicy: 'Foreground' })] : [as('Foreground')]),
  );
}

const policyOf = ({ metadata: { finalizers } }: ApiObject): string =>
  finalizers?.includes(ORPHAN) === true ? 'Orphan' : finalizers?.includes(FOREGROUND) === true ? 'Foreground' : 'Background';
const names = (owners: readonly OwnerReference[]): string => owners.map(({ kind, name }) => `${kind} ${name}`).join(', ');

const ownerStateOf = (uid: string, owner: ApiObject | undefined): OwnerState =>
  owner?.metadata.uid !== uid ? 'gone' : isDying(owner, FOREGROUND) ? 'waiting' : 'solid';

function readOwner(graph: Graph, object: ApiObject, owner: OwnerReference): Write {
  const { namespace } = object.metadata;
  const there = graph.kindOf(owner)?.namespaced === true && namespace !== undefined ? { namespace } : {};
  return readLive({ kind: owner.kind, metadata: { name: owner.name, ...there } }, { tolerate: ['NotFound'] });
}

function unblock(object: ApiObject): Write {
  const { uid, ownerReferences = [] } = object.metadata;
  const unblocked = ownerReferences.map((owner) => ({ uid: owner.uid, blockOwnerDeletion: false }));
  return mergePatch(object, { metadata: { uid, ownerReferences: unblocked } }, { patchType: 'strategic', tolerate: ['NotFound'] });
}

function orphanDependents(graph: Graph, cache: CacheView, owner: ApiObject): Outcome<Memory> {
  const dependents = graph.dependentsOf(cache, owner.metadata.uid);
  return write(
    `orphan its ${dependents.length} dependents, then delete it`,
    ...dependents.map((dependent) => removeOwners(dependent, [owner.metadata.uid])),
    dropFinalizers(owner, [ORPHAN]),
  );
}

/** Removes the finalizer from the owner once no dependent blocks it. */
function awaitDependents(graph: Graph, cache: CacheView, owner: ApiObject): Outcome<Memory> {
  const blocking = graph.dependentsOf(cache, owner.metadata.uid).filter((dependent) => blocks(dependent, owner));
  // All dependents at first; later only new ones.
  const untouched = blocking.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (blocking.length > 0)
    return {
      ...idle(`waiting for ${blocking.length} dependents to be deleted`),
      ...(untouched.length === 0 ? {} : { enqueue: untouched.map(nodeOf) }),
    };
  return write('no dependent blocks its deletion any more', dropFinalizers(owner, [FOREGROUND]));
}
