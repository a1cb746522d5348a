/**
 * Who a request is from: a certificate, a bearer token, or nobody in particular. Models: apiserver pkg/authentication/request/x509,
 * request/bearertoken, token/tokenfile, request/anonymous.
 */
import type { User } from '../../../apiserver/request/index.ts';
import type { HttpRequest } from '../message.ts';
import { unauthorized } from '../refusals.ts';

/** Who has which token: a list, or whoever can tell from the token itself. */
export interface Tokens {
  get(token: string): User | undefined;
}

export const AUTHENTICATED = 'system:authenticated';
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

/**
 * Whoever is known belongs to the group of those who are, once. Models: apiserver pkg/authentication/group authenticated_group_adder.go.
 */
const authenticated = (groups: readonly string[]): readonly string[] =>
  groups.includes(AUTHENTICATED) ? groups : [...groups, AUTHENTICATED];

/**
 * The user of a request: its connection's certificate says it, or else a token. Refuses what nobody knows, be it the one or the other;
 * requests without either too, unless `anonymous`.
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

/** What stands behind the scheme, up to the next blank. */
function bearerOf(header: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (header ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** Lines `token,user,uid[,"group1,group2"]`; says which line is wrong. */
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

/** The fields of a line of comma-separated values; undefined when a quote is left open. */
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
