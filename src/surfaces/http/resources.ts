/** Requests about resources: verb, query, body, and the reply in the negotiated format. Models: apiserver pkg/endpoints/handlers. */
import type { Kind, ObjectInput } from '../../apiserver/machinery/index.ts';
import { deleteOptionsOf } from '../../apiserver/handlers/index.ts';
import { failure, Refusal } from '../../apiserver/request/index.ts';
import type { ApiRequest, ApiResponse, DeleteOptions, WatchRequest } from '../../apiserver/request/index.ts';
import { reply } from './answer/encode.ts';
import { listReply } from './answer/long-list.ts';
import { isInclude, objectAs, type Transform, transformFor } from './answer/transform.ts';
import type { Call } from './call.ts';
import type { HttpReply } from './message.ts';
import { own, present } from '../../schema/values/index.ts';
import { UNSUPPORTED, WHY_NOT } from './methods.ts';
import { decodeProtobuf } from './protobuf/index.ts';
import { shapesFor, bodyOf } from './request/value.ts';
import { badRequest, methodNotAllowed, notSupported } from './refusals.ts';
import { checkStreamable, type Format } from './request/accept.ts';
import { bodyType, checkSize, readBody, Unreadable, OPERATION_VALUES_LIMIT, VALUES_LIMIT, patchTypeOf } from './request/body.ts';
import type { PatchType } from './request/body.ts';
import { deleteQuery, listQuery, writeQuery } from './request/options.ts';
import type { ResourceRoute } from './request/path.ts';
import { firstOf, flagOf } from './request/query.ts';
import { refuseOthers, type OtherVersion } from './versions/index.ts';
import { watchList, watchReply } from './watch.ts';

export interface ResourceCall extends Pick<Call, 'backend' | 'http' | 'query' | 'user' | 'timers'> {
  readonly route: ResourceRoute;
  readonly format: Format;
  /** The version of the path, if it is not the kind's own. */
  readonly other?: OtherVersion | undefined;
  /** Whether requests of later releases are answered. */
  readonly compat?: boolean | undefined;
}

/** Handles `POST …/bindings`, which names its pod in the body. */
export function answerBinding(call: Omit<ResourceCall, 'route'>, kind: Kind, namespace: string): HttpReply {
  const body = bodyOf(call.http, 'Binding', shapesFor(call.backend)).value as
    | { readonly metadata?: { readonly name?: unknown } }
    | undefined;
  const name = body?.metadata?.name;
  if (typeof name !== 'string' || name === '') throw badRequest('name is required');
  return write({ ...call, route: { kind, namespace, name, subresource: 'binding', rest: [], watch: false } }, 'create');
}

export function answerResource(call: ResourceCall): HttpReply {
  const { method } = call.http;
  const { name, kind, subresource } = call.route;
  if (subresource !== undefined && name !== undefined && own(UNSUPPORTED[kind.kind], subresource) !== undefined)
    return refuseUnsupported(call, name, subresource);
  switch (method) {
    case 'GET':
      return name === undefined || call.route.watch ? read(call) : one(call, name);
    case 'POST':
      return write(call, 'create');
    case 'PUT':
      return write(call, 'update');
    case 'PATCH':
      return patch(call);
    case 'DELETE':
      return remove(call);
    default:
      throw methodNotAllowed();
  }
}

/** A missing object is reported first. */
function refuseUnsupported(call: ResourceCall, name: string, subresource: string): never {
  const found = call.backend.handle({ ...baseOf(call), verb: 'get', name });
  if (!found.ok) throw refusalOf(found);
  throw notSupported(`${call.route.kind.plural}/${subresource}: ${WHY_NOT[subresource] ?? 'it is not simulated'}`);
}

const baseOf = ({ route: { kind, namespace }, user, http }: ResourceCall) => ({
  kind: kind.kind,
  ...(kind.namespaced ? { namespace: namespace ?? '' } : {}),
  ...(kind.definition === undefined ? {} : { version: kind.version }),
  user,
  userAgent: http.headers['user-agent'] ?? '',
});

const transformOf = ({ backend, route: { kind }, format, query, other }: ResourceCall): Transform =>
  transformFor(backend, query, format, kind, other);

function toReply(call: ResourceCall, response: ApiResponse): HttpReply {
  if (!response.ok) throw refusalOf(response);
  const { code, warnings } = response;
  if ('list' in response) return listReply(code, response.list, transformOf(call), warnings);
  return reply(code, 'object' in response ? objectAs(response.object, transformOf(call)) : response.success, call.format, warnings);
}

type WriteRequest = Exclude<ApiRequest, { readonly verb: 'get' | 'list' }>;

/** A write whose response cannot be converted is refused before anything is stored: a dry run comes first. Upstream stores it. */
function changed(call: ResourceCall, request: WriteRequest): HttpReply {
  const { query } = call;
  const { as } = call.format;
  const mayNotConvert = as === 'PartialObjectMetadataList' || (as === 'Table' && !isInclude(firstOf(query, 'includeObject')));
  if (mayNotConvert && request.dryRun === undefined) toReply(call, call.backend.handle({ ...request, dryRun: ['All'] }));
  const bytes = request.verb === 'delete' ? 0 : call.http.body.length;
  const { backend, route } = call;
  backend.large?.admit(bytes);
  const response = backend.handle(request);
  // A sub-resource answers with another kind, but has the name of its object.
  if (response.ok && 'object' in response) backend.large?.written(route.kind.kind, response.object.metadata, bytes);
  return toReply(call, response);
}

