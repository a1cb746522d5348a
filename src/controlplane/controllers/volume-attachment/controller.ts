/**
 * Attaches volumes to the nodes whose pods need them, and detaches them from other nodes. Keys are names of volumes. Decisions are made at
 * the ticks of a loop of 100 ms, as in upstream. Models: v1.24 pkg/controller/volume/attachdetach. Omits: volumes that are not CSI.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { onElapsed, defineController, wakeAt, watchOnly, watch } from '../../runtime/index.ts';
import type { Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { attachesItself, attachmentName, isOutOfService, mustAttach } from '../../shared/index.ts';
import { tickAtOrAfter, TICK_MS, awaitAttach, awaitDetach, beginAttach, isUsed, keep, detachUnneeded, resolve } from './steps.ts';
import type { OnNode, VolumeRecord, Situation, Step } from './steps.ts';
import { createWanted, handleOf, isAttachedByAgent, observeWanted, volumesOf, volumesOn, wantedOn, type Wanted } from './wanted.ts';

type Input = ReconcileInput<never, VolumeRecord, Wanted>;

/** Driver, handle and exclusiveness of a volume: from its object, or from memory when the object is gone. */
function recordOf({ key, cache, memory }: Input): VolumeRecord | undefined {
  const volume = cache.get('PersistentVolume', undefined, key);
  const csi = volume?.spec.csi;
  if (volume === undefined || csi === undefined) return memory;
  const modes = volume.spec.accessModes ?? [];
  const exclusive = modes.length > 0 && !modes.includes('ReadWriteMany') && !modes.includes('ReadOnlyMany');
  return { driver: csi.driver, handle: csi.volumeHandle, exclusive, nodes: memory?.nodes ?? {}, refused: memory?.refused ?? [] };
}

/** The state of a volume on a node that an earlier incarnation attached, or tried to: it is attached if the node lists it. */
const adopted = (listed: boolean, now: number): OnNode => ({
  state: listed ? 'attached' : 'uncertain',
  begunAt: now,
  pollAt: now,
  pollMs: 0,
  notBefore: now,
  failed: 0,
  unwantedSince: undefined,
  inUse: true,
});

