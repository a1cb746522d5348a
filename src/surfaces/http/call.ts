/** Types between the API and its areas: a request with its attributes, areas that answer, guards. */
import type { Refusal, User } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import type { Format } from './request/accept.ts';
import type { VersionPath } from './request/path.ts';
import type { Query } from './request/query.ts';
import type { Routed } from './routed.ts';
import type { Timers } from './timers.ts';

/** A request with the attributes that every area needs. */
export interface Call {
  readonly http: HttpRequest;
  readonly path: string;
  /** The path below an API version; undefined for other paths. */
  readonly below: VersionPath | undefined;
  /** The resource of the path; undefined: no kind is of its group; a refusal: no kind serves it. */
  routed(): Routed | Refusal | undefined;
  readonly query: Query;
  readonly user: User;
  readonly backend: Backend;
  readonly timers: Timers;
  /** Returns the negotiated format of the reply; throws if none is acceptable. */
  format(): Format;
}

/** Answers the paths that it serves, undefined for others. A reply that waits for virtual time is a promise. */
export type Area = (call: Call) => HttpReply | Promise<HttpReply> | undefined;

/** Authenticates and authorizes requests. */
export interface Guard {
  authenticate(http: HttpRequest): User;
  /** Throws a refusal for a request that is not allowed. Returns the effective user (impersonation may change it), or a reply. */
  authorize(call: Call): User | HttpReply;
}
