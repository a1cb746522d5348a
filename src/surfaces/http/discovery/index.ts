/** What there is: groups, versions, resources, and all paths. Models: apiserver pkg/endpoints/discovery, pkg/server/routes/index.go. */
import type { KindRegistry } from '../../../cluster/api/index.ts';
import { rawReply, reply } from '../answer/encode.ts';
import type { Area, Call } from '../api.ts';
import { healthPaths } from '../system/health.ts';
import { resourceRows, type ExtraRow, type ResourceRow } from './resource-list.ts';

export { storageVersionHash, type ExtraRow } from './resource-list.ts';

/** The order in which groups are listed; others come after them. */
const ORDER = ['apiregistration', 'apps', 'events', 'authentication', 'authorization', 'autoscaling', 'batch', 'certificates', 'networking', 'policy', 'rbac.authorization', 'storage', 'admissionregistration', 'apiextensions', 'scheduling', 'coordination', 'node', 'discovery'];

interface Group { readonly name: string; readonly versions: readonly string[] }

/** Groups and their versions; the core group is not among them. */
export function groupsOf(kinds: KindRegistry, extra: readonly ExtraRow[] = []): readonly Group[] {
  const { names } = kinds;
  const rank = new Map(ORDER.map((prefix, at) => [names.group(prefix), at]));
  const versions = new Map<string, Set<string>>();
  const add = (group: string, version: string): void => {
    const known = versions.get(group);
    if (known === undefined) versions.set(group, new Set([version]));
    else known.add(version);
  };
  for (const { groupPrefix, version } of kinds.list()) if (groupPrefix !== '') add(names.group(groupPrefix), version);
  for (const { group, version } of extra) if (group !== '') add(group, version);
  return [...versions].map(([name, of]) => ({ name, versions: [...of] })).sort((a, b) => (rank.get(a.name) ?? ORDER.length) - (rank.get(b.name) ?? ORDER.length));
}

export function discovery(extra: readonly ExtraRow[] = []): Area {
  return (call) => {
    const parts = call.path.replace(/\/$/, '').split('/').slice(1);
    const answer = documentFor(parts, call, extra);
    if (answer === undefined) return undefined;
    return parts.length === 0 ? rawReply(answer) : reply(200, answer, call.format());
  };
}

function documentFor(parts: readonly string[], { backend: { kinds }, http }: Call, extra: readonly ExtraRow[]): object | undefined {
  const [root, name, version, ...rest] = parts;
  if (rest.length > 0) return undefined;
  if (root === undefined) return { paths: pathsOf(kinds, extra) };
  if (root === 'api' && version === undefined) {
    if (name === undefined) return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: http.headers['host'] ?? '127.0.0.1' }] };
    return name === 'v1' ? { kind: 'APIResourceList', groupVersion: 'v1', resources: resourceRows('', 'v1', kinds, extra) } : undefined;
  }
  if (root !== 'apis') return undefined;
  const groups = groupsOf(kinds, extra);
  if (name === undefined) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupDocument) };
  const group = groups.find((each) => each.name === name);
  if (group === undefined) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group) };
  if (!group.versions.includes(version)) return undefined;
  const resources: readonly ResourceRow[] = resourceRows(name, version, kinds, extra);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${name}/${version}`, resources };
}

function groupDocument({ name, versions }: Group): object {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

function pathsOf(kinds: KindRegistry, extra: readonly ExtraRow[]): readonly string[] {
  const groups = groupsOf(kinds, extra).flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map((version) => `/apis/${name}/${version}`)]);
  return ['/api', '/api/v1', '/apis', '/apis/', ...groups, ...healthPaths(), '/metrics', '/openapi/v2', '/openapi/v3', '/version'].sort((a, b) => (a < b ? -1 : 1));
}

