/** Delete requests: of one object, and of all that a list would return. Models: handlers/delete.go, store.go DeleteCollection. */
import { checkDeleteOptions, deleteDefinition, deleteNamespace, deleteStored, type Deleted, type Deletion } from './deletion.ts';
import { about, type ApiRequest, type ApiResponse, notFound, Refusal, type Resource, storeKey } from '../request/index.ts';
import { DEFINITION, type Scope } from '../write/index.ts';
import { rulesOf } from '../machinery/index.ts';
import { isDryRun } from './writes.ts';
import { listOf } from './read.ts';

type DeleteRequest = Extract<ApiRequest, { verb: 'delete' }>;
type DeleteCollectionRequest = Extract<ApiRequest, { verb: 'deletecollection' }>;

export function remove(scope: Scope, resource: Resource, request: DeleteRequest): ApiResponse {
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  checkDeleteOptions(request);
  const warnings = deleteWarnings(resource, request);
  try {
    const { object, gone } = removeOne(scope, resource, namespace, request.name, request);
    if (gone && resource.kind.deleteReturns !== 'object') return removed(resource, warnings, request.name, object.metadata.uid);
    // A pending deletion gives 200, for old clients; 202 if it cascades by `orphanDependents`. The specification lists both.
    const code = !gone && request.orphanDependents === false ? 202 : 200;
    return { ok: true, code, object, ...(warnings === undefined ? {} : { warnings }) };
  } catch (thrown) {
    if (thrown instanceof Refusal) thrown.warnings = warnings;
    throw thrown;
  }
}

/** Returns a `Status`, or the deleted objects (rule `api/collection-deletion-answers-status`). One that is gone is no failure. */
export function removeCollection(scope: Scope, resource: Resource, request: DeleteCollectionRequest): ApiResponse {
  checkDeleteOptions(request);
  const list = listOf(scope, resource, request);
  for (const item of list.items) {
    try {
      removeOne(scope, resource, item.metadata.namespace, item.metadata.name, request);
    } catch (thrown) {
      if (!(thrown instanceof Refusal) || thrown.status.code !== 404) throw thrown;
    }
  }
  const warnings = deleteWarnings(resource, request);
  if (rulesOf(scope.context()) !== 'recorded') return removed(resource, warnings);
  return { ok: true, code: 200, ...(warnings === undefined ? {} : { warnings }), list };
}

const removed = ({ group, kind }: Resource, warnings: readonly string[] | undefined, name = '', uid?: string): ApiResponse => ({
  ok: true,
  code: 200,
  ...(warnings === undefined ? {} : { warnings }),
  success: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: about(name, group, kind.plural, uid === undefined ? {} : { uid }),
  },
});

/** Warnings about deletions with a surprising effect. Models: pkg/registry/batch/job strategy.go WarningsOnDelete. */
const deleteWarnings = ({ kind }: Resource, { propagationPolicy, orphanDependents }: Deletion): readonly string[] | undefined =>
  kind.kind === 'Job' && propagationPolicy === undefined && orphanDependents === undefined
    ? [
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
      ]
    : undefined;

/** Deletes one object by name, with admission and the rules of its kind. */
function removeOne(
  scope: Scope,
  resource: Resource,
  namespace: string | undefined,
  name: string,
  request: DeleteRequest | DeleteCollectionRequest,
): Deleted {
  const stored = scope.store.get(resource.kind.kind, storeKey(namespace, name));
  if (stored === undefined) throw notFound(resource, name);
  scope.admission.validateDeletion(scope, { verb: 'delete', resource, namespace, name, request, dryRun: isDryRun(request.dryRun) }, stored);
  if (resource.kind.kind === DEFINITION) return deleteDefinition(scope, resource, stored, request);
  return (resource.kind.kind === 'Namespace' ? deleteNamespace : deleteStored)(scope, resource, stored, request);
}
