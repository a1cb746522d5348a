/** Shapes of reviews and token requests. Source: v1.24 authorization/v1, authentication/v1. */
import { always, int64, list, map, obj, ptr, str, type Infer } from '../../../schema/shape/index.ts';
import { objectMeta } from '../../../apiserver/machinery/index.ts';

const typed = { kind: str(), apiVersion: str(), metadata: always(objectMeta) };
const resourceAttributes = obj('ResourceAttributes', {
  namespace: str(),
  verb: str(),
  group: str(),
  version: str(),
  resource: str(),
  subresource: str(),
  name: str(),
});
const nonResourceAttributes = obj('NonResourceAttributes', { path: str(), verb: str() });

export const selfSubjectAccessReview = obj('SelfSubjectAccessReview', {
  ...typed,
  spec: always(obj('SelfSubjectAccessReviewSpec', { resourceAttributes, nonResourceAttributes })),
});
export const subjectAccessReview = obj('SubjectAccessReview', {
  ...typed,
  spec: always(
    obj('SubjectAccessReviewSpec', {
      resourceAttributes,
      nonResourceAttributes,
      user: str(),
      groups: list(str()),
      extra: map(list(str())),
      uid: str(),
    }),
  ),
});
export const selfSubjectRulesReview = obj('SelfSubjectRulesReview', {
  ...typed,
  spec: always(obj('SelfSubjectRulesReviewSpec', { namespace: str() })),
});
export const tokenRequest = obj('TokenRequest', {
  ...typed,
  spec: always(
    obj('TokenRequestSpec', {
      audiences: list(str()),
      expirationSeconds: ptr(int64),
      boundObjectRef: obj('BoundObjectReference', { kind: str(), apiVersion: str(), name: str(), uid: str() }),
    }),
  ),
});

export const tokenReview = obj('TokenReview', { ...typed, spec: always(obj('TokenReviewSpec', { token: str(), audiences: list(str()) })) });

export type AccessReview = Infer<typeof subjectAccessReview>;
export type SelfAccessReview = Infer<typeof selfSubjectAccessReview>;
export type RulesReview = Infer<typeof selfSubjectRulesReview>;
export type TokenReview = Infer<typeof tokenReview>;
export type TokenRequest = Infer<typeof tokenRequest>;
