/** Hooks that restore the parts which an update may not change. Models: v1.24 pkg/registry, the strategies' PrepareForUpdate. */
import { assign, castDraft, type Draft } from './draft.ts';
import type { ApiObject } from './object.ts';

/** Restores the status, for updates of the main resource. */
export function keepStatus(draft: Draft, old: ApiObject): void {
  assign(draft, 'status', old['status']);
}

/** Restores the specification, for status updates. */
export function keepSpec(draft: Draft, old: ApiObject): void {
  assign(draft, 'spec', old['spec']);
}

/** Restores the specification and the owners, for status updates. */
export function keepSpecAndOwners(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  assign(draft.metadata, 'ownerReferences', castDraft(old.metadata.ownerReferences));
}

/** Restores the specification and most of the metadata, for status updates. Models: rest.ResetObjectMetaForStatus. */
export function keepSpecAndMeta(draft: Draft, old: ApiObject): void {
  keepSpec(draft, old);
  for (const field of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    const kept = old.metadata[field];
    assign<Draft['metadata'], typeof field>(draft.metadata, field, kept === undefined ? undefined : castDraft(kept));
  }
}

/**
 * Restores everything but the status, even labels, for status updates of custom resources. Models: v1.24 apiextensions-apiserver
 * pkg/registry/customresource status_strategy.go.
 */
export function keepAllButStatus(draft: Draft, old: ApiObject): void {
  for (const field in { ...draft, ...old }) if (field !== 'status' && field !== 'metadata') assign(draft, field, old[field]);
  const { metadata } = draft;
  const kept: ApiObject['metadata'] = old.metadata;
  for (const field of new Set([...Object.keys(metadata), ...Object.keys(kept)]) as Set<keyof ApiObject['metadata']>)
    if (field !== 'managedFields') assign<Draft['metadata'], typeof field>(metadata, field, castDraft(kept[field]));
}

const RESTORING_HOOKS: ReadonlySet<unknown> = new Set([keepStatus, keepSpec, keepSpecAndOwners, keepSpecAndMeta, keepAllButStatus]);

/** Whether a hook only restores stored parts, so that it does not affect a write that leaves them unchanged. */
export const isRestoringHook = (hook: unknown): boolean => RESTORING_HOOKS.has(hook);
