/**
 * Watches as streams: an event a line, until the client disconnects or the timeout. A slow client is written to slowly, and one that falls
 * too far behind gets an error to list again. Lists as watches, which reflectors of later releases ask for, are the objects as events, then
 * a bookmark that says that these were all; only with --compat, because v1.24 refuses them, and reflectors list. Models: apiserver
 * pkg/endpoints/handlers/watch.go, pkg/storage/cacher bookmarks; v1.32 internalversion/validation, pkg/storage/cacher (WatchList).
 */
import type { Sink, StreamReply, Timers } from './message.ts';
import type { Status, FieldError } from '../../apiserver/machinery/index.ts';
import { weightOf } from '../../apiserver/store/index.ts';
import type { WatchEvent } from '../../apiserver/handlers/index.ts';
import { expired, type WatchRequest, invalidAs } from '../../apiserver/request/index.ts';
import type { Backend, ShownWatch } from './backend.ts';
import { eventLine, isStatus } from './answer/encode.ts';
import { jsonText } from './answer/json.ts';
import { objectAs, withoutColumns, type Transform } from './answer/transform.ts';
import { forbidden, notSupported } from '../../apiserver/validation/index.ts';
import { flagOf, type Query } from './request/query.ts';

/** Creates the queue of a stream. `textOf` encodes an event when it is sent. */
function createSendQueue(sink: Sink, textOf: (event: WatchEvent) => string) {
  let queue: { readonly event: WatchEvent; readonly weight: number }[] = [];
  let head = 0;
  let waiting = 0;
  let first: readonly WatchEvent[] = [];
  let firstAt = 0;
  let blocked = false;
  let atEnd: (() => void) | undefined;

  const next = (): WatchEvent | undefined => {
    if (firstAt < first.length) return first[firstAt++];
    const found = queue[head];
    if (found === undefined) return undefined;
    head++;
    waiting -= found.weight;
    return found.event;
  };
  const flush = (): void => {
    if (blocked) return;
    for (;;) {
      if (sink.full === true && sink.drained !== undefined) {
        blocked = true;
        sink.drained(() => {
          blocked = false;
          flush();
        });
        return;
      }
      const event = next();
      if (event === undefined) break;
      sink.write(textOf(event));
    }
    [first, firstAt, queue, head] = [[], 0, [], 0];
    const act = atEnd;
    atEnd = undefined;
    act?.();
  };
  return {
    /** Total weight of the queued events. */
    waiting: () => waiting,
    put(event: WatchEvent): void {
      if (!blocked && sink.full !== true) return sink.write(textOf(event));
      const weight = event.type === 'ERROR' ? 0 : weightOf(event.object);
      queue.push({ event, weight });
      waiting += weight;
      flush();
    },
    /** Puts events of objects that are stored anyway, so they have no weight. */
    putAll(events: readonly WatchEvent[]): void {
      first = events;
      flush();
    },
    /** Calls back when everything is written, immediately if it is. */
    whenEmpty(act: () => void): void {
      atEnd = act;
      flush();
    },
  };
}

interface WatchStream {
  readonly backend: Backend;
  readonly request: WatchRequest;
  readonly watch: ShownWatch;
  /** Returns a transform for each event, because table cells show ages. */
  transform(): Transform;
  /** Undefined or 0: the server's default, half an hour. */
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  /** A bookmark after the first events says that these were all. */
  readonly marksInitial?: boolean;
  readonly timers: Timers;
}

const USUAL_MS = 1_800_000;
/** The maximum of timers: 24 days. */
const LONGEST_MS = 2_147_483_647;
/** A bookmark is sent every minute, and shortly before the end. */
const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;
/** Maximum bytes of queued objects of a watcher, and the milliseconds it has to read them after it is cut off. */
const MOST_WAITING = 64 * 1024 * 1024;
const READ_UP_MS = 60_000;

export function watchReply(stream: WatchStream): StreamReply {
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
    open: (sink) => open(stream, sink),
  };
}

