/** The operations of every path, with their parameters, for documents of both versions. Models: apiserver pkg/endpoints/installer.go. */
import type { FeatureGates, Kind } from '../../../apiserver/machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { type KindRegistry, servedVersions } from '../../../apiserver/kinds/index.ts';
import type { GroupVersion } from '../discovery/resource-list.ts';
import type { GroupVersionKind, DefinitionSet } from './definitions.ts';

/** What each action does to a kind, or to a part of its objects (`whole`). */
const SENTENCES: Readonly<Record<string, (kind: string, whole: string) => string>> = {
  get: (_, whole) => `Reads ${whole} that has this name.`,
  list: (kind) => `Lists objects of kind ${kind}, or follows their changes where watch is set.`,
  post: (kind) => `Creates ${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}.`,
  put: (_, whole) => `Replaces ${whole} that has this name.`,
  patch: (_, whole) => `Changes some fields of ${whole} that has this name.`,
  delete: (kind) => `Deletes the ${kind} that has this name, at once or when its finalizers are gone.`,
  deletecollection: (kind) => `Deletes every ${kind} that the selectors choose.`,
};

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly type: 'string' | 'integer' | 'boolean' | 'body';
  readonly required: boolean;
  readonly schema?: string;
}

export interface Operation {
  readonly action: string;
  readonly id: string;
  readonly description: string;
  readonly gvk: GroupVersionKind;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Response codes, and the definitions of their bodies. */
  readonly responses: Readonly<Record<string, string | undefined>>;
}

interface PathOperations {
  readonly path: string;
  readonly operations: Readonly<Record<string, Operation>>;
}

const PRODUCES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const STREAMS = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

const query = (name: string, type: Parameter['type'] = 'string'): Parameter => ({ name, in: 'query', type, required: false });
const path = (name: string): Parameter => ({ name, in: 'path', type: 'string', required: true });
const PRETTY = query('pretty');
const LIST = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];
const DELETE = [query('dryRun'), query('gracePeriodSeconds', 'integer'), query('orphanDependents', 'boolean'), query('propagationPolicy')];

export function operationsOf(kinds: KindRegistry, { group, version }: GroupVersion, definitionSet: DefinitionSet, gates: FeatureGates) {
  // Clients that find the parameter leave field validation to the server.
  const write = [
    query('dryRun'),
    query('fieldManager'),
    ...(gates['ServerSideFieldValidation'] === true ? [query('fieldValidation')] : []),
  ];
  return kinds
    .list()
    .flatMap(servedVersions)
    .filter((kind) => kind.version === version && kinds.names.group(kind.groupPrefix) === group)
    .flatMap((kind) => pathsOf(kind, group, definitionSet, write));
}

interface Paths {
  readonly kind: Kind;
  readonly gvk: GroupVersionKind;
  readonly definitionSet: DefinitionSet;
  readonly write: readonly Parameter[];
  /** Parameters of a collection's path, and of an item's. */
  readonly scope: readonly Parameter[];
  readonly item: readonly Parameter[];
}

function pathsOf(kind: Kind, group: string, definitionSet: DefinitionSet, write: readonly Parameter[]): readonly PathOperations[] {
  const root = group === '' ? `/api/${kind.version}` : `/apis/${group}/${kind.version}`;
  const scope = kind.namespaced ? [path('namespace')] : [];
  const gvk = { group, kind: kind.shownAs ?? kind.kind, version: kind.version };
  const paths: Paths = { kind, gvk, definitionSet, write, scope, item: [...scope, path('name')] };
  const collection = `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const everywhere = { path: `${root}/${kind.plural}`, operations: { get: listing(paths, [], `${gvk.kind}ForAllNamespaces`) } };
  const status = { path: `${collection}/{name}/status`, operations: viewOf(paths, `${gvk.kind}Status`) };
  return [
    { path: collection, operations: collectionOf(paths) },
    ...(kind.namespaced ? [everywhere] : []),
    { path: `${collection}/{name}`, operations: { ...viewOf(paths, gvk.kind), delete: deletion(paths) } },
    ...(kind.subresources.includes('status') ? [status] : []),
  ];
}

function collectionOf(paths: Paths): PathOperations['operations'] {
  const { kind, definitionSet, write, scope } = paths;
  const name = definitionSet.nameOf(kind);
  const of = `Namespaced${paths.gvk.kind}`;
  const selection = LIST.filter((one) => one.name !== 'watch' && one.name !== 'allowWatchBookmarks');
  const parameters = [...scope, ...selection, ...DELETE, body(definitionSet.deleteOptions, false)];
  return {
    get: listing(paths, scope, of),
    post: operation(paths, 'post', of, [...scope, ...write, body(name)], written([200, 201, 202], name)),
    ...(kind.kind === 'Namespace'
      ? {}
      : { delete: operation(paths, 'deletecollection', paths.gvk.kind, parameters, written([200], definitionSet.status)) }),
  };
}

/** The read and write operations of an item or its status. */
function viewOf(paths: Paths, of: string): PathOperations['operations'] {
  const { item, write } = paths;
  const name = paths.definitionSet.nameOf(paths.kind);
  return {
    get: operation(paths, 'get', of, item, written([200], name)),
    put: operation(paths, 'put', of, [...item, ...write, body(name)], written([200, 201], name)),
    patch: operation(paths, 'patch', of, [...item, ...write, query('force', 'boolean'), body(name)], {
      ...written([200, 201], name),
      consumes: paths.kind.unstructured === true ? PATCHES.filter((type) => !type.includes('strategic')) : PATCHES,
    }),
  };
}

function deletion(paths: Paths): Operation {
  const { kind, definitionSet, item } = paths;
  const removed = kind.deleteReturns === 'object' ? definitionSet.nameOf(kind) : definitionSet.status;
  const parameters = [...item, ...DELETE, body(definitionSet.deleteOptions, false)];
  return operation(paths, 'delete', paths.gvk.kind, parameters, written([200, 202], removed));
}

function listing(paths: Paths, parameters: readonly Parameter[], of: string): Operation {
  const listed = written([200], paths.definitionSet.listNameOf(paths.kind));
  return operation(paths, 'list', of, [...parameters, ...LIST], { ...listed, produces: [...PRODUCES, ...STREAMS] });
}

type Given = Pick<Operation, 'responses'> & Partial<Operation>;

function operation({ gvk }: Paths, action: string, of: string, parameters: readonly Parameter[], given: Given): Operation {
  return {
    action,
    id: `${action}${of}`,
    description: SENTENCES[action]?.(gvk.kind, of === `${gvk.kind}Status` ? `the status of the ${gvk.kind}` : `the ${gvk.kind}`) ?? '',
    gvk,
    consumes: ['*/*'],
    produces: PRODUCES,
    parameters: [...parameters, PRETTY].sort((a, b) => compareText(a.name, b.name)),
    ...given,
    responses: { ...given.responses, 401: undefined },
  };
}

const body = (schema: string, required = true): Parameter => ({ name: 'body', in: 'body', type: 'body', required, schema });

const written = (codes: readonly number[], schema: string): Given => ({
  responses: Object.fromEntries(codes.map((code) => [code, schema])),
});
