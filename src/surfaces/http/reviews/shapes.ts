/** Shapes of reviews and token requests. Source: v1.24 authorization/v1, authentication/v1. */
import { always, int64, list, map, obj, ptr, str, type Infer, field } from '../../../schema/shape/index.ts';
import { objectMeta } from '../../../apiserver/machinery/index.ts';

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
export const nonResourceAttributes = obj('NonResourceAttributes', { path: field(1, str()), verb: field(2, str()) });

const questions = { resourceAttributes: field(1, resourceAttributes), nonResourceAttributes: field(2, nonResourceAttributes) };

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