function open(stream: WatchStream, sink: Sink): () => void {
  const { backend, request, watch, transform, timeoutSeconds, bookmarks, marksInitial, timers } = stream;
  const cancels: (() => void)[] = [];
  let over = false;
  let first = true;
  const stop = (): void => {
    if (over) return;
    over = true;
    for (const cancel of cancels) cancel();
  };
  const finish = (): void => {
    stop();
    sink.end();
  };
  const line = createSendQueue(sink, (event) => {
    const text = lineOf(event, transform, first);
    first = false;
    return text;
  });
  const fail = (object: Status): void => {
    if (over) return;
    line.put({ type: 'ERROR', object });
    stop();
    line.whenEmpty(sink.end);
  };
  const send = (event: WatchEvent): void => {
    if (over) return;
    line.put(event);
    if (line.waiting() <= MOST_WAITING) return;
    fail(expired(BEHIND).status);
    timers.after(READ_UP_MS, sink.end);
  };
  watch.opened?.({
    fail,
    cut() {
      stop();
      (sink.cut ?? sink.end)();
    },
  });
  line.putAll(watch.initial);
  if (watch.over) {
    line.whenEmpty(finish);
    return stop;
  }
  const mark = marksInitial === true ? watch.bookmark() : undefined;
  if (mark !== undefined) send(markedInitial(mark));
  cancels.push(
    backend.listen(request.kind, (change) => {
      const event = watch.next(change);
      if (event !== undefined) send(event);
    }),
  );
  const lengthMs = timeoutSeconds === undefined || timeoutSeconds <= 0 ? USUAL_MS : Math.min(timeoutSeconds * 1000, LONGEST_MS);
  if (bookmarks) {
    const lastAt = Math.max(0, lengthMs - BOOKMARK_BEFORE_END_MS);
    let cancelNext = (): void => undefined;
    const markAt = (at: number, from: number): void => {
      cancelNext = timers.after(at - from, () => {
        const bookmark = watch.bookmark();
        if (bookmark !== undefined) send(bookmark);
        if (at < lastAt) markAt(Math.min(at + BOOKMARK_EVERY_MS, lastAt), at);
      });
    };
    markAt(Math.min(BOOKMARK_EVERY_MS, lastAt), 0);
    cancels.push(() => cancelNext());
  }
  cancels.push(timers.after(lengthMs, finish));
  return stop;
}

function markedInitial({ type, object }: WatchEvent): WatchEvent {
  if (isStatus(object)) return { type, object };
  return { type, object: { ...object, metadata: { ...object.metadata, annotations: { [INITIAL_EVENTS_END]: 'true' } } } };
}

const BEHIND = 'too old resource version: this watch reads more slowly than things change; list again and watch from there';

function lineOf({ type, object }: WatchEvent, transform: () => Transform, first: boolean): string {
  if (isStatus(object) || type === 'ERROR') return `${jsonText({ type, object })}\n`;
  const shape = transform();
  if (shape.format.as !== undefined || shape.other !== undefined) {
    const made = objectAs(object, shape);
    return `${jsonText({ type, object: first ? made : withoutColumns(made) })}\n`;
  }
  // A bookmark is specific to its watcher, so it is not cached.
  return type === 'BOOKMARK' ? `${jsonText({ type, object })}\n` : eventLine(type, object);
}

const MATCH = 'NotOlderThan';
/** The annotation of the bookmark after the objects. */
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

interface Options {
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
}

/** Returns the options of the watch, and whether it begins with the objects; undefined: it is a plain list or watch. */
export function watchList(query: Query, watches: boolean, options: Options, revision: number) {
  const { resourceVersion = '', resourceVersionMatch = '' } = options;
  const sends = flagOf(query, 'sendInitialEvents');
  const errors = errorsOf(sends, watches, resourceVersionMatch);
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'ListOptions', '', errors);
  if (sends === undefined) return undefined;
  if (sends) return { resourceVersion: '', begins: true };
  return { resourceVersion: resourceVersion === '' || resourceVersion === '0' ? String(revision) : resourceVersion, begins: false };
}

function errorsOf(sends: boolean | undefined, watches: boolean, match: string): readonly FieldError[] {
  if (!watches) return sends === undefined ? [] : [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (sends === undefined)
    return match === ''
      ? []
      : [forbidden('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')];
  if (match === '') return [forbidden('resourceVersionMatch', `sendInitialEvents requires setting resourceVersionMatch to ${MATCH}`)];
  return match === MATCH ? [] : [notSupported('resourceVersionMatch', match, [MATCH])];
}
