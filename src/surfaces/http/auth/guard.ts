/** The guard of an API: authentication, authorization, impersonation. Models: apiserver pkg/endpoints/filters. */
import type { User } from '../../../apiserver/request/index.ts';
import { type HttpRequest, text, type HttpReply } from '../message.ts';
import { unauthorized } from '../refusals.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { Call, Guard } from '../call.ts';
import { decodePercent } from '../request/query.ts';

/** Users by token: a list, or a verifier that reads the token itself. */
export interface Tokens {
  get(token: string): User | undefined;
}

export const AUTHENTICATED = 'system:authenticated';
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/** An authenticated user is once in the group of authenticated users. Models: pkg/authentication/group. */
const authenticated = (groups: readonly string[]): readonly string[] =>
  groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];

/** Returns the user of a request, by certificate or token. Refuses unknown ones, and requests without either unless `anonymous`. */
function authenticate({ headers, peer }: HttpRequest, known: readonly Tokens[], anonymous: boolean): User {
  if (peer !== undefined && peer !== 'untrusted') return { name: peer.name, groups: authenticated(peer.groups) };
  const token = bearerOf(headers['authorization']);
  if (token !== undefined)
    for (const tokens of known) {
      const user = tokens.get(token);
      if (user !== undefined) return user;
    }
  if (token === undefined && peer === undefined && anonymous) return ANONYMOUS;
  throw unauthorized();
}

/** Returns the token after the scheme, up to the next space. */
function bearerOf(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Parses lines `token,user,uid[,"group1,group2"]`; the error names the line. */
export function readTokens(file: string): ReadonlyMap<string, User> | { readonly error: string } {
  const tokens = new Map<string, User>();
  for (const [index, line] of file.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fields = csvFields(line.trimEnd());
    const [token = '', name = '', uid = '', groups = ''] = fields ?? [];
    if (fields === undefined || fields.length < 3 || token === '' || name === '')
      return { error: `line ${index + 1}: expected token,user,uid or token,user,uid,"group1,group2"` };
    tokens.set(token, { name, ...(uid === '' ? {} : { uid }), groups: authenticated(listed(groups).filter((group) => group !== '')) });
  }
  return tokens;
}

/** Returns the fields of a line of comma-separated values; undefined for an unclosed quote. */
function csvFields(line: string): readonly string[] | undefined {
  const fields: string[] = [];
  const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const match = FIELD.exec(line);
    if (match === null) return undefined;
    fields.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return fields;
  }
}

interface TokenGuardOptions {
  readonly tokens: Tokens;
  readonly accounts?: Tokens;
  /** Accepts requests without a token, as the anonymous user. */
  readonly anonymous: boolean;
  /** Throws a refusal for a request that is not allowed; absent: all are. */
  readonly authorize?: (call: Call, user: User) => void;
  /** Throws a refusal if the user may not impersonate another; absent: everybody may. */
  readonly authorizeImpersonation?: (user: User, as: Impersonated) => void;
}

export type Impersonated = NonNullable<ReturnType<typeof impersonatedBy>>;

export function tokenGuard({ tokens, anonymous, accounts, authorize, authorizeImpersonation }: TokenGuardOptions): Guard {
  return {
    authenticate: (http) => authenticate(http, accounts === undefined ? [tokens] : [tokens, accounts], anonymous),
    authorize(call) {
      let { user } = call;
      const as = impersonatedBy(call.http.headers);
      if (as !== undefined) {
        if (as.user === '') return withoutUser(call, as);
        authorizeImpersonation?.(user, as);
        user = { name: as.user, groups: groupsFor(as), ...attributesOf(as) };
      }
      authorize?.(call, user);
      return user;
    },
  };
}

/** Returns the impersonated user of the headers; undefined without such headers. Repeated headers are joined by commas. */
function impersonatedBy(headers: Readonly<Record<string, string>>) {
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
const unescapedKey = (key: string): string => (/%(?![0-9a-fA-F]{2})/.test(key) ? key : decodePercent(key));

const listed = (header: string | undefined): readonly string[] =>
  header === undefined || header === '' ? [] : header.split(',').map((value) => value.trim());

/** Without impersonated groups, the default groups of service accounts or users apply. */
function groupsFor({ user, groups }: Impersonated): readonly string[] {
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user);
  const given = groups.length > 0 || account === null ? groups : ['system:serviceaccounts', `system:serviceaccounts:${account[1] ?? ''}`];
  if (user === 'system:anonymous') return given.includes('system:unauthenticated') ? given : [...given, 'system:unauthenticated'];
  return given.includes(AUTHENTICATED) || given.includes('system:unauthenticated') ? given : [...given, AUTHENTICATED];
}

const attributesOf = ({ uid, extra }: Impersonated): Pick<User, 'uid' | 'extra'> => ({
  ...(uid === '' ? {} : { uid }),
  ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
});

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
