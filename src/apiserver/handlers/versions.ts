/**
 * The versions of custom resources: a request is about the resource in the version of its client, and objects are read from the store, and
 * answered, in that version. Models: v1.24 apiextensions-apiserver pkg/apiserver customresource_handler.go, where each version has a storage.
 */
import { inVersionOf } from '../admission/index.ts';
import type { ApiObject } from '../machinery/index.ts';
import { type ApiRequest, type ApiResponse, type Resource, storeKey, type WatchRequest } from '../request/index.ts';
import type { Scope, ServedResource } from '../write/index.ts';

/** Returns the resource of a request. Who names no version has that of the body, or the stored one. */
export function resourceFor(scope: Scope, request: ApiRequest | WatchRequest): ServedResource {
  if (request.version !== undefined) return scope.resource(request.kind, request.version);
  const resource = scope.resource(request.kind);
  const { versions } = resource.kind;
  if (versions === undefined || !('body' in request)) return resource;
  const apiVersion: unknown = (request.body as Partial<ApiObject> | undefined)?.apiVersion;
  if (typeof apiVersion !== 'string' || !apiVersion.startsWith(`${resource.group}/`)) return resource;
  const version = apiVersion.slice(resource.group.length + 1);
  return versions.has(version) ? scope.resource(request.kind, version) : resource;
}

/** Returns a stored object as a version of its resource has it. */
export const shownIn = (scope: Scope, { kind }: Resource, object: ApiObject): ApiObject =>
  kind.stored === undefined ? object : inVersionOf(scope, object, kind);

/** A function of its own, so that answers of one object allocate no variables for a closure. */
const allShownIn = (scope: Scope, resource: Resource, objects: readonly ApiObject[]): ApiObject[] =>
  objects.map((each) => shownIn(scope, resource, each));

/** Returns the stored object of a name, as the version of the resource has it. */
export function readIn(scope: Scope, resource: Resource, namespace: string | undefined, name: string): ApiObject | undefined {
  const stored = scope.store.get(resource.kind.kind, storeKey(namespace, name));
  return stored === undefined ? undefined : shownIn(scope, resource, stored);
}

/**
 * Returns an answer in the version of the request. `resource`: as it was before the request, which may have removed the last object of a
 * definition that is being deleted, and the definition with it.
 */
export function answerIn(scope: Scope, resource: Resource, response: ApiResponse): ApiResponse {
  if (!response.ok || 'success' in response) return response;
  if (resource.kind.stored === undefined) return response;
  if ('list' in response) return { ...response, list: { ...response.list, items: allShownIn(scope, resource, response.list.items) } };
  const { object } = response;
  return object.kind === resource.kind.kind ? { ...response, object: shownIn(scope, resource, object) } : response;
}
