/**
 * Handles a delete request: finds the object, runs admission, deletes it by the rules of its kind, and returns the kind's response. Models:
 * apiserver pkg/endpoints/handlers/delete.go.
 */
import { checkDeleteOptions, deleteStored, type Deleted, type Deletion } from './deletion.ts';
import { type ApiRequest, type ApiResponse, notFound, Refusal, type Resource, storeKey } from '../request/index.ts';
import type { Scope } from '../write/index.ts';
import { isDryRun } from './options.ts';
import { SPECIAL_DELETIONS } from './special-deletions.ts';

type DeleteRequest = Extract<ApiRequest, { verb: 'delete' }>;

/**
 * Handles a delete request.
 * @throws {Refusal} where the request is refused.
 */
export function remove(scope: Scope, request: DeleteRequest): ApiResponse {
  const resource = scope.resource(request.kind);
  const namespace = resource.kind.namespaced ? request.namespace : undefined;
  checkDeleteOptions(request);
  const warnings = deleteWarnings(resource, request);
  const { object, gone } = warnedRefusal(warnings, () => removeOne(scope, resource, namespace, request.name, request));
  const reported = warnings === undefined ? {} : { warnings };
  if (!gone || resource.kind.deleteReturns === 'object')
    return { ok: true, code: gone ? 200 : codeOfWaiting(request), object, ...reported };
  const { group, kind } = resource;
  return {
    ok: true,
    code: 200,
    ...reported,
    success: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: request.name, ...(group === '' ? {} : { group }), kind: kind.plural, uid: object.metadata.uid },
    },
  };
}

/**
 * A pending deletion is answered with 200 for compatibility with old clients, except for requests that cascade by `orphanDependents`: those
 * get 202. The specification lists both.
 */
const codeOfWaiting = ({ orphanDependents }: DeleteRequest): 200 | 202 => (orphanDependents === false ? 202 : 200);

/** Adds the warnings of a request to its refusal. */
function warnedRefusal<T>(warnings: readonly string[] | undefined, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Refusal) thrown.warnings = warnings;
    throw thrown;
  }
}

/** Warnings about deletions with a surprising effect. Models: pkg/registry/batch/job strategy.go WarningsOnDelete. */
const DELETE_WARNINGS: ReadonlyMap<string, (options: Deletion) => readonly string[] | undefined> = new Map([
  [
    'Job',
    ({ propagationPolicy, orphanDependents }) =>
      propagationPolicy === undefined && orphanDependents === undefined
        ? [
            'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
          ]
        : undefined,
  ],
]);

/** Returns the warnings of a deletion of objects of this kind. */
export const deleteWarnings = (resource: Resource, options: Deletion): readonly string[] | undefined =>
  DELETE_WARNINGS.get(resource.kind.kind)?.(options);

/** Deletes one object by name, with admission and the rules of its kind. */
export function removeOne(
  scope: Scope,
  resource: Resource,
  namespace: string | undefined,
  name: string,
  request: Extract<ApiRequest, { verb: 'delete' | 'deletecollection' }>,
): Deleted {
  const stored = scope.store.get(resource.kind.kind, storeKey(namespace, name));
  if (stored === undefined) throw notFound(resource, name);
  scope.admission.validateDeletion(scope, { verb: 'delete', resource, namespace, name, request, dryRun: isDryRun(request.dryRun) }, stored);
  const special = SPECIAL_DELETIONS.get(resource.kind.kind);
  return special === undefined ? deleteStored(scope, resource, stored, request) : special(scope, resource, stored, request);
}
