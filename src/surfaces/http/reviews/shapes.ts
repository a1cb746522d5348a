/**
 * Shapes of reviews and token requests, and what is valid of them. Source: v1.24 authorization/v1, authentication/v1,
 * pkg/apis/authorization/validation; pkg/registry/rest meta.go (namespaces).
 */
import { always, int64, list, map, obj, ptr, str, type Infer, field } from '../../../schema/shape/index.ts';
import { objectMeta, type FieldError, invalid, shown } from '../../../apiserver/machinery/index.ts';
import { present } from '../../../schema/values/index.ts';
import { badRequest } from '../refusals.ts';

const typed = { kind: str(), apiVersion: str(), metadata: field(1, always(objectMeta)) };
const resourceAttributes = obj('ResourceAttributes', {
  namespace: field(1, str()),
  verb: field(2, str()),
  group: field(3, str()),
  version: field(4, str()),
  resource: field(5, str()),
  subresource: field(6, str()),
  name: field(7, str()),
});
const nonResourceSchema = obj('NonResourceAttributes', { path: field(1, str()), verb: field(2, str()) });

const questions = { resourceAttributes: field(1, resourceAttributes), nonResourceAttributes: field(2, nonResourceSchema) };

const review = <F extends Parameters<typeof obj>[1]>(name: string, spec: F) =>
  obj(name, { ...typed, spec: field(2, always(obj(`${name}Spec`, spec))) });

export const selfSubjectAccessReview = review('SelfSubjectAccessReview', questions);

export const subjectAccessReview = review('SubjectAccessReview', {
  ...questions,
  user: field(3, str()),
  groups: field(4, list(str())),
  extra: field(5, map(list(str()))),
  uid: field(6, str()),
});

export const selfSubjectRulesReview = review('SelfSubjectRulesReview', { namespace: field(1, str()) });

/** Of v1.28: it has no spec. */
export const selfSubjectReview = obj('SelfSubjectReview', typed);

export const tokenRequest = review('TokenRequest', {
  audiences: field(1, list(str())),
  expirationSeconds: field(4, ptr(int64)),
  boundObjectRef: field(
    3,
    obj('BoundObjectReference', { kind: field(1, str()), apiVersion: field(2, str()), name: field(3, str()), uid: field(4, str()) }),
  ),
});

export const tokenReview = review('TokenReview', { token: field(1, str()), audiences: field(2, list(str())) });

export type AccessReview = Infer<typeof subjectAccessReview>;
export type SelfAccessReview = Infer<typeof selfSubjectAccessReview>;
export type RulesReview = Infer<typeof selfSubjectRulesReview>;
export type TokenReview = Infer<typeof tokenReview>;
export type TokenRequest = Infer<typeof tokenRequest>;

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
