/**
 * Watches as streams: an event a line, until the client goes or its time is up. Models: apiserver pkg/endpoints/handlers/watch.go,
 * pkg/storage/cacher bookmarks.
 */
import type { Watch, WatchEvent } from '../../apiserver/verbs/index.ts';
import type { WatchRequest } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import { eventLine, isStatus } from './answer/encode.ts';
import { objectAs, withoutColumns, type Transform } from './answer/transform.ts';
import type { Sink, StreamReply } from './message.ts';
import type { Timers } from './timers.ts';

export interface WatchStream {
  readonly backend: Backend;
  readonly request: WatchRequest;
  readonly watch: Watch;
  /** A new one for each event: cells show ages. */
  transform(): Transform;
  /** Undefined or 0: the server's own, half an hour. */
  readonly timeoutSeconds: number | undefined;
  readonly bookmarks: boolean;
  readonly timers: Timers;
}

const USUAL_MS = 1_800_000;
/** What timers can hold: 24 days. */
const LONGEST_MS = 2_147_483_647;
/** Bookmarks come once a minute, and once more shortly before the end. */
const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2_000;

export function watchReply(stream: WatchStream): StreamReply {
  return {
    status: 200,
    headers: { 'cache-control': 'no-cache, private', 'content-type': 'application/json' },
    open: (sink) => open(stream, sink),
  };
}

function open({ backend, request, watch, transform, timeoutSeconds, bookmarks, timers }: WatchStream, sink: Sink): () => void {
  const cancels: (() => void)[] = [];
  let over = false;
  let first = true;
  const stop = (): void => {
    if (over) return;
    over = true;
    for (const cancel of cancels) cancel();
  };
  const send = (event: WatchEvent): void => {
    if (over) return;
    sink.write(lineOf(event, transform, first));
    first = false;
  };
  for (const event of watch.initial) send(event);
  if (watch.over) {
    sink.end();
    return stop;
  }
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
        send(watch.bookmark());
        if (at < lastAt) markAt(Math.min(at + BOOKMARK_EVERY_MS, lastAt), at);
      });
    };
    markAt(Math.min(BOOKMARK_EVERY_MS, lastAt), 0);
    cancels.push(() => {
      cancelNext();
    });
  }
  cancels.push(
    timers.after(lengthMs, () => {
      stop();
      sink.end();
    }),
  );
  return stop;
}

function lineOf({ type, object }: WatchEvent, transform: () => Transform, first: boolean): string {
  if (isStatus(object) || type === 'ERROR') return `${JSON.stringify({ type, object })}\n`;
  const shape = transform();
  if (shape.format.as !== undefined || shape.other !== undefined) {
    const made = objectAs(object, shape);
    return `${JSON.stringify({ type, object: first ? made : withoutColumns(made) })}\n`;
  }
  // A bookmark is its watcher's own.
  return type === 'BOOKMARK' ? `${JSON.stringify({ type, object })}\n` : eventLine(type, object);
}
