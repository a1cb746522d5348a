/** The way of watch events to one watch of a client: in order, late by the faults on it, and noted in the trace when they are sent. */
import { keyOf, type ApiObject } from '../../../apiserver/machinery/index.ts';
import type { WatchEvent } from '../../../apiserver/handlers/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { expired, failure } from '../../../apiserver/request/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import type { ShownWatch, WatchControl } from '../backend.ts';
import { cutUntil, lagOf, viewOf } from './views.ts';

/** Events on their way to a watch; upstream closes a watch whose channel of about this size is full. */
const MOST_ON_THE_WAY = 100;
/** Without a slow reader, events wait for faults only: a bound of memory. */
const MOST_HELD = 100_000;

interface OnTheWay {
  readonly change: Change;
  readonly event: WatchEvent;
  readonly lag: number;
  readonly since: number;
}

interface ChannelOptions {
  readonly cluster: Cluster;
  readonly client: string;
  readonly kind: string;
  readonly watch: ShownWatch;
  /** An event was sent to the client. */
  readonly onSent: (entry: number) => void;
}

export class Channel {
  readonly client: string;
  readonly kind: string;
  /** The watch as the client has it: what it had missed is on its way too. */
  readonly watch: ShownWatch;
  readonly #cluster: Cluster;
  readonly #source: ShownWatch;
  #queue: OnTheWay[] = [];
  /** Those before it are sent. */
  #head = 0;
  #listener: ((change: Change) => void) | undefined;
  #control: WatchControl | undefined;
  #lastAt = -Infinity;
  #plannedAt = Infinity;
  /** The event that the listener asks for. */
  #sending: OnTheWay | undefined;

  constructor({ cluster, client, kind, watch, onSent }: ChannelOptions) {
    this.client = client;
    this.kind = kind;
    this.#cluster = cluster;
    this.#source = watch;
    this.watch = {
      initial: watch.over ? watch.initial : [],
      over: watch.over,
      next: () => {
        if (this.#sending !== undefined) onSent(noteSent(cluster, client, this.#sending));
        return this.#sending?.event;
      },
      bookmark: () =>
        this.#queue.length > this.#head || viewOf(cluster, client, kind).withoutBookmarks === true ? undefined : watch.bookmark(),
      opened: (given) => (this.#control = given),
    };
  }

  /** Sends a change on its way; what is sent arrives at the listener that is connected. */
  take(change: Change): void {
    const event = this.#source.next(change);
    if (event !== undefined) this.#put(change, event);
  }

  connect(to: (change: Change) => void): void {
    this.#listener = to;
    for (const event of this.#source.over ? [] : this.#source.initial) this.#put(earlier(this.#cluster, this.kind, event), event);
  }

  /** Sends what is due, after faults have changed. */
  flush(): void {
    for (let next = this.#queue[this.#head]; next !== undefined && this.#listener !== undefined; next = this.#queue[this.#head]) {
      const due = this.#dueOf(next);
      if (due > this.#cluster.now) return this.#planAt(due);
      this.#head++;
      this.#lastAt = this.#cluster.now;
      this.#sending = next;
      this.#listener(next.change);
    }
    if (this.#head >= this.#queue.length) this.#clear();
  }

  /** Ends the watch: with an error event of this code, or by a cut connection. */
  close(code?: number): void {
    this.#clear();
    if (code === undefined) this.#control?.cut();
    else this.#control?.fail(statusOf(code));
  }

  end(): void {
    this.#listener = undefined;
    this.#clear();
  }

  #clear(): void {
    this.#queue = [];
    this.#head = 0;
  }

  /** When an event may be sent. */
  #dueOf({ lag, since }: OnTheWay): number {
    const { now } = this.#cluster;
    const { heldUntil = 0, readsEveryMs = 0 } = viewOf(this.#cluster, this.client, this.kind);
    const slow = readsEveryMs === 0 ? 0 : this.#lastAt + readsEveryMs;
    return Math.max(since + lag, cutUntil(this.#cluster, this.client), heldUntil > now ? heldUntil : 0, slow);
  }

  /** What is held without an end is sent when the fault is removed. */
  #planAt(due: number): void {
    if (due >= this.#plannedAt || due === Infinity) return;
    this.#plannedAt = due;
    this.#cluster.plan(due, `a watch event reaches ${this.client}`, () => {
      this.#plannedAt = Infinity;
      this.flush();
    });
  }

  #put(change: Change, event: WatchEvent): void {
    this.#queue.push({ change, event, lag: lagOf(this.#cluster, this.client, change), since: this.#cluster.now });
    this.flush();
    const isSlow = (viewOf(this.#cluster, this.client, this.kind).readsEveryMs ?? 0) > 0;
    if (this.#queue.length - this.#head > (isSlow ? MOST_ON_THE_WAY : MOST_HELD)) this.close();
  }
}

const statusOf = (code: number) =>
  (code === 410
    ? expired('too old resource version: a fault closed this watch; list again and watch from there')
    : failure({ code, reason: 'InternalError', message: `a fault closed this watch with ${code}` })
  ).status;

const deltaOf = ({ type }: WatchEvent): Change['type'] => (type === 'DELETED' || type === 'MODIFIED' ? type : 'ADDED');

/** What a watch from an older revision is sent first. It is late as a change of this moment. */
function earlier({ now }: Cluster, kind: string, event: WatchEvent): Change {
  const object = event.object as ApiObject;
  const revision = Number(object.metadata.resourceVersion);
  return { revision, type: deltaOf(event), kind, key: keyOf(object), object, at: now, entry: 0 };
}

function noteSent(cluster: Cluster, client: string, { change: { entry, kind }, event }: OnTheWay): number {
  const object = event.object as ApiObject;
  return cluster.note({
    type: 'delivery',
    causes: entry === 0 ? [] : [entry],
    process: client,
    delta: deltaOf(event),
    kind,
    key: keyOf(object),
    revision: Number(object.metadata.resourceVersion),
  });
}
