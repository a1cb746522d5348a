/**
 * Deletes pods that no other component deletes: the oldest terminated ones beyond a threshold, those of missing nodes, and those deleted
 * before they were scheduled. Models: v1.24 pkg/controller/podgc. It runs at upstream's ticks of 20 s, but only at those that find
 * something.
 */
import type { KindRegistry, Pod } from '../../../apiserver/kinds/index.ts';
import { onElapsed, defineController, observing, remove, watch, readLive } from '../../runtime/index.ts';
import type { CacheView, Outcome, ReconcileInput } from '../../runtime/index.ts';
import { parseTime, compareText } from '../../../schema/values/index.ts';
import { isOutOfService, isReady, objectsByUid } from '../../shared/index.ts';
import type { ControllerOptions } from '../options.ts';

/** Upstream's default of --terminated-pod-gc-threshold. */
const TERMINATED_POD_THRESHOLD = 12_500;
const TICK_MS = 20_000;
/** How long a node must be missing since the first tick without it. */
const QUARANTINE_MS = 40_000;
const KEY = 'pods';

interface State {
  readonly startedAt: number;
  /** Node names in pods for which there is no node. */
  readonly suspects: Set<string>;
  /** Nodes that are out of service. */
  readonly out: Set<string>;
}
interface Memory {
  /** The first tick at which each node was missing. */
  readonly missedAt: Readonly<Record<string, number>>;
  /** Nodes that have been missing for the quarantine time; a live read follows. */
  readonly doubtful: readonly string[];
  /** Nodes that the server does not have either. */
  readonly gone: readonly string[];
}
const NOTHING: Memory = { missedAt: {}, doubtful: [], gone: [] };
type Input = Pick<ReconcileInput<unknown, Memory, State>, 'cache' | 'state' | 'memory' | 'now'>;

const nextTick = ({ startedAt }: State, now: number): number => startedAt + (Math.floor((now - startedAt) / TICK_MS) + 1) * TICK_MS;
const isTick = ({ startedAt }: State, now: number): boolean => (now - startedAt) % TICK_MS === 0;
const hasNode = (cache: CacheView, name: string): boolean => cache.get('Node', undefined, name) !== undefined;

/**
 * @param threshold the number of terminated pods that may stay; 0: any number. A Job counted without finalizers never completes beyond it:
 * its finished pods are collected while it runs.
 */
export const podGc = (_kinds: KindRegistry, { terminatedPodThreshold: threshold = TERMINATED_POD_THRESHOLD }: ControllerOptions = {}) => {
  const surplus = (cache: CacheView): number =>
    threshold === 0 ? 0 : Math.max(0, cache.aggregate(terminatedPods, EVERY_POD).size - threshold);
  return defineController<string, Memory, State>({
    name: 'pod-gc',
    component: 'pod-garbage-collector',
    writes: ['Pod'],
    models: 'Complete. Reads a missing node from the API server before it deletes the pods of the node. Upstream: pkg/controller/podgc.',
    aggregates: [terminatedPods, unscheduledPods],
    watches: [
      watch('Pod', ({ object: pod, type, old }, { cache, state, elapsed }) => {
        if (type === 'DELETED') return undefined;
        if (isUnscheduledTerminating(pod) || state.suspects.has(pod.spec.nodeName ?? '') || state.out.has(pod.spec.nodeName ?? ''))
          return KEY;
        // Thousands of pods may end in one instant; only a check deletes the surplus.
        const hasEnded = isTerminated(pod) && (old === undefined || !isTerminated(old));
        return hasEnded && surplus(cache) > 0 ? { key: KEY, afterMs: nextTick(state, elapsed) - elapsed } : undefined;
      }),
      watch('Node', (_, { state }) => (state.suspects.size + state.out.size > 0 ? KEY : undefined)),
    ],
    start: ({ now }) => ({ startedAt: now, suspects: new Set(), out: new Set() }),
    observe: observing({
      Node({ type, object }, { cache, state, names, gates }) {
        suspect(object.metadata.name, cache, state);
        if (type !== 'DELETED' && isOutOfService(object, names, gates)) state.out.add(object.metadata.name);
        else state.out.delete(object.metadata.name);
      },
      Pod({ type, object: { spec }, old }, { cache, state }) {
        const { nodeName = '' } = spec;
        if (nodeName !== '' && (type !== 'MODIFIED' || old?.spec.nodeName !== nodeName)) suspect(nodeName, cache, state);
      },
    }),
    reconcile: onElapsed((input) => {
      const { cache, state, memory, now } = input;
      const unscheduled = cache.aggregate(unscheduledPods, EVERY_POD);
      if (surplus(cache) === 0 && unscheduled.size === 0 && stuckPods(cache, state).length === 0 && state.suspects.size === 0)
        return { why: 'no pod needs it', writes: [], memory: null };
      if (!isTick(state, now)) return { why: 'its next check is not due yet', writes: [], wakeAt: nextTick(state, now) };
      const missedAt: Record<string, number> = {};
      for (const name of state.suspects) missedAt[name] = memory?.missedAt[name] ?? now;
      const doubtful = Object.keys(missedAt).filter((name) => now - (missedAt[name] ?? now) >= QUARANTINE_MS);
      return next(surplus(cache), input, { missedAt, doubtful, gone: [] });
    }),
    resume: onElapsed((input, { object }) => next(surplus(input.cache), input, afterRead(input, object === undefined))),
    // Without a response the node's pods are kept until it has been missing for the quarantine time again.
    recover: onElapsed((input, { write: { op } }) =>
      op === 'get' ? next(surplus(input.cache), input, afterRead(input, false)) : undefined,
    ),
  });
};

