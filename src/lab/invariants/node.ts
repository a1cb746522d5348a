/** Invariants of nodes and of pods that must be evicted from them. */
import { keyOf, storeKey } from '../../apiserver/machinery/index.ts';
import type { Node, Pod } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { parseTime } from '../../schema/values/index.ts';
import { type Answer, type Facts, type Invariant, checking, ofChanges } from './invariant.ts';
import { asNode, asPod } from './forms.ts';

type Taint = NonNullable<Node['spec']['taints']>[number];

const readyOf = (node: Node | undefined) => node?.status.conditions?.find(({ type }) => type === 'Ready');
const executeTaints = (node: Node | undefined): readonly Taint[] =>
  (node?.spec.taints ?? []).filter(({ effect }) => effect === 'NoExecute');

/** The time without a heartbeat after which a node's state is unknown, milliseconds. */
const GRACE_MS = 40_000;
/** The resolution of heartbeats, milliseconds. */
const SECOND_MS = 1_000;

/** Written renewals by node; their instants are the server's, because an agent's clock may be wrong. */
type Renewed = Map<string, { readonly renewTime: string | undefined; readonly at: number }>;

function lastSignOf({ metadata: { name } }: Node, facts: Facts, renewed: Renewed): number {
  const renewTime = facts.get('Lease', storeKey(facts.names.nodeLeaseNamespace, name))?.spec.renewTime;
  const seen = renewed.get(name);
  return seen !== undefined && seen.renewTime === renewTime ? seen.at : renewTime === undefined ? -Infinity : parseTime(renewTime);
}

const nodeUnknownOnlyWhenSilent = ofChanges(
  'node/unknown-only-when-silent',
  'A node whose lease or status was renewed in the last 40 s is not declared unknown.',
  { onRequest: 'a controller that observes renewals late considers a live node silent', kinds: ['Lease', 'Node'] },
  (): Renewed => new Map(),
  ({ type, object, previous, at }, facts, renewed, controller) => {
    if (object.kind === 'Lease' && object.metadata.namespace === facts.names.nodeLeaseNamespace)
      renewed.set(object.metadata.name, { renewTime: object.spec.renewTime, at });
    const node = asNode(object);
    if (node === undefined || type !== 'MODIFIED' || controller !== 'node-lifecycle') return undefined;
    const before = readyOf(asNode(previous));
    if (readyOf(node)?.status !== 'Unknown' || before?.status === 'Unknown') return undefined;
    const lastHeartbeat = before?.lastHeartbeatTime ?? undefined;
    const reportedAt = lastHeartbeat === undefined ? -Infinity : parseTime(lastHeartbeat);
    const silentMs = at - Math.max(lastSignOf(node, facts, renewed), reportedAt);
    if (silentMs >= GRACE_MS - SECOND_MS) return true;
    return `Node ${node.metadata.name} was declared unknown ${silentMs / 1000} s after its last heartbeat`;
  },
);

/** A decision made before a change was observed may still take effect for this long, milliseconds. */
const STALE_MS = 60_000;

const tolerates = (
  { key = '', operator = 'Equal', value = '', effect = '' }: NonNullable<Pod['spec']['tolerations']>[number],
  taint: Taint,
): boolean =>
  (effect === '' || effect === taint.effect) &&
  (key === '' || key === taint.key) &&
  (operator === 'Exists' || value === (taint.value ?? ''));

/** Returns how long a pod may stay with a taint, by its shortest toleration; 0: it does not tolerate the taint. */
const toleratedMs = (pod: Pod, taint: Taint): number => {
  const fitting = (pod.spec.tolerations ?? []).filter((toleration) => tolerates(toleration, taint));
  if (fitting.length === 0) return 0;
  return Math.min(
    ...fitting.map(({ tolerationSeconds }) => (tolerationSeconds === undefined ? Infinity : Math.max(0, tolerationSeconds * 1000))),
  );
};

/** A taint of a node, with the time since when it is present, and the time of its removal. */
interface Tainted {
  readonly taint: Taint;
  readonly since: number;
  goneAt: number | undefined;
}

interface Evictions {
  readonly taints: Map<string, Map<string, Tainted>>;
  readonly boundAt: Map<string, number>;
}

const nodeEvictionsInTime = ofChanges(
  'node/evictions-in-time',
  'A pod is evicted only from a node with a NoExecute taint, and no sooner than its tolerations allow.',
  { kinds: ['Node', 'Pod'] },
  (): Evictions => ({ taints: new Map(), boundAt: new Map() }),
  (change, facts, state, controller) => {
    const node = asNode(change.object);
    if (node !== undefined) followNode(state, node, change.type === 'DELETED', asNode(change.previous), change.at);
    const pod = asPod(change.object);
    return pod === undefined ? undefined : followPod(state, pod, change, facts, controller);
  },
);

const idOf = ({ key, value = '' }: Taint): string => `${key}=${value}`;

