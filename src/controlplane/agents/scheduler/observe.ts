/** Applies deltas to the scheduler's state, and finds the waiting pods that they may help. Models: v1.24 pkg/scheduler eventhandlers. */
import { type FeatureGates, keyOf, namespacedName } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { requiredNodeTest, untoleratedTaint } from '../../../apiserver/decisions/index.ts';
import { observing, type Delta, type ObserveContext } from '../../runtime/index.ts';
import { nodeChange, type ClusterAction, type ResourceName } from './cluster-events.ts';
import { type NodeInfo, podInfo, type PodInfo } from './node-info.ts';
import { groupView } from './pod-groups.ts';
import { lackingResources } from './plugins/node-resources.ts';
import { requiredTerms } from './plugins/affinity-terms.ts';
import type { SchedulerState } from './state.ts';
import { nextPoll } from './volumes/prebind.ts';

/** Finished pods count as deleted: upstream's informer excludes them. */
const isThere = (pod: Pod | undefined): pod is Pod =>
  pod !== undefined && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed';
const nodeOf = (pod: Pod): string => pod.spec.nodeName ?? '';

/** Whether an unschedulable pod could fit on a node that was added or changed, without preemption. */
const couldFit =
  (node: NodeInfo, gates: FeatureGates) =>
  (info: PodInfo): boolean => {
    const { spec } = info.pod;
    if (node.node === undefined || lackingResources(info.spec, node, gates).length > 0) return false;
    if (requiredNodeTest(spec)?.(node.node) === false) return false;
    return untoleratedTaint(node.node.spec.taints, spec.tolerations, ({ effect }) => effect === 'NoSchedule') === undefined;
  };

function nodeDelta(state: SchedulerState, { type, object: node, old }: Delta<'Node'>, now: number): void {
  if (type === 'DELETED') {
    state.model.removeNode(node.metadata.name);
    return;
  }
  const info = state.model.setNode(node);
  const action: ClusterAction | undefined = old === undefined ? 'add' : nodeChange(node, old);
  if (action !== undefined) state.note(state.queue.move({ resource: 'Node', action }, now, couldFit(info, state.gates)));
}

function podOnNode(state: SchedulerState, pod: Pod, old: Pod | undefined, key: string, now: number): void {
  const info = podInfo(pod, key);
  const wasThere = isThere(old) && nodeOf(old) !== '';
  state.model.put(info, nodeOf(pod), false);
  if (!wasThere) {
    state.queue.remove(info.key);
    state.settle(info.uid, info.key);
  }
  if (state.queue.attached.size > 0) moveAttached(state, pod, wasThere, now);
}

function moveAttached(state: SchedulerState, pod: Pod, wasThere: boolean, now: number): void {
  const seen = groupView(pod);
  state.note(
    state.queue.moveAttached({ resource: 'Pod', action: wasThere ? 'update' : 'add' }, now, ({ pod: waiting }) =>
      requiredTerms(waiting.spec.affinity, 'podAffinity', waiting.metadata.namespace ?? '', state).some((term) => term.matches(seen)),
    ),
  );
}

function matters(pod: Pod, old: Pod): boolean {
  const { metadata: now } = pod;
  const { metadata: before } = old;
  return (
    pod.spec !== old.spec ||
    now.labels !== before.labels ||
    now.annotations !== before.annotations ||
    now.ownerReferences !== before.ownerReferences ||
    now.deletionTimestamp !== before.deletionTimestamp
  );
}

function podWaiting(state: SchedulerState, pod: Pod, old: Pod | undefined, key: string, now: number): void {
  if (pod.spec.schedulerName !== state.settings.schedulerName || state.model.placed(pod.metadata.uid) !== undefined) return;
  const info = podInfo(pod, key);
  const nominated = pod.status.nominatedNodeName ?? '';
  // An update without a nomination does not remove one that was just made.
  const kept = nominated === '' && (old?.status.nominatedNodeName ?? '') === '' ? (state.nominator.nodeOf(info.uid) ?? '') : nominated;
  state.note(old === undefined ? state.queue.add(info, now) : state.queue.update(info, matters(pod, old), now));
  state.nominator.set(info, kept);
}

