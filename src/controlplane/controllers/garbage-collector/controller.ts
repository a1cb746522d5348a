/**
 * Deletes objects without owners, completes the deletion of owners that waited for their dependents, and orphans dependents. Models: v1.24
 * pkg/controller/garbagecollector. Keys are nodes of the graph: `Pod/default/web-0`.
 */
import { type ApiObject, type OwnerReference, FOREGROUND, ORPHAN } from '../../../apiserver/machinery/index.ts';
import { readLive, defineController, forKinds, idle, remove, write } from '../../runtime/index.ts';
import type { Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { mergePatch, removeOwners, dropFinalizers } from '../../shared/index.ts';
import { blocks, classifyOwners, graphOver, isDying, nodeOf, rememberGone, watchOf, type Gone } from './graph.ts';

/** The state of an owner by a live read: it is gone, it waits for its dependents to be deleted first, or it stays. */
type OwnerState = 'gone' | 'waiting' | 'solid';
/** Results of live reads about a node: the object itself, and by uid the state of its owners. */
interface Memory {
  readonly latest: ApiObject;
  readonly owners: Readonly<Record<string, OwnerState>>;
  /** The uid of the owner asked about. */ readonly readUid?: string;
}
type Input = Omit<ReconcileInput<ApiObject, Memory, Gone>, 'self'>;

/** The collector over all kinds of a registry that can have owners. */
export const garbageCollector = forKinds((registry) => {
  const { kinds } = graphOver(registry);
  return defineController<string, Memory, Gone>({
    name: 'garbage-collector',
    component: 'garbage-collector-controller',
    writes: kinds,
    models:
      'The three propagation policies, absent and misplaced owners, blockOwnerDeletion. Reads the API server for an object before it is deleted, and for each of its owners that was not seen deleted. Events are not collected. Upstream: pkg/controller/garbagecollector.',
    watches: kinds.map(watchOf),
    watchOn: ({ kind }) => watchOf(kind),
    start: () => ({ gone: new Set() }),
    observe: rememberGone,
    reconcile: decideByCache,
    resume(input, { object }) {
      const { memory } = input;
      if (memory?.readUid !== undefined) {
        const { readUid, owners } = memory;
        return decide(input, { ...memory, owners: { ...owners, [readUid]: ownerStateOf(readUid, object) } });
      }
      return object === undefined ? done('it is gone') : decide(input, { latest: object, owners: {} });
    },
  });
});

/** An outcome after which nothing is remembered. */
const done = (why: string, ...writes: readonly Write[]): Outcome<Memory> => ({ memory: null, why, writes });

/** Decides by the cache. Before an object is deleted for its missing owners, the server is read live, because a cache may lag. */
function decideByCache(input: Input): Outcome<Memory> {
  const { key, cache, kinds, state } = input;
  const slash = key.indexOf('/');
  const object = cache.byKey(key.slice(0, slash), key.slice(slash + 1));
  if (object === undefined) return done('it is gone');
  if (isDying(object, ORPHAN)) return orphanDependents(input, object);
  if (isDying(object, FOREGROUND)) return awaitDependents(input, object);
  if (object.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');
  const { dangling, waiting, missing, unresolvable } = classifyOwners(graphOver(kinds), cache, object, (uid) => state.gone.has(uid));
  if (dangling.length + waiting.length + missing.length + unresolvable.length === 0) return done('its owners exist');
  return done('an owner is missing or being deleted: read the object from the API server', readLive(object, { tolerate: ['NotFound'] }));
}

/** Decides about an object as the server has it. */
function decide(input: Input, memory: Memory): Outcome<Memory> {
  const { cache, kinds, state } = input;
  const { latest, owners: ownerStates } = memory;
  if (latest.metadata.deletionTimestamp !== undefined) return done('it is being deleted already');
  const isGone = (uid: string): boolean => state.gone.has(uid) || ownerStates[uid] === 'gone';
  const owners = classifyOwners(graphOver(kinds), cache, latest, isGone);
  const { dangling, complaints, unresolvable } = owners;
  const there = [...owners.missing, ...owners.waiting, ...owners.solid];
  const doubt = (latest.metadata.ownerReferences ?? []).find((owner) => there.includes(owner) && ownerStates[owner.uid] === undefined);
  if (doubt !== undefined)
    return {
      ...write(`read its owner ${doubt.kind} ${doubt.name} from the API server`, readOwner(input, latest, doubt)),
      memory: { ...memory, readUid: doubt.uid },
    };
  const ownersIn = (as: OwnerState) => there.filter(({ uid }) => ownerStates[uid] === as);
  const [solid, waiting] = [ownersIn('solid'), ownersIn('waiting')];
  if (unresolvable.length > 0) return done('an owner cannot be looked up, so nothing is deleted', ...complaints);
  const lost = [...dangling, ...waiting];
  if (lost.length > 0 && solid.length === 0) return collect(input, latest, lost, waiting.length > 0, complaints);
  if (lost.length > 0) {
    const why = `it has another owner, so only its ownerReferences to ${names(lost)} are removed`;
    return done(
      why,
      ...complaints,
      removeOwners(
        latest,
        lost.map(({ uid }) => uid),
      ),
    );
  }
  if (solid.length === 0) return done('it has no owner');
  // Its deletion may fall between two lists of the cache: then no event comes. Models: v1.24 processAttemptToDeleteItem, isObserved.
  if (owners.missing.length > 0) return { backoff: 'retry', ...done('its owners exist, and one is not in the cache yet') };
  return done('its owners exist');
}

/** Deletes an object without a solid owner, its own dependents first if an owner waits for it. */
function collect(
  { cache, kinds }: Input,
  object: ApiObject,
  lost: readonly OwnerReference[],
  isAwaited: boolean,
  complaints: readonly Write[],
): Outcome<Memory> {
  const why = `${names(lost)} ${isAwaited ? 'waits for its deletion' : 'is gone'}`;
  // With the resourceVersion that was read: a concurrent change of its owners, an orphaning for example, takes precedence.
  const as = (propagationPolicy: string): Write => remove(object, { propagationPolicy, resourceVersion: object.metadata.resourceVersion });
  const dependents = graphOver(kinds).dependentsOf(cache, object.metadata.uid);
  if (!isAwaited || dependents.length === 0) return done(`${why}, so it is deleted`, ...complaints, as(policyOf(object)));
  // A dependent that already waits for its own may form a cycle: then no owner blocks.
  const circular = dependents.some((dependent) => isDying(dependent, FOREGROUND));
  return done(
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

function readOwner({ kinds }: Input, object: ApiObject, owner: OwnerReference): Write {
  const { namespace } = object.metadata;
  const there = graphOver(kinds).kindOf(owner)?.namespaced === true && namespace !== undefined ? { namespace } : {};
  return readLive({ kind: owner.kind, metadata: { name: owner.name, ...there } }, { tolerate: ['NotFound'] });
}

function unblock(object: ApiObject): Write {
  const { uid, ownerReferences = [] } = object.metadata;
  const unblocked = ownerReferences.map((owner) => ({ uid: owner.uid, blockOwnerDeletion: false }));
  return mergePatch(object, { metadata: { uid, ownerReferences: unblocked } }, { patchType: 'strategic', tolerate: ['NotFound'] });
}

function orphanDependents({ cache, kinds }: Input, owner: ApiObject): Outcome<Memory> {
  const dependents = graphOver(kinds).dependentsOf(cache, owner.metadata.uid);
  return write(
    `orphan its ${dependents.length} dependents, then delete it`,
    ...dependents.map((dependent) => removeOwners(dependent, [owner.metadata.uid])),
    dropFinalizers(owner, [ORPHAN]),
  );
}

/** Removes the finalizer from the owner once no dependent blocks it. */
function awaitDependents({ cache, kinds }: Input, owner: ApiObject): Outcome<Memory> {
  const blocking = graphOver(kinds)
    .dependentsOf(cache, owner.metadata.uid)
    .filter((dependent) => blocks(dependent, owner.metadata.uid));
  // All dependents at first; later only new ones.
  const untouched = blocking.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (blocking.length > 0)
    return {
      ...idle(`waiting for ${blocking.length} dependents to be deleted`),
      ...(untouched.length === 0 ? {} : { enqueue: untouched.map(nodeOf) }),
    };
  return write('no dependent blocks its deletion any more', dropFinalizers(owner, [FOREGROUND]));
}
