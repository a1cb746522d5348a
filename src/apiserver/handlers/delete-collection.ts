/**
 * Deletes every object that a list would return, one after the other. Models: apiserver pkg/registry/generic/registry store.go
 * DeleteCollection.
 */
import { deleteWarnings, removeOne } from './delete.ts';
import { checkDeleteOptions } from './deletion.ts';
import { type ApiRequest, type ApiResponse, Refusal } from '../request/index.ts';
import type { Scope } from '../write/index.ts';
import { listOf } from './read.ts';
import { rulesOf } from '../machinery/index.ts';

type DeleteCollectionRequest = Extract<ApiRequest, { verb: 'deletecollection' }>;

/**
 * Returns a `Status`, or the list of deleted objects (rule `api/collection-deletion-answers-status`). An object that is already gone is not
 * a failure.
 */
export function removeCollection(scope: Scope, request: DeleteCollectionRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  checkDeleteOptions(request);
  const list = listOf(scope, resource, request);
  for (const item of list.items) {
    try {
      removeOne(scope, resource, item.metadata.namespace, item.metadata.name, request);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status.code !== 404) throw thrown;
    }
  }
  const { group, kind } = resource;
  const warnings = deleteWarnings(resource, request);
  const reported = warnings === undefined ? {} : { warnings };
  if (rulesOf(scope.context()) === 'recorded') return { ok: true, code: 200, ...reported, list };
  return {
    ok: true,
    code: 200,
    ...reported,
    success: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { ...(group === '' ? {} : { group }), kind: kind.plural },
    },
  };
}
