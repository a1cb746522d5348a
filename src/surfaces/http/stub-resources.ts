/**
 * Resources that clients expect and the simulator does not have: listed, always empty, and refused with the reason on creation. Tools that
 * read all resources (`get all`, `apply --prune`, inventories) work, and no client is misled to believe that its object exists.
 */
import { ageColumn, type Kind, nameColumn, type Names } from '../../apiserver/machinery/index.ts';
import { reply } from './answer/encode.ts';
import type { Area, Call } from './call.ts';
import { rowsOf, type ExtraRow } from './discovery/resource-list.ts';
import type { HttpReply } from './message.ts';
import { many } from './metrics-api/made.ts';
import { methodNotAllowed, missing, notSupported, qualified, unknownResource } from './refusals.ts';
import { checkAcceptable, checkStreamable } from './request/accept.ts';
import { listQuery } from './request/options.ts';
import { warned } from './versions/index.ts';

interface Stub extends Pick<Kind, 'plural' | 'kind' | 'namespaced' | 'shortNames' | 'categories' | 'subresources'> {
  readonly verbs?: readonly string[];
  /** Deprecation and its replacement. */ readonly deprecated?: string;
}

/** In the whole cluster, without any other names, unless `more` says so. */
const kindOf = (plural: string, kind: string, more: Partial<Stub> = {}): Stub => ({
  plural,
  kind,
  namespaced: false,
  shortNames: [],
  categories: [],
  subresources: [],
  ...more,
});

const FLOW = [
  kindOf('flowschemas', 'FlowSchema', { subresources: ['status'] }),
  kindOf('prioritylevelconfigurations', 'PriorityLevelConfiguration', { subresources: ['status'] }),
];
const TABLE: Readonly<Record<string, readonly Stub[]>> = {
  '/v1': [
    kindOf('podtemplates', 'PodTemplate', { namespaced: true }),
    kindOf('replicationcontrollers', 'ReplicationController', {
      namespaced: true,
      categories: ['all'],
      shortNames: ['rc'],
      subresources: ['scale', 'status'],
    }),
    kindOf('componentstatuses', 'ComponentStatus', { shortNames: ['cs'], verbs: ['get', 'list'], deprecated: 'v1.19+' }),
  ],
  'flowcontrol.apiserver/v1beta1': FLOW.map((kind) => ({
    ...kind,
    deprecated: `v1.23+, unavailable in v1.26+; use flowcontrol.apiserver.k8s.io/v1beta2 ${kind.kind}`,
  })),
  'flowcontrol.apiserver/v1beta2': FLOW,
  'policy/v1beta1': [
    kindOf('podsecuritypolicies', 'PodSecurityPolicy', { shortNames: ['psp'], deprecated: 'v1.21+, unavailable in v1.25+' }),
  ],
};

const versionOf = (names: Names, key: string): { readonly group: string; readonly version: string } => {
  const [prefix = '', version = ''] = key.split('/');
  return { group: names.group(prefix), version };
};

export const stubRows = (names: Names): readonly ExtraRow[] =>
  Object.entries(TABLE).flatMap(([key, kinds]) => {
    const at = versionOf(names, key);
    return kinds.flatMap((kind) => rowsOf({ ...kind, version: at.version }, at.group).map((row) => ({ ...at, row })));
  });

export function stub(names: Names): Area {
  const byVersion = new Map(
    Object.entries(TABLE).map(([key, kinds]) => {
      const { group, version } = versionOf(names, key);
      return [`${group}/${version}`, kinds] as const;
    }),
  );
  return (call) => {
    const { below } = call;
    const kinds = below === undefined ? undefined : byVersion.get(`${below.group}/${below.version}`);
    if (below === undefined || kinds === undefined) return undefined;
    const { special, namespace, resource, name = '', subresource = '', rest } = below;
    const found = kinds.find((each) => each.plural === resource);
    if (found === undefined) return undefined;
    if (
      rest.length > 0 ||
      special === 'proxy' ||
      (namespace !== undefined && !found.namespaced) ||
      (namespace === undefined && found.namespaced && name !== '') ||
      (subresource !== '' && !found.subresources.includes(subresource))
    )
      throw unknownResource();
    checkAcceptable(call.http.headers['accept']);
    const apiVersion = below.group === '' ? below.version : `${below.group}/${below.version}`;
    const warning = found.deprecated === undefined ? undefined : `${apiVersion} ${found.kind} is deprecated in ${found.deprecated}`;
    return name === ''
      ? warned(collection(call, found, apiVersion, below.group, special === 'watch'), warning)
      : item(call, found, below.group, name, subresource);
  };
}

function collection(call: Call, { kind, plural }: Stub, apiVersion: string, group: string, legacyWatch: boolean): HttpReply {
  const { http, query, backend, timers } = call;
  const format = call.format();
  if (http.method === 'POST')
    throw notSupported(`${qualified(plural, group)}: ${kind} is not simulated; the kinds that are: orchsim kinds`);
  const metadata = { resourceVersion: String(backend.store.revision) };
  const details = { ...(group === '' ? {} : { group }), kind: plural };
  if (http.method === 'DELETE') return reply(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }, format);
  if (http.method !== 'GET') throw methodNotAllowed();
  const { watch, timeoutSeconds = 0 } = listQuery(query);
  if (watch || legacyWatch) {
    checkStreamable(format);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      open: (sink) => timers.after(timeoutSeconds > 0 ? timeoutSeconds * 1000 : 1_800_000, () => sink.end()),
    };
  }
  return many(call, { kind, groupPrefix: group, columns: COLUMNS }, apiVersion, [], metadata);
}

const COLUMNS = [nameColumn, ageColumn].map((column) => ({ ...column, description: '' }));

/** Refuses every name: no object exists. */
function item({ http }: Call, { plural }: Stub, group: string, name: string, subresource: string): never {
  if (!['GET', 'PUT', 'PATCH', 'DELETE'].includes(http.method)) throw methodNotAllowed();
  throw missing(subresource === 'scale' ? `${plural}/scale` : plural, group, name);
}
