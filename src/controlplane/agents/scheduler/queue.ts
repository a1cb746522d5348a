/**
 * Unscheduled pods: ready to be tried (active), in back-off, or unschedulable until something changes. Models: v1.24
 * pkg/scheduler/internal/queue scheduling_queue. Its tickers are computed instead of run: a pod that is moved to back-off gets the tick at
 * which it leaves.
 */
import type { ClusterChange } from './cluster-events.ts';
import { createHeap, type Heap } from './heap.ts';
import type { PodInfo } from './node-info.ts';
import { accessors } from '../../../engine/index.ts';

const withAttached = accessors('attached');

const BACKOFF_TICK_MS = 1_000;
const FLUSH_TICK_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;

export type Place = 'active' | 'backoff' | 'refused' | 'none';

export interface QueuedPod {
  info: PodInfo;
  readonly key: string;
  place: Place;
  /** When it was added, or its last attempt failed. */
  since: number;
  /** Orders pods of the same instant. */
  seq: number;
  attempts: number;
  /** The plugins that refused it; empty after errors: then any change may help. */
  refusedBy: readonly string[];
}

/** A pod that may be tried now, or from an instant on. */
export interface Moved {
  readonly key: string;
  readonly at: number | undefined;
}

export interface SchedulingQueue {
  get(key: string): QueuedPod | undefined;
  add(info: PodInfo, now: number): Moved;
  /** The pod has changed; `matters`: the change may make it schedulable. */
  update(info: PodInfo, matters: boolean, now: number): Moved | undefined;
  remove(key: string): void;
  /** Takes the pod with the highest priority for an attempt. */
  pop(): QueuedPod | undefined;
  /** The attempt failed: the pod waits for a change, or with `changed` (the cluster changed during the attempt) only for its back-off. */
  refuse(pod: QueuedPod, refusedBy: readonly string[], now: number, changed?: boolean): void;
  /** Moves the pods that a change may help. */
  move(change: ClusterChange, now: number, passes?: (info: PodInfo) => boolean): readonly Moved[];
  /** The same for pods with required pod affinity only: a pod was added to a node, or changed there. */
  moveAttached(change: ClusterChange, now: number, passes: (info: PodInfo) => boolean): readonly Moved[];
  /** The number of such pods. */
  readonly attached: number;
  /** Does what the tickers would have done until now. */
  tick(now: number): void;
  /** When the pod leaves by itself; `background` for the flush of unschedulable pods. */
  wakeAt(pod: QueuedPod): { readonly at: number; readonly background: boolean } | undefined;
  sizes(): Readonly<Record<Exclude<Place, 'none'>, number>>;
  /** The queue as plain data: pods by key, in order of arrival. */
  describe(): unknown;
}

interface Options {
  /** The start of the process: the phase of its tickers. */
  readonly startedAt: number;
  readonly maxRefusedMs: number;
  /** Whether a change may help a pod that a plugin refused. */
  helps(plugin: string, change: ClusterChange): boolean;
}

/** The first tick at or after an instant. */
const tickFrom = (startedAt: number, every: number, at: number): number =>
  startedAt + Math.max(0, Math.ceil((at - startedAt) / every)) * every;

const backoffMs = (attempts: number): number => {
  let wait = FIRST_BACKOFF_MS;
  for (let i = 1; i < attempts && wait < MAX_BACKOFF_MS; i++) wait *= 2;
  return Math.min(wait, MAX_BACKOFF_MS);
};

/** The end of the pod's back-off. */
const backoffEnd = ({ since, attempts }: QueuedPod): number => since + (attempts === 0 ? 0 : backoffMs(attempts));

