/** Access and token reviews: clients post questions, and nothing is stored. Models: v1.24 pkg/registry/authorization. */
import { rulesFor, type AccessQuestion } from '../../../apiserver/access/index.ts';
import type { FieldError, Names } from '../../../apiserver/machinery/index.ts';
import type { ObjectShape } from '../../../schema/shape/index.ts';
import { invalidAs, type User } from '../../../apiserver/request/index.ts';
import { aggregateText, own } from '../../../schema/values/index.ts';
import { reply } from '../answer/encode.ts';
import type { Area, Call } from '../call.ts';
import type { AccountTokens } from '../auth/account-tokens.ts';
import type { RequestAuthorizer } from '../auth/authorizer.ts';
import type { Tokens } from '../auth/guard.ts';
import type { ExtraRow } from '../discovery/resource-list.ts';
import type { HttpReply } from '../message.ts';
import { badRequest, methodNotAllowed } from '../refusals.ts';
import { checkAcceptable } from '../request/accept.ts';
import { readAs } from '../request/value.ts';
import {
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenReview,
  inNamespace,
  localReviewErrors,
  reviewErrors,
  selfReviewErrors,
} from './shapes.ts';
import type { AccessReview, RulesReview, SelfAccessReview, TokenReview } from './shapes.ts';

type Json = Readonly<Record<string, unknown>>;

interface Reviewers {
  readonly authorizer?: RequestAuthorizer | undefined;
  readonly tokens?: Tokens | undefined;
  readonly accounts: AccountTokens;
  /** Whether reviews of releases after v1.24 are answered. */
  readonly compat?: boolean | undefined;
}

/** What is posted has the shape of the schema. */
interface Review {
  readonly kind: string;
  readonly groupPrefix: 'authorization' | 'authentication';
  readonly namespaced?: true;
  /** v1.24 does not have it. */
  readonly isLater?: true;
  readonly schema: ObjectShape;
  validate?(given: never): FieldError[];
  answer(given: never, call: Call, by: Reviewers): Json;
}

const subject = {
  groupPrefix: 'authorization',
  schema: subjectAccessReview,
  answer: (given: AccessReview, _: Call, by: Reviewers): Json => access(given, asked(given), by),
} as const;
const REVIEWS: Readonly<Record<string, Review>> = {
  selfsubjectaccessreviews: {
    kind: 'SelfSubjectAccessReview',
    groupPrefix: 'authorization',
    schema: selfSubjectAccessReview,
    validate: selfReviewErrors,
    answer: (given: SelfAccessReview, { user }, by) => access(given, user, by),
  },
  subjectaccessreviews: { ...subject, kind: 'SubjectAccessReview', validate: reviewErrors },
  localsubjectaccessreviews: { ...subject, kind: 'LocalSubjectAccessReview', namespaced: true, validate: localReviewErrors },
  selfsubjectrulesreviews: {
    kind: 'SelfSubjectRulesReview',
    groupPrefix: 'authorization',
    schema: selfSubjectRulesReview,
    answer: rules,
  },
  tokenreviews: { kind: 'TokenReview', groupPrefix: 'authentication', schema: tokenReview, answer: tokenStatus },
  selfsubjectreviews: {
    kind: 'SelfSubjectReview',
    groupPrefix: 'authentication',
    isLater: true,
    schema: selfSubjectReview,
    answer: (_, { user }) => ({ userInfo: infoOf(user) }),
  },
};

const infoOf = ({ name, uid, groups, extra }: User): Json => ({ username: name, uid, groups, extra });

export const reviewRows = (names: Names): readonly ExtraRow[] =>
  Object.entries(REVIEWS).flatMap(([name, { kind, groupPrefix, namespaced = false, isLater }]) =>
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
    const review = own(REVIEWS, resource);
    if (
      review === undefined ||
      (review.isLater === true && by.compat !== true) ||
      name !== undefined ||
      below.special !== undefined ||
      (review.namespaced === true) !== (namespace !== undefined) ||
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
  const group = call.backend.names.group(groupPrefix);
  const apiVersion = `${group}/v1`;
  const read = readAs(call.http, kind, schema, apiVersion) as Json;
  const given = namespace === '' ? read : inNamespace(read, namespace);
  const errors = validate?.(given as never) ?? [];
  // Upstream takes the kind from the decoded object, where it is empty.
  if (errors.length > 0) throw invalidAs(group, '', '', errors);
  const { metadata, spec } = given;
  return reply(201, { kind, apiVersion, metadata, spec, status: answer(given as never, call, by) }, format);
}

const asked = ({ spec: { user = '', groups } }: AccessReview): User => ({ name: user, groups: groups ?? [] });

function access({ spec }: SelfAccessReview | AccessReview, user: User, { authorizer }: Reviewers): Json {
  if (authorizer === undefined) return { allowed: true };
  const { allowed, reason } = authorizer.decide(questionFrom(spec, user));
  return { allowed, ...(reason === '' ? {} : { reason }) };
}

function questionFrom({ resourceAttributes, nonResourceAttributes: other }: SelfAccessReview['spec'], user: User): AccessQuestion {
  if (other !== undefined) return { user, verb: other.verb ?? '', path: other.path ?? '' };
  const { verb = '', group = '', resource = '', subresource = '', name = '', namespace = '' } = resourceAttributes ?? {};
  return { user, verb, group, resource, subresource, name, namespace };
}

/** Returns the rules in a namespace, for resources and for paths. */
function rules({ spec: { namespace = '' } }: RulesReview, { backend, user }: Call, { authorizer }: Reviewers): Json {
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
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, resourceNames })),
    nonResourceRules: held
      .filter(({ nonResourceURLs }) => (nonResourceURLs ?? []).length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    // Failed lookups do not make the other rules incomplete.
    incomplete: false,
    evaluationError: errors.length === 0 ? undefined : aggregateText(errors),
  };
}

/** Returns the user of a token, and its valid audiences. Models: v1.24 pkg/registry/authentication/tokenreview storage.go. */
function tokenStatus({ spec: { token = '', audiences = [] } }: TokenReview, _: Call, { tokens, accounts }: Reviewers): Json {
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const listed = tokens?.get(token);
  const found = listed === undefined ? accounts.examine(token) : { user: listed, audiences: [accounts.issuer] };
  if (!('error' in found)) {
    const asked = audiences ?? [];
    const shared = found.audiences.filter((audience) => (asked.length === 0 ? audience === accounts.issuer : asked.includes(audience)));
    if (shared.length > 0) return { authenticated: true, user: infoOf(found.user), audiences: shared };
  }
  return { user: {}, error: '[invalid bearer token]' };
}
