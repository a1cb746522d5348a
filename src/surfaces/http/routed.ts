/**
 * The resource that a request is about, found once: access and handlers read the same answer, for every version that is served. What
 * access could not find, no handler can.
 */
import { Refusal } from '../../apiserver/request/index.ts';
import type { Backend } from './backend.ts';
import { unknownResource } from './refusals.ts';
import { resourceRoute, type ResourceRoute, type VersionPath } from './request/path.ts';
import { otherVersion, type OtherVersion } from './versions/index.ts';

export interface Routed {
  readonly route: ResourceRoute;
  /** The version of the path, where it is not the kind's own. */
  readonly other: OtherVersion | undefined;
}

/** The resource below a version; undefined: no kind is of its group; a refusal: no kind serves it. */
export function routedBy(below: VersionPath, { kinds, names }: Backend): Routed | Refusal | undefined {
  const other = otherVersion(below, kinds);
  const known =
    other !== undefined || below.group === '' || kinds.list().some(({ groupPrefix }) => names.group(groupPrefix) === below.group);
  if (!known) return undefined;
  try {
    const own = other === undefined ? below : { ...below, group: names.group(other.kind.groupPrefix), version: other.kind.version };
    const route = resourceRoute(own, kinds);
    return other === undefined || route.kind === other.kind ? { route, other } : unknownResource();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}

/** Answers what a function answers, which is asked once. */
export function once<T>(ask: () => T): () => T {
  let answer: { readonly is: T } | undefined;
  return () => (answer ??= { is: ask() }).is;
}
