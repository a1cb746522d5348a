/**
 * The delete verb: finds the object, asks admission, deletes it its kind's way, answers what the kind answers. Models: apiserver
 * pkg/endpoints/handlers/delete.go.
 */
import { checkDeleteOptions, deleteStored, type Deleted, type Deletion } from './deletion.ts';
import { type ApiRequest, type ApiResponse, notFound, Refusal, type Resource, storeKey } from '../request/index.ts';
import type { Scope } from './request-scope.ts';
import { isDryRun } from './options.ts';
import { SPECIAL_DELETIONS } from './special-deletions.ts';

type DeleteRequest = Extract<ApiRequest, { verb: 'delete' }>;

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
 * What is accepted but not done yet is told with 200 to everybody but those who ask for a cascade in the old words: clients had come to
 * expect it. The specification lists both.
 */
const codeOfWaiting = ({ orphanDependents }: DeleteRequest): 200 | 202 => (orphanDependents === false ? 202 : 200);

/** A refusal carries the warnings of its request. */
function warnedRefusal<T>(warnings: readonly string[] | undefined, act: () => T): T {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof Refusal) thrown.warnings = warnings;
    throw thrown;
  }
}

/** What a client is told who may not expect it. Models: pkg/registry/batch/job strategy.go WarningsOnDelete. */
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

/** What whoever deletes objects of a kind like this is told. */
export const deleteWarnings = (resource: Resource, options: Deletion): readonly string[] | undefined =>
  DELETE_WARNINGS.get(resource.kind.kind)?.(options);

/** Deletes one object by name, admission and the kind's own way included. */
export function removeOne(
  scope: Scope,
  resource: Resource,
  namespace: string | undefined,
  name: string,
  request: Extract<ApiRequest, { verb: 'delete' | 'deletecollection' }>,
): Deleted {
  const stored = scope.store.get(resource.kind.kind, storeKey(namespace, name));
  if (stored === undefined) throw notFound(resource, name);
  scope.admission.validate(scope, { verb: 'delete', resource, namespace, name, request, dryRun: isDryRun(request.dryRun) }, stored, stored);
  const special = SPECIAL_DELETIONS.get(resource.kind.kind);
  return special === undefined ? deleteStored(scope, resource, stored, request) : special(scope, resource, stored, request);
}
