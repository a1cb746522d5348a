/**
 * What updates of an object and of its status may not change: the other's part. Models: v1.24 pkg/registry, the strategies'
 * PrepareForUpdate.
 */
import { assign, castDraft, type Draft } from './draft.ts';
import type { ApiObject } from './object.ts';

/** An update leaves the status as it is. */
export function keepStatus(draft: Draft, old: ApiObject): void {
  assign(draft, 'status', old['status']);
}

/** An update of the status leaves the specification as it is. */
export function keepSpec(draft: Draft, old: ApiObject): void {
  assign(draft, 'spec', old['spec']);
}

/** An update of the status leaves the specification as it is, and the owners. */
export function keepSpecAndOwners(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  assign(draft.metadata, 'ownerReferences', castDraft(old.metadata.ownerReferences));
}

/** An update of the status leaves the specification as it is, and most of the metadata. Models: rest.ResetObjectMetaForStatus. */
export function keepSpecAndMeta(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const kept = old.metadata[field];
    assign<Draft['metadata'], typeof field>(draft.metadata, field, kept === undefined ? undefined : castDraft(kept));
  }
}

/**
 * An update of the status of a custom resource changes nothing but the status: not even labels. Models: v1.24 apiextensions-apiserver
 * pkg/registry/customresource status_strategy.go.
 */
export function keepAllButStatus(draft: Draft, old: ApiObject): void {
  for (const field in { ...draft, ...old }) if (field !== 'status' && field !== 'metadata') assign(draft, field, old[field]);
  const { metadata } = draft;
  const kept: ApiObject['metadata'] = old.metadata;
  for (const field of new Set([...Object.keys(metadata), ...Object.keys(kept)]) as Set<keyof ApiObject['metadata']>)
    if (field !== 'managedFields') assign<Draft['metadata'], typeof field>(metadata, field, castDraft(kept[field]));
}

const KEEPERS: ReadonlySet<unknown> = new Set([keepStatus, keepSpec, keepSpecAndOwners, keepSpecAndMeta, keepAllButStatus]);

/** Whether a hook does nothing but keep what is stored: it has nothing to say about a write that changes none of that. */
export const isKeeper = (hook: unknown): boolean => KEEPERS.has(hook);
