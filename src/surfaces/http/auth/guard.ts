/**
 * The guard of an API: tokens say who it is, an authorizer says what they may, and who may act as somebody else. Models: apiserver
 * pkg/endpoints/filters authentication.go, authorization.go, impersonation.go.
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
  /** Lets requests without a token in, as nobody in particular. */
  readonly anonymous: boolean;
  /** Throws what is not allowed; absent: everything is. */
  readonly authorize?: (call: Call, user: User) => void;
  /** Throws when the user may not act as another; absent: everybody may. */
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
      const asked = impersonatedBy(headers);
      if (asked === undefined) {
        authorize?.(call, call.user);
        return call.user;
      }
      if (asked.user === '') return withoutUser(call, asked);
      authorizeImpersonation?.(call, call.user, asked);
      const user: User = { name: asked.user, groups: groupsFor(asked) };
      authorize?.(call, user);
      return user;
    },
  };
}

/** Whom the headers ask to be; undefined without any. Headers of one name come joined by commas. */
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

/** A key whose escapes are none stands for itself, as upstream takes it. Models: net/url PathUnescape in unescapeExtraKey. */
function unescapedKey(key: string): string {
  return /%(?![0-9a-fA-F]{2})/.test(key) ? key : decodePercent(key);
}

const listed = (header: string | undefined): readonly string[] =>
  header === undefined || header === '' ? [] : header.split(',').map((value) => value.trim());

/** Without groups of their own, accounts and people have those everybody of their sort has. */
function groupsFor({ user, groups }: Impersonated): readonly string[] {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user);
  const own = groups.length > 0 || account === null ? groups : ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`];
  if (user === 'system:anonymous') return own.includes('system:unauthenticated') ? own : [...own, 'system:unauthenticated'];
  return own.includes(AUTHENTICATED) || own.includes('system:unauthenticated') ? own : [...own, AUTHENTICATED];
}

/** What else was asked for, printed as Go prints references. */
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
