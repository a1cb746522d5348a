/** Types between the API and its areas: a request with its attributes, areas that answer, guards. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import { Refusal, type User } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import type { HttpReply, HttpRequest, Replied, Timers } from './message.ts';
import type { Format } from './request/accept.ts';
import { type VersionPath, resourceRoute, type ResourceRoute } from './request/path.ts';
import type { Query } from './request/query.ts';
import { unknownResource } from './refusals.ts';
import { otherVersion, renamed, type OtherVersion } from './versions/index.ts';

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

/** Answers the paths that it serves, undefined for others. */
export type Area = (call: Call) => Replied | undefined;

export interface Guard {
  authenticate(http: HttpRequest): User;
  /** Throws a refusal for a request that is not allowed. Returns the effective user (impersonation may change it), or a reply. */
  authorize(call: Call): User | HttpReply;
}

export interface Routed {
  readonly route: ResourceRoute;
  /** The version of the path, if it is not the kind's own. */
  readonly other: OtherVersion | undefined;
}

/** Returns the resource below a version; undefined: no kind is of its group; a refusal: no kind serves it. */
export function routedBy(below: VersionPath, { kinds, names }: Backend): Routed | Refusal | undefined {
  const other = otherVersion(below, kinds);
  const known =
    other !== undefined || below.group === '' || kinds.list().some(({ groupPrefix }) => names.group(groupPrefix) === below.group);
  if (!known) return undefined;
  try {
    const current = other === undefined ? below : { ...below, group: names.group(other.kind.groupPrefix), version: other.kind.version };
    const route = resourceRoute(current, kinds);
    if (other === undefined) return { route, other: renamed(route.kind, names) };
    return route.kind === other.kind ? { route, other } : unknownResource();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}

/** Returns an object as the user of a call reads it; throws the refusal. */
export function objectFor({ backend, user, http }: Call, kind: string, namespace: string, name: string): ApiObject {
  const answer = backend.handle({ verb: 'get', kind, namespace, name, user, userAgent: http.headers['user-agent'] ?? '' });
  if (!answer.ok) throw new Refusal(answer.status);
  if (!('object' in answer)) throw new Error(`a get of ${kind} ${name} without an object`);
  return answer.object;
}

export function once<T>(ask: () => T): () => T {
  let answer: { readonly is: T } | undefined;
  return () => (answer ??= { is: ask() }).is;
}
