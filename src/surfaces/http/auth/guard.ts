/**
 * The guard of an API: authenticates tokens, authorizes requests, and handles impersonation. Models: apiserver pkg/endpoints/filters
 * authentication.go, authorization.go, impersonation.go.
 */
import type { User } from '../../../apiserver/request/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { Call, Guard } from '../call.ts';
import { text, type HttpReply } from '../message.ts';
import { decodePercent } from '../request/query.ts';
import { authenticate, AUTHENTICATED, type Tokens } from './tokens.ts';

export interface TokenGuardOptions {
  readonly tokens: Tokens;
  /** Tokens of service accounts. */
  readonly accounts?: Tokens;
  /** Accepts requests without a token, as the anonymous user. */
  readonly anonymous: boolean;
  /** Throws a refusal for a request that is not allowed; absent: all are. */
  readonly authorize?: (call: Call, user: User) => void;
  /** Throws a refusal if the user may not impersonate another; absent: everybody may. */
  readonly authorizeImpersonation?: (call: Call, user: User, as: Impersonated) => void;
}

export interface Impersonated {
  readonly user: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export function tokenGuard({ tokens, anonymous, accounts, authorize, authorizeImpersonation }: TokenGuardOptions): Guard {
  return {
    authenticate: (http) => authenticate(http, accounts === undefined ? [tokens] : [tokens, accounts], anonymous),
    authorize(call) {
      const { headers } = call.http;
      const impersonated = impersonatedBy(headers);
      if (impersonated === undefined) {
        authorize?.(call, call.user);
        return call.user;
      }
      if (impersonated.user === '') return withoutUser(call, impersonated);
      authorizeImpersonation?.(call, call.user, impersonated);
      const user: User = { name: impersonated.user, groups: groupsFor(impersonated) };
      authorize?.(call, user);
      return user;
    },
  };
}

/** Returns the impersonated user of the headers; undefined without such headers. Repeated headers are joined by commas. */
function impersonatedBy(headers: Readonly<Record<string, string>>): Impersonated | undefined {
  const user = headers['impersonate-user'] ?? '';
  const uid = headers['impersonate-uid'] ?? '';
  const groups = listed(headers['impersonate-group']);
  const extra = new Map(
    Object.keys(headers)
      .filter((name) => name.startsWith('impersonate-extra-'))
      .sort(compareText)
      .map((name) => [unescapedKey(name.slice('impersonate-extra-'.length)), listed(headers[name])]),
  );
  return user === '' && uid === '' && groups.length === 0 && extra.size === 0 ? undefined : { user, uid, groups, extra };
}

/** A key with invalid escapes is used unchanged, like upstream. Models: net/url PathUnescape in unescapeExtraKey. */
function unescapedKey(key: string): string {
  return /%(?![0-9a-fA-F]{2})/.test(key) ? key : decodePercent(key);
}

const listed = (header: string | undefined): readonly string[] =>
  header === undefined || header === '' ? [] : header.split(',').map((value) => value.trim());

/** Without impersonated groups, the default groups of service accounts or users apply. */
function groupsFor({ user, groups }: Impersonated): readonly string[] {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user);
  const given = groups.length > 0 || account === null ? groups : ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`];
  if (user === 'system:anonymous') return given.includes('system:unauthenticated') ? given : [...given, 'system:unauthenticated'];
  return given.includes(AUTHENTICATED) || given.includes('system:unauthenticated') ? given : [...given, AUTHENTICATED];
}

/** The refusal for impersonation without a user; references are printed like Go structs. */
function withoutUser({ http }: Call, { uid, groups, extra }: Impersonated): HttpReply {
  const references = [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...[...extra].flatMap(([key, values]) => values.map((value) => `{UserExtra authentication.k8s.io/v1 ${value}   ${key} }`)),
    ...(uid === '' ? [] : [`{UID authentication.k8s.io/v1 ${uid}    }`]),
  ];
  return text(
    500,
    `Internal Server Error: ${JSON.stringify(http.target)}: requested [${references.join(' ')}] without impersonating a user\n`,
  );
}
