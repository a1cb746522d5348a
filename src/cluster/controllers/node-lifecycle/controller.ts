/** Watches over nodes: silence turns them Unknown, their state becomes taints, their pods turn unready. Models: v1.24 pkg/controller/nodelifecycle. */
import type { Node, Pod } from '../../api/index.ts';
import { defineController, record, write, type Outcome, type ReconcileInput, type Write } from '../../runtime/index.ts';
import { formatTime } from '../../values/index.ts';
import { observe, passAfter, passAtOrAfter, readyOf, silentAt, unknownConditions, type Health } from './health.ts';
import { wantedNoExecute, wantedNoSchedule, withTaints } from './taints.ts';
import { bookTaint, countNode, createZones, fullyDisrupted, type Zones } from './zones.ts';

interface Memory { readonly health: Health; /** When the zone lets this node be tainted. */ readonly taintAt?: number }
type Input = ReconcileInput<Node, Memory, Zones>;

const setTaints = (node: Node, taints: NonNullable<Node['spec']['taints']>): Write => ({ op: 'patch', kind: 'Node', name: node.metadata.name, patchType: 'merge', patch: { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints } } });

/** Pods of a node that is not ready are not ready either. */
const unreadyPods = ({ self: node, cache, now }: Input): readonly Write[] => [
  record(node, 'Normal', 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`),
  ...cache.by('Pod', 'nodeName', node.metadata.name).flatMap((pod: Pod): Write[] => {
    const ready = pod.status.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status !== 'True') return [];
    return [
      { op: 'patch', kind: 'Pod', namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name, subresource: 'status', patchType: 'strategic', tolerate: ['NotFound', 'Conflict'],
        patch: { metadata: { uid: pod.metadata.uid }, status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: formatTime(now) }] } } },
      record(pod, 'Warning', 'NodeNotReady', 'Node is not ready'),
    ];
  }),
];

/** A pass looks at a node: what it does about silence, eviction and pods. */
const pass = (input: Input, health: Health): Outcome<Memory> => {
  const { self: node, names, now, state, memory } = input;
  const ready = readyOf(node)?.status;
  const next = { ...health, seenReady: ready, registered: true };
  const writes: Write[] = health.registered ? [] : [record(node, 'Normal', 'RegisteredNode', `Node ${node.metadata.name} event: Registered Node ${node.metadata.name} in Controller`)];
  if (ready !== 'Unknown' && now >= silentAt(health, node)) {
    const conditions = unknownConditions(node, names.agentName, now);
    writes.push({ op: 'patch', kind: 'Node', name: node.metadata.name, subresource: 'status', patchType: 'merge', patch: { metadata: { resourceVersion: node.metadata.resourceVersion }, status: { conditions } } });
    if (ready === 'True') writes.push(...unreadyPods(input));
    return { ...write('nothing was heard of it for 40 s: its state is unknown', ...writes), memory: { health: { ...next, seenReady: 'Unknown' } }, wakeAt: passAfter(state.startedAt, now) };
  }
  if (ready === 'False' && health.seenReady === 'True') writes.push(...unreadyPods(input));
  const taintAt = executeTaintDue(input) ? memory?.taintAt ?? bookTaint(state, node, names, now) : undefined;
  // Nobody is evicted while the whole zone is silent; whether it still is has to be asked at every pass.
  const wake = taintAt ?? (missesNoExecute(input) ? passAfter(state.startedAt, now) : silenceWatch(next, node, state.startedAt, now));
  return { ...write('a pass looks at it', ...writes), memory: { health: next, ...(taintAt === undefined ? {} : { taintAt }) }, ...(wake === undefined ? {} : { wakeAt: wake }), background: taintAt === undefined };
};

/** The pass to look again for silence; a node already silent needs none. */
const silenceWatch = (health: Health, node: Node, startedAt: number, now: number): number | undefined =>
  readyOf(node)?.status === 'Unknown' || health.beating ? undefined : Math.max(silentAt(health, node), passAfter(startedAt, now));

/** Whether a NoExecute taint is missing that the node's readiness calls for. */
const missesNoExecute = ({ self: node, names, now }: Input): boolean => {
  const wanted = wantedNoExecute(readyOf(node)?.status, names);
  return wanted.length > 0 && withTaints(node, 'NoExecute', wanted, names, formatTime(now)) !== undefined;
};

/** The same, where its zone allows it. */
const executeTaintDue = (input: Input): boolean => !fullyDisrupted(input.state) && missesNoExecute(input);

export const nodeLifecycle = defineController<'Node', Memory, Zones>({
  name: 'node-lifecycle',
  component: 'node-controller',
  reconciles: 'Node',
  writes: ['Node', 'Pod'],
  models: 'v1.24 pkg/controller/nodelifecycle. Simplified: a zone is fully disrupted or not, partial disruption keeps the normal rate.',
  watches: [
    { kind: 'Lease', beats: false, enqueue: ({ object }, { names }) => (object.metadata.namespace === names.nodeLeaseNamespace ? object.metadata.name : undefined) },
    { kind: 'Pod', enqueue: () => undefined },
  ],
  start: ({ now }) => createZones(now),
  observe: (delta, { state }) => { if (delta.kind === 'Node') countNode(state, delta); },
  reconcile(input): Outcome<Memory> {
    const { self: node, names, now, cache, state, memory } = input;
    const pulse = input.pulse(names.nodeLeaseNamespace, node.metadata.name);
    const health = observe(memory?.health, node, cache.get('Lease', names.nodeLeaseNamespace, node.metadata.name), state.startedAt, now, pulse);
    const keep: Memory = memory === undefined ? { health } : { ...memory, health };
    const at = formatTime(now);
    const schedule = withTaints(node, 'NoSchedule', wantedNoSchedule(node, names), names, at);
    if (schedule !== undefined && node.status.conditions !== undefined) return { ...write('its taints follow its state', setTaints(node, schedule)), memory: keep, wakeAt: passAfter(state.startedAt, now), background: true };
    if (keep.taintAt !== undefined && now >= keep.taintAt && executeTaintDue(input)) {
      const taints = withTaints(node, 'NoExecute', wantedNoExecute(readyOf(node)?.status, names), names, at);
      if (taints !== undefined) return { ...write('it is still not ready: its pods are to leave', setTaints(node, taints)), memory: { health }, wakeAt: passAfter(state.startedAt, now), background: true };
    }
    const thisPass = passAtOrAfter(state.startedAt, now) === now;
    const cleared = thisPass && (readyOf(node)?.status === 'True' || fullyDisrupted(state)) ? withTaints(node, 'NoExecute', [], names, at) : undefined;
    if (cleared !== undefined) return { ...write('it is ready again: its pods may stay', setTaints(node, cleared)), memory: { health: { ...health, seenReady: 'True' } }, wakeAt: passAfter(state.startedAt, now), background: true };
    if (thisPass) return pass(input, health);
    const attention = !health.registered || readyOf(node)?.status !== health.seenReady || withTaints(node, 'NoExecute', wantedNoExecute(readyOf(node)?.status, names), names, at) !== undefined;
    // A taint that was due while the whole zone was silent is booked anew when the zone is back.
    const { taintAt, ...rest } = keep;
    const booked = taintAt !== undefined && taintAt > now ? { taintAt } : {};
    const wake = booked.taintAt ?? (attention ? passAfter(state.startedAt, now) : silenceWatch(health, node, state.startedAt, now));
    const why = attention ? 'the next pass will look at it' : readyOf(node)?.status === 'Unknown' ? 'it is silent and marked so' : 'it shows signs of life';
    return { why, writes: [], memory: { ...rest, ...booked }, ...(wake === undefined ? {} : { wakeAt: wake }), background: !attention || readyOf(node)?.status === 'True' };
  },
  reconcileAbsent: ({ key }) => ({ why: `the node ${key} is gone`, writes: [], memory: null }),
});
