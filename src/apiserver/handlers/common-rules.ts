/**
 * What every update is checked for before its kind's own rules; most kinds check the same again, and clients see both. Models: apiserver
 * pkg/registry/rest update.go validateCommonFields.
 */
import {
  type ApiObject,
  type FieldError,
  type KindContext,
  pathSegmentName,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';
import type { ApiRequest, Resource } from '../request/index.ts';

const NONE: readonly FieldError[] = [];

/** Errors in the metadata an update would store. What is taken over by reference was judged when it was written. */
export function commonErrors(resource: Resource, object: ApiObject, stored: ApiObject, context: KindContext): readonly FieldError[] {
  const is = object.metadata;
  const was = stored.metadata;
  const same =
    is.labels === was.labels &&
    is.annotations === was.annotations &&
    is.ownerReferences === was.ownerReferences &&
    is.finalizers === was.finalizers &&
    is.uid === was.uid &&
    is.deletionTimestamp === was.deletionTimestamp &&
    is.deletionGracePeriodSeconds === was.deletionGracePeriodSeconds;
  if (same) return NONE;
  return [
    ...validateMeta(object, resource.kind.namespaced, pathSegmentName, context, 'metadata', false),
    // Which finalizers are standard is a rule of the kinds.
    ...validateMetaUpdate(object, stored, context).filter(({ field }) => !field.startsWith('metadata.finalizers[')),
  ];
}

/** What the kind itself says of an object, in the version that its writer speaks. */
export function ownErrors(
  { kind }: Resource,
  request: ApiRequest,
  object: ApiObject,
  stored: ApiObject | undefined,
  context: KindContext,
): readonly FieldError[] {
  const version = 'version' in request ? request.version : undefined;
  if (version !== undefined && kind.validateIn !== undefined) return kind.validateIn(version, object, stored, context);
  return stored === undefined ? kind.validate(object, context) : kind.validateUpdate(object, stored, context);
}
