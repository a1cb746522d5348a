import { keptIn, removeFrom } from '../../../schema/values/index.ts';
import type { ClusterChange } from './cluster-events.ts';
import { Heap } from './heap.ts';
import type { PodInfo } from './node-info.ts';

const BACKOFF_TICK_MS = 1_000;
const FLUSH_TICK_MS = 30_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 10_000;

export interface QueuedPod {
  info: PodInfo;
  readonly key: string;
  place: 'active' | 'backoff' | 'refused' | 'none';
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

interface Options {
  /** The start of the process: the phase of its tickers. */
  readonly startedAt: number;
  readonly maxRefusedMs: number;
  /** Whether a change may help a pod that a plugin refused. */
  helps(plugin: string, change: ClusterChange): boolean;
}

interface Group {
  readonly plugins: readonly string[];
  readonly members: Map<string, QueuedPod>;
}

const backoffMs = (attempts: number): number => {
  let wait = FIRST_BACKOFF_MS;
  for (let i = 1; i < attempts && wait < MAX_BACKOFF_MS; i++) wait *= 2;
  return Math.min(wait, MAX_BACKOFF_MS);
};

const backoffEnd = ({ since, attempts }: QueuedPod): number => since + (attempts === 0 ? 0 : backoffMs(attempts));

const wantsOthersNear = ({ pod }: PodInfo): boolean =>
  (pod.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length ?? 0) > 0;

const byUrgency = (a: QueuedPod, b: QueuedPod): number => b.info.priority - a.info.priority || a.since - b.since || a.seq - b.seq;

const NONE_MOVED: readonly Moved[] = [];

/**
 * Unscheduled pods: ready to be tried (active), in back-off, or unschedulable until something changes. Models: v1.24
 * pkg/scheduler/internal/queue scheduling_queue. Its tickers are computed instead of run: a pod that is moved to back-off gets the tick at
 * which it leaves.
 */
export class SchedulingQueue {
  private readonly options: Options;
  private readonly pods = new Map<string, QueuedPod>();
  private readonly active = new Heap<QueuedPod>((a, b) => byUrgency(a, b) < 0);
  private readonly backoff = new Heap<QueuedPod>((a, b) => (backoffEnd(a) - backoffEnd(b) || a.seq - b.seq) < 0);
  /** Unschedulable pods by the plugins that refused them, oldest first: a change moves whole groups. */
  private readonly groups = new Map<string, Group>();
  /** Those among them with required pod affinity. */
  readonly attached = new Set<QueuedPod>();
  private seq = 0;
  private refusedCount = 0;
  /** A lower bound of the next flush. */
  private oldestFlush = Infinity;

  constructor(options: Options) {
    this.options = options;
  }

  get(key: string): QueuedPod | undefined {
    return this.pods.get(key);
  }

  add(info: PodInfo, now: number): Moved {
    const pod: QueuedPod = { info, key: info.key, place: 'none', since: now, seq: ++this.seq, attempts: 0, refusedBy: [] };
    this.pods.set(info.key, pod);
    this.enter(pod, 'active');
    return { key: info.key, at: undefined };
  }

  /** The pod has changed; `matters`: the change may make it schedulable. */
  update(info: PodInfo, matters: boolean, now: number): Moved | undefined {
    const pod = this.pods.get(info.key);
    if (pod === undefined) return this.add(info, now);
    const { place } = pod;
    // Its priority may have changed, so it is removed before and added after.
    if (place === 'active') this.leave(pod);
    pod.info = info;
    if (place === 'active') this.enter(pod, 'active');
    return place === 'refused' && matters ? this.release(pod, now) : undefined;
  }

  remove(key: string): void {
    const pod = this.pods.get(key);
    if (pod === undefined) return;
    this.leave(pod);
    this.pods.delete(key);
  }

  pop(): QueuedPod | undefined {
    const pod = this.active.pop();
    if (pod === undefined) return undefined;
    pod.place = 'none';
    pod.attempts++;
    return pod;
  }

  /** The attempt failed: the pod waits for a change, or with `changed` (the cluster changed during the attempt) only for its back-off. */
  refuse(pod: QueuedPod, refusedBy: readonly string[], now: number, changed = false): void {
    if (this.pods.get(pod.key) !== pod && this.pods.has(pod.key)) return;
    this.leave(pod);
    this.pods.set(pod.key, pod);
    pod.refusedBy = refusedBy;
    pod.since = now;
    pod.seq = ++this.seq;
    this.enter(pod, changed ? 'backoff' : 'refused');
  }

  move(change: ClusterChange, now: number, passes?: (info: PodInfo) => boolean): readonly Moved[] {
    if (this.groups.size === 0) return NONE_MOVED;
    const found: QueuedPod[] = [];
    for (const { plugins, members } of this.groups.values())
      if (this.mayHelp(plugins, change)) for (const pod of members.values()) if (passes === undefined || passes(pod.info)) found.push(pod);
    return this.releaseAll(found, now);
  }

  /** The same for pods with required pod affinity only: a pod was added to a node, or changed there. */
  moveAttached(change: ClusterChange, now: number, passes: (info: PodInfo) => boolean): readonly Moved[] {
    const found: QueuedPod[] = [];
    for (const pod of this.attached) if (this.mayHelp(pod.refusedBy, change) && passes(pod.info)) found.push(pod);
    return this.releaseAll(found, now);
  }

