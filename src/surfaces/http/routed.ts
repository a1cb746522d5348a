/**
 * The route of a request, computed once. Authorization and handlers use the same route, in every version, so a handler cannot reach a
 * resource that authorization did not check.
 */
import { Refusal } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import { unknownResource } from './refusals.ts';
import { resourceRoute, type ResourceRoute, type VersionPath } from './request/path.ts';
import { otherVersion, type OtherVersion } from './versions/index.ts';

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
    return other === undefined || route.kind === other.kind ? { route, other } : unknownResource();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}

/** Returns a function that caches the first result. */
export function once<T>(ask: () => T): () => T {
  let answer: { readonly is: T } | undefined;
  return () => (answer ??= { is: ask() }).is;
}
