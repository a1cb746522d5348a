/**
 * Deletes every object a list would answer, one after the other. Models: apiserver pkg/registry/generic/registry store.go DeleteCollection.
 */
import { deleteWarnings, removeOne } from './delete.ts';
import { checkDeleteOptions } from './deletion.ts';
import { type ApiRequest, type ApiResponse, Refusal } from '../request/index.ts';
import type { Door } from './door.ts';
import { listOf } from './read.ts';
import { rulesOf } from '../vocabulary/index.ts';

type DeleteCollectionRequest = Extract<ApiRequest, { verb: 'deletecollection' }>;

/**
 * Answers a `Status`, or the list of what was there (rule `api/collection-deletion-answers-status`); an object that vanished meanwhile is
 * no failure.
 */
export function removeCollection(door: Door, request: DeleteCollectionRequest): ApiResponse {
  const resource = door.resource(request.kind);
  checkDeleteOptions(request);
  const list = listOf(door, resource, request);
  for (const item of list.items) {
    try {
      removeOne(door, resource, item.metadata.namespace, item.metadata.name, request);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status.code !== 404) throw thrown;
    }
  }
  const { group, kind } = resource;
  const warnings = deleteWarnings(resource, request);
  const told = warnings === undefined ? {} : { warnings };
  if (rulesOf(door.context()) === 'recorded') return { ok: true, code: 200, ...told, list };
  return {
    ok: true,
    code: 200,
    ...told,
    success: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { ...(group === '' ? {} : { group }), kind: kind.plural },
    },
  };
}
