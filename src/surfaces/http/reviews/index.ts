/** Access and token reviews: clients post questions, and nothing is stored. Models: v1.24 pkg/registry/authorization. */
import { rulesFor, type AccessQuestion } from '../../../apiserver/access/index.ts';
import type { FieldError, Names, PolicyRule } from '../../../apiserver/machinery/index.ts';
import type { Schema } from '../../../schema/shape/index.ts';
import { invalidAs, type User } from '../../../apiserver/request/index.ts';
import { aggregateText } from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import type { Area, Call } from '../call.ts';
import type { AccountTokens } from '../auth/account-tokens.ts';
import type { RequestAuthorizer } from '../auth/authorizer.ts';
import type { Tokens } from '../auth/guard.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { badRequest, methodNotAllowed } from '../refusals.ts';
import { checkAcceptable } from '../request/accept.ts';
import { bodyOf, decodedAs } from '../request/value.ts';
import {
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenReview,
  type AccessReview,
  type RulesReview,
  type SelfAccessReview,
  type TokenReview,
} from './shapes.ts';
import { inNamespace, localReviewErrors, reviewErrors, selfReviewErrors } from './validate.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Reviewers {
  readonly authorizer?: RequestAuthorizer | undefined;
  readonly tokens?: Tokens | undefined;
  readonly accounts: AccountTokens;
  /** Whether reviews of releases after v1.24 are answered. */
  readonly compat?: boolean | undefined;
}

interface Review {
  readonly kind: string;
  readonly groupPrefix: 'authorization' | 'authentication';
  readonly namespaced: boolean;
  /** v1.24 does not have it. */
  readonly isLater?: true;
  readonly schema: Schema & { readonly type: 'object' };
  validate?(given: Json): FieldError[];
  answer(given: Json, call: Call, by: Reviewers): Json;
}

const review = <G>({
  validate,
  ...of
}: Omit<Review, 'answer' | 'validate'> & {
  validate?(given: G): FieldError[];
  answer(given: G, call: Call, by: Reviewers): Json;
}): Review => ({
  ...of,
  ...(validate === undefined ? {} : { validate: (given) => validate(given as G) }),
  answer: (given, call, by) => of.answer(given as G, call, by),
});

const ACCESS = { groupPrefix: 'authorization', namespaced: false } as const;
const subject = { ...ACCESS, schema: subjectAccessReview };
const answerSubject = (given: AccessReview, _: Call, { authorizer }: Reviewers): Json => access(given, asked(given), authorizer);
const REVIEWS: Readonly<Record<string, Review>> = {
  selfsubjectaccessreviews: review<SelfAccessReview>({
    ...ACCESS,
    kind: 'SelfSubjectAccessReview',
    schema: selfSubjectAccessReview,
    validate: selfReviewErrors,
    answer: (given, { user }, { authorizer }) => access(given, user, authorizer),
  }),
  subjectaccessreviews: review<AccessReview>({ ...subject, kind: 'SubjectAccessReview', validate: reviewErrors, answer: answerSubject }),
  localsubjectaccessreviews: review<AccessReview>({
    ...subject,
    kind: 'LocalSubjectAccessReview',
    namespaced: true,
    validate: localReviewErrors,
    answer: answerSubject,
  }),
  selfsubjectrulesreviews: review<RulesReview>({
    ...ACCESS,
    kind: 'SelfSubjectRulesReview',
    schema: selfSubjectRulesReview,
    answer: (given, call, { authorizer }) => rules(given, call, authorizer),
  }),
  tokenreviews: review<TokenReview>({
    kind: 'TokenReview',
    groupPrefix: 'authentication',
    namespaced: false,
    schema: tokenReview,
    answer: (given, _, by) => tokenStatus(given, by),
  }),
  selfsubjectreviews: review({
    kind: 'SelfSubjectReview',
    groupPrefix: 'authentication',
    namespaced: false,
    isLater: true,
    schema: selfSubjectReview,
    answer: (_, { user }) => ({ userInfo: infoOf(user) }),
  }),
};

const infoOf = ({ name, uid, groups, extra }: User): Json => ({
  username: name,
  ...(uid === undefined ? {} : { uid }),
  groups,
  ...(extra === undefined ? {} : { extra }),
});

export const reviewRows = (names: Names): readonly ExtraRow[] =>
  Object.entries(REVIEWS).flatMap(([name, { kind, groupPrefix, namespaced, isLater }]) =>
    isLater === true
      ? []
      : [{ group: names.group(groupPrefix), version: 'v1', row: { name, singularName: '', namespaced, kind, verbs: ['create'] } }],
  );

