/**
 * Paths: which resource, item and sub-resource a request is about. Models: apiserver pkg/endpoints/request/requestinfo.go,
 * pkg/endpoints/installer.go.
 */
import type { Kind } from '../../../apiserver/vocabulary/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import { unknownResource } from '../refusals.ts';
import { decodePercent } from './query.ts';

export interface ResourceRoute {
  readonly kind: Kind;
  /** Undefined in a path without one: all of them, or a cluster-scoped kind. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Path elements behind the sub-resource, as proxies have them. */
  readonly rest: readonly string[];
  /** The old `/watch/` form. */
  readonly watch: boolean;
}

/** The parts of a path below an API version. */
export interface VersionPath {
  readonly group: string;
  readonly version: string;
  readonly parts: readonly string[];
}

/**
 * The path of a target as everything below reads it: without escapes, so that a name with an encoded slash is two parts, as it is for Go.
 * Undefined where an escape is none.
 */
export const pathOf = (encoded: string): string | undefined => (/%(?![0-9a-fA-F]{2})/.test(encoded) ? undefined : decodePercent(encoded));

/** Splits `/api/v1/…` and `/apis/GROUP/VERSION/…`; undefined for other paths. Slashes at the end mean nothing, as for upstream. */
export function versionPath(path: string): VersionPath | undefined {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  const parts = path.slice(0, end).split('/').slice(1);
  if (parts[0] === 'api' && parts[1] !== undefined) return { group: '', version: parts[1], parts: parts.slice(2) };
  if (parts[0] === 'apis' && parts[1] !== undefined && parts[2] !== undefined)
    return { group: parts[1], version: parts[2], parts: parts.slice(3) };
  return undefined;
}

/** Words behind a namespace's name that are its own sub-resources, not resources in it. */
const OF_NAMESPACES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** The resource of a path below a version that is served; refuses what no kind serves. */
export function resourceRoute({ group, version, parts: all }: VersionPath, kinds: KindRegistry): ResourceRoute {
  const watch = all[0] === 'watch';
  let parts = watch ? all.slice(1) : all;
  let namespace: string | undefined;
  if (parts[0] === 'namespaces' && parts.length > 2 && !OF_NAMESPACES.has(parts[2] ?? '')) {
    namespace = parts[1] ?? '';
    parts = parts.slice(2);
  }
  const [plural = '', name, subresource, ...rest] = parts;
  const kind = kinds.byPlural(group, plural);
  if (kind === undefined || kind.version !== version || name === '' || subresource === '') throw unknownResource();
  if (!kind.namespaced && namespace !== undefined) throw unknownResource();
  // An item of a namespaced kind is always below its namespace.
  if (kind.namespaced && namespace === undefined && name !== undefined) throw unknownResource();
  if (rest.length > 0 && subresource !== 'proxy') throw unknownResource();
  if (watch && subresource !== undefined) throw unknownResource();
  return { kind, namespace, name, subresource, rest, watch };
}
