/**
 * Checks of every update before the validation of its kind. Most kinds repeat these checks, and clients see both. Models: apiserver
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

/** Returns the errors in the metadata of an update. Parts taken from the stored object by reference are valid already. */
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
    // The check for standard finalizers belongs to the kinds.
    ...validateMetaUpdate(object, stored, context).filter(({ field }) => !field.startsWith('metadata.finalizers[')),
  ];
}

/** Returns the errors of the kind's own validation, in the version of the request. */
export function kindErrors(
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
