/** The finalize sub-resource changes `spec.finalizers` of a namespace. Models: pkg/registry/core/namespace storage.go FinalizeREST. */
import { assign, castDraft, type Draft, produce } from '../../machinery/index.ts';
import type { Namespace } from '../../kinds/index.ts';
import { checkName, decodeBody } from '../body.ts';
import { stamped, storeKey } from '../../request/index.ts';
import { checkVersion } from '../../write/index.ts';
import type { Subresource } from './contract.ts';

export const finalize: Subresource = {
  update(scope, { resource, name, sent, dryRun }, stored) {
    const given = decodeBody(scope, resource, sent, stored);
    checkName(name, given);
    checkVersion(resource, name, given.metadata.resourceVersion, stored);
    const { finalizers = [] } = (given['spec'] ?? {}) as Namespace['spec'];
    const object = produce(stored, (draft) => {
      assign((draft as Draft<Namespace>).spec, 'finalizers', finalizers.length === 0 ? undefined : castDraft(finalizers));
    });
    const key = storeKey(undefined, name);
    const { metadata } = stored;
    if (dryRun) return { ok: true, code: 200, object: stamped(object, metadata.resourceVersion) };
    if (finalizers.length > 0 || metadata.deletionTimestamp === undefined || (metadata.finalizers ?? []).length > 0)
      return { ok: true, code: 200, object: scope.commit(resource, 'MODIFIED', key, object) };
    const next = String(scope.store.revision + 1);
    scope.commit(resource, 'DELETED', key, stored);
    return { ok: true, code: 200, object: stamped(object, next) };
  },
};
