/**
 * Deletes what lost its owners, lets owners go that waited for their dependents, and orphans dependents that are to stay.
 * Models: v1.24 pkg/controller/garbagecollector. Keys are nodes of the graph: `Pod/default/web-0`.
 */
import type { ApiObject, KindRegistry, OwnerReference } from '../../api/index.ts';
import { defineController, idle, remove, write, type CacheView, type Controller, type Outcome, type Write } from '../../runtime/index.ts';
import { disown, dropFinalizers } from '../owner-references.ts';
import { FOREGROUND, graphOver, isDying, ORPHAN, type Graph } from './graph.ts';
import { classifyOwners } from './owners.ts';
import { nodesConcerned } from './watch.ts';

/** Uids seen deleted of late: spares asking the server for each of 100,000 dependents. */
interface State { readonly gone: Set<string> }
const MOST_REMEMBERED = 500;
/** Owners the server said are not there, for the key. */
interface Memory { readonly absent: readonly string[] }

/** The collector over every kind of a registry that can have owners. */
export function garbageCollector(registry: KindRegistry): Controller {
  const graph = graphOver(registry);
  const controller = defineController<string, Memory, State>({
    name: 'garbage-collector',
    component: 'garbage-collector-controller',
    writes: graph.kinds,
    models: 'The three policies, absent and misplaced owners, blockOwnerDeletion. Leases and Events are not collected. Upstream: pkg/controller/garbagecollector.',
    watches: graph.kinds.map((kind) => ({ kind, enqueue: (delta, { cache }) => nodesConcerned(graph, cache, delta) })),
    start: () => ({ gone: new Set() }),
    observe({ type, object }, { state: { gone } }) {
      if (type !== 'DELETED') return;
      gone.add(object.metadata.uid);
      if (gone.size > MOST_REMEMBERED) for (const first of gone) { gone.delete(first); break; }
    },
    reconcile: ({ key, cache, state, memory }) => decide(graph, cache, key, (uid) => state.gone.has(uid) || memory?.absent.includes(uid) === true),
    recover({ key, cache, state, memory }, { write, status }) {
      if (write.op !== 'check' || status.reason !== 'NotFound') return undefined;
      const absent = [...(memory?.absent ?? []), write.uid];
      return { ...decide(graph, cache, key, (uid) => state.gone.has(uid) || absent.includes(uid)), memory: { absent } };
    },
  });
  return controller as unknown as Controller;
}

function decide(graph: Graph, cache: CacheView, key: string, isGone: (uid: string) => boolean): Outcome<Memory> {
  const object = graph.find(cache, key);
  if (object === undefined) return { ...idle('it is gone'), memory: null };
  if (isDying(object, ORPHAN)) return orphanDependents(graph, cache, object);
  if (isDying(object, FOREGROUND)) return awaitDependents(graph, cache, object);
  if (object.metadata.deletionTimestamp !== undefined) return idle('it is being deleted already');

  const { solid, dangling, waiting, missing, unresolvable, complaints } = classifyOwners(graph, cache, object, isGone);
  const [doubt] = missing;
  if (doubt !== undefined) return write(`whether its owner ${doubt.kind} ${doubt.name} exists is asked of the server`, ...complaints, check(graph, object, doubt));
  if (unresolvable.length > 0) return write('an owner cannot be looked up, so nothing is done', ...complaints);
  const lost = [...dangling, ...waiting];
  if (lost.length === 0) return idle(solid.length === 0 ? 'it has no owner' : 'its owners exist');
  if (solid.length > 0) return write(`it has another owner, so only its ties to ${names(lost)} are cut`, ...complaints, disown(object, lost.map(({ uid }) => uid)));
  return collect(graph, cache, object, waiting, complaints, dangling);
}

/** Deletes an object without a staying owner, its own dependents first if an owner waits for it. */
function collect(graph: Graph, cache: CacheView, object: ApiObject, waiting: readonly OwnerReference[], complaints: readonly Write[], dangling: readonly OwnerReference[]): Outcome<Memory> {
  const why = `${names([...dangling, ...waiting])} ${waiting.length > 0 ? 'waits for it to go' : 'is gone'}`;
  // Only as last seen: whoever changed its owners meanwhile, an orphaning say, wins.
  const as = (propagationPolicy: string): Write => remove(object, { propagationPolicy, resourceVersion: object.metadata.resourceVersion });
  const dependents = graph.dependentsOf(cache, object.metadata.uid);
  if (waiting.length === 0 || dependents.length === 0) return write(`${why}, so it is deleted`, ...complaints, as(policyOf(object)));
  // A dependent already waiting for its own may close a circle: then nobody must block.
  const circular = dependents.some((dependent) => isDying(dependent, FOREGROUND));
  return write(`${why}, so it is deleted after its ${dependents.length} dependents`, ...complaints, ...(circular ? [unblock(object)] : [as('Foreground')]));
}

const policyOf = ({ metadata: { finalizers } }: ApiObject): string => (finalizers?.includes(ORPHAN) === true ? 'Orphan' : finalizers?.includes(FOREGROUND) === true ? 'Foreground' : 'Background');
const names = (owners: readonly OwnerReference[]): string => owners.map(({ kind, name }) => `${kind} ${name}`).join(', ');
const reference = ({ kind, metadata: { name, namespace } }: ApiObject): { kind: string; name: string; namespace?: string } => ({ kind, name, ...(namespace === undefined ? {} : { namespace }) });

function check(graph: Graph, object: ApiObject, owner: OwnerReference): Write {
  const { namespace } = object.metadata;
  const { kind, name, uid } = owner;
  const namespaced = graph.kindOf(owner)?.namespaced === true;
  return { op: 'check', kind, name, uid, ...(namespaced && namespace !== undefined ? { namespace } : {}) };
}

function unblock(object: ApiObject): Write {
  const ownerReferences = (object.metadata.ownerReferences ?? []).map((owner) => ({ uid: owner.uid, blockOwnerDeletion: false }));
  return { op: 'patch', ...reference(object), patchType: 'strategic', patch: { metadata: { uid: object.metadata.uid, ownerReferences } }, tolerate: ['NotFound'] };
}

/** Cuts the ties of all dependents, then lets the owner go. */
function orphanDependents(graph: Graph, cache: CacheView, owner: ApiObject): Outcome<Memory> {
  const dependents = graph.dependentsOf(cache, owner.metadata.uid);
  return write(`it goes and its ${dependents.length} dependents stay`, ...dependents.map((dependent) => disown(dependent, [owner.metadata.uid])), dropFinalizers(owner, [ORPHAN]));
}

/** Lets the owner go once no dependent blocks it. */
function awaitDependents(graph: Graph, cache: CacheView, owner: ApiObject): Outcome<Memory> {
  const { uid } = owner.metadata;
  const blocking = graph.dependentsOf(cache, uid).filter(({ metadata }) => metadata.ownerReferences?.some((to) => to.uid === uid && to.blockOwnerDeletion === true));
  if (blocking.length > 0) return idle(`it waits for ${blocking.length} dependents to go`);
  return write('no dependent blocks it any more', dropFinalizers(owner, [FOREGROUND]));
}
