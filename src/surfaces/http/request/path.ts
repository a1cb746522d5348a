/** Paths: resource, item and sub-resource of a request. Models: pkg/endpoints/request/requestinfo.go, installer.go. */
import type { Kind } from '../../../apiserver/machinery/index.ts';
import { inVersion, type KindRegistry } from '../../../apiserver/kinds/index.ts';
import { unknownResource } from '../refusals.ts';
import { decodePercent } from './query.ts';

export interface ResourceRoute extends Pick<VersionPath, 'namespace' | 'name' | 'subresource' | 'rest'> {
  readonly kind: Kind;
  /** The old `/watch/` form. */
  readonly watch: boolean;
}

/** A path below an API version, split once: authorization and handlers use the same elements, so that none is bypassed. */
export interface VersionPath {
  readonly group: string;
  readonly version: string;
  /** The old `/watch/` and `/proxy/` forms, with the word before all other elements. */
  readonly special: 'watch' | 'proxy' | undefined;
  /** Undefined in a path without one: all namespaces, a cluster-scoped kind, or a namespace itself. */
  readonly namespace: string | undefined;
  /** The plural; undefined: the path of the version itself. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Elements after the sub-resource, for proxies. */
  readonly rest: readonly string[];
}

/** Returns the decoded path of a target. A name with an encoded slash becomes two elements, as in Go. Undefined for an invalid escape. */
export const pathOf = (encoded: string): string | undefined => (/%(?![0-9a-fA-F]{2})/.test(encoded) ? undefined : decodePercent(encoded));

/** Words after the name of a namespace that are its sub-resources, not resources in it. */
const OF_NAMESPACES: ReadonlySet<string> = new Set(['status', 'finalize']);

/** Splits `/api/v1/…` and `/apis/GROUP/VERSION/…`; undefined for other paths. Trailing slashes are ignored, as upstream does. */
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
  const inNamespace = parts[0] === 'namespaces' && parts.length > 2 && !OF_NAMESPACES.has(parts[2] ?? '');
  const [resource, name, subresource, ...rest] = inNamespace ? parts.slice(2) : parts;
  return { group, version, special, namespace: inNamespace ? parts[1] : undefined, resource, name, subresource, rest };
}

/** Returns the resource of a path below a served version. Refuses unknown resources. */
export function resourceRoute(path: VersionPath, kinds: KindRegistry): ResourceRoute {
  const { group, version, special, namespace, resource = '', name, subresource, rest } = path;
  const watch = special === 'watch';
  const kind = inVersion(kinds.byPlural(group, resource), version);
  if (kind === undefined || special === 'proxy') throw unknownResource();
  // An empty namespace counts as none, as upstream does: access to all namespaces is checked, and all are listed.
  if (name === '' || subresource === '' || (namespace === '' && name !== undefined)) throw unknownResource();
  if (!kind.namespaced && namespace !== undefined) throw unknownResource();
  // An item of a namespaced kind is always below its namespace.
  if (kind.namespaced && namespace === undefined && name !== undefined) throw unknownResource();
  if (rest.length > 0 && subresource !== 'proxy') throw unknownResource();
  if (watch && subresource !== undefined) throw unknownResource();
  return { kind, namespace, name, subresource, rest, watch };
}
