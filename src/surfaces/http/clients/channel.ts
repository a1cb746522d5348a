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

export interface Channel {
  readonly client: string;
  readonly kind: string;
  /** The watch as the client has it: what it had missed is on its way too. */
  readonly watch: ShownWatch;
  /** Sends a change on its way; what is sent arrives at the listener that is `connected`. */
  take(change: Change): void;
  connect(listener: (change: Change) => void): void;
  /** Sends what is due, after faults have changed. */
  flush(): void;
  /** Ends the watch: with an error event of this code, or by a cut connection. */
  close(code: number | undefined): void;
  end(): void;
}

interface OnTheWay {
  readonly change: Change;
  readonly event: WatchEvent;
  readonly lag: number;
  readonly since: number;
}

export interface ChannelOptions {
  readonly cluster: Cluster;
  readonly client: string;
  readonly kind: string;
  readonly watch: ShownWatch;
  /** An event was sent to the client. */
  readonly onSent: (entry: number) => void;
}

interface State extends ChannelOptions {
  queue: OnTheWay[];
  /** Those before it are sent. */
  head: number;
  listener: ((change: Change) => void) | undefined;
  control: WatchControl | undefined;
  lastAt: number;
  plannedAt: number;
  /** The event that the listener asks for. */
  sending: OnTheWay | undefined;
}

export function createChannel(options: ChannelOptions): Channel {
  const { cluster, client, kind, watch, onSent } = options;
  const state: State = {
    ...options,
    queue: [],
    head: 0,
    listener: undefined,
    control: undefined,
    lastAt: -Infinity,
    plannedAt: Infinity,
    sending: undefined,
  };
  const shown: ShownWatch = {
    initial: watch.over ? watch.initial : [],
    over: watch.over,
    next() {
      const { sending } = state;
      if (sending !== undefined) onSent(noteSent(cluster, client, sending));
      return sending?.event;
    },
    bookmark: () =>
      state.queue.length > state.head || viewOf(cluster, client, kind).withoutBookmarks === true ? undefined : watch.bookmark(),
    opened: (given) => (state.control = given),
  };
  return {
    client,
    kind,
    watch: shown,
    take(change) {
      const event = watch.next(change);
      if (event !== undefined) put(state, { change, event, lag: lagOf(cluster, client, change), since: cluster.now });
    },
    connect(to) {
      state.listener = to;
      for (const event of watch.over ? [] : watch.initial) put(state, earlier(cluster, client, kind, event));
    },
    flush: () => flush(state),
    close: (code) => close(state, code),
    end() {
      state.listener = undefined;
      clear(state);
    },
  };
}

const clear = (state: State): void => {
  state.queue = [];
  state.head = 0;
};

/** When an event may be sent. */
function dueOf({ cluster, client, kind, lastAt }: State, { lag, since }: OnTheWay): number {
  const { heldUntil = 0, readsEveryMs = 0 } = viewOf(cluster, client, kind);
  const slow = readsEveryMs === 0 ? 0 : lastAt + readsEveryMs;
  return Math.max(since + lag, cutUntil(cluster, client), heldUntil > cluster.now ? heldUntil : 0, slow);
}

function flush(state: State): void {
  const { cluster } = state;
  for (let next = state.queue[state.head]; next !== undefined && state.listener !== undefined; next = state.queue[state.head]) {
    const due = dueOf(state, next);
    if (due > cluster.now) {
      planAt(state, due);
      return;
    }
    state.head++;
    state.lastAt = cluster.now;
    state.sending = next;
    state.listener(next.change);
  }
  if (state.head >= state.queue.length) clear(state);
}

/** What is held without an end is sent when the fault is removed. */
function planAt(state: State, due: number): void {
  if (due >= state.plannedAt || due === Infinity) return;
  state.plannedAt = due;
  state.cluster.plan(due, `a watch event reaches ${state.client}`, () => {
    state.plannedAt = Infinity;
    flush(state);
  });
}

function put(state: State, item: OnTheWay): void {
  state.queue.push(item);
  flush(state);
  const isSlow = (viewOf(state.cluster, state.client, state.kind).readsEveryMs ?? 0) > 0;
  if (state.queue.length - state.head > (isSlow ? MOST_ON_THE_WAY : MOST_HELD)) close(state, undefined);
}

function close(state: State, code: number | undefined): void {
  clear(state);
  if (code === undefined) state.control?.cut();
  else state.control?.fail(statusOf(code));
}

const statusOf = (code: number) =>
  (code === 410
    ? expired('too old resource version: a fault closed this watch; list again and watch from there')
    : failure({ code, reason: 'InternalError', message: `a fault closed this watch with ${code}` })
  ).status;

/** What a watch from an older revision is sent first. It is late as a change of this moment. */
function earlier(cluster: Cluster, client: string, kind: string, event: WatchEvent): OnTheWay {
  const object = event.object as ApiObject;
  const change: Change = {
    revision: Number(object.metadata.resourceVersion ?? 0),
    type: event.type === 'DELETED' ? 'DELETED' : event.type === 'MODIFIED' ? 'MODIFIED' : 'ADDED',
    kind,
    key: keyOf(object),
    object,
    at: cluster.now,
    entry: 0,
  };
  return { change, event, lag: lagOf(cluster, client, change), since: cluster.now };
}

function noteSent(cluster: Cluster, client: string, { change: { entry, kind }, event: { type, object } }: OnTheWay): number {
  const { metadata } = object as ApiObject;
  return cluster.note({
    type: 'delivery',
    causes: entry === 0 ? [] : [entry],
    process: client,
    delta: type === 'DELETED' ? 'DELETED' : type === 'MODIFIED' ? 'MODIFIED' : 'ADDED',
    kind,
    key: keyOf(object as ApiObject),
    revision: Number(metadata.resourceVersion ?? 0),
  });
}
