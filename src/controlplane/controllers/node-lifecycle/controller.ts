/**
 * Monitors nodes: a node without renewals becomes Unknown, its conditions become taints, its pods become unready. Upstream monitors all
 * nodes every five seconds; here each node computes at which of these passes there will be something to do. Models: v1.24
 * pkg/controller/nodelifecycle, monitorNodeHealth, processTaintBaseEviction and the two taint workers.
 */
import type { Node, Taint } from '../../../apiserver/kinds/index.ts';
import {
  defineController,
  idle,
  isOf,
  readLive,
  wakeAt,
  watchOnly,
  onElapsed,
  observing,
  record,
  watch,
  write,
} from '../../runtime/index.ts';
import type { Enqueue, ObserveContext, Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { rulesOf } from '../../../apiserver/machinery/index.ts';
import { isReady, mergePatch, present } from '../../shared/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import {
  observe,
  passAfter,
  passAtOrAfter,
  readyOf,
  silentAt,
  unknownConditions,
  wantedNoExecute,
  wantedNoSchedule,
  withTaints,
} from './health.ts';
import type { Health } from './health.ts';
import { queueTaint, countNode, createZones, mayTaint, taintTimeOf, type Zones } from './zones.ts';

interface Memory {
  readonly uid: string;
  readonly health: Health;
  /** A pass has recorded the registration event. */
  readonly registered: boolean;
  /** The last pass that checked the node. */
  readonly passedAt: number | undefined;
  /** The writes in flight were decided by a pass. */
  readonly inPass?: true;
  /** How often the node was read live because a write of this decision was refused. */
  readonly reads?: number;
}
/** How often a refused write is retried on a fresh Node: NodeHealthUpdateRetry, and the steps of UpdateTaintBackoff. */
const MOST_TRIES = 5;

/** `now` is elapsed time, as are all remembered instants. */
type Input = ReconcileInput<Node, Memory, Zones>;

const setTaints = (node: Node, taints: readonly Taint[]): Write =>
  mergePatch(node, { metadata: { resourceVersion: node.metadata.resourceVersion }, spec: { taints } });

/** Events name a node by its uid, without a revision. */
const recordOnNode = (name: string, uid: string, reason: string, what: string): Write =>
  record({ apiVersion: 'v1', kind: 'Node', metadata: { name, uid } }, 'Normal', reason, `Node ${name} ${what}`);

const unreadyPods = ({ self, cache, wall }: Input): readonly Write[] => {
  const { name, uid } = self.metadata;
  const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: formatTime(wall) }];
  return [
    recordOnNode(name, uid, 'NodeNotReady', 'status is now: NodeNotReady'),
    ...cache
      .by('Pod', 'nodeName', name)
      .filter(isReady)
      .flatMap((pod) => [
        mergePatch(
          pod,
          { metadata: { uid: pod.metadata.uid }, status: { conditions } },
          { patchType: 'strategic', subresource: 'status', tolerate: ['NotFound', 'Conflict'] },
        ),
        record(pod, 'Warning', 'NodeNotReady', 'Node is not ready'),
      ]),
  ];
};

/** The node's taints with the NoExecute ones for its readiness; undefined: no change. There is no eviction while all nodes are silent. */
const executeTaints = ({ self: node, names, wall, state }: Input): readonly Taint[] | undefined =>
  withTaints(node, 'NoExecute', state.allSilent ? [] : wantedNoExecute(readyOf(node)?.status, names), names, formatTime(wall));
const hasExecuteTaint = ({ self: node, names }: Input): boolean => withTaints(node, 'NoExecute', [], names, undefined) !== undefined;