function refusalOf({ status, warnings }: Extract<ApiResponse, { ok: false }>): Refusal {
  const refusal = new Refusal(status);
  refusal.warnings = warnings;
  return refusal;
}

function one(call: ResourceCall, name: string): HttpReply {
  const { query, backend, route } = call;
  if (flagOf(query, 'export') === true) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  const more = present({ subresource: route.subresource, resourceVersion: firstOf(query, 'resourceVersion') });
  return toReply(call, backend.handle({ ...baseOf(call), verb: 'get', name, ...more }));
}

function read(call: ResourceCall): HttpReply {
  const { backend, route, format, timers } = call;
  const { watch: wanted, timeoutSeconds, bookmarks, ...options } = listQuery(call.query);
  const watches = wanted || route.watch;
  const listed = call.compat === true ? watchList(call.query, watches, options, backend.store.revision) : undefined;
  if (!watches) return toReply(call, backend.handle({ ...baseOf(call), verb: 'list', ...options }));
  // A watch starts at its resourceVersion; paging is only for lists.
  const { limit: _, continue: __, ...plain } = options;
  const selection = listed === undefined ? plain : { ...plain, resourceVersion: listed.resourceVersion, resourceVersionMatch: '' };
  const request: WatchRequest = {
    ...baseOf(call),
    verb: 'watch',
    ...selection,
    ...(route.name === undefined ? {} : { fieldSelector: `metadata.name=${route.name}` }),
  };
  checkStreamable(format);
  const opened = backend.watch(request);
  if (!opened.ok) throw refusalOf(opened);
  transformOf(call);
  const { watch } = opened;
  const transform = (): Transform => transformOf(call);
  const marksInitial = bookmarks && listed?.begins === true;
  return watchReply({ backend, request, watch, transform, timeoutSeconds, bookmarks, marksInitial, timers });
}

/** What a write sends, in the version of its path. */
const sent = ({ other, route: { subresource } }: ResourceCall, value: unknown) => ({
  body: (other === undefined ? value : other.write(value)) as ObjectInput,
  ...present({ version: other?.rules, subresource }),
});

function write(call: ResourceCall, verb: 'create' | 'update'): HttpReply {
  const { query, http, backend } = call;
  const { name, kind } = call.route;
  const options = writeQuery(query);
  const { value, text, duplicates } = bodyOf(http, kind.kind, shapesFor(backend));
  if (call.other === undefined) refuseOthers(value, kind, backend.kinds);
  const common = { ...baseOf(call), ...options, ...sent(call, value), rawBody: text, duplicateFields: duplicates };
  return changed(call, verb === 'create' ? { ...common, verb, ...present({ name }) } : { ...common, verb, name: name ?? '' });
}

function patch(call: ResourceCall): HttpReply {
  const { query, http } = call;
  const { name = '', kind } = call.route;
  const patchType = patchTypeOf(http.headers['content-type'], kind);
  checkSize(http.body);
  const options = { ...present({ force: flagOf(query, 'force') }), ...writeQuery(query) };
  return changed(call, { ...baseOf(call), verb: 'patch', name, patchType, ...options, ...sent(call, patchBody(patchType, http.body)) });
}

/** Reads a patch. Each patch type has its own error for a malformed one. */
function patchBody(type: PatchType, bytes: Uint8Array): unknown {
  try {
    const { value } = readBody(type === 'apply' ? 'yaml' : 'json', bytes, type === 'json' ? OPERATION_VALUES_LIMIT : VALUES_LIMIT);
    if (value === undefined) throw new Unreadable('json', 'unexpected end of JSON input', '');
    return value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (type === 'merge') throw badRequest('Invalid JSON Patch');
    if (type === 'apply') throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
    throw badRequest(error.message);
  }
}

function remove(call: ResourceCall): HttpReply {
  const { query, http, backend } = call;
  const { name, kind } = call.route;
  checkSize(http.body);
  const options = http.body.length > 0 ? deleteBody(call) : deleteQuery(query);
  if (name !== undefined) return changed(call, { ...baseOf(call), verb: 'delete', name, ...options });
  const { watch: _, timeoutSeconds: __, bookmarks: ___, ...selection } = listQuery(query);
  if (kind.kind === 'Namespace') throw methodNotAllowed();
  return toReply(call, backend.handle({ ...baseOf(call), verb: 'deletecollection', ...selection, ...options }));
}

/** Malformed delete options are a server error, as recorded. */
function deleteBody({ http, backend }: ResourceCall): DeleteOptions {
  const type = bodyType(http.headers['content-type']);
  let value: unknown;
  try {
    value = type === 'protobuf' ? decodeProtobuf(http.body, shapesFor(backend)).value : readBody(type, http.body).value;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw failure({
      code: 500,
      message: error.language === 'json' ? `couldn't get version/kind; json parse error: ${error.message}` : error.message,
    });
  }
  return deleteOptionsOf(value);
}
