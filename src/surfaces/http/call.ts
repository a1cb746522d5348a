/** What passes between the API and its areas: a request with what is known of it, who answers it, who lets it pass. */
import type { Refusal, User } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import type { Format } from './request/accept.ts';
import type { VersionPath } from './request/path.ts';
import type { Query } from './request/query.ts';
import type { Routed } from './routed.ts';
import type { Timers } from './timers.ts';

/** A request with what every area needs of it. */
export interface Call {
  readonly http: HttpRequest;
  readonly path: string;
  /** The path below an API version; undefined: it is none. */
  readonly below: VersionPath | undefined;
  /** The resource of the path; undefined: no kind is of its group; a refusal: no kind serves it. */
  routed(): Routed | Refusal | undefined;
  readonly query: Query;
  readonly user: User;
  readonly backend: Backend;
  readonly timers: Timers;
  /** What to answer in; throws where nothing fits. */
  format(): Format;
}

/** Answers the paths it knows, undefined for others; what has to wait for time to pass answers later. */
export type Area = (call: Call) => HttpReply | Promise<HttpReply> | undefined;

/** Who may pass: throws a refusal, or says who it is. */
export interface Guard {
  authenticate(http: HttpRequest): User;
  /** Throws what is not allowed. Answers who it is from here on (somebody may be impersonated), or a reply of its own. */
  authorize(call: Call): User | HttpReply;
}
