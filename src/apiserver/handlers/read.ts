/** Read requests: one object, or a list at a revision. Models: pkg/endpoints/handlers get.go, pkg/storage/cacher, etcd3 GetList. */
import type { ApiObject, FieldError } from '../machinery/index.ts';
import { bisect, compareText } from '../../schema/values/index.ts';
import { readToken, writeToken } from './continue-token.ts';
import { badRequest, expired, internal, invalidAs, notFound, storeKey, tooLargeRevision } from '../request/index.ts';
import type { ApiRequest, ApiResponse, ObjectList, Resource, WatchRequest } from '../request/index.ts';
import { readIn, type Scope } from '../write/index.ts';
import { selectionOf, type Selection } from './selection.ts';
import { subresourceOf } from './subresources/index.ts';

type GetRequest = Extract<ApiRequest, { verb: 'get' }>;
type ListRequest = Extract<ApiRequest, { verb: 'list' | 'deletecollection' }>;

export function get(scope: Scope, resource: Resource, request: GetRequest): ApiResponse {
  const version = revisionOf(request.resourceVersion);
  if (version > scope.store.revision) throw tooLargeRevision(version, scope.store.revision, true);
  const object = readIn(scope, resource, resource.kind.namespaced ? request.namespace : undefined, request.name);
  if (object === undefined) throw notFound(resource, request.name, resource.kind.missingScale === true ? request.subresource : undefined);
  const view = request.subresource === undefined ? undefined : subresourceOf(resource.kind.kind, request.subresource);
  return { ok: true, code: 200, object: view?.get === undefined ? object : view.get(scope, object, resource) };
}

/** Returns the objects that a list request selects, in key order, and the position where the list continues. */
export function listOf(scope: Scope, resource: Resource, request: ListRequest): ObjectList {
  checkMatch(request);
  const selection = selectionOf(resource, request.labelSelector, request.fieldSelector);
  const namespace = resource.kind.namespaced && request.namespace !== '' ? request.namespace : undefined;
  // Version 0 is answered from the cache, without paging.
  const fromCache = request.resourceVersion === '0' && (request.continue ?? '') === '';
  const isCut = request.limit !== undefined && request.limit > 0 && !fromCache && scope.gates['APIListChunking'] !== false;
  const limit = isCut ? request.limit : undefined;
  const { revision, start } = placeOf(scope, request, limit);
  const current = scope.store.revision;
  const query: Query = { scope, resource, namespace, selection, start, limit };
  const page = revision === undefined || revision === current ? pageNow(query) : pageAt(query, revision, request.continue);
  return {
    apiVersion: resource.apiVersion,
    kind: resource.kind.listKind ?? `${resource.kind.shownAs ?? resource.kind.kind}List`,
    metadata: {
      resourceVersion: String(revision ?? current),
      ...(page.next === undefined ? {} : { continue: writeToken({ revision: revision ?? current, start: page.next }) }),
      ...(page.remaining === undefined || scope.gates['RemainingItemCount'] === false ? {} : { remainingItemCount: page.remaining }),
    },
    items: page.items,
  };
}

const SUPPORTED = 'supported values: "Exact", "NotOlderThan", ""';

/** Refuses invalid combinations of resourceVersionMatch. Models: apimachinery pkg/apis/meta/internalversion/validation. */
export function checkMatch(request: ListRequest | WatchRequest): void {
  const { resourceVersionMatch: match = '', resourceVersion: version = '' } = request;
  if (match === '') return;
  const field = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  const forbid = (detail: string) => errors.push({ type: 'Forbidden', field, detail: `${field} ${detail}` });
  if (request.verb === 'watch') forbid('is forbidden for watch');
  if (version === '') forbid('is forbidden unless resourceVersion is provided');
  if (request.verb !== 'watch') {
    if ((request.continue ?? '') !== '') forbid('is forbidden when continue is provided');
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.push({ type: 'NotSupported', field, value: match, detail: SUPPORTED });
    if (match === 'Exact' && version === '0') forbid('"exact" is forbidden for resourceVersion "0"');
  }
  if (errors.length > 0) throw invalidAs('meta.k8s.io', 'ListOptions', '', errors);
}

