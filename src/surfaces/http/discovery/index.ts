/** Discovery: groups, versions, resources, and all paths. Models: apiserver pkg/endpoints/discovery, pkg/server/routes/index.go. */
import type { FeatureGates } from '../../../apiserver/machinery/index.ts';
import type { APIService, KindRegistry } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { preferredGroups, type Preference, type PreferredGroup } from '../../../apiserver/decisions/index.ts';
import { localServices } from '../aggregator.ts';
import { rawReply, reply } from '../answer/encode.ts';
import type { Area, Call } from '../call.ts';
import { methodNotAllowed } from '../refusals.ts';
import { healthPaths } from '../system.ts';
import { rowsOf } from '../rows.ts';
import { resourceRows, type ExtraRow, type ResourceRow } from './resource-list.ts';

export { type ExtraRow } from './resource-list.ts';

/** Groups and their versions, the preferred first, without the core group. `registered`: APIServices that clients have registered. */
export function groupsOf(kinds: KindRegistry, extra: readonly ExtraRow[] = [], registered: Iterable<Preference> = []) {
  const local = localServices(kinds, extra);
  const names = new Set(local.map(({ metadata: { name } }) => name));
  const others = [...registered].filter(({ metadata: { name } }) => !names.has(name));
  return preferredGroups([...local, ...others]).filter(({ group }) => group !== '');
}

/** The index and the list of groups have plain handlers that accept any method; the other paths are routes of GET. */
const ANY_METHOD: ReadonlySet<string> = new Set(['', 'apis']);

export const discovery: Area = (call) => {
  const parts = call.path.replace(/\/$/, '').split('/').slice(1);
  const answer = documentFor(parts, call);
  if (answer === undefined) return undefined;
  if (call.http.method !== 'GET' && !ANY_METHOD.has(parts.join('/'))) throw methodNotAllowed();
  return parts.length === 0 ? rawReply(answer) : reply(200, answer, call.format());
};

function documentFor(parts: readonly string[], { backend, http }: Call): object | undefined {
  const [root, name, version, ...rest] = parts;
  if (rest.length > 0 || (root !== undefined && root !== 'api' && root !== 'apis')) return undefined;
  const { kinds, store, gates } = backend;
  const extra = rowsOf(backend);
  const groups = (): readonly PreferredGroup[] =>
    groupsOf(kinds, extra, store.values('APIService') as Iterable<unknown> as Iterable<APIService>);
  if (root === undefined) return { paths: pathsOf(groups(), gates) };
  if (root === 'api' && version === undefined) {
    if (name === undefined)
      return {
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: http.headers['host'] ?? '127.0.0.1' }],
      };
    return name === 'v1'
      ? { kind: 'APIResourceList', groupVersion: 'v1', resources: resourceRows({ group: '', version: 'v1' }, kinds, extra, gates) }
      : undefined;
  }
  if (name === undefined) return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups().map(groupDocument) };
  const found = groups().find(({ group }) => group === name);
  if (found === undefined) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(found) };
  const resources: readonly ResourceRow[] = resourceRows({ group: name, version }, kinds, extra, gates);
  return resources.length === 0 ? undefined : { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${name}/${version}`, resources };
}

function groupDocument({ group, versions }: PreferredGroup): object {
  const all = versions.map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: all, preferredVersion: all[0] };
}

function pathsOf(groups: readonly PreferredGroup[], gates: FeatureGates): readonly string[] {
  const documents = gates['OpenAPIV3'] === false ? ['/openapi/v2'] : ['/openapi/v2', '/openapi/v3'];
  const paths = groups.flatMap(({ group, versions }) => [`/apis/${group}`, ...versions.map((version) => `/apis/${group}/${version}`)]);
  return ['/api', '/api/v1', '/apis', '/apis/', ...paths, ...healthPaths(), '/logs', '/metrics', ...documents, '/version'].sort(
    compareText,
  );
}
