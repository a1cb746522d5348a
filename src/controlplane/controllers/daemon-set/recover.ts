/**
 * The input of the DaemonSet controller, the state that it maintains for all sets, the sets that a change of a node enqueues, and recovery when a write of a sync was refused. Models: v1.24 pkg/controller/daemon syncNodes, snapshot, storeDaemonSetStatus;
 * pkg/controller RealPodControl.
 */
import type { ControllerRevision, DaemonSet } from '../../../apiserver/kinds/index.ts';
import { readLive, writeStatus, observing } from '../../runtime/index.ts';
import type { Failure, Outcome, RecoverInput, Write, Delta, ObserveContext, ReconcileInput } from '../../runtime/index.ts';
import { namespaceTerminates, readForStatus, readRevision, refusedPod, templatePatch, textOf } from '../../shared/index.ts';
import type { StatusRetry } from '../../shared/index.ts';
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import { fitTest } from './pod.ts';
import { putNode, putPod, type View } from './view.ts';
import type { Backoffs } from './backoff.ts';

type Input = RecoverInput<'DaemonSet', DaemonMemory, Views>;

export function recoverSet(input: Input, failure: Failure): Outcome<DaemonMemory> | undefined {
  const { self: set, memory = {} } = input;
  const { write, status } = failure;
  if (set === undefined) return undefined;
  const again = readForStatus(memory, failure);
  if (again !== undefined) return again;
  if (write.op === 'create' && write.object.kind === 'ControllerRevision' && status.reason === 'AlreadyExists')
    return readRevision(set, write.object.metadata.name ?? '');
  return isPodWrite(write) ? afterRefusedPod(input, set, failure) : undefined;
}

const isPodWrite = (write: Write): boolean =>
  (write.op === 'create' && write.object.kind === 'Pod') || (write.op === 'delete' && write.kind === 'Pod');

/** The rest of the batch is still written, as upstream's parallel requests would be, and so are deletions; the status is not written. */
function afterRefusedPod({ memory = {} }: Input, set: DaemonSet, failure: Failure): Outcome<DaemonMemory> {
  const { write, status, dropped } = failure;
  if (write.op === 'create' && namespaceTerminates(status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: dropped.filter(({ op }) => op !== 'create') };
  const { why, event, batchMates, creates } = refusedPod(set, failure, memory.creates);
  const deletes = dropped.filter((each) => each.op === 'delete' && each.kind === 'Pod');
  return { why, writes: [event, ...batchMates, ...deletes], memory: { ...memory, creates }, backoff: 'retry' };
}

/** A revision of another template has the name of the present one: the collision count is raised, unless the cache is outdated. */
export function afterCollision(set: DaemonSet, found: ControllerRevision): Outcome<DaemonMemory> | undefined {
  if (textOf(found.data) === templatePatch(set.spec.template).text) return undefined;
  return {
    why: `${found.metadata.name} holds another template: read status.collisionCount from the API server`,
    writes: [readLive(set)],
  };
}

export function countCollision(set: DaemonSet, latest: DaemonSet): Outcome<DaemonMemory> {
  const { collisionCount } = latest.status;
  if (collisionCount !== set.status.collisionCount)
    return { why: 'the cached status.collisionCount is stale: retry', writes: [], backoff: 'retry' };
  return {
    why: 'increase status.collisionCount, which changes the name, and retry',
    writes: [writeStatus(latest, { ...latest.status, collisionCount: (collisionCount ?? 0) + 1 })],
    backoff: 'retry',
  };
}

/**
 * A new node concerns the sets that it fits, a changed node those for which its fit changed, a removed node none, as in upstream. Models:
 * v1.24 pkg/controller/daemon addNode, updateNode.
 */
export function setsOfNode({ type, object: node, old }: Delta<'Node'>, { cache, names }: ObserveContext<Views>): readonly string[] {
  if (type === 'DELETED') return [];
  const before = type === 'MODIFIED' ? old : undefined;
  return cache
    .list('DaemonSet')
    .filter(({ spec: { template } }) => {
      const fit = fitTest(template, names);
      return before === undefined ? fit(node) === 'runs' : fit(node) !== fit(before);
    })
    .map(keyOf);
}

export const observeNodesAndPods = observing<Views>({
  Node({ type, object: node }, { state }) {
    for (const view of state.values()) putNode(view, node.metadata.name, type === 'DELETED' ? undefined : node);
  },
  Pod({ type, object: pod, old }, { state }) {
    const before = old === undefined ? undefined : controllerOf(old)?.uid;
    const after = type === 'DELETED' ? undefined : controllerOf(pod)?.uid;
    const [from, to] = [state.get(before ?? ''), state.get(after ?? '')];
    if (from !== undefined && from === to) putPod(from, old, pod);
    else {
      if (from !== undefined) putPod(from, old, undefined);
      if (to !== undefined) putPod(to, undefined, pod);
    }
  },
  DaemonSet({ type, object: set, old }, { state }) {
    if (type === 'DELETED') state.delete(set.metadata.uid);
    else if (old !== undefined && old.metadata.uid !== set.metadata.uid) state.delete(old.metadata.uid);
  },
});

/** The view of each set, by its uid. */
export type Views = Map<string, View>;

export interface DaemonMemory extends StatusRetry {
  readonly backoffs?: Backoffs;
  /** The number of pods that the outcome in flight creates. */
  readonly creates?: number;
}

/** The result of a live read: a revision that the cache does not show yet. */
export interface Known {
  readonly found?: ControllerRevision;
}

export type DaemonInput = ReconcileInput<DaemonSet, DaemonMemory, Views>;