/** Without an authorizer everything is allowed, and the answers say so. */
export function reviews(by: Reviewers): Area {
  return (call) => {
    const { below } = call;
    if (below?.version !== 'v1') return undefined;
    const { namespace, resource = '', name } = below;
    const review = REVIEWS[resource];
    if (
      review === undefined ||
      (review.isLater === true && by.compat !== true) ||
      name !== undefined ||
      below.special !== undefined ||
      review.namespaced !== (namespace !== undefined) ||
      below.group !== call.backend.names.group(review.groupPrefix)
    )
      return undefined;
    if (call.http.method !== 'POST') throw methodNotAllowed();
    checkAcceptable(call.http.headers['accept']);
    return post(review, call, by, namespace ?? '');
  };
}

function post({ kind, groupPrefix, schema, validate, answer }: Review, call: Call, by: Reviewers, namespace: string): HttpReply {
  const format = call.format();
  const apiVersion = `${call.backend.names.group(groupPrefix)}/v1`;
  const { value } = bodyOf(call.http, kind, (asKind, version) => (asKind === kind && version === apiVersion ? schema : undefined));
  let given = decodedAs(kind, schema, value) as Json;
  if (namespace !== '') given = inNamespace(given, namespace);
  const errors = validate?.(given) ?? [];
  // Upstream takes the kind from the decoded object, where it is empty.
  if (errors.length > 0) throw invalidAs(call.backend.names.group(groupPrefix), '', '', errors);
  return reply(
    201,
    {
      kind,
      apiVersion,
      metadata: given['metadata'],
      ...(given['spec'] === undefined ? {} : { spec: given['spec'] }),
      status: answer(given, call, by),
    },
    format,
  );
}

const asked = ({ spec: { user = '', groups } }: AccessReview): User => ({ name: user, groups: groups ?? [] });

const access = (review: SelfAccessReview | AccessReview, user: User, authorizer: RequestAuthorizer | undefined): Json =>
  decided(questionFrom(review.spec, user), authorizer);

function questionFrom(
  { resourceAttributes, nonResourceAttributes }: AccessReview['spec'] | SelfAccessReview['spec'],
  user: User,
): AccessQuestion {
  if (nonResourceAttributes !== undefined) return { user, verb: nonResourceAttributes.verb ?? '', path: nonResourceAttributes.path ?? '' };
  const { verb = '', group = '', resource = '', subresource = '', name = '', namespace = '' } = resourceAttributes ?? {};
  return { user, verb, group, resource, subresource, name, namespace };
}

function decided(question: AccessQuestion, authorizer: RequestAuthorizer | undefined): Json {
  if (authorizer === undefined) return { allowed: true };
  const { allowed, reason } = authorizer.decide(question);
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

/** Returns the rules in a namespace, for resources and for paths. */
function rules({ spec: { namespace = '' } }: RulesReview, { backend, user }: Call, authorizer: RequestAuthorizer | undefined): Json {
  if (namespace === '') throw badRequest('no namespace on request');
  if (authorizer === undefined)
    return {
      resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
      incomplete: false,
    };
  const given = [...rulesFor(backend.store, backend.names, user, namespace)];
  const held = given.flatMap((each) => (each.error === undefined ? [each.rule] : []));
  const errors = given.flatMap((each) => each.error ?? []);
  return {
    resourceRules: held
      .filter(({ resources }) => (resources ?? []).length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }: PolicyRule) => ({
        verbs,
        ...(apiGroups === undefined ? {} : { apiGroups }),
        resources,
        ...(resourceNames === undefined ? {} : { resourceNames }),
      })),
    nonResourceRules: held
      .filter(({ nonResourceURLs }) => (nonResourceURLs ?? []).length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    // Failed lookups do not make the other rules incomplete.
    incomplete: false,
    ...(errors.length === 0 ? {} : { evaluationError: aggregateText(errors) }),
  };
}

/** Returns the user of a token, and its valid audiences. Models: v1.24 pkg/registry/authentication/tokenreview storage.go. */
function tokenStatus({ spec: { token = '', audiences = [] } }: TokenReview, { tokens, accounts }: Reviewers): Json {
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const listed = tokens?.get(token);
  const found = listed === undefined ? accounts.examine(token) : { user: listed, audiences: [accounts.issuer] };
  if (!('error' in found)) {
    const asked = audiences ?? [];
    const shared = found.audiences.filter((audience) => (asked.length === 0 ? audience === accounts.issuer : asked.includes(audience)));
    if (shared.length > 0) {
      return { authenticated: true, user: infoOf(found.user), audiences: shared };
    }
  }
  return { user: {}, error: '[invalid bearer token]' };
}
