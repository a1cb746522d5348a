/** What can be done at every path, with which parameters: the same for both versions of documents. Models: apiserver pkg/endpoints/installer.go. */
import type { FeatureGates, Kind } from '../../../apiserver/vocabulary/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import type { KindRegistry } from '../../../apiserver/kinds/index.ts';
import type { DefinitionBook, GroupVersionKind } from './definitions.ts';

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
  readonly gvk: GroupVersionKind;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly parameters: readonly Parameter[];
  /** Codes and the definitions they answer with. */
  readonly responses: Readonly<Record<string, string | undefined>>;
}

export interface PathOperations {
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

/** The paths of a version's kinds. */
export function operationsOf(
  kinds: KindRegistry,
  group: string,
  version: string,
  book: DefinitionBook,
  gates: FeatureGates,
): readonly PathOperations[] {
  // Clients that find the parameter leave validation of fields to the server.
  const write = [
    query('dryRun'),
    query('fieldManager'),
    ...(gates['ServerSideFieldValidation'] === true ? [query('fieldValidation')] : []),
  ];
  return kinds
    .list()
    .filter((kind) => kind.version === version && kinds.names.group(kind.groupPrefix) === group)
    .flatMap((kind) => pathsOf(kind, group, book, write));
}

function pathsOf(kind: Kind, group: string, book: DefinitionBook, write: readonly Parameter[]): readonly PathOperations[] {
  const root = group === '' ? `/api/${kind.version}` : `/apis/${group}/${kind.version}`;
  const scope = kind.namespaced ? [path('namespace')] : [];
  const collection = `${root}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const [name, list] = [book.nameOf(kind), book.listNameOf(kind)];
  const gvk = { group, kind: kind.kind, version: kind.version };
  const body = (schema: string, required = true): Parameter => ({ name: 'body', in: 'body', type: 'body', required, schema });
  const make = (
    action: string,
    of: string,
    parameters: readonly Parameter[],
    responses: Operation['responses'],
    more: Partial<Operation> = {},
  ): Operation => ({
    action,
    id: `${action}${of}`,
    gvk,
    consumes: ['*/*'],
    produces: PRODUCES,
    parameters: [...parameters, PRETTY].sort((a, b) => compareText(a.name, b.name)),
    responses: { ...responses, 401: undefined },
    ...more,
  });
  const listing = (parameters: readonly Parameter[], of: string): Operation =>
    make('list', of, [...parameters, ...LIST], { 200: list }, { produces: [...PRODUCES, ...STREAMS] });
  const written = (codes: readonly number[], schema: string): Operation['responses'] =>
    Object.fromEntries(codes.map((code) => [code, schema]));
  const item = [...scope, path('name')];
  const view = (place: string, of: string): PathOperations => ({
    path: place,
    operations: {
      get: make('get', of, item, { 200: name }),
      put: make('put', of, [...item, ...write, body(name)], written([200, 201], name)),
      patch: make('patch', of, [...item, ...write, query('force', 'boolean'), body(name)], written([200, 201], name), {
        consumes: PATCHES,
      }),
    },
  });
  const paths: PathOperations[] = [
    {
      path: collection,
      operations: {
        get: listing(scope, `Namespaced${kind.kind}`),
        post: make('post', `Namespaced${kind.kind}`, [...scope, ...write, body(name)], written([200, 201, 202], name)),
        ...(kind.kind === 'Namespace'
          ? {}
          : {
              delete: make(
                'deletecollection',
                kind.kind,
                [
                  ...scope,
                  ...LIST.filter((one) => one.name !== 'watch' && one.name !== 'allowWatchBookmarks'),
                  ...DELETE,
                  body(book.deleteOptions, false),
                ],
                { 200: book.status },
              ),
            }),
      },
    },
  ];
  if (kind.namespaced) paths.push({ path: `${root}/${kind.plural}`, operations: { get: listing([], `${kind.kind}ForAllNamespaces`) } });
  const one = view(`${collection}/{name}`, kind.kind);
  const removed = kind.deleteReturns === 'object' ? name : book.status;
  paths.push({
    ...one,
    operations: {
      ...one.operations,
      delete: make('delete', kind.kind, [...item, ...DELETE, body(book.deleteOptions, false)], written([200, 202], removed)),
    },
  });
  if (kind.subresources.includes('status')) paths.push(view(`${collection}/{name}/status`, `${kind.kind}Status`));
  return paths;
}
