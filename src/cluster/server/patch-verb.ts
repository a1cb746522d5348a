/** Partial updates: the patch makes a body of the stored object, the rest is an update. Models: apiserver pkg/endpoints/handlers/patch.go. */
import { DecodeError } from '../schema/index.ts';
import type { ApiObject } from '../api/object.ts';
import { decodeBody } from './body.ts';
import type { Door } from './door.ts';
import { failure, notFound, Refusal } from './errors.ts';
import { patched } from './patches.ts';
import { checkWriteOptions, isDryRun } from './options.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { storeKey, type Resource } from './resource.ts';
import { replace } from './update.ts';

export type PatchRequest = Extract<ApiRequest, { verb: 'patch' }>;

export function patch(door: Door, request: PatchRequest): ApiResponse {
  const resource = door.resource(request.kind);
  checkWriteOptions(request);
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  const stored = door.store.get(resource.kind.kind, storeKey(namespace, request.name));
  if (stored === undefined) throw notFound(resource, request.name);
  const document = patched(resource, stored, request);
  const body = decodePatched(door, resource, document, stored);
  return replace(door, resource, body, stored, { name: request.name, namespace, subresource: request.subresource, dryRun: isDryRun(request.dryRun), request });
}

/** A patched document that does not decode is the patch's fault. */
function decodePatched(door: Door, resource: Resource, document: unknown, stored: ApiObject): ApiObject {
  try {
    return decodeBody(door, resource, document, stored);
  } catch (thrown) {
    if (thrown instanceof Refusal || thrown instanceof DecodeError) {
      const shown = JSON.stringify(document);
      const message = `Invalid value: ${JSON.stringify(shown)}: ${thrown.message.replace(/^.*? cannot be handled as a \w+: /, '')}`;
      throw failure({ code: 422, reason: 'Invalid', message: ` "" is invalid: patch: ${message}`, details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] } });
    }
    throw thrown;
  }
}