  /** Does what the tickers would have done until now. */
  tick(now: number): void {
    for (let pod = this.backoff.peek(); pod !== undefined && this.backoffTick(pod) <= now; pod = this.backoff.peek())
      this.enter(pod, 'active');
    if (this.refusedCount > 0 && now >= this.oldestFlush) this.flush(now);
  }

  /** When the pod leaves by itself; `background` for the flush of unschedulable pods. */
  wakeAt(pod: QueuedPod): { readonly at: number; readonly background: boolean } | undefined {
    if (pod.place === 'backoff') return { at: this.backoffTick(pod), background: false };
    return pod.place === 'refused' ? { at: this.flushAt(pod), background: true } : undefined;
  }

  sizes(): Readonly<Record<'active' | 'backoff' | 'refused', number>> {
    return { active: this.active.size, backoff: this.backoff.size, refused: this.refusedCount };
  }

  /** The queue as plain data: pods by key, in order of arrival. Only the order of `seq` matters. */
  describe(): unknown {
    const pods = [...this.pods.values()].sort((a, b) => a.seq - b.seq);
    return [
      pods.map(({ info, key, place, since, attempts, refusedBy }) => [key, info.pod, place, since, attempts, refusedBy]),
      this.oldestFlush,
    ];
  }

  private tickFrom(every: number, at: number): number {
    const { startedAt } = this.options;
    return startedAt + Math.max(0, Math.ceil((at - startedAt) / every)) * every;
  }

  private backoffTick(pod: QueuedPod): number {
    return this.tickFrom(BACKOFF_TICK_MS, backoffEnd(pod));
  }

  private flushAt({ since }: QueuedPod): number {
    return this.tickFrom(FLUSH_TICK_MS, since + this.options.maxRefusedMs + 1);
  }

  /** After errors any change may help. */
  private mayHelp(refusedBy: readonly string[], change: ClusterChange): boolean {
    return refusedBy.length === 0 || refusedBy.some((plugin) => this.options.helps(plugin, change));
  }

  private enter(pod: QueuedPod, place: QueuedPod['place']): void {
    this.leave(pod);
    pod.place = place;
    if (place === 'active') this.active.push(pod);
    else if (place === 'backoff') this.backoff.push(pod);
    else if (place === 'refused') this.enterRefused(pod);
  }

  private leave(pod: QueuedPod): void {
    if (pod.place === 'active') this.active.remove(pod);
    else if (pod.place === 'backoff') this.backoff.remove(pod);
    else if (pod.place === 'refused') this.leaveRefused(pod);
    pod.place = 'none';
  }

  private enterRefused(pod: QueuedPod): void {
    const name = pod.refusedBy.join();
    keptIn(this.groups, name, () => ({ plugins: pod.refusedBy, members: new Map<string, QueuedPod>() })).members.set(pod.key, pod);
    this.oldestFlush = Math.min(this.oldestFlush, this.flushAt(pod));
    this.refusedCount++;
    if (wantsOthersNear(pod.info)) this.attached.add(pod);
  }

  private leaveRefused(pod: QueuedPod): void {
    const name = pod.refusedBy.join();
    const group = this.groups.get(name);
    if (group?.members.delete(pod.key) === true) this.refusedCount--;
    if (group?.members.size === 0) this.groups.delete(name);
    this.attached.delete(pod);
  }

  private release(pod: QueuedPod, now: number): Moved {
    const place = backoffEnd(pod) > now ? 'backoff' : 'active';
    this.enter(pod, place);
    return { key: pod.key, at: place === 'backoff' ? this.backoffTick(pod) : undefined };
  }

  private releaseAll(found: QueuedPod[], now: number): readonly Moved[] {
    return found.sort(byUrgency).map((pod) => this.release(pod, now));
  }

  /** Moves unschedulable pods that have waited long enough. */
  private flush(now: number): void {
    this.oldestFlush = Infinity;
    for (const { members } of this.groups.values()) {
      for (const pod of members.values()) {
        const at = this.flushAt(pod);
        if (at > now) {
          this.oldestFlush = Math.min(this.oldestFlush, at);
          break;
        }
        this.release(pod, now);
      }
    }
  }
}

const NONE: readonly PodInfo[] = [];

/** Nominated pods: they have a node after preemption, and are not bound yet. Models: v1.24 pkg/scheduler/internal/queue nominator. */
export class Nominator {
  private readonly nodes = new Map<string, Map<string, PodInfo>>();
  private readonly byUid = new Map<string, string>();
  version = 0;

  get size(): number {
    return this.byUid.size;
  }

  set(info: PodInfo, node: string): void {
    this.remove(info.uid);
    if (node === '') return;
    this.byUid.set(info.uid, node);
    this.version++;
    keptIn(this.nodes, node, () => new Map<string, PodInfo>()).set(info.uid, info);
  }

  remove(uid: string): void {
    const node = this.nodeOf(uid);
    if (node === undefined) return;
    this.byUid.delete(uid);
    this.version++;
    removeFrom(this.nodes, node, uid);
  }

  nodeOf(uid: string): string | undefined {
    // Hardly any pod is nominated.
    return this.byUid.size === 0 ? undefined : this.byUid.get(uid);
  }

  on(node: string): Iterable<PodInfo> {
    return this.nodes.get(node)?.values() ?? NONE;
  }

  describe(): unknown {
    return this.nodes;
  }
}