function followNode({ taints }: Evictions, node: Node, gone: boolean, before: Node | undefined, at: number): void {
  const now = gone ? [] : executeTaints(node);
  let known = taints.get(node.metadata.name);
  if (known === undefined) {
    if (now.length === 0 && executeTaints(before).length === 0) return;
    taints.set(node.metadata.name, (known = new Map()));
  }
  const present = new Set(now.map(idOf));
  // A taint that replaces or joins others does not restart the toleration time.
  const since = Math.min(at, ...[...known.values()].flatMap((one) => (one.goneAt === undefined ? [one.since] : [])));
  for (const [id, one] of known) if (!present.has(id) && one.goneAt === undefined) one.goneAt = at;
  // An eviction that was scheduled because of a node's taints stays scheduled when the Node is deleted, and also when it is registered
  // again without them.
  if (gone)
    for (const [id, one] of known)
      if (one.goneAt === at) {
        known.delete(id);
        known.set(`${id} ${node.metadata.uid}`, { ...one, goneAt: Infinity });
      }
  for (const taint of now)
    if (known.get(idOf(taint))?.goneAt !== undefined || !known.has(idOf(taint)))
      known.set(idOf(taint), { taint, since, goneAt: undefined });
  for (const [id, { goneAt }] of known) if (goneAt !== undefined && at - goneAt > STALE_MS) known.delete(id);
}

function followPod(state: Evictions, pod: Pod, { type, previous, at }: Change, facts: Facts, controller: string | undefined): Answer {
  const { uid } = pod.metadata;
  if (pod.spec.nodeName !== undefined && asPod(previous)?.spec.nodeName === undefined && type !== 'DELETED') state.boundAt.set(uid, at);
  const evicted =
    controller === 'taint-eviction' &&
    (type === 'DELETED' || (pod.metadata.deletionTimestamp !== undefined && previous?.metadata.deletionTimestamp === undefined));
  const answer = evicted && (tooSoon(state, pod, at, facts) ?? true);
  if (type === 'DELETED') state.boundAt.delete(uid);
  return answer;
}

function tooSoon(state: Evictions, pod: Pod, at: number, facts: Facts): string | undefined {
  addTaintsOf(state, pod, facts);
  const node = pod.spec.nodeName ?? '';
  const known = [...(state.taints.get(node)?.values() ?? [])].filter(({ goneAt }) => goneAt === undefined || at - goneAt <= STALE_MS);
  const name = keyOf(pod);
  if (known.length === 0) return `Pod ${name} was evicted from ${node}, which has no NoExecute taint`;
  // The toleration time starts at the first taint, and the shortest toleration ends it.
  const since = Math.max(state.boundAt.get(pod.metadata.uid) ?? -Infinity, Math.min(...known.map((one) => one.since)));
  const dueAt = since + Math.min(...known.map(({ taint }) => toleratedMs(pod, taint)));
  if (at >= dueAt) return undefined;
  const how = dueAt === Infinity ? 'although it tolerates its taints' : `${(dueAt - at) / 1000} s before its tolerations end`;
  return `Pod ${name} was evicted from ${node} ${how}`;
}

function addTaintsOf(state: Evictions, pod: Pod, facts: Facts): void {
  const node = facts.get('Node', pod.spec.nodeName ?? '');
  if (node !== undefined && !state.taints.has(node.metadata.name)) followNode(state, node, false, node, -Infinity);
}

/** The time in which the controller has processed a changed node in two passes, milliseconds. */
const PROCESSED_MS = 30_000;

const nodeTaintsFollowState: Invariant = {
  name: 'node/taints-follow-state',
  temporal: 'stable',
  description:
    'When everything has settled, ready nodes have no not-ready or unreachable taint, and other nodes have one with the effect NoSchedule.',
  kinds: ['*'],
  check: checking((exercised) => {
    const changedAt = new Map<string, number>();
    const seen = { aliveAt: -Infinity };
    return {
      describe: () => [changedAt, seen.aliveAt],
      onChange({ object, previous, at }, _, _controller, actor): undefined {
        if (actor?.startsWith('controller-manager') === true) seen.aliveAt = at;
        const node = asNode(object);
        if (node !== undefined && readyOf(node)?.status !== readyOf(asNode(previous))?.status) changedAt.set(node.metadata.name, at);
      },
      onEnd(facts, settled) {
        for (const [name, at] of settled ? changedAt : []) {
          const node = facts.get('Node', name);
          if (node === undefined || facts.now - at < PROCESSED_MS || seen.aliveAt < at) continue;
          const status = readyOf(node)?.status;
          const wanted = status === 'True' ? undefined : facts.names.key('node', status === 'False' ? 'not-ready' : 'unreachable');
          const about = (node.spec.taints ?? []).filter(
            ({ key }) => key === facts.names.key('node', 'not-ready') || key === facts.names.key('node', 'unreachable'),
          );
          if (wanted === undefined && about.length > 0)
            return { message: `Node ${name} is ready and still has the taint ${about[0]?.key ?? ''}`, object: node };
          if (wanted !== undefined && !about.some(({ key, effect }) => key === wanted && effect === 'NoSchedule'))
            return { message: `Node ${name} has Ready=${status ?? 'nothing'} and no taint ${wanted}`, object: node };
          exercised();
        }
        return undefined;
      },
    };
  }),
};

export const nodeInvariants: readonly Invariant[] = [nodeUnknownOnlyWhenSilent, nodeEvictionsInTime, nodeTaintsFollowState];
