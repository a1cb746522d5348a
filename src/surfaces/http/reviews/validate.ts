/** Validation of reviews. Models: v1.24 pkg/apis/authorization/validation; pkg/registry/rest meta.go (namespaces). */
import { type FieldError, invalid, objectMeta, shown } from '../../../apiserver/machinery/index.ts';
import { present } from '../../../schema/values/index.ts';
import { badRequest } from '../refusals.ts';
import { type AccessReview, nonResourceAttributes as nonResourceSchema, type SelfAccessReview } from './shapes.ts';

type Spec = SelfAccessReview['spec'];

const nonResourceError = ({ nonResourceAttributes }: Spec, detail: string): FieldError =>
  invalid('spec.nonResourceAttributes', shown(nonResourceAttributes, nonResourceSchema, 'authorization'), detail);

function specErrors(spec: Spec): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    return [nonResourceError(spec, 'cannot be specified in combination with resourceAttributes')];
  if (resourceAttributes === undefined && nonResourceAttributes === undefined)
    return [invalid('spec.resourceAttributes', 'null', 'exactly one of nonResourceAttributes or resourceAttributes must be specified')];
  return [];
}

function subjectErrors({ spec }: AccessReview): FieldError[] {
  const { user = '', groups } = spec;
  const errors = specErrors(spec);
  if (user === '' && (groups ?? []).length === 0)
    errors.push(invalid('spec.user', user, 'at least one of user or group must be specified'));
  return errors;
}

type Meta = SelfAccessReview['metadata'];

/** A review is never stored, so its metadata must be empty. */
function metaErrors(metadata: Meta, ignored: ReadonlySet<string>, detail: string): FieldError[] {
  const said = Object.entries(metadata).some(
    ([name, value]) => value !== null && value !== undefined && value !== '' && !ignored.has(name),
  );
  return said ? [invalid('metadata', shown(metadata, objectMeta), detail)] : [];
}

const MANAGERS: ReadonlySet<string> = new Set(['managedFields']);
const MANAGERS_AND_PLACE: ReadonlySet<string> = new Set(['managedFields', 'namespace']);

export const selfReviewErrors = ({ spec, metadata }: SelfAccessReview): FieldError[] => [
  ...specErrors(spec),
  ...metaErrors(metadata, MANAGERS, 'must be empty'),
];

export const reviewErrors = (review: AccessReview): FieldError[] => [
  ...subjectErrors(review),
  ...metaErrors(review.metadata, MANAGERS, 'must be empty'),
];

export function localReviewErrors(review: AccessReview): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = review.spec;
  const errors = [...subjectErrors(review), ...metaErrors(review.metadata, MANAGERS_AND_PLACE, 'must be empty except for namespace')];
  if (resourceAttributes !== undefined && (resourceAttributes.namespace ?? '') !== (review.metadata.namespace ?? ''))
    errors.push(invalid('spec.resourceAttributes.namespace', resourceAttributes.namespace ?? '', 'must match metadata.namespace'));
  if (nonResourceAttributes !== undefined) errors.push(nonResourceError(review.spec, 'disallowed on this kind of request'));
  return errors;
}

type Json = Readonly<Record<string, unknown>>;

/** Sets the namespace of a review from its path; refuses another namespace in the object. */
export function inNamespace(given: Json, namespace: string): Json {
  const metadata = given['metadata'] as Meta;
  if (metadata.namespace === namespace) return given;
  if ((metadata.namespace ?? '') !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const { name, generateName, ...rest } = metadata;
  return { ...given, metadata: { ...present({ name, generateName }), namespace, ...rest } };
}
