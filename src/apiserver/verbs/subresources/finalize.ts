/** The finalize sub-resource of namespaces: the one way to change `spec.finalizers`; emptying it lets a deleted namespace go. Models: pkg/registry/core/namespace storage.go FinalizeREST. */
import type { ApiObject } from '../../vocabulary/index.ts';
import { checkName, decodeBody } from '../body.ts';
import { removeStored } from '../finalizers.ts';
import { storeKey, withMetadata } from '../../request/index.ts';
import { checkVersion } from '../update.ts';
import type { Subresource } from './contract.ts';

export const finalize: Subresource = {
  update(door, { resource, stored, name, body, dryRun }) {
    const given = decodeBody(door, resource, body, stored);
    checkName(name, given);
    checkVersion(resource, name, given, stored);
    const finalizers = (given['spec'] as { readonly finalizers?: readonly string[] } | undefined)?.finalizers ?? [];
    const { finalizers: _, ...kept } = stored['spec'] as { readonly finalizers?: readonly string[] };
    let object: ApiObject = { ...stored, spec: finalizers.length === 0 ? kept : { ...kept, finalizers } };
    const key = storeKey(undefined, name);
    if (!dryRun) {
      object = withMetadata(object, { resourceVersion: door.nextVersion() });
      const leaves =
        finalizers.length === 0 && stored.metadata.deletionTimestamp !== undefined && (stored.metadata.finalizers ?? []).length === 0;
      if (leaves) removeStored(door, resource, key, stored);
      else door.commit(resource, 'MODIFIED', key, object);
    }
    return { ok: true, code: 200, object };
  },
};