function podGone(state: SchedulerState, pod: Pod, now: number): void {
  const key = keyOf(pod);
  if (state.queue.get(key)?.info.uid === pod.metadata.uid) state.queue.remove(key);
  state.settle(pod.metadata.uid, key);
  if (state.model.remove(pod.metadata.uid) !== undefined) state.note(state.queue.move({ resource: 'Pod', action: 'delete' }, now));
}

function podDelta(state: SchedulerState, { type, key, object: pod, old }: Delta<'Pod'>, now: number): void {
  // After an interrupted watch, one delta may replace a pod by another with the same name.
  if (old !== undefined && old.metadata.uid !== pod.metadata.uid) {
    podGone(state, old, now);
    if (type !== 'DELETED') podDelta(state, { type: 'ADDED', kind: 'Pod', key: keyOf(pod), object: pod, old: undefined }, now);
    return;
  }
  if (type === 'DELETED' || !isThere(pod)) {
    if (isThere(type === 'DELETED' ? pod : old)) podGone(state, pod, now);
  } else if (nodeOf(pod) === '') podWaiting(state, pod, isThere(old) ? old : undefined, key, now);
  else podOnNode(state, pod, old, key, now);
}

function volumeDelta(state: SchedulerState, { type, object: volume }: Delta<'PersistentVolume'>, now: number): void {
  state.volumeIndex.set(volume.metadata.name, type === 'DELETED' ? undefined : volume);
  const { claimRef } = volume.spec;
  if (claimRef !== undefined) wakeWaiting(state, namespacedName(claimRef), now);
}

/** A claim or volume that pods wait for has changed: their keys are enqueued. */
function wakeWaiting(state: SchedulerState, claim: string, now: number): void {
  for (const waiting of state.volumes.waitingFor(claim)) state.note({ key: waiting.info.key, at: nextPoll(waiting, now) });
}

/** An object that is added or changed may help waiting pods; a deleted one never does. */
function mayHelp(state: SchedulerState, resource: ResourceName, type: Delta['type'], now: number): void {
  if (type !== 'DELETED') state.note(state.queue.move({ resource, action: type === 'ADDED' ? 'add' : 'update' }, now));
}

const byKind = observing<SchedulerState>({
  Pod: (delta, { state, elapsed }) => podDelta(state, delta, elapsed),
  Node: (delta, { state, elapsed }) => nodeDelta(state, delta, elapsed),
  PersistentVolume(delta, { state, elapsed }) {
    volumeDelta(state, delta, elapsed);
    mayHelp(state, 'PersistentVolume', delta.type, elapsed);
  },
  PersistentVolumeClaim({ type, key }, { state, elapsed }) {
    wakeWaiting(state, key, elapsed);
    mayHelp(state, 'PersistentVolumeClaim', type, elapsed);
  },
  StorageClass: ({ type }, { state, elapsed }) => mayHelp(state, 'StorageClass', type, elapsed),
  CSINode: ({ type }, { state, elapsed }) => mayHelp(state, 'CSINode', type, elapsed),
  CSIDriver: ({ type }, { state, elapsed }) => mayHelp(state, 'CSIDriver', type, elapsed),
  CSIStorageCapacity: ({ type }, { state, elapsed }) => mayHelp(state, 'CSIStorageCapacity', type, elapsed),
});

export function observe(delta: Delta, context: ObserveContext<SchedulerState>): void {
  const { state, cache, elapsed } = context;
  state.attach(cache);
  state.queue.tick(elapsed);
  if (delta.kind !== 'Pod' && delta.kind !== 'Node') state.othersChanged();
  byKind(delta, context);
}