/** Reads the next missing node live, because a cache may lag; then deletes, as upstream does at one tick. */
function next(surplusCount: number, { cache, state, now }: Input, memory: Memory): Outcome<Memory> {
  const { doubtful, gone, missedAt } = memory;
  const [name] = doubtful;
  if (name !== undefined)
    return {
      why: `node ${name} has been missing for the quarantine time: read it from the API server`,
      writes: [readLive({ kind: 'Node', metadata: { name } }, { tolerate: ['NotFound'] })],
      memory,
    };
  const unscheduled = cache.aggregate(unscheduledPods, EVERY_POD);
  const stuck = stuckPods(cache, state);
  const toDelete = new Set([
    ...oldest(cache.aggregate(terminatedPods, EVERY_POD), surplusCount),
    ...stuck,
    ...gone.flatMap((each) => cache.by('Pod', 'nodeName', each)),
    ...unscheduled.values(),
  ]);
  const writes = [...toDelete].filter(mayGo).map((pod) => remove(pod, { gracePeriodSeconds: 0 }));
  const again = writes.length > 0 || state.suspects.size > gone.length;
  return {
    why: whyOf(surplusCount, gone, state.suspects.size, unscheduled.size, stuck.length),
    writes,
    memory: { missedAt, doubtful, gone: [] },
    ...(again ? { wakeAt: nextTick(state, now) } : {}),
  };
}

/** The memory after the live read of the first doubtful node. For a node that exists the quarantine starts anew. */
function afterRead({ memory = NOTHING, now }: Input, isGone: boolean): Memory {
  const [name = '', ...doubtful] = memory.doubtful;
  return isGone
    ? { ...memory, doubtful, gone: [...memory.gone, name] }
    : { ...memory, doubtful, missedAt: { ...memory.missedAt, [name]: now } };
}

/** Marks a node name as suspect if there are pods bound to it and no node. */
function suspect(name: string, cache: CacheView, { suspects }: State): void {
  if (!hasNode(cache, name) && cache.countBy('Pod', 'nodeName', name) > 0) suspects.add(name);
  else suspects.delete(name);
}

/** Pods that are being deleted on nodes that are out of service and not ready: no agent will end them. */
const stuckPods = (cache: CacheView, { out }: State): readonly Pod[] =>
  [...out]
    .filter((name) => {
      const node = cache.get('Node', undefined, name);
      return node === undefined || !isReady(node);
    })
    .flatMap((name) => cache.by('Pod', 'nodeName', name).filter(isGoing));
const isGoing = (pod: Pod): boolean => pod.metadata.deletionTimestamp !== undefined && mayGo(pod);

/** A pod that is not yet deleted with a grace period of 0: after that only finalizers hold it. */
const mayGo = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined || metadata.deletionGracePeriodSeconds !== 0;

function oldest(pods: ReadonlyMap<string, Pod>, count: number): readonly Pod[] {
  if (count <= 0) return [];
  const age = (pod: Pod): number => parseTime(pod.metadata.creationTimestamp);
  return [...pods.values()].sort((a, b) => age(a) - age(b) || compareText(a.metadata.name, b.metadata.name)).slice(0, count);
}

function whyOf(surplusCount: number, lost: readonly string[], suspects: number, unscheduled: number, stuck: number): string {
  const reasons = [
    ...(surplusCount > 0 ? [`${surplusCount} terminated pods exceed the threshold`] : []),
    ...(stuck > 0 ? [`${stuck} pods are terminating on out-of-service nodes`] : []),
    ...(lost.length > 0 ? [`${lost.join(', ')} ${lost.length === 1 ? 'no longer exists' : 'no longer exist'}`] : []),
    ...(suspects > lost.length
      ? [`${suspects - lost.length} missing ${suspects - lost.length === 1 ? 'node is' : 'nodes are'} in quarantine`]
      : []),
    ...(unscheduled > 0 ? [`${unscheduled} pods are being deleted and were never scheduled`] : []),
  ];
  return reasons.join('; ');
}

/** The only group of both aggregates. */
const EVERY_POD = 'all';
/** The pods that the collector may have to delete, and the nodes that pods are bound to, updated as pods change. */
const isTerminated = ({ status: { phase } }: Pod): boolean => phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown';
const isUnscheduledTerminating = ({ metadata, spec }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined && (spec.nodeName ?? '') === '';

const terminatedPods = objectsByUid('terminated pods', 'Pod', (pod) => (isTerminated(pod) ? EVERY_POD : undefined));
/** Pods being deleted that have no node, and so no agent that could end them. */
const unscheduledPods = objectsByUid('unscheduled pods being deleted', 'Pod', (pod) =>
  isUnscheduledTerminating(pod) ? EVERY_POD : undefined,
);