/** The monitor pass of one node: health, pods and eviction. */
function pass(input: Input, memory: Memory): Outcome<Memory> {
  const { self: node, key, names, now, wall, state } = input;
  const { name, uid, resourceVersion } = node.metadata;
  const ready = readyOf(node)?.status;
  const passed: Memory = { uid: memory.uid, health: memory.health, registered: true, passedAt: now, inPass: true };
  const writes: Write[] = memory.registered
    ? []
    : [recordOnNode(name, uid, 'RegisteredNode', `event: Registered Node ${name} in Controller`)];
  if (ready !== 'Unknown' && now >= silentAt(memory.health, node, state.recoveredAt)) {
    const conditions = unknownConditions(node, names.agentName, wall);
    writes.push(mergePatch(node, { metadata: { resourceVersion }, status: { conditions } }, { subresource: 'status' }));
    if (ready === 'True') writes.push(...unreadyPods(input));
    const why = 'no heartbeat for 40 s: its Ready condition becomes Unknown';
    return { memory: passed, wakeAt: passAfter(state.startedAt, now), ...write(why, ...writes) };
  }
  const taints = ready === undefined ? undefined : executeTaints(input);
  if (taints === undefined) return { why: 'the monitor pass checks it', writes, ...next(input, passed) };
  // Removing taints, or replacing them by their opposite, is not rate-limited.
  if (ready === 'True' || hasExecuteTaint(input)) {
    const why =
      ready === 'True' ? 'it is ready again: cancel the eviction of its pods' : 'its Ready condition changed between False and Unknown';
    return tainted(input, passed, why, ...writes, setTaints(node, taints));
  }
  const turn = queueTaint(state, key, now);
  const why =
    turn === undefined ? 'it is not ready, but evictions in its zone are stopped' : 'it is not ready: queue it for a NoExecute taint';
  return { why, writes, ...next(input, passed) };
}

/** The taints are written; the next pass checks the node again. */
const tainted = ({ state, now }: Input, memory: Memory, why: string, ...writes: readonly Write[]): Outcome<Memory> => ({
  why,
  writes,
  memory,
  wakeAt: passAfter(state.startedAt, now),
  background: true,
});

/** The memory, and when to reconcile again if nothing happens until then. */
function next(input: Input, memory: Memory): Pick<Outcome<Memory>, 'memory' | 'wakeAt' | 'background'> {
  const { self: node, key, now, state } = input;
  const { startedAt, recoveredAt } = state;
  const turn = taintTimeOf(input.state, key);
  if (turn !== undefined && turn > now) return { memory, wakeAt: turn };
  const attention = !memory.registered || (readyOf(node) !== undefined && executeTaints(input) !== undefined);
  if (attention)
    return {
      memory,
      wakeAt: passAfter(startedAt, now),
      background: readyOf(node)?.status === 'True' || (memory.registered && !mayTaint(input.state, key)),
    };
  // A node that is already Unknown, or whose renewals are elided, needs no wake-up.
  if (readyOf(node)?.status === 'Unknown' || memory.health.beating) return { memory };
  return {
    memory,
    wakeAt: Math.max(passAtOrAfter(startedAt, silentAt(memory.health, node, recoveredAt)), passAfter(startedAt, now)),
    background: true,
  };
}

const waits = ({ self: node, key, now, state }: Input, { registered }: Memory): string => {
  if (!registered) return 'the next monitor pass checks it';
  if ((taintTimeOf(state, key) ?? -Infinity) > now) return 'it is queued for a NoExecute taint';
  return readyOf(node)?.status === 'Unknown' ? 'no heartbeat, and its Ready condition is Unknown already' : 'its heartbeat is recent';
};

