/** What updates of an object and of its status may not change: the other's part. Models: v1.24 pkg/registry, the strategies' PrepareForUpdate. */
import type { Draft } from './kind.ts';
import type { ApiObject } from './object.ts';

/** An update leaves the status as it is. */
export function keepStatus(draft: Draft, old: ApiObject): void {
  draft['status'] = old['status'];
}

/** An update of the status leaves the specification as it is. */
export function keepSpec(draft: Draft, old: ApiObject): void {
  draft['spec'] = old['spec'];
}

/** An update of the status leaves the specification as it is, and most of the metadata. Models: rest.ResetObjectMetaForStatus. */
export function keepSpecAndMeta(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    if (old.metadata[field] === undefined) delete draft.metadata[field];
    else draft.metadata[field] = old.metadata[field];
  }
}
