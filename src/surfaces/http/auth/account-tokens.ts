/**
 * Tokens of service accounts: all there is to know stands in the token, and a signature that only this server can make says that it is
 * so. Nothing is kept for those that were issued; one ends with its time, its account, and the pod or secret that it is bound to. Models:
 * v1.24 pkg/serviceaccount jwt.go, claims.go; simplified: one secret key for signing and checking, no leeway after the end of its time.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from '../../../apiserver/request/index.ts';
import { storeKey, type ApiObject } from '../../../apiserver/machinery/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import type { Backend } from '../backend.ts';
import { AUTHENTICATED, type Tokens } from './tokens.ts';

/** What a token of an account may be bound to. */
export const BOUND_KINDS = ['Pod', 'Secret'] as const;

export interface Bound {
  readonly kind: (typeof BOUND_KINDS)[number];
  readonly name: string;
  readonly uid: string;
}

/** What a token shall say. */
export interface TokenWish {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  readonly bound?: Bound | undefined;
}

export interface AccountTokens extends Tokens {
  /** Who speaks to this server. */
  readonly issuer: string;
  issue(wish: TokenWish): { readonly token: string; readonly expiresAt: number };
  /** Whose a token is, for whom it was made, or why it is good for nothing. */
  examine(token: string): { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string };
}

interface Named {
  readonly name: string;
  readonly uid: string;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly [PRIVATE]: { readonly namespace: string; readonly pod?: Named; readonly secret?: Named; readonly serviceaccount: Named };
  readonly nbf: number;
  readonly sub: string;
}

const PRIVATE = 'kubernetes.io';
const KEY_BYTES = 32;
/** Objects that are going keep their tokens for so long. */
const GOING_MS = 60_000;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = part({ alg: 'HS256', typ: 'JWT' });

/** `key`: the secret that signs; absent: one that nobody knows and that no other server has. */
export function createAccountTokens(backend: Backend, key: Uint8Array = randomBytes(KEY_BYTES)): AccountTokens {
  const issuer = `https://${backend.names.domain === 'k8s.io' ? 'kubernetes' : 'orch'}.default.svc`;
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const examine: AccountTokens['examine'] = (token) => {
    const claims = claimsOf(token, sign);
    if (claims === undefined) return { error: 'it was not made by this server' };
    if (backend.now() >= claims.exp * 1000) return { error: 'service account token has expired' };
    const user = userOf(claims, backend);
    return user === undefined ? { error: 'service account token has been invalidated' } : { user, audiences: claims.aud };
  };
  return {
    issuer,
    examine,
    get(token) {
      const found = examine(token);
      return 'error' in found || !found.audiences.includes(issuer) ? undefined : found.user;
    },
    issue({ account: { metadata }, audiences, lifetimeSeconds, bound }) {
      const namespace = metadata.namespace ?? '';
      const seconds = Math.floor(backend.now() / 1000);
      const claims: Claims = {
        aud: audiences,
        exp: seconds + lifetimeSeconds,
        iat: seconds,
        iss: issuer,
        [PRIVATE]: {
          namespace,
          ...(bound === undefined ? {} : { [bound.kind === 'Pod' ? 'pod' : 'secret']: { name: bound.name, uid: bound.uid } }),
          serviceaccount: { name: metadata.name, uid: metadata.uid },
        },
        nbf: seconds,
        sub: `system:serviceaccount:${namespace}:${metadata.name}`,
      };
      const signed = `${HEADER}.${part(claims)}`;
      return { token: `${signed}.${sign(signed).toString('base64url')}`, expiresAt: claims.exp * 1000 };
    },
  };
}

/** What a token says; undefined where this server did not sign it. */
function claimsOf(token: string, sign: (text: string) => Buffer): Claims | undefined {
  if (!token.startsWith(`${HEADER}.`)) return undefined;
  const at = token.lastIndexOf('.');
  const wanted = sign(token.slice(0, at)).toString('base64url');
  const given = token.slice(at + 1);
  // Only the one way to write it: base64 has several for the same bytes.
  if (given.length !== wanted.length || !timingSafeEqual(Buffer.from(given), Buffer.from(wanted))) return undefined;
  return JSON.parse(Buffer.from(token.slice(HEADER.length + 1, at), 'base64url').toString('utf8')) as Claims;
}

/** The account of a token, if all that it rests on is still there. */
function userOf({ [PRIVATE]: { namespace, serviceaccount, pod, secret } }: Claims, { store, now, names }: Backend): User | undefined {
  const stands = (kind: string, { name, uid }: Named): boolean => {
    const found = store.get(kind, storeKey(namespace, name));
    if (found === undefined || found.metadata.uid !== uid) return false;
    const { deletionTimestamp } = found.metadata;
    return deletionTimestamp === undefined || deletionTimestamp === null || parseTime(deletionTimestamp) + GOING_MS > now();
  };
  if (!stands('ServiceAccount', serviceaccount)) return undefined;
  if (pod !== undefined && !stands('Pod', pod)) return undefined;
  if (secret !== undefined && !stands('Secret', secret)) return undefined;
  return {
    name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
    uid: serviceaccount.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, AUTHENTICATED],
    ...(pod === undefined
      ? {}
      : { extra: { [names.key('authentication', 'pod-name')]: [pod.name], [names.key('authentication', 'pod-uid')]: [pod.uid] } }),
  };
}
