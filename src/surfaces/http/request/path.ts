/**
 * Paths: which resource, item and sub-resource a request is about. Models: apiserver pkg/endpoints/request/requestinfo.go,
 * pkg/endpoints/installer.go.
 */
import type { Kind } from '../../../apiserver/machinery/index.ts';
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

/**
 * A path below an API version, split once: access is judged by these elements and by nothing else, and they are what is answered. A second
 * reading of the text would be a way around the first.
 */
export interface VersionPath {
  readonly group: string;
  readonly version: string;
  /** The old `/watch/` and `/proxy/` forms, whose word stands before everything else. */
  readonly special: 'watch' | 'proxy' | undefined;
  /** Undefined in a path without one: all of them, a cluster-scoped kind, or a namespace itself. */
  readonly namespace: string | undefined;
  /** The plural; undefined: the path is the version's own. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Elements behind the sub-resource, as proxies have them. */
  readonly rest: readonly string[];
}

/**
 * The path of a target as everything below reads it: without escapes, so that a name with an encoded slash is two parts, as it is for Go.
 * Undefined where an escape is none.
 */
export const pathOf = (encoded: string): string | undefined => (/%(?![0-9a-fA-F]{2})/.test(encoded) ? undefined : decodePercent(encoded));

/** Words behind a namespace's name that are its own sub-resources, not resources in it. */
const OF_NAMESPACES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Splits `/api/v1/…` and `/apis/GROUP/VERSION/…`; undefined for other paths. Slashes at the end mean nothing, as for upstream. */
export function versionPath(path: string): VersionPath | undefined {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  const parts = path.slice(0, end).split('/').slice(1);
  const [root, first, second] = parts;
  if (root === 'api' && first !== undefined) return below('', first, parts.slice(2));
  if (root === 'apis' && first !== undefined && second !== undefined) return below(first, second, parts.slice(3));
  return undefined;
}

function below(group: string, version: string, all: readonly string[]): VersionPath {
  const special = all[0] === 'watch' || all[0] === 'proxy' ? all[0] : undefined;
  const parts = special === undefined ? all : all.slice(1);
  const inside = parts[0] === 'namespaces' && parts.length > 2 && !OF_NAMESPACES.has(parts[2] ?? '');
  const [resource, name, subresource, ...rest] = inside ? parts.slice(2) : parts;
  return { group, version, special, namespace: inside ? parts[1] : undefined, resource, name, subresource, rest };
}

/** The resource of a path below a version that is served; refuses what no kind serves. */
export function resourceRoute(path: VersionPath, kinds: KindRegistry): ResourceRoute {
  const { group, version, special, namespace, resource = '', name, subresource, rest } = path;
  const watch = special === 'watch';
  const kind = kinds.byPlural(group, resource);
  if (kind === undefined || kind.version !== version || special === 'proxy') throw unknownResource();
  // An empty namespace is none, as for upstream: access is asked for all namespaces, and all are listed.
  if (name === '' || subresource === '' || (namespace === '' && name !== undefined)) throw unknownResource();
  if (!kind.namespaced && namespace !== undefined) throw unknownResource();
  // An item of a namespaced kind is always below its namespace.
  if (kind.namespaced && namespace === undefined && name !== undefined) throw unknownResource();
  if (rest.length > 0 && subresource !== 'proxy') throw unknownResource();
  if (watch && subresource !== undefined) throw unknownResource();
  return { kind, namespace, name, subresource, rest, watch };
}
