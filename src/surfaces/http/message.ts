/** Requests and replies as values, so that the API can be asked without a socket. The adapter in `node/` makes them of node's. */

/** A request whose body has not been read. */
export type HttpHead = Omit<HttpRequest, 'body'>;

export interface HttpRequest {
  readonly method: string;
  /** As it stands in the request line: path and query, still encoded. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when there is none. A body beyond the limit may be cut, as long as it stays beyond it. */
  readonly body: Uint8Array;
  /** Calls back if the client goes before it has its answer. */
  onGone?(act: () => void): void;
  /** Who the connection's certificate says it is; `untrusted`: one of nobody we know. Absent: it came without. */
  readonly peer?: { readonly name: string; readonly groups: readonly string[] } | 'untrusted' | undefined;
}

/** Where a stream goes. */
export interface Sink {
  write(text: string): void;
  /** Nothing more comes. */
  end(): void;
  /** The client reads slower than is written: what can wait shall. Absent: it never does. */
  readonly full?: boolean;
  /** Calls back once when it has read what there was. */
  drained?(act: () => void): void;
  /** Calls back once when everybody else has had a turn. Absent: there is nobody else. */
  inTurn?(act: () => void): void;
}

export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

export interface StreamReply {
  readonly status: number;
  /** It is one answer in parts, not news as they come: what waits of it counts as an answer that waits. */
  readonly finite?: boolean;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Starts it; must be called before anything else is asked. The answer is called when the client has gone. */
  open(sink: Sink): () => void;
}

export type HttpReply = WholeReply | StreamReply;

export const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): WholeReply => ({
  status,
  headers: { 'content-type': contentType },
  body,
});

/** What is answered where nothing is served. */
export const pageNotFound = (): WholeReply => text(404, '404 page not found\n');
