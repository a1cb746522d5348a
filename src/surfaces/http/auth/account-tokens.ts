/**
 * Tokens of service accounts. A token contains all its claims and a signature of this server, so issued tokens are not stored. A token ends
 * at its expiry, with its account, and with the pod or secret that it is bound to. Models: v1.24 pkg/serviceaccount jwt.go, claims.go;
 * simplified: one secret key for signing and checking, no leeway after the expiry.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { User } from '../../../apiserver/request/index.ts';
import { storeKey, type ApiObject } from '../../../apiserver/machinery/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import type { Backend } from '../backend.ts';
import { AUTHENTICATED } from './guard.ts';

export const BOUND_KINDS = ['Pod', 'Secret'] as const;

export interface Bound {
  readonly kind: (typeof BOUND_KINDS)[number];
  readonly name: string;
  readonly uid: string;
}

interface TokenSpec {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  readonly bound?: Bound | undefined;
}

export type AccountTokens = ReturnType<typeof createAccountTokens>;

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
/** Tokens bound to a deleted object stay valid for so long, in milliseconds. */
const DELETED_LEEWAY_MS = 60_000;

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = part({ alg: 'HS256', typ: 'JWT' });

/** `key`: the signing secret; absent: a random one, unknown to any other server. */
export function createAccountTokens(backend: Backend, key: Uint8Array = randomBytes(KEY_BYTES)) {
  const issuer = `https://${backend.names.domain === 'k8s.io' ? 'kubernetes' : 'orch'}.default.svc`;
  const sign = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  /** Returns user and audiences of a token, or why it is invalid. */
  const examine = (token: string): { readonly user: User; readonly audiences: readonly string[] } | { readonly error: string } => {
    const claims = claimsOf(token, sign);
    if (claims === undefined) return { error: 'it was not made by this server' };
    if (backend.now() >= claims.exp * 1000) return { error: 'service account token has expired' };
    const user = userOf(claims, backend);
    return user === undefined ? { error: 'service account token has been invalidated' } : { user, audiences: claims.aud };
  };
  return {
    /** The `iss` claim of this server. */
    issuer,
    examine,
    get(token: string): User | undefined {
      const found = examine(token);
      return 'error' in found || !found.audiences.includes(issuer) ? undefined : found.user;
    },
    issue({ account: { metadata }, audiences, lifetimeSeconds, bound }: TokenSpec) {
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

/** Returns the claims of a token; undefined if this server has not signed it. */
function claimsOf(token: string, sign: (text: string) => Buffer): Claims | undefined {
  if (!token.startsWith(`${HEADER}.`)) return undefined;
  const at = token.lastIndexOf('.');
  const wanted = sign(token.slice(0, at)).toString('base64url');
  const given = token.slice(at + 1);
  // The text is compared, because base64 has several encodings of the same bytes.
  if (given.length !== wanted.length || !timingSafeEqual(Buffer.from(given), Buffer.from(wanted))) return undefined;
  return JSON.parse(Buffer.from(token.slice(HEADER.length + 1, at), 'base64url').toString('utf8')) as Claims;
}

/** Returns the user of a token if its account and bound object still exist. */
function userOf({ [PRIVATE]: { namespace, serviceaccount, pod, secret } }: Claims, { store, now, names }: Backend): User | undefined {
  const stands = (kind: string, { name, uid }: Named): boolean => {
    const found = store.get(kind, storeKey(namespace, name));
    if (found === undefined || found.metadata.uid !== uid) return false;
    const { deletionTimestamp } = found.metadata;
    return deletionTimestamp === undefined || parseTime(deletionTimestamp) + DELETED_LEEWAY_MS >= now();
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
