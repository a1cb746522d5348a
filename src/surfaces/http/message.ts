/**
 * Requests, replies and the timers of streams as values, so that the API can be called without a socket. `node/` converts node's requests
 * and responses.
 */

/** A request whose body has not been read. */
export type HttpHead = Omit<HttpRequest, 'body'>;

export interface HttpRequest {
  readonly method: string;
  /** Path and query of the request line, still encoded. */
  readonly target: string;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is none. A body beyond the limit may be truncated to a length beyond the limit. */
  readonly body: Uint8Array;
  /** Calls back if the client disconnects before the reply. */
  onGone?(act: () => void): void;
  /** The user in the certificate of the connection; `untrusted`: no trusted CA has signed it. Absent: no certificate. */
  readonly peer?: { readonly name: string; readonly groups: readonly string[] } | 'untrusted' | undefined;
}

export interface Sink {
  write(text: string): void;
  end(): void;
  /** Closes the connection without an end. Absent: as `end`. */
  cut?(): void;
  /** Whether the client reads more slowly than the stream writes, so that values should be queued. Absent: never. */
  readonly full?: boolean;
  /** Calls back once when the client has read everything. */
  drained?(act: () => void): void;
  /** Calls back once after other requests have had a turn. Absent: there are no other requests. */
  inTurn?(act: () => void): void;
}

export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
  /** The connection is closed in place of the answer. */
  readonly isDropped?: true;
}

/** An answer that the client does not get: its connection is closed. */
export const DROPPED: WholeReply = { status: 504, headers: {}, body: '', isDropped: true };

export interface StreamReply {
  readonly status: number;
  /** It is one answer in parts, not news as they come: what waits of it counts as an answer that waits. */
  readonly finite?: boolean;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Starts the stream, before any further request is handled. Returns the function to call when the client disconnects. */
  open(sink: Sink): () => void;
}

export type HttpReply = WholeReply | StreamReply;
/** A reply that waits for virtual time is a promise. */
export type Replied = HttpReply | Promise<HttpReply>;
export type Answering = (http: HttpRequest) => Replied;

export const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): WholeReply => ({
  status,
  headers: { 'content-type': contentType },
  body,
});

/** The reply for a path that is not served. */
export const pageNotFound = (): WholeReply => text(404, '404 page not found\n');

/** Real time for sockets; direct calls bring a clock of their own. */
export interface Timers {
  /** Calls back once after so many milliseconds. Returns a function that cancels it. */
  after(ms: number, act: () => void): () => void;
}

const LONGEST = 2_000_000_000;

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, Math.min(ms, LONGEST));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
