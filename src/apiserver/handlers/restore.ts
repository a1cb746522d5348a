/**
 * Restores objects of another cluster into an empty store. No request makes them: they keep uid, status, times and owners, and their
 * revisions where these ascend, as a server finds them in etcd when it starts.
 */
import { type ApiObject, hooksOf, type Kind, type KindContext, produce } from '../machinery/index.ts';
import { DecodeError, decodeLasting } from '../../schema/shape/index.ts';
import { envelopeOf, stamped, storeKey } from '../request/index.ts';
import type { WritableStore } from '../store/index.ts';

/** The actor of restored objects in a trace. */
export const RESTORE = 'restore';

interface Restore {
  readonly store: WritableStore;
  now(): number;
  /** Draws the identity of the observation of a commit. */
  entry(): number;
}

/** Commits canonical objects in their order. An object without an ascending resourceVersion gets the next revision. */
export function restoreObjects(objects: readonly ApiObject[], { store, now, entry }: Restore): void {
  for (const object of objects) {
    const { kind, metadata } = object;
    store.continueAt(revisionOf(object));
    const key = storeKey(metadata.namespace, metadata.name);
    const envelope = envelopeOf(RESTORE, { verb: 'create', kind, body: object });
    const stored = stamped(object, String(store.revision + 1));
    store.commit({ type: 'ADDED', kind, key, object: stored, at: now(), entry: entry() }, envelope);
  }
}

/** The revision of an object, as a number; 0 where its resourceVersion is none. */
export function revisionOf({ metadata: { resourceVersion = '' } }: ApiObject): number {
  return /^[1-9][0-9]{0,14}$/.test(resourceVersion) ? Number(resourceVersion) : 0;
}

/** Reads an object as a server reads what it has stored: canonical, with the defaults of its kind, without fields that the kind lacks. */
export function readStored(kind: Kind, given: object, context: KindContext): { readonly object: ApiObject } | { readonly why: string } {
  try {
    const read = decodeLasting(kind.schema, given) as ApiObject;
    const object = produce(read, (draft) => {
      for (const hook of hooksOf(kind.applyDefaults)) hook.run(draft, context);
    });
    return { object };
  } catch (error) {
    if (error instanceof DecodeError) return { why: error.message };
    throw error;
  }
}