function stepFor(
  situation: Situation,
  known: OnNode | undefined,
  wanted: ReadonlyMap<string, readonly Pod[]>,
  nodes: Readonly<Record<string, OnNode>>,
): Step | undefined {
  if (known === undefined) {
    if (situation.pods.length === 0) return undefined;
    // Only pods on nodes with the volume attached, not those that wait for it.
    const holders = [...wanted].filter(([node]) => nodes[node]?.state === 'attached').flatMap(([, pods]) => pods);
    return beginAttach(situation, holders, whereElse(nodes));
  }
  switch (known.state) {
    case 'attaching':
      return awaitAttach(situation, known);
    case 'detaching':
      return awaitDetach(situation, known);
    case 'attached':
      return situation.pods.length === 0 ? detachUnneeded(situation, known) : keep(situation, known);
    case 'uncertain':
      return resolve(situation, known);
  }
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Where else a volume is, for a node on which it has no state. */
const whereElse = (nodes: Readonly<Record<string, OnNode>>): 'no' | 'attached' | 'moving' => {
  const states = Object.values(nodes).map(({ state }) => state);
  return states.length === 0 ? 'no' : states.includes('attached') ? 'attached' : 'moving';
};

function decide(input: Input, record: VolumeRecord): Outcome<VolumeRecord> {
  const { key, cache, names, gates, now, state } = input;
  const wanted = wantedOn(state, key, cache, names);
  const attachments = [...(state.attachments.get(key) ?? [])].flatMap((name) => {
    const found = cache.byKey('VolumeAttachment', name);
    return found === undefined ? [] : [found];
  });
  const nodes: Record<string, OnNode> = { ...record.nodes };
  const listedOn = state.listedOn.get(handleOf(record)) ?? NOWHERE;
  for (const node of new Set([...listedOn, ...attachments.map(({ spec }) => spec.nodeName)]))
    if (!isAttachedByAgent(node, cache, names)) nodes[node] ??= adopted(listedOn.has(node), now);
  const writes: Write[] = [];
  const whys: string[] = [];
  let wakeAt = Infinity;
  let refused = record.refused.filter((node) => wanted.has(node));
  // Detaches come first, so that a volume to move is released as early as in upstream's loop.
  const order = [...new Set([...Object.keys(nodes).filter((node) => !wanted.has(node)), ...Object.keys(nodes), ...wanted.keys()])];
  for (const node of order) {
    if (isAttachedByAgent(node, cache, names)) {
      delete nodes[node];
      continue;
    }
    const attachment = cache.get('VolumeAttachment', undefined, attachmentName(record.handle, record.driver, node));
    const nodeObject = cache.get('Node', undefined, node);
    const situation: Situation = {
      volume: key,
      record: { ...record, refused },
      node,
      pods: wanted.get(node) ?? [],
      attachment,
      nodeObject,
      isOut: isOutOfService(nodeObject, names, gates),
      names,
      now,
      startedAt: state.startedAt,
    };
    const step = stepFor(situation, nodes[node], wanted, nodes);
    if (step === undefined) continue;
    writes.push(...step.writes);
    whys.push(`${node}: ${step.why}`);
    if (step.next === null) delete nodes[node];
    else nodes[node] = { ...step.next, inUse: isUsed(situation, step.next.inUse) };
    if (step.refused === true && step.writes.length > 0) refused = [...new Set([...refused, node])];
    else if (step.refused !== true) refused = refused.filter((other) => other !== node);
    // The result of a step can be acted on at the next tick.
    if (step.wakeAt !== undefined) wakeAt = Math.min(wakeAt, step.wakeAt);
    else if (step.writes.length > 0 || (step.next === null && step.refused !== true)) wakeAt = Math.min(wakeAt, now + TICK_MS);
    if (step.next?.state === 'attaching' || step.next?.state === 'detaching') wakeAt = Math.min(wakeAt, step.next.pollAt);
  }
  const done = Object.keys(nodes).length === 0 && wanted.size === 0;
  return {
    why: whys.length === 0 ? 'it is attached to no node and no pod needs it' : whys.join('; '),
    writes,
    memory: done ? null : { ...record, nodes, refused },
    ...(wakeAt === Infinity ? {} : { wakeAt: tickAtOrAfter(state.startedAt, Math.max(wakeAt, now + 1)) }),
  };
}

export const attachDetach = defineController<never, VolumeRecord, Wanted>({
  name: 'attach-detach',
  component: 'attachdetach-controller',
  writes: ['VolumeAttachment', 'Node'],
  models:
    'v1.24 pkg/controller/volume/attachdetach with the CSI attacher. The node status is written with its resourceVersion before a volume is detached, so the API server refuses where the node has changed; upstream reads the Node from the API server. Omits: volumes that are not CSI.',
  watches: [
    watch('Pod', ({ object: pod }, { cache }) => (pod.spec.nodeName === undefined ? undefined : volumesOf(pod, cache)), {
      predicate: { has: ['spec.volumes'] },
    }),
    watch('PersistentVolumeClaim', ({ object, old }) => object.spec.volumeName ?? old?.spec.volumeName),
    watch('PersistentVolume'),
    watch('CSIDriver', watchOnly),
    watch('VolumeAttachment', ({ object }) => object.spec.source.persistentVolumeName),
    watch('Node', ({ type, object: node, old: before }, { cache, state, names, gates }) => {
      const changes = (is: (node: Node) => boolean): boolean => before !== undefined && is(before) !== is(node);
      const isNew = changes((one) => attachesItself(one, names)) || changes((one) => isOutOfService(one, names, gates));
      if (type === 'MODIFIED' && !isNew && node.status.volumesInUse === before?.status.volumesInUse) return undefined;
      return volumesOn(state, node, type === 'ADDED' || isNew ? undefined : (before ?? node), cache);
    }),
  ],
  start: ({ now }) => createWanted(now),
  observe: observeWanted,
  reconcile: onElapsed((input): Outcome<VolumeRecord> => {
    const record = recordOf(input);
    if (record === undefined) return { why: 'it is not a CSI volume', writes: [], memory: null };
    if (!mustAttach(input.cache.get('CSIDriver', undefined, record.driver), input.gates))
      return { why: 'its driver requires no attachment', writes: [], memory: null };
    const tick = tickAtOrAfter(input.state.startedAt, input.now);
    const idleNow =
      Object.keys(record.nodes).length === 0 &&
      wantedOn(input.state, input.key, input.cache, input.names).size === 0 &&
      (input.state.attachments.get(input.key)?.size ?? 0) === 0 &&
      !input.state.listedOn.has(handleOf(record));
    if (idleNow) return { why: 'it is attached to no node and no pod needs it', writes: [], memory: null };
    if (tick !== input.now || !input.expectationsSatisfied)
      return { ...wakeAt(tickAtOrAfter(input.state.startedAt, input.now + 1), 'the next reconcile loop checks it'), memory: record };
    return decide(input, record);
  }),
});
