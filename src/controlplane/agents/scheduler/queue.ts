/**
 * Pods that wait for a node: ready to be tried (active), waiting out their back-off, or refused until something changes.
 * Models: v1.24 pkg/scheduler/internal/queue scheduling_queue. Its tickers are computed, not run: whoever is moved to back-off
 * learns at which tick it leaves.
 */
import type { ClusterChange } from './cluster-events.ts';
import { createHeap } from './heap.ts';
import type { PodInfo } from './pod-info.ts';

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
  /** Tells apart what came at one instant. */
  seq: number;
  attempts: number;
  /** The plug-ins that refused it; empty after errors: then any change may help. */
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
  /** The pod has a new form; `matters` when it may be schedulable now. */
  update(info: PodInfo, matters: boolean, now: number): Moved | undefined;
  remove(key: string): void;
  /** Takes the most urgent pod for an attempt. */
  pop(): QueuedPod | undefined;
  /** The attempt failed: it waits for a change, or with `changed` (something changed meanwhile) only for its back-off. */
  refuse(pod: QueuedPod, refusedBy: readonly string[], now: number, changed?: boolean): void;
  /** Moves what a change may help. */
  move(change: ClusterChange, now: number, passes?: (info: PodInfo) => boolean): readonly Moved[];
  /** The same for pods that want others near them only: a pod came to a node, or changed there. */
  moveAttached(change: ClusterChange, now: number, passes: (info: PodInfo) => boolean): readonly Moved[];
  /** How many those are. */
  readonly attached: number;
  /** What the tickers would have done up to now. */
  tick(now: number): void;
  /** When the pod leaves by itself, and whether that is only the long stop. */
  wakeAt(pod: QueuedPod): { readonly at: number; readonly background: boolean } | undefined;
  sizes(): Readonly<Record<Exclude<Place, 'none'>, number>>;
}

