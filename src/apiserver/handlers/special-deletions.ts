/** Kinds with special deletion. Models: pkg/registry/core/namespace/storage storage.go Delete. */
import { type ApiObject, assign, castDraft, produce } from '../machinery/index.ts';
import { checkPreconditions, deleteStored, type Deleted, type Deletion } from './deletion.ts';
import { type Resource, stamped, storeKey } from '../request/index.ts';
import type { Scope } from '../write/index.ts';
import { finalizersForDeletion } from './finalizers.ts';
import { formatTime } from '../../schema/values/index.ts';
import { isDryRun } from './options.ts';

type SpecialDeletion = (scope: Scope, resource: Resource, stored: ApiObject, options: Deletion) => Deleted;

/**
 * The deletion of a namespace first sets its phase to Terminating. The namespace is removed when its content is gone and `spec.finalizers`
 * is empty.
 */
const namespace: SpecialDeletion = (scope, resource, stored, options) => {
  checkPreconditions(resource, stored, options.preconditions);
  if (stored.metadata.deletionTimestamp === undefined) {
    const { name, resourceVersion } = stored.metadata;
    const object = produce(stored, (draft) => {
      draft.metadata.deletionTimestamp = formatTime(scope.now());
      assign(draft.metadata, 'finalizers', castDraft(finalizersForDeletion(resource, stored, options)));
      draft['status'] = { ...(stored['status'] as object | undefined), phase: 'Terminating' };
    });
    return {
      object: isDryRun(options.dryRun)
        ? stamped(object, resourceVersion)
        : scope.commit(resource, 'MODIFIED', storeKey(undefined, name), object),
      gone: false,
    };
  }
  const { finalizers } = (stored['spec'] ?? {}) as { readonly finalizers?: readonly string[] };
  if (finalizers !== undefined && finalizers.length > 0) return { object: stored, gone: false };
  return deleteStored(scope, resource, stored, options);
};

export const SPECIAL_DELETIONS: ReadonlyMap<string, SpecialDeletion> = new Map([['Namespace', namespace]]);