/** @param isPass the monitor pass checks the node at any time: it continues after a refused write. */
function decide(input: Input, isPass: boolean): Outcome<Memory> {
  const { self: node, key, names, now, wall, cache, state } = input;
  const { startedAt } = state;
  const { name, uid } = node.metadata;
  const health = observe(
    input.memory?.health,
    node,
    cache.get('Lease', names.nodeLeaseNamespace, name),
    startedAt,
    now,
    input.renewalInterval(names.nodeLeaseNamespace, name),
  );
  const memory: Memory = { uid, health, registered: input.memory?.registered ?? false, passedAt: input.memory?.passedAt };
  // The time of these taints is left out: rule `node/time-added-for-no-execute`.
  const since = rulesOf(input) === 'recorded' ? formatTime(wall) : undefined;
  const schedule = withTaints(node, 'NoSchedule', wantedNoSchedule(node, names), names, since);
  if (schedule !== undefined && node.status.conditions !== undefined)
    return tainted(input, memory, 'its taints are set to match its conditions', setTaints(node, schedule));
  const due = now >= (taintTimeOf(state, key) ?? Infinity) && readyOf(node)?.status !== 'True';
  const stops = state.allSilent && hasExecuteTaint(input);
  const taints = due || stops ? executeTaints(input) : undefined;
  if (taints !== undefined)
    return tainted(
      input,
      memory,
      stops ? 'no node is ready, so evictions stop: remove its taints' : 'it is still not ready: add a NoExecute taint',
      setTaints(node, taints),
    );
  if (isPass || (memory.passedAt !== now && passAtOrAfter(startedAt, now) === now)) return pass(input, memory);
  return { why: waits(input, memory), writes: [], ...next(input, memory) };
}

export const nodeLifecycle = defineController<'Node', Memory, Zones>({
  name: 'node-lifecycle',
  component: 'node-controller',
  reconciles: 'Node',
  writes: ['Node', 'Pod'],
  models:
    'v1.24 pkg/controller/nodelifecycle; a refused status or taint is computed again from the Node of the API server. Simplified: monitor passes are exactly five seconds apart, and a node keeps its place in the taint queue. Omits: pods bound to a node that is already silent, labels of old versions.',
  // All nodes are enqueued when the last one becomes silent, or the first is ready again.
  self: {
    enqueue: ({ key }, { state, cache }: ObserveContext<Zones>): readonly Enqueue[] | Enqueue =>
      state.turned ? cache.list('Node').map(({ metadata }) => metadata.name) : key,
  },
  watches: [
    watch('Lease', ({ object: { metadata } }, { names }) => (metadata.namespace === names.nodeLeaseNamespace ? metadata.name : undefined), {
      renewals: false,
    }),
    watch('Pod', watchOnly),
  ],
  start: ({ now }) => createZones(now),
  observe: observing({ Node: (delta, { state, names, elapsed }) => countNode(state, delta, names, elapsed) }),
  reconcile: onElapsed((input) => decide(input, false)),
  // With a stale cache every write would be refused: the decision is repeated with a live read.
  resume: onElapsed((input, { object: node }) => {
    const { inPass, reads } = input.memory ?? {};
    if (!isOf('Node', node)) return idle('it is gone');
    const { memory, ...outcome } = decide({ ...input, self: node }, inPass === true);
    return { ...outcome, ...(memory === undefined || memory === null ? {} : { memory: { ...memory, ...present({ reads }) } }) };
  }),
  recover({ key: name, memory }, { write: { op }, status }) {
    const reads = (memory?.reads ?? 0) + 1;
    if (memory === undefined || op !== 'patch' || status.reason !== 'Conflict' || reads > MOST_TRIES) return undefined;
    const read = readLive({ kind: 'Node', metadata: { name } }, { tolerate: ['NotFound'] });
    return { memory: { ...memory, reads }, ...write('conflict: read it from the API server', read) };
  },
  reconcileAbsent: onElapsed(({ key, memory, now, state: { startedAt } }): Outcome<Memory> => {
    if (memory?.registered !== true) return { why: `the node ${key} is gone`, writes: [], memory: null };
    if (passAtOrAfter(startedAt, now) !== now || memory.passedAt === now)
      return { ...wakeAt(passAfter(startedAt, now), 'it is gone; the next monitor pass removes it'), memory, background: true };
    const removal = recordOnNode(key, memory.uid, 'RemovingNode', `event: Removing Node ${key} from Controller`);
    return { memory: null, ...write('the monitor pass removes it', removal) };
  }),
});