const wantsOthersNear = ({ pod }: PodInfo): boolean =>
  (pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0;

const NONE: readonly Moved[] = [];

interface Group {
  readonly plugins: readonly string[];
  readonly members: Map<string, QueuedPod>;
}

interface Queue extends Options {
  readonly pods: Map<string, QueuedPod>;
  readonly active: Heap<QueuedPod>;
  readonly backoff: Heap<QueuedPod>;
  /** Unschedulable pods by the plugins that refused them, oldest first: a change moves whole groups. */
  readonly groups: Map<string, Group>;
  /** Those among them with required pod affinity. */
  readonly attached: Set<QueuedPod>;
  seq: number;
  refusedCount: number;
  /** A lower bound of the next flush. */
  oldestFlush: number;
}

/** The order of attempts: by priority, then by arrival. */
const byUrgency = (a: QueuedPod, b: QueuedPod): number => b.info.priority - a.info.priority || a.since - b.since || a.seq - b.seq;

const backoffTick = ({ startedAt }: Queue, pod: QueuedPod): number => tickFrom(startedAt, BACKOFF_TICK_MS, backoffEnd(pod));
const flushAt = ({ startedAt, maxRefusedMs }: Queue, { since }: QueuedPod): number =>
  tickFrom(startedAt, FLUSH_TICK_MS, since + maxRefusedMs + 1);

function leaveRefused(queue: Queue, pod: QueuedPod): void {
  const name = pod.refusedBy.join();
  const group = queue.groups.get(name);
  if (group?.members.delete(pod.key) === true) queue.refusedCount--;
  if (group?.members.size === 0) queue.groups.delete(name);
  queue.attached.delete(pod);
}

function enterRefused(queue: Queue, pod: QueuedPod): void {
  const name = pod.refusedBy.join();
  let group = queue.groups.get(name);
  if (group === undefined) queue.groups.set(name, (group = { plugins: pod.refusedBy, members: new Map() }));
  group.members.set(pod.key, pod);
  queue.oldestFlush = Math.min(queue.oldestFlush, flushAt(queue, pod));
  queue.refusedCount++;
  if (wantsOthersNear(pod.info)) queue.attached.add(pod);
}

function leave(queue: Queue, pod: QueuedPod): void {
  if (pod.place === 'active') queue.active.remove(pod);
  else if (pod.place === 'backoff') queue.backoff.remove(pod);
  else if (pod.place === 'refused') leaveRefused(queue, pod);
  pod.place = 'none';
}

function enter(queue: Queue, pod: QueuedPod, place: Place): void {
  leave(queue, pod);
  pod.place = place;
  if (place === 'active') queue.active.push(pod);
  else if (place === 'backoff') queue.backoff.push(pod);
  else if (place === 'refused') enterRefused(queue, pod);
}

function release(queue: Queue, pod: QueuedPod, now: number): Moved {
  if (backoffEnd(pod) > now) {
    enter(queue, pod, 'backoff');
    return { key: pod.key, at: backoffTick(queue, pod) };
  }
  enter(queue, pod, 'active');
  return { key: pod.key, at: undefined };
}

const releaseAll = (queue: Queue, found: QueuedPod[], now: number): readonly Moved[] =>
  found.sort(byUrgency).map((pod) => release(queue, pod, now));

function add(queue: Queue, info: PodInfo, now: number): Moved {
  const pod: QueuedPod = { info, key: info.key, place: 'none', since: now, seq: ++queue.seq, attempts: 0, refusedBy: [] };
  queue.pods.set(info.key, pod);
  enter(queue, pod, 'active');
  return { key: info.key, at: undefined };
}

function update(queue: Queue, info: PodInfo, matters: boolean, now: number): Moved | undefined {
  const pod = queue.pods.get(info.key);
  if (pod === undefined) return add(queue, info, now);
  const { place } = pod;
  // Its priority may have changed, so it is removed before and added after.
  if (place === 'active') {
    leave(queue, pod);
    pod.info = info;
    enter(queue, pod, 'active');
    return undefined;
  }
  pod.info = info;
  return place === 'refused' && matters ? release(queue, pod, now) : undefined;
}

function remove(queue: Queue, key: string): void {
  const pod = queue.pods.get(key);
  if (pod === undefined) return;
  leave(queue, pod);
  queue.pods.delete(key);
}

function pop({ active }: Queue): QueuedPod | undefined {
  const pod = active.pop();
  if (pod === undefined) return undefined;
  pod.place = 'none';
  pod.attempts++;
  return pod;
}

function refuse(queue: Queue, pod: QueuedPod, refusedBy: readonly string[], now: number, changed: boolean): void {
  if (queue.pods.get(pod.key) !== pod && queue.pods.has(pod.key)) return;
  leave(queue, pod);
  queue.pods.set(pod.key, pod);
  pod.refusedBy = refusedBy;
  pod.since = now;
  pod.seq = ++queue.seq;
  enter(queue, pod, changed ? 'backoff' : 'refused');
}

/** After errors any change may help. */
const mayHelp = ({ helps }: Queue, refusedBy: readonly string[], change: ClusterChange): boolean =>
  refusedBy.length === 0 || refusedBy.some((plugin) => helps(plugin, change));

function move(queue: Queue, change: ClusterChange, now: number, passes?: (info: PodInfo) => boolean): readonly Moved[] {
  const found: QueuedPod[] = [];
  for (const { plugins, members } of queue.groups.values())
    if (mayHelp(queue, plugins, change)) for (const pod of members.values()) if (passes === undefined || passes(pod.info)) found.push(pod);
  return releaseAll(queue, found, now);
}

function moveAttached(queue: Queue, change: ClusterChange, now: number, passes: (info: PodInfo) => boolean): readonly Moved[] {
  const found: QueuedPod[] = [];
  for (const pod of queue.attached) if (mayHelp(queue, pod.refusedBy, change) && passes(pod.info)) found.push(pod);
  return found.length === 0 ? NONE : releaseAll(queue, found, now);
}

/** Moves unschedulable pods that have waited long enough. */
function flush(queue: Queue, now: number): void {
  queue.oldestFlush = Infinity;
  for (const { members } of queue.groups.values()) {
    for (const pod of members.values()) {
      const at = flushAt(queue, pod);
      if (at <= now) {
        release(queue, pod, now);
        continue;
      }
      queue.oldestFlush = Math.min(queue.oldestFlush, at);
      break;
    }
  }
}

function tick(queue: Queue, now: number): void {
  const { backoff } = queue;
  for (let pod = backoff.peek(); pod !== undefined && backoffTick(queue, pod) <= now; pod = backoff.peek()) enter(queue, pod, 'active');
  if (queue.refusedCount > 0 && now >= queue.oldestFlush) flush(queue, now);
}

function wakeAt(queue: Queue, pod: QueuedPod): { readonly at: number; readonly background: boolean } | undefined {
  if (pod.place === 'backoff') return { at: backoffTick(queue, pod), background: false };
  if (pod.place === 'refused') return { at: flushAt(queue, pod), background: true };
  return undefined;
}

/** Only the order of `seq` matters. */
const describe = ({ pods, oldestFlush }: Queue): unknown => [
  [...pods.values()]
    .sort((a, b) => a.seq - b.seq)
    .map(({ info, key, place, since, attempts, refusedBy }) => [key, info.pod, place, since, attempts, refusedBy]),
  oldestFlush,
];

/** An empty queue. */
export function createQueue(options: Options): SchedulingQueue {
  const queue: Queue = {
    pods: new Map(),
    active: createHeap((a, b) => byUrgency(a, b) < 0),
    backoff: createHeap((a, b) => (backoffEnd(a) - backoffEnd(b) || a.seq - b.seq) < 0),
    groups: new Map(),
    attached: new Set(),
    seq: 0,
    refusedCount: 0,
    oldestFlush: Infinity,
    ...options,
  };
  return withAttached(
    { attached: () => queue.attached.size },
    {
      get: (key) => queue.pods.get(key),
      add: (info, now) => add(queue, info, now),
      update: (info, matters, now) => update(queue, info, matters, now),
      remove: (key) => remove(queue, key),
      pop: () => pop(queue),
      refuse: (pod, refusedBy, now, changed = false) => refuse(queue, pod, refusedBy, now, changed),
      move: (change, now, passes) => move(queue, change, now, passes),
      moveAttached: (change, now, passes) => moveAttached(queue, change, now, passes),
      tick: (now) => tick(queue, now),
      wakeAt: (pod) => wakeAt(queue, pod),
      sizes: () => ({ active: queue.active.size, backoff: queue.backoff.size, refused: queue.refusedCount }),
      describe: () => describe(queue),
    },
  );
}
