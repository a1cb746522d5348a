/** What every update is checked for before its kind's own rules; most kinds check the same again, and clients see both. Models: apiserver pkg/registry/rest update.go validateCommonFields. */
import { pathSegmentName, validateMeta, validateMetaUpdate, type KindContext } from '../api/index.ts';
import type { ApiObject } from '../api/object.ts';
import type { FieldError } from '../api/status.ts';
import type { Resource } from './resource.ts';

const NONE: readonly FieldError[] = [];

/** Errors in the metadata an update would store. What is taken over by reference was judged when it was written. */
export function commonErrors(resource: Resource, object: ApiObject, stored: ApiObject, context: KindContext): readonly FieldError[] {
  const is = object.metadata;
  const was = stored.metadata;
  const same = is.labels === was.labels && is.annotations === was.annotations && is.ownerReferences === was.ownerReferences && is.finalizers === was.finalizers
    && is.uid === was.uid && is.deletionTimestamp === was.deletionTimestamp && is.deletionGracePeriodSeconds === was.deletionGracePeriodSeconds;
  if (same) return NONE;
  return [
    ...validateMeta(object, resource.kind.namespaced, pathSegmentName, context, 'metadata', false),
    // Which finalizers are standard is a rule of the kinds.
    ...validateMetaUpdate(object, stored, context).filter(({ field }) => !field.startsWith('metadata.finalizers[')),
  ];
}
