/**
 * Authenticates a request: by certificate, by bearer token, or as anonymous. Models: apiserver pkg/authentication/request/x509,
 * request/bearertoken, token/tokenfile, request/anonymous.
 */
import type { User } from '../../../apiserver/request/index.ts';
import type { HttpRequest } from '../message.ts';
import { unauthorized } from '../refusals.ts';

/** Users by token: a list, or a verifier that reads the token itself. */
export interface Tokens {
  get(token: string): User | undefined;
}

export const AUTHENTICATED = 'system:authenticated';
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * An authenticated user belongs to the group of authenticated users, once. Models: apiserver pkg/authentication/group
 * authenticated_group_adder.go.
 */
const authenticated = (groups: readonly string[]): readonly string[] =>
  groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];

/**
 * Returns the user of a request, by the certificate of its connection or by its token. Refuses unknown certificates and tokens; requests
 * without either too, unless `anonymous`.
 */
export function authenticate({ headers, peer }: HttpRequest, known: readonly Tokens[], anonymous: boolean): User {
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
    const [token = '', name = '', , groups = ''] = fields ?? [];
    if (fields === undefined || fields.length < 3 || token === '' || name === '')
      return { error: `line ${index + 1}: expected token,user,uid or token,user,uid,"group1,group2"` };
    tokens.set(token, {
      name,
      groups: authenticated(
        groups
          .split(',')
          .map((group) => group.trim())
          .filter((group) => group !== ''),
      ),
    });
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