/** Go's error for a resourceVersion that is not a number. */
export const unreadableVersion = (text: string): string =>
  `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;

/** Returns the resourceVersion of a read; 0 when it is not set. */
function revisionOf(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  if (!/^\d+$/.test(text)) throw internal(unreadableVersion(text));
  return Number(text);
}

/** Returns the revision to list at (undefined: the current one) and the first key that may be returned. */
function placeOf(scope: Scope, request: ListRequest, limit: number | undefined): { revision: number | undefined; start: string } {
  const current = scope.store.revision;
  const version = request.resourceVersion ?? '';
  if (request.continue !== undefined && request.continue !== '') {
    const place = readToken(request.continue);
    if (version !== '' && version !== '0') throw badRequest('specifying resource version is not allowed when using continue');
    if (place.revision < 0) return { revision: undefined, start: place.start };
    if (place.revision > current) throw internal(FUTURE);
    return place;
  }
  const match = request.resourceVersionMatch ?? '';
  if (match === 'Exact' && version !== '' && !/^\d+$/.test(version))
    throw badRequest(`invalid resource version: ${unreadableVersion(version)}`);
  const asked = revisionOf(version);
  const exact = match === 'Exact' || (match === '' && limit !== undefined);
  if (asked > 0 && exact) {
    if (asked > current) throw internal(FUTURE);
    return { revision: asked, start: '' };
  }
  if (asked > current) throw tooLargeRevision(asked, current, limit === undefined);
  return { revision: undefined, start: '' };
}

const FUTURE = 'etcdserver: mvcc: required revision is a future revision';

/** What a list selects, and the part of it that is asked for. */
interface Query {
  readonly scope: Scope;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly selection: Selection;
  /** The first key that may be returned. */
  readonly start: string;
  readonly limit: number | undefined;
}

interface Page {
  readonly items: readonly ApiObject[];
  readonly next?: string;
  readonly remaining?: number;
}

const byName = (a: ApiObject, b: ApiObject): number => compareText(a.metadata.name, b.metadata.name);

/** Returns the page of a query at the current revision. */
export function pageNow(query: Query): Page {
  const { store } = query.scope;
  const { kind } = query.resource.kind;
  const quick = query.start === '' ? indexed(query) : undefined;
  if (quick !== undefined) return { items: quick.filter(query.selection.matches) };
  return paged(query, store.sortedKeys(kind), (key) => store.get(kind, key));
}

/** Returns objects from an index, without walking the kind: by name, by node, by namespace; in key order. */
function indexed({ scope, resource, namespace, selection, limit }: Query): readonly ApiObject[] | undefined {
  const { kind, namespaced } = resource.kind;
  const name = selection.exact('metadata.name');
  if (name !== undefined && (!namespaced || namespace !== undefined)) {
    const found = scope.store.get(kind, storeKey(namespace, name));
    return found === undefined ? [] : [found];
  }
  if (limit !== undefined) return undefined;
  const node = kind === 'Pod' ? selection.exact('spec.nodeName') : undefined;
  if (node !== undefined && node !== '') {
    const found = scope.store
      .by(kind, 'nodeName', node)
      .filter((object) => namespace === undefined || object.metadata.namespace === namespace);
    return found.sort((a, b) => compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') || byName(a, b));
  }
  return namespace === undefined ? undefined : [...scope.store.by(kind, 'namespace', namespace)].sort(byName);
}

function pageAt(query: Query, revision: number, token: string | undefined): Page {
  const { store } = query.scope;
  const { kind } = query.resource.kind;
  const since = revision < store.compactedAt ? undefined : store.changesAfter(kind, revision);
  if (since === undefined) {
    if (token === undefined || token === '') throw expired('The resourceVersion for the provided list is too old.');
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      writeToken({ revision: -1, start: query.start }),
    );
  }
  // The first change of a key has the object before the revision. The cost of a page depends on the number of changes, not of objects.
  const before = new Map<string, ApiObject | undefined>();
  for (const { key, previous } of since) if (!before.has(key)) before.set(key, previous);
  const keys = keysBefore(store.sortedKeys(kind), before, (key) => store.get(kind, key) !== undefined);
  return paged(query, keys, (key) => (before.has(key) ? before.get(key) : store.get(kind, key)));
}

/** Returns the sorted keys at a past revision: without keys added since, and with keys removed since. */
function keysBefore(
  keys: readonly string[],
  before: ReadonlyMap<string, ApiObject | undefined>,
  isThere: (key: string) => boolean,
): readonly string[] {
  const gone = [...before].flatMap(([key, object]) => (object !== undefined && !isThere(key) ? [key] : [])).sort(compareText);
  const came = [...before].some(([key, object]) => object === undefined && isThere(key));
  if (gone.length === 0 && !came) return keys;
  const made: string[] = [];
  let next = 0;
  for (const key of keys) {
    for (let lost = gone[next]; lost !== undefined && lost < key; lost = gone[++next]) made.push(lost);
    if (!before.has(key) || before.get(key) !== undefined) made.push(key);
  }
  return [...made, ...gone.slice(next)];
}

/** Walks sorted keys below the namespace. A full page with keys after it continues, whether or not the rest will match. */
function paged({ namespace, selection, start, limit }: Query, keys: readonly string[], at: (key: string) => ApiObject | undefined): Page {
  const prefix = namespace === undefined ? '' : `${namespace}/`;
  const from = bisect(keys, (key) => key < prefix + start);
  const end = prefix === '' ? keys.length : bisect(keys, (key) => key < `${namespace}0`);
  const items: ApiObject[] = [];
  for (let i = from; i < end; i++) {
    const key = keys[i] ?? '';
    const object = at(key);
    if (object === undefined || !selection.matches(object)) continue;
    items.push(object);
    if (items.length === limit && i + 1 < end)
      return { items, next: `${key.slice(prefix.length)}\0`, ...(selection.everything ? { remaining: end - i - 1 } : {}) };
  }
  return { items };
}
