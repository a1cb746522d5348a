/** Deletes every object a list would answer, one after the other. Models: apiserver pkg/registry/generic/registry store.go DeleteCollection. */
import { checkDeleteOptions, removeOne } from './delete.ts';
import type { Door } from './door.ts';
import { Refusal } from './errors.ts';
import { listOf } from './read.ts';
import type { ApiRequest, ApiResponse } from './request.ts';

type DeleteCollectionRequest = Extract<ApiRequest, { verb: 'deletecollection' }>;

/** Answers the list as it was before; an object that vanished meanwhile is no failure. */
export function removeCollection(door: Door, request: DeleteCollectionRequest): ApiResponse {
  const resource = door.resource(request.kind);
  const list = listOf(door, resource, request);
  checkDeleteOptions(request);
  for (const item of list.items) {
    try {
      removeOne(door, resource, item.metadata.namespace, item.metadata.name, request);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status.code !== 404) throw thrown;
    }
  }
  return { ok: true, code: 200, list };
}