interface Options {
  /** The start of the process: the phase of its tickers. */
  readonly startedAt: number;
  readonly maxRefusedMs: number;
  /** Whether a change may help a pod that a plug-in refused. */
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

/** When the pod's back-off ends. */
export const backoffEnd = ({ since, attempts }: QueuedPod): number => since + (attempts === 0 ? 0 : backoffMs(attempts));

const wantsOthersNear = ({ pod }: PodInfo): boolean =>
  (pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0;

const NONE: readonly Moved[] = [];

/** An empty queue. */
export function createQueue({ startedAt, maxRefusedMs, helps }: Options): SchedulingQueue {
  const pods = new Map<string, QueuedPod>();
  const active = createHeap<QueuedPod>((a, b) =>
    a.info.priority !== b.info.priority ? a.info.priority > b.info.priority : a.since !== b.since ? a.since < b.since : a.seq < b.seq,
  );
  const backoff = createHeap<QueuedPod>((a, b) => {
    const x = backoffEnd(a);
    const y = backoffEnd(b);
    return x !== y ? x < y : a.seq < b.seq;
  });
  /** Refused pods by who refused them, oldest first: a change concerns whole groups. */
  const groups = new Map<string, { readonly plugins: readonly string[]; readonly members: Map<string, QueuedPod> }>();
  /** Those among them that require other pods near. */
  const attached = new Set<QueuedPod>();
  let seq = 0;
  let refusedCount = 0;
  /** No refused pod is flushed before. */
  let oldestFlush = Infinity;

  const leave = (pod: QueuedPod): void => {
    if (pod.place === 'active') active.remove(pod);
    else if (pod.place === 'backoff') backoff.remove(pod);
    else if (pod.place === 'refused') {
      const name = pod.refusedBy.join();
      const group = groups.get(name);
      if (group?.members.delete(pod.key) === true) refusedCount--;
      if (group?.members.size === 0) groups.delete(name);
      attached.delete(pod);
    }
    pod.place = 'none';
  };
  const enter = (pod: QueuedPod, place: Place): void => {
    leave(pod);
    pod.place = place;
    if (place === 'active') active.push(pod);
    else if (place === 'backoff') backoff.push(pod);
    else if (place === 'refused') {
      const name = pod.refusedBy.join();
      let group = groups.get(name);
      if (group === undefined) groups.set(name, (group = { plugins: pod.refusedBy, members: new Map() }));
      group.members.set(pod.key, pod);
      oldestFlush = Math.min(oldestFlush, flushAt(pod));
      refusedCount++;
      if (wantsOthersNear(pod.info)) attached.add(pod);
    }
  };
  const release = (pod: QueuedPod, now: number): Moved => {
    const end = backoffEnd(pod);
    if (end > now) {
      enter(pod, 'backoff');
      return { key: pod.key, at: tickFrom(startedAt, BACKOFF_TICK_MS, end) };
    }
    enter(pod, 'active');
    return { key: pod.key, at: undefined };
  };
  const flushAt = ({ since }: QueuedPod): number => tickFrom(startedAt, FLUSH_TICK_MS, since + maxRefusedMs + 1);
  const urgencyFirst = (moved: QueuedPod[]): QueuedPod[] =>
    moved.sort((a, b) => b.info.priority - a.info.priority || a.since - b.since || a.seq - b.seq);
  const releaseAll = (found: QueuedPod[], now: number): readonly Moved[] => urgencyFirst(found).map((pod) => release(pod, now));

  return {
    get: (key) => pods.get(key),
    add(info, now) {
      const pod: QueuedPod = { info, key: info.key, place: 'none', since: now, seq: ++seq, attempts: 0, refusedBy: [] };
      pods.set(info.key, pod);
      enter(pod, 'active');
      return { key: info.key, at: undefined };
    },
    update(info, matters, now) {
      const pod = pods.get(info.key);
      if (pod === undefined) return this.add(info, now);
      const { place } = pod;
      // Its priority may have changed: out before, in after.
      if (place === 'active') {
        leave(pod);
        pod.info = info;
        enter(pod, 'active');
        return undefined;
      }
      pod.info = info;
      return place === 'refused' && matters ? release(pod, now) : undefined;
    },
    remove(key) {
      const pod = pods.get(key);
      if (pod === undefined) return;
      leave(pod);
      pods.delete(key);
    },
    pop() {
      const pod = active.pop();
      if (pod === undefined) return undefined;
      pod.place = 'none';
      pod.attempts++;
      return pod;
    },
    refuse(pod, refusedBy, now, changed = false) {
      if (pods.get(pod.key) !== pod && pods.has(pod.key)) return;
      leave(pod);
      pods.set(pod.key, pod);
      pod.refusedBy = refusedBy;
      pod.since = now;
      pod.seq = ++seq;
      enter(pod, changed ? 'backoff' : 'refused');
    },
    move(change, now, passes) {
      const found: QueuedPod[] = [];
      for (const { plugins, members } of groups.values()) {
        if (plugins.length > 0 && !plugins.some((plugin) => helps(plugin, change))) continue;
        for (const pod of members.values()) if (passes === undefined || passes(pod.info)) found.push(pod);
      }
      return releaseAll(found, now);
    },
    moveAttached(change, now, passes) {
      const found: QueuedPod[] = [];
      for (const pod of attached) {
        if (pod.refusedBy.length > 0 && !pod.refusedBy.some((plugin) => helps(plugin, change))) continue;
        if (passes(pod.info)) found.push(pod);
      }
      return found.length === 0 ? NONE : releaseAll(found, now);
    },
    get attached() {
      return attached.size;
    },
    tick(now) {
      for (
        let pod = backoff.peek();
        pod !== undefined && tickFrom(startedAt, BACKOFF_TICK_MS, backoffEnd(pod)) <= now;
        pod = backoff.peek()
      )
        enter(pod, 'active');
      if (refusedCount === 0 || now < oldestFlush) return;
      oldestFlush = Infinity;
      for (const { members } of groups.values()) {
        for (const pod of members.values()) {
          const at = flushAt(pod);
          if (at <= now) {
            release(pod, now);
            continue;
          }
          oldestFlush = Math.min(oldestFlush, at);
          break;
        }
      }
    },
    wakeAt(pod) {
      if (pod.place === 'backoff') return { at: tickFrom(startedAt, BACKOFF_TICK_MS, backoffEnd(pod)), background: false };
      if (pod.place === 'refused') return { at: flushAt(pod), background: true };
      return undefined;
    },
    sizes: () => ({ active: active.size, backoff: backoff.size, refused: refusedCount }),
  };
}
